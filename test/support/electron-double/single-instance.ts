/**
 * The lock between two starts of the same app: a file in its folder with the id of the process that has it. A second
 * start leaves a note beside it, which the first one finds.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface SecondStart {
  argv: string[];
  workingDirectory: string;
  additionalData: unknown;
}

const lockName = 'double-lock';
const notePrefix = 'double-second-start-';

/** False: another process has the lock, and has been told. */
export function takeLock(
  folder: string,
  start: SecondStart,
  onSecond: (start: SecondStart) => void,
): boolean {
  mkdirSync(folder, { recursive: true });
  const lock = path.join(folder, lockName);
  const owner = ownerOf(lock);
  if (owner !== null && isAlive(owner)) {
    const note = path.join(folder, `${notePrefix}${process.pid}`);
    // Under its name only when it is whole.
    writeFileSync(`${note}.part`, JSON.stringify(start));
    renameSync(`${note}.part`, note);
    return false;
  }
  writeFileSync(lock, String(process.pid));
  const watcher = watch(folder, () => readNotes(folder, onSecond));
  watcher.unref();
  process.once('exit', () => rmSync(lock, { force: true }));
  return true;
}

function ownerOf(lock: string): number | null {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return null;
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

function readNotes(folder: string, onSecond: (start: SecondStart) => void): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(notePrefix) || name.endsWith('.part')) continue;
    const note = path.join(folder, name);
    const start = JSON.parse(readFileSync(note, 'utf8')) as SecondStart;
    rmSync(note);
    onSecond(start);
  }
}
