/** The log's files, line by line, newest file first, masked once more. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { maskLine } from '../../log/index.ts';

/** By name, so that no database beside them is touched: closing one would take its locks from whoever uses it here. */
const logFilePattern = /^tillbridge(?:\.(\d+))?\.log$/;
/** A line that is longer is no line of ours. */
const maxLineLength = 1024 * 1024;

/** Full paths, the newest file first; none where there is no such folder. */
export async function logFilesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => {
      const match = logFilePattern.exec(name);
      return match === null ? [] : [{ name, age: Number(match[1] ?? 0) }];
    })
    .toSorted((one, other) => one.age - other.age)
    .map(({ name }) => path.join(folder, name));
}

/** Pieces of whole masked lines, from a file that may still be written. Rejects when it cannot be read. */
export async function* maskedLines(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of createReadStream(file, { encoding: 'utf8' })) {
    const lines = `${rest}${String(piece)}`.split('\n');
    rest = lines.pop() ?? '';
    // Nothing of what cannot be masked as a whole.
    if (rest.length > maxLineLength) rest = '';
    yield lines.map((line) => (line === '' ? '' : `${maskLine(line)}\n`)).join('');
  }
  if (rest !== '') yield `${maskLine(rest)}\n`;
}
