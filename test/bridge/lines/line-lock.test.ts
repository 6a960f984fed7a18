import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  followedLockName,
  lockLine,
  lockNamed,
  serialLockNames,
  type LineLockOptions,
} from '../../../src/bridge/lines/line-lock.ts';
import type { LineLock } from '../../../src/bridge/lines/line.ts';
import type { LockPlace } from '../../../src/bridge/locks/machine-lock.ts';
import { portInfo } from './port-info.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const clock = createVirtualClock();
const dataFolder = '/data/of/this/one';

let folder = '';
let prefix = '';
let locks: LineLock[] = [];
beforeEach(() => {
  // Short: so must be the names of sockets.
  folder = mkdtempSync(join(process.platform === 'win32' ? tmpdir() : '/tmp', 'tillbridge-lock-'));
  prefix = `${folder}-`;
});
afterEach(() => {
  for (const lock of locks.splice(0)) if (lock.kind === 'held') lock.release();
  rmSync(folder, { recursive: true, force: true });
});

/** Names are Linux's and Windows' way; folders that of the others, and can be tried on Linux, too. */
const kinds = process.platform === 'linux' ? (['names', 'folder'] as const) : (['folder'] as const);

describe.each(kinds)('lockLine by %s', (kind) => {
  const place = (): LockPlace => (kind === 'names' ? { kind, prefix: `\0${prefix}` } : { kind, folder });

  async function lock(lineName: string, options: Partial<LineLockOptions> = {}): Promise<LineLock> {
    const result = await lockLine(lineName, { place: place(), dataFolder, ports: [], clock, ...options });
    locks.push(result);
    return result;
  }

  /** Another process that takes the lock, says how that went, and keeps it until it is killed. */
  async function holder(lineName: string) {
    const script = join(import.meta.dirname, 'lock-holder.ts');
    const child = spawn(process.execPath, [script, lineName, prefix, kind === 'folder' ? folder : ''], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    return {
      said: said.toString().trim(),
      processId: child.pid ?? 0,
      async kill() {
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
    };
  }

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
    const port = portInfo(device, { vendorId: '0403', productId: '6001', serialNumber: 'A1' });
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
    const port = portInfo(device, { vendorId: '0403', productId: '6001', serialNumber: 'A1' });
    writeFileSync(device, '');
    const held = await lock('serial:usb:0403:6001:A1');
    expect((await lock(`serial:${device}`, { ports: [port] })).kind).toBe('taken');
    expect((await lock(`serial:${device}`)).kind).toBe('held');
    expect(held.kind).toBe('held');
  });

  it('says who has it: the process and its data folder', async () => {
    const other = await holder('tcp:10.0.0.5:20007');
    const refused = await lock('tcp:10.0.0.5:20007');
    const words = `process ${other.processId}, with the data folder /data/of/the/holder.`;
    expect(refused).toEqual({ kind: 'taken', message: expect.stringContaining(words) as unknown });
    await other.kill();
  });

  it('leaves nothing behind', async () => {
    const held = await lock('serial:/dev/ttyUSB0');
    if (held.kind === 'held') held.release();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('lockLine by sockets in a folder', () => {
  const name = 'serial:/dev/ttyUSB0';
  const options = (): LineLockOptions => ({
    place: { kind: 'folder', folder },
    dataFolder,
    ports: [],
    clock,
  });

  it('lets every user ask who holds it, whatever the umask', async () => {
    const umask = process.umask(0o077);
    try {
      locks.push(await lockLine(name, options()));
      const [file = ''] = readdirSync(folder);
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o666);
    } finally {
      process.umask(umask);
    }
  });

  it('is not hindered by what a killed process left behind, and removes it', async () => {
    const script = join(import.meta.dirname, 'lock-holder.ts');
    const child = spawn(process.execPath, [script, name, '', folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [left = ''] = readdirSync(folder);
    expect(left).toContain(String(child.pid));
    const lock = await lockLine(name, options());
    locks.push(lock);
    expect(lock.kind).toBe('held');
    expect(readdirSync(folder)).not.toContain(left);
  });

  it('takes a living process that cannot be asked for a holder', async () => {
    const first = await lockLine(name, options());
    const [own = ''] = readdirSync(folder);
    if (first.kind === 'held') first.release();
    // A socket without anybody behind it, as one is between its making and its listening.
    writeFileSync(join(folder, own.replace(/\d+-0$/, `${process.ppid}-0`)), '');
    expect((await lockLine(name, options())).kind).toBe('taken');
  });

  it('is not made where others could remove it', async () => {
    chmodSync(folder, 0o777);
    const message = expect.stringMatching(
      /cannot be made: .*every user can remove the locks of others/,
    ) as unknown;
    expect(await lockLine(name, options())).toEqual({ kind: 'taken', message });
    chmodSync(folder, 0o1777);
    const lock = await lockLine(name, options());
    locks.push(lock);
    expect(lock.kind).toBe('held');
  });
});

describe('one device, to whoever looks for it and to whoever follows it', () => {
  const cable = { vendorId: '0b00', productId: '0071', serialNumber: 'A1' };
  const usb = 'serial:usb:0b00:0071:A1';

  it.each([
    ['win32', 'COM3', String.raw`\\.\com3`],
    ['darwin', '/dev/tty.usbmodem1', '/dev/cu.usbmodem1'],
  ] as const)('is locked by the same name (%s)', async (platform, listed, named) => {
    const { SerialPort } = await import('serialport');
    const listing = vi
      .spyOn(SerialPort, 'list')
      .mockResolvedValue([
        { path: listed, ...cable, manufacturer: undefined, pnpId: undefined, locationId: undefined },
      ]);
    vi.stubGlobal(
      'process',
      new Proxy(process, { get: (of, key) => (key === 'platform' ? platform : Reflect.get(of, key)) }),
    );
    try {
      const options: LineLockOptions = { place: { kind: 'folder', folder }, dataFolder, clock };
      const port = portInfo(listed, cable);
      const device = { ...cable, place: null, name: null, hasTwin: false };
      // A bridge on a port of its settings locks what is there, or the port where nobody knows that.
      for (const bridge of [followedLockName(named, device), followedLockName(named, null)]) {
        for (const found of [`serial:${listed}`, `serial:${named}`, usb]) {
          const held = await lockNamed(`serial:${named}`, [bridge], options);
          expect(held.kind).toBe('held');
          expect((await lockLine(found, options)).kind, `${bridge} and ${found}`).toBe('taken');
          if (held.kind === 'held') held.release();
        }
      }
      expect(serialLockNames(`serial:${named}`, [port])).toContain(followedLockName(listed, null));
    } finally {
      vi.unstubAllGlobals();
      listing.mockRestore();
    }
  });

  it('is locked by the name of its port where the list of ports never comes', async () => {
    const time = createVirtualClock();
    const { SerialPort } = await import('serialport');
    const listing = vi.spyOn(SerialPort, 'list').mockReturnValue(new Promise(() => {}));
    vi.stubGlobal(
      'process',
      new Proxy(process, { get: (of, key) => (key === 'platform' ? 'win32' : Reflect.get(of, key)) }),
    );
    try {
      const options: LineLockOptions = { place: { kind: 'folder', folder }, dataFolder, clock: time };
      const held = await time.run(lockLine('serial:COM3', options), 'the lock');
      locks.push(held);
      expect([held.kind, time.elapsed()]).toEqual(['held', 2_000]);
    } finally {
      vi.unstubAllGlobals();
      listing.mockRestore();
    }
  });
});

describe('lockLine on this system', () => {
  it('finds a place', async () => {
    const name = `serial:/dev/test-${process.pid}`;
    const held = await lockLine(name, { clock, dataFolder });
    locks.push(held);
    expect(held.kind).toBe('held');
    expect((await lockLine(name, { clock, dataFolder })).kind).toBe('taken');
  });
});

describe.skipIf(process.platform !== 'linux')('a holder that is no bridge', () => {
  it.each([
    ['says nothing', ''],
    ['says something else', '{"processId": "1", "dataFolder": 2}'],
    ['is no JSON', 'x'.repeat(100)],
    ['never stops', 'x'.repeat(10_000)],
  ])('%s, and is told as one that does not say who it is', async (_what, said) => {
    const refused = await refusedBy(said);
    expect(refused).toMatch(/^Another program on this computer holds the line .* does not say who it is/);
  });

  it('cannot write a line of its own into the message', async () => {
    const dataFolder = `/data\u001b[2J\r\n12:00:00 All is well ${'x'.repeat(3_000)}`;
    const refused = await refusedBy(JSON.stringify({ processId: 1, dataFolder }));
    expect(refused).not.toMatch(/\p{C}/u);
    expect(refused.length).toBeLessThan(900);
  });

  /** What a bridge says that finds a lock taken whose holder says this. */
  async function refusedBy(said: string): Promise<string> {
    const name = 'tcp:10.0.0.5:20007';
    const squatter = createServer((socket) => {
      socket.on('error', () => {});
      socket.end(said);
    });
    const digest = createHash('sha256').update(name).digest('hex').slice(0, 32);
    squatter.listen(`\0${prefix}tillbridge-line-${digest}`);
    await once(squatter, 'listening');
    const place: LockPlace = { kind: 'names', prefix: `\0${prefix}` };
    const lock = await lockLine(name, { place, dataFolder, ports: [], clock });
    squatter.close();
    return lock.kind === 'held' ? 'held' : lock.message;
  }
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
