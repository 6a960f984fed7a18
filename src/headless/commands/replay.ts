/** `tillbridge replay`: a recorded line, played to the driver of this version. */
import path from 'node:path';
import { errorText } from '../../base/error-text.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from '../cli-context.ts';
import type { AddCommand } from './shared.ts';

export const addReplayCommand: AddCommand = (program, context, runAction) => {
  program
    .command('replay')
    .summary('Play a recorded line to this version, and say what it would do otherwise.')
    .description(
      'Plays a recording of the line to a terminal ("tillbridge bridge --capture" makes one) to the driver of this ' +
        'version, on a clock of its own: nothing is sent anywhere, and no time passes. Prints where the driver would send ' +
        'or decide something else now than it did then, and exits with code 1 if there is such a place. Several ' +
        'recordings may stand in one file; an older file beside it (capture.1.jsonl) is taken with it.',
    )
    .argument('<file>', 'The recording: capture.jsonl.')
    .option('--json', 'Print one JSON object for each recording.')
    .addHelpText('after', '\nExample:\n  $ tillbridge replay capture.jsonl')
    .action((file: string, flags: { json?: true }) =>
      runAction(() => replay(path.resolve(context.currentFolder, file), flags.json === true, context)),
    );
};

async function replay(file: string, asJson: boolean, context: CliContext): Promise<number> {
  // Only here: the drivers take longer to load than a frame to decode.
  const { replayFile } = await import('../../bridge/capture/index.ts');
  const read = await replayFile(file).catch((error: unknown) => ({
    ok: false as const,
    error: `The recording cannot be read: ${errorText(error)}`,
  }));
  if (!read.ok) {
    context.error(oneLine(read.error));
    return exitUsage;
  }
  for (const one of read.replays) {
    const { protocol, started, program, calls, outcomes, leftOut, unchecked, differences } = one;
    if (asJson) {
      context.stdoutExact(JSON.stringify(one));
      continue;
    }
    const messages = one.requests > 0 ? `${one.requests} requests` : `${one.frames} frames`;
    context.stdout(
      oneLine(
        `${protocol}, recorded at ${started} by Tillbridge ${program}: ${calls} calls of the driver, ${messages}.`,
      ),
    );
    if (leftOut > 0) {
      const why = 'what was before them is in an older file, which is not here';
      context.stdout(`  ${leftOut} entries are not played: ${why}.`);
    }
    if (unchecked !== null) context.stdout(`  ${unchecked}`);
    for (const outcome of outcomes) context.stdout(oneLine(`  ${outcome}`));
    if (differences.length === 0) context.stdout('  This version does the same.');
    for (const { text } of differences) context.stdout(oneLine(`  ${text}`));
  }
  return read.replays.some(({ differences }) => differences.length > 0) ? exitFailed : exitOk;
}
