import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockLine, serialLockNames } from '../../../src/bridge/lines/line-lock.ts';
import type { LineLock, LineLockOptions } from '../../../src/bridge/lines/line-lock.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const clock = createVirtualClock();

let folder = '';
let locks: LineLock[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-lock-'));
});
afterEach(() => {
  for (const lock of locks.splice(0)) if (lock.kind === 'held') lock.release();
  rmSync(folder, { recursive: true, force: true });
});

async function lock(lineName: string, options: Partial<LineLockOptions> = {}): Promise<LineLock> {
  const result = await lockLine(lineName, { folders: [folder], ports: [], clock, ...options });
  locks.push(result);
  return result;
}

/** Another process that takes the lock, says how that went, and keeps it until it is killed. */
async function holder(lineName: string) {
  const script = join(import.meta.dirname, 'lock-holder.ts');
  const child = spawn(process.execPath, [script, lineName, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    said: said.toString().trim(),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('lockLine', () => {
  it('has one holder, and is free again after its release', async () => {
    const first = await lock('serial:/dev/ttyUSB0');
    expect(first.kind).toBe('held');
    const second = await lock('serial:/dev/ttyUSB0');
    expect(second).toEqual({
      kind: 'taken',
      message: expect.stringContaining('serial:/dev/ttyUSB0') as unknown,
    });
    expect((await lock('serial:/dev/ttyUSB1')).kind).toBe('held');
    if (first.kind === 'held') {
      first.release();
      first.release();
    }
    expect((await lock('serial:/dev/ttyUSB0')).kind).toBe('held');
  });

  it('holds against another process, until that is killed', async () => {
    const other = await holder('tcp:10.0.0.5:20007');
    expect(other.said).toBe('held');
    expect((await lock('tcp:10.0.0.5:20007')).kind).toBe('taken');
    await other.kill();
    expect((await lock('tcp:10.0.0.5:20007')).kind).toBe('held');
    const late = await holder('tcp:10.0.0.5:20007');
    expect(late.said).toBe('taken');
    await late.kill();
  });

  it('needs no lock for a line inside the process', async () => {
    expect((await lock('memory:simulator')).kind).toBe('held');
    expect((await lock('memory:simulator')).kind).toBe('held');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('knows a device under each of its names', async () => {
    const device = join(folder, 'ttyUSB0');
    writeFileSync(device, '');
    symlinkSync(device, join(folder, 'by-id'));
    const port = { path: device, name: null, vendorId: '0403', productId: '6001', serialNumber: 'A1' };
    const names = [
      `serial:${device}`,
      `serial:${join(folder, 'by-id')}`,
      'serial:usb:0403:6001',
      'serial:usb:0403:6001:a1',
    ];
    for (const first of names) {
      const held = await lock(first, { ports: [port] });
      expect(held.kind).toBe('held');
      for (const second of names)
        expect((await lock(second, { ports: [port] })).kind, `${first} and ${second}`).toBe('taken');
      if (held.kind === 'held') held.release();
    }
  });

  it('keeps nothing of a lock that it could take only in part', async () => {
    const device = join(folder, 'ttyUSB0');
    const port = { path: device, name: null, vendorId: '0403', productId: '6001', serialNumber: 'A1' };
    writeFileSync(device, '');
    const held = await lock('serial:usb:0403:6001:A1');
    expect((await lock(`serial:${device}`, { ports: [port] })).kind).toBe('taken');
    expect((await lock(`serial:${device}`)).kind).toBe('held');
    expect(held.kind).toBe('held');
  });

  it.skipIf(process.platform === 'win32')(
    'makes lock files and its own folder for every user, whatever the umask',
    async () => {
      const umask = process.umask(0o077);
      try {
        const own = join(folder, 'tillbridge');
        expect((await lock('serial:/dev/ttyUSB0', { folders: [own] })).kind).toBe('held');
        expect(statSync(own).mode & 0o777).toBe(0o777);
        const [file = ''] = readdirSync(own);
        expect(statSync(join(own, file)).mode & 0o777).toBe(0o666);
      } finally {
        process.umask(umask);
      }
    },
  );

  it('goes on to the next folder where it cannot write, and holds in each where it can', async () => {
    const [blocked, missing, other] = ['blocked', 'missing', 'other'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(blocked, 'not a folder');
    const second = mkdtempSync(join(folder, 'second-'));
    chmodSync(second, 0o777);
    expect((await lock('serial:/dev/ttyUSB0', { folders: [blocked, missing, second] })).kind).toBe('held');
    expect((await lock('serial:/dev/ttyUSB0', { folders: [folder, second] })).kind).toBe('taken');
    expect((await lock('serial:/dev/ttyUSB0', { folders: [folder] })).kind).toBe('held');
    expect(readdirSync(folder)).not.toContain('missing');
    const none = await lock('serial:/dev/ttyUSB0', { folders: [blocked, other] });
    expect(none).toEqual({ kind: 'taken', message: expect.stringMatching(/cannot be made/) as unknown });
  });

  it('finds a folder on this system', async () => {
    const name = `serial:/dev/test-${process.pid}`;
    const held = await lockLine(name, { clock });
    locks.push(held);
    expect(held.kind).toBe('held');
    expect((await lockLine(name, { clock })).kind).toBe('taken');
    if (held.kind === 'held') held.release();
    const file = `tillbridge-${createHash('sha256').update(name).digest('hex').slice(0, 32)}.lock`;
    for (const shared of ['/run/lock', '/tmp']) rmSync(join(shared, file), { force: true });
  });
});

describe('serialLockNames', () => {
  it.each([
    ['serial:com3', 'serial:COM3'],
    ['serial:\\\\.\\COM10', 'serial:COM10'],
    ['serial:/dev/ttyNone', 'serial:/dev/ttyNone'],
    ['serial:usb:0B00:0071:X', 'serial:usb:0b00:0071:x'],
  ])('%s is %s', (lineName, expected) => {
    expect(serialLockNames(lineName, [])).toEqual([expected]);
  });
});
