/** Processes that write a journal and are killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Acknowledged {
  seq: number;
  word: string;
}

/** Starts an appender and kills it as soon as `enough` says so; resolves with everything that it had acknowledged. */
export async function appendUntilKilled(
  folder: string,
  enough: (acknowledged: Acknowledged[], kill: () => void) => void,
  args: string[] = [],
): Promise<Acknowledged[]> {
  const script = join(import.meta.dirname, 'appender.ts');
  const child = spawn(process.execPath, [script, folder, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: Acknowledged[] = [];
  const lines = createInterface({ input: child.stdout });
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]);
  lines.on('line', (line) => {
    const [seq, word] = line.split(' ');
    acknowledged.push({ seq: Number(seq), word: word ?? '' });
    enough(acknowledged, () => child.kill('SIGKILL'));
  });
  const [[, signal]] = await ended;
  if (signal !== 'SIGKILL') throw new Error(`The appender ended by itself (${String(signal)}).`);
  return acknowledged;
}

/**
 * Leaves a folder as a killed bridge does, write-ahead file and all, after `count` payments and, unless `atRest` is
 * false, a moment of rest.
 */
export async function crashAfter(
  folder: string,
  count: number,
  { atRest = true } = {},
): Promise<Acknowledged[]> {
  return appendUntilKilled(folder, () => {}, [String(count), ...(atRest ? [] : ['restless'])]);
}
