import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRotatingFile } from '../../src/log/rotating-file.ts';
import type { FileCalls } from '../../src/log/rotating-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder = '';
beforeEach(() => {
  folder = tempFolder('file');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function diskFull(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

/** A disk on which `freeBytes` may still be written. */
function smallDisk(): FileCalls & { freeBytes: number } {
  const disk = {
    freeBytes: Infinity,
    openSync,
    closeSync,
    writeSync(descriptor: number, bytes: Uint8Array, offset: number) {
      const count = Math.min(disk.freeBytes, bytes.length - offset);
      if (count === 0) throw diskFull();
      disk.freeBytes -= count;
      return writeSync(descriptor, bytes, offset, count);
    },
  };
  return disk;
}

function open(calls: FileCalls, maxBytes = 10_000) {
  return openRotatingFile({
    folder,
    name: 'x',
    maxBytes,
    maxFiles: 2,
    lossLine: (count) => `lost ${count}`,
    calls,
  });
}
const text = () => readFileSync(join(folder, 'x.log'), 'utf8');

describe('openRotatingFile', () => {
  it('goes on after a full disk, and says what is missing', () => {
    const disk = smallDisk();
    const file = open(disk);
    expect(file.write('first')).toBe(true);
    disk.freeBytes = 3;
    expect(file.write('second')).toBe(false);
    expect(file.write('third')).toBe(false);
    disk.freeBytes = Infinity;
    expect(file.write('fourth')).toBe(true);
    expect(file.lostLines).toBe(2);
    expect(text()).toBe('first\nsec\nlost 2\nfourth\n');
  });

  it('writes a whole line although the system takes it in pieces', () => {
    const file = open({
      openSync,
      closeSync,
      writeSync: (descriptor, bytes, offset) => writeSync(descriptor, bytes, offset, 1),
    });
    expect(file.write('läuft')).toBe(true);
    expect(text()).toBe('läuft\n');
  });

  it('appends to what is there, and counts it', () => {
    open(smallDisk()).write('old');
    const file = open(smallDisk(), 8);
    file.write('new');
    expect(text()).toBe('old\nnew\n');
    file.write('next');
    expect(text()).toBe('next\n');
    expect(readFileSync(join(folder, 'x.1.log'), 'utf8')).toBe('old\nnew\n');
  });

  it('takes a line that is longer than a file may be', () => {
    const file = open(smallDisk(), 4);
    file.write('a');
    expect(file.write('long line')).toBe(true);
    file.write('b');
    expect(text()).toBe('b\n');
    expect(readFileSync(join(folder, 'x.1.log'), 'utf8')).toBe('long line\n');
  });

  it('makes its folder again when it was taken away', () => {
    const disk = smallDisk();
    const file = open(disk);
    file.write('before');
    rmSync(folder, { recursive: true });
    disk.freeBytes = 0;
    file.write('lost');
    disk.freeBytes = Infinity;
    expect(file.write('after')).toBe(true);
    expect(text()).toBe('lost 1\nafter\n');
  });

  it('loses lines after close, and says so', () => {
    const file = open(smallDisk());
    file.close();
    file.close();
    expect(file.write('late')).toBe(false);
    expect(file.lostLines).toBe(1);
  });
});
