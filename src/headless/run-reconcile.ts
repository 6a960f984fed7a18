/** What `tillbridge reconcile` does. */
import path from 'node:path';
import { shellWord } from '../base/shell-word.ts';
import { moneyFolder, rulesFileName } from '../host/money-place.ts';
import {
  decideMoney,
  lookForMoney,
  maxDays,
  moneyCsv,
  readResults,
  readRulesFile,
  readServiceAccess,
  serviceEntries,
  type AccessFlags,
  type KeptResults,
  type MoneyOutcome,
} from '../host/reconcile/index.ts';
import { dateOf, dayOf, type Decision } from '../reconcile/index.ts';
import { RemoteError } from '../remote/library/client.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from './cli-context.ts';
import { moneyJson, moneyTable } from './money-table.ts';
import { explain } from './remote-access.ts';
import { exitCodeFor, watchMoney } from './watch-money.ts';

export interface ReconcileFlags extends AccessFlags {
  days: string;
  dataDir?: string;
  rules?: string;
  statement?: string[];
  asOf?: string;
  /** In minutes, as text. */
  watch?: true | string;
  simulator?: true;
  json?: true;
  csv?: true;
}

export interface DecisionFlags {
  entry: string[];
  acquirer?: string;
  rules?: string;
  simulator?: true;
  by: string;
  reason: string;
}

const dayMs = 86_400_000;
const defaultWatchMinutes = 60;

export async function runReconcile(
  dataDir: string,
  flags: ReconcileFlags,
  context: CliContext,
): Promise<number> {
  if (!/^[1-9]\d{0,3}$/.test(flags.days) || Number(flags.days) > maxDays)
    return wrong(context, [`--days: must be a whole number from 1 to ${maxDays}.`]);
  if (flags.json === true && flags.csv === true) return wrong(context, ['Give --json or --csv, not both.']);
  const { clock, environment } = context;
  const asOf =
    flags.asOf === undefined ? undefined : readAsOf(flags.asOf, flags.simulator === true, clock.now());
  if (asOf === null)
    return wrong(context, [
      '--as-of: must be a date that is not to come, such as 2026-03-31; with --simulator also +N, so many days from now.',
    ]);
  const access = readServiceAccess(flags, environment);
  const look = () =>
    lookForMoney({
      dataDir,
      simulated: flags.simulator === true,
      rulesFile: rulesFileOf(dataDir, flags, context),
      days: Number(flags.days),
      clock,
      asOf,
      statements: flags.statement?.map((file) => path.resolve(context.currentFolder, file)),
      service: access.ok ? { ok: true, value: serviceEntries(access.value, clock) } : access,
    });
  const tell = (outcome: MoneyOutcome) => tellOutcome(outcome, flags, context);
  if (flags.watch === undefined) return tell(await look());
  if (flags.csv === true || asOf !== undefined)
    return wrong(context, ['Give --watch without --csv and --as-of.']);
  const everyMinutes = flags.watch === true ? defaultWatchMinutes : Number(flags.watch);
  if (!/^[1-9]\d{0,3}$/.test(String(everyMinutes)))
    return wrong(context, ['--watch: must be a whole number of minutes from 1 to 9999.']);
  return await watchMoney(everyMinutes, look, tell, context);
}

function tellOutcome(outcome: MoneyOutcome, flags: ReconcileFlags, context: CliContext): number {
  if (!outcome.ok) {
    if (outcome.kind === 'usage') return wrong(context, outcome.messages);
    if (outcome.cause instanceof RemoteError) return explain(outcome.cause, context);
    return failed(context, outcome.messages.join(' '));
  }
  for (const note of outcome.notes) context.error(oneLine(note));
  print(outcome.results, flags, context);
  return exitCodeFor(outcome.results);
}

/** `YYYY-MM-DD`; null for what is no such day. Of days to come nobody knows all entries, but for simulated ones. */
function readAsOf(text: string, simulated: boolean, nowMs: number): string | null {
  const [, days] = /^\+(\d{1,3})$/.exec(text) ?? [];
  const date = days === undefined ? text : dateOf(Math.floor(nowMs / dayMs) + Number(days));
  if (dayOf(date) === null) return null;
  return simulated || date <= dateOf(Math.floor(nowMs / dayMs)) ? date : null;
}

/** What to do about it. */
const advice: Partial<Record<string, string>> = {
  'no-batch': ' "tillbridge reconcile --json" names them.',
  'no-entry': ' "tillbridge reconcile --json" looks again and names them.',
};

/** A named person's word on whose money entries are. */
export function runDecision(
  kind: Decision['kind'],
  batchIds: string[],
  dataDir: string,
  flags: DecisionFlags,
  context: CliContext,
): number {
  const read = readRulesFile(rulesFileOf(dataDir, flags, context));
  if (!read.ok) return wrong(context, read.errors);
  const names = read.rules.acquirers.map(({ name }) => name);
  const acquirer = flags.acquirer ?? (names.length === 1 ? names[0] : undefined);
  if (acquirer === undefined || !names.includes(acquirer))
    return wrong(context, [`--acquirer: must be one of ${names.join(', ')}.`]);
  const { entry: entryIds, by, reason } = flags;
  if (by.trim() === '' || reason.trim() === '')
    return wrong(context, ['--by and --reason must not be empty.']);
  const place = { dataDir, simulated: flags.simulator === true };
  const found = readResults(moneyFolder(place));
  if (!found.ok) return failed(context, found.message);
  const decided = decideMoney(
    { ...place, clock: context.clock },
    { kind, batchIds, acquirer, entryIds, by, reason },
    found.value,
  );
  if (!decided.ok) return failed(context, `${decided.message}${advice[decided.fault] ?? ''}`);
  context.stdout(oneLine(`${by.trim()} has decided; it counts from the next "tillbridge reconcile" on.`));
  return exitOk;
}

function print(results: KeptResults, flags: ReconcileFlags, context: CliContext): void {
  if (flags.json === true) context.stdoutExact(moneyJson(results));
  else if (flags.csv === true) context.stdoutExact([...moneyCsv(results)].join(''));
  else context.stdoutExact(moneyTable(results, placeOf(flags)).join('\n'));
}

/** As it was named: what people decide is to be kept in the same place. */
function placeOf({ simulator, dataDir, rules }: ReconcileFlags): string[] {
  const named = (
    [
      ['--data-dir', dataDir],
      ['--rules', rules],
    ] as const
  ).flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${shellWord(value)}`]));
  return [...(simulator === true ? ['--simulator'] : []), ...named];
}

function rulesFileOf(dataDir: string, { rules }: { rules?: string }, context: CliContext): string {
  return rules === undefined ? path.join(dataDir, rulesFileName) : path.resolve(context.currentFolder, rules);
}

function wrong(context: CliContext, messages: readonly string[]): number {
  for (const message of messages) context.error(oneLine(message));
  return exitUsage;
}

function failed(context: CliContext, message: string): number {
  context.error(oneLine(message));
  return exitFailed;
}
