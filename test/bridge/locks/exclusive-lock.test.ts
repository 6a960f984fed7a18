import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireExclusiveLock } from '../../../src/bridge/locks/exclusive-lock.ts';

let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a process that takes the lock; resolves with what it says of it. */
async function holder(file: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hold-lock.ts'), file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

describe('exclusive lock', () => {
  it('makes the file and its folder, and keeps the file', () => {
    const file = join(folder, 'made', 'a name with %, ? and #.lock');
    const lock = acquireExclusiveLock(file);
    expect(lock.kind).toBe('held');
    expect(readdirSync(join(folder, 'made'))).toEqual(['a name with %, ? and #.lock']);
    if (lock.kind === 'held') lock.release();
    expect(existsSync(file)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('refuses a second holder in the same process, until it is given back', () => {
    const file = join(folder, 'line.lock');
    const first = acquireExclusiveLock(file);
    expect(acquireExclusiveLock(file).kind).toBe('taken');
    // The refused try must not have loosened the first.
    expect(acquireExclusiveLock(file).kind).toBe('taken');
    if (first.kind === 'held') {
      first.release();
      first.release();
    }
    const second = acquireExclusiveLock(file);
    expect(second.kind).toBe('held');
    if (first.kind === 'held') first.release();
    expect(acquireExclusiveLock(file).kind).toBe('taken');
    if (second.kind === 'held') second.release();
  });

  it('knows a file by what it is, not by how its path is written', () => {
    const file = join(folder, 'line.lock');
    const lock = acquireExclusiveLock(file);
    expect(acquireExclusiveLock(`${folder}/./line.lock`).kind).toBe('taken');
    if (lock.kind === 'held') lock.release();
  });

  it('is taken while another process has it, and free as soon as that one is killed', async () => {
    const file = join(folder, 'line.lock');
    const { child, said } = await holder(file);
    expect(said).toBe('held');
    expect(acquireExclusiveLock(file).kind).toBe('taken');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = acquireExclusiveLock(file);
    expect(lock.kind).toBe('held');
    expect((await holder(file)).said).toBe('taken');
    if (lock.kind === 'held') lock.release();
  });

  it('gives one of many who ask at once the lock, and only one', async () => {
    const file = join(folder, 'line.lock');
    const said = (await Promise.all([holder(file), holder(file), holder(file), holder(file)])).map(
      (h) => h.said,
    );
    expect(said.sort()).toEqual(['held', 'taken', 'taken', 'taken']);
  });

  it('throws when the file is something else, and leaves it alone', () => {
    const file = join(folder, 'line.lock');
    writeFileSync(file, 'not a lock file. '.repeat(40));
    expect(() => acquireExclusiveLock(file)).toThrow(/not a database/);
    expect(() => acquireExclusiveLock(folder)).toThrow(/unable to open/);
  });
});
