/** What `npm start` and `npm run dev` do alike. */
import path from 'node:path';
import { runTillbridge } from '../../src/headless/program.ts';
import { createCliContext, type CliContext } from '../../src/headless/cli-context.ts';
import { isBuildOld } from './build-age.ts';
import { build } from './build.ts';
import { endBySignal } from './child.ts';

export const repository = path.resolve(import.meta.dirname, '../..');
/** As in vite.config.ts. */
export const dist = path.resolve(repository, process.env['TILLBRIDGE_DIST'] ?? 'dist');

/** A build that fails is told, and is no reason to go without a bridge. */
export async function buildIfOld(): Promise<void> {
  if (!isBuildOld(repository, dist)) return;
  say('Building the console.');
  const end = await build(repository);
  if (end.kind === 'stopped') endBySignal(end.by);
  if (end.kind === 'failed') process.stderr.write(`The console could not be built:\n${end.words}\n`);
}

/** The bridge in this process, on the simulator unless something names a terminal; resolves with the exit code. */
export function runHeadless(args: string[], context: CliContext = createCliContext()): Promise<number> {
  return runTillbridge(['bridge', '--default-terminal', 'simulator', ...args], context);
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
