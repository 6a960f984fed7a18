/** Examines a POS: asks for payments, and reports what the POS made of what happened. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { replaceFile } from '../base/atomic-file.ts';
import { errorText } from '../base/error-text.ts';
import {
  examine,
  isPassed,
  reportAsJson,
  reportAsMarkdown,
  reportAsTable,
  sceneAsLines,
  sceneNames,
  summary,
  type Examination,
  type SceneName,
} from '../examine/index.ts';
import { loadConfiguration, type FlagValues } from '../host/index.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from './cli-context.ts';
import { createPressCommand } from './press-command.ts';
import { watchStopSignals } from './stop-signals.ts';

export interface ExaminationRun {
  flags: FlagValues;
  /** Names with commas between them; null: all. */
  scenes: string | null;
  pace: number;
  limitS: number;
  patienceS: number;
  quietS: number;
  /** A command line that pays once; null: a person does. */
  press: string | null;
  /** A full path; null: none is written. */
  file: string | null;
  asJson: boolean;
}

export async function runExamination(run: ExaminationRun, context: CliContext): Promise<number> {
  const wrong = whatIsWrong(run);
  if (wrong !== null) {
    context.error(oneLine(wrong));
    return exitUsage;
  }
  const loaded = loadConfiguration({
    ...context,
    flags: { ...run.flags, terminal: 'simulator' },
    configFile: null,
  });
  if (!loaded.ok) {
    for (const error of loaded.errors) context.error(oneLine(error));
    return exitUsage;
  }
  const { port, host, allowedHosts, allowedOrigins, currency } = loaded.configuration;
  const { clock, chance, version } = context;
  // A program that reads JSON from standard output gets nothing else there.
  const tell = (line: string) => (run.asJson ? context.error(oneLine(line)) : context.info(line));
  const press = run.press === null ? null : createPressCommand(run.press, context);
  const signals = watchStopSignals(context);
  const interrupt = new AbortController();
  void signals.first.then(() => interrupt.abort());
  let address = '';
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-examination-'));
  try {
    const examination = await examine({
      folder,
      port,
      host,
      allowedHosts,
      allowedOrigins,
      currency,
      clock,
      chance,
      version,
      scenes: scenesOf(run.scenes),
      pace: run.pace,
      limitMs: run.limitS * 1_000,
      patienceMs: run.patienceS * 1_000,
      quietMs: run.quietS * 1_000,
      signal: interrupt.signal,
      onOpen(addresses) {
        [address = ''] = addresses;
        tell(`In place of the bridge, for an examination (no real payments): ${addresses.join(', ')}`);
      },
      onScene(scene, number, count) {
        tell(`Scene ${number} of ${count}, ${scene.name}: ${scene.title}`);
        if (press !== null) return press.run({ TILLBRIDGE_SCENE: scene.name, TILLBRIDGE_ADDRESS: address });
        tell('  Press "pay" on the till, once. Which amount does not matter.');
        return undefined;
      },
      onPlayed(result) {
        press?.end();
        for (const line of sceneAsLines(result)) tell(`  ${line}`);
        if (press === null) tell(`  Look at the till. It must show: ${result.scene.look}`);
      },
    });
    context.endSoon();
    return report(examination, run, context);
  } finally {
    press?.end();
    signals.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(examination: Examination, { file, asJson }: ExaminationRun, context: CliContext): number {
  if (examination.kind === 'failed') {
    context.error(oneLine(`There is no examination: ${examination.message}`));
    return exitFailed;
  }
  const { results, currency, interrupted } = examination;
  if (asJson) context.stdoutExact(reportAsJson(results, currency));
  else if (results.length > 0) {
    for (const line of reportAsTable(results)) context.stdout(oneLine(line));
    context.stdout(summary(results));
  }
  if (interrupted)
    context.error('The examination was interrupted; what was not played is not in the report.');
  if (file !== null) {
    try {
      replaceFile(file, reportAsMarkdown(results, currency));
    } catch (error) {
      context.error(oneLine(`The report cannot be written: ${errorText(error)}`));
      return exitFailed;
    }
  }
  return isPassed(results) && !interrupted ? exitOk : exitFailed;
}

/** A sentence about the first option that cannot be right, or null. */
function whatIsWrong({ scenes, pace, limitS, patienceS, quietS }: ExaminationRun): string | null {
  const known: readonly string[] = sceneNames;
  const unknown = scenes?.split(',').find((name) => !known.includes(name));
  if (unknown !== undefined) return `--scenes: there is no "${unknown}". The scenes are ${known.join(', ')}.`;
  const numbers = Object.entries({ pace, limit: limitS, patience: patienceS, quiet: quietS });
  const wrong = numbers.find(([, value]) => !(value > 0 && value <= maxNumber));
  return wrong === undefined ? null : `--${wrong[0]} must be more than 0, and at most ${maxNumber}.`;
}

/** A day in seconds; more is a slip. */
const maxNumber = 86_400;

function scenesOf(names: string | null): readonly SceneName[] {
  const wanted = names?.split(',');
  return wanted === undefined ? sceneNames : sceneNames.filter((name) => wanted.includes(name));
}
