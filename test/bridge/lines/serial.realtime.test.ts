import { mkdtempSync, rmSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { maxWaitingBytes } from '../../../src/bridge/lines/connection-events.ts';
import { createBackoff, openWithBackoff } from '../../../src/base/open-with-backoff.ts';
import { createDeviceMemory } from '../../../src/bridge/lines/device-memory.ts';
import { lockLine } from '../../../src/bridge/lines/line-lock.ts';
import { LineError, type Line, type LineConnection } from '../../../src/bridge/lines/line.ts';
import { createSerialLine, type SerialLineOptions } from '../../../src/bridge/lines/serial.ts';
import type { SerialPortInfo } from '../../../src/bridge/lines/serial-ports.ts';
import { silentLog } from '../../../src/log/index.ts';
import { needs } from '../../support/needs.ts';
import { openPtyPair, type PtyPair } from '../../support/pty-pair.ts';
import { bytes, never, turns, watch } from './connection-watch.ts';
import { portInfo } from './port-info.ts';

const settings = { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 2 } as const;

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function serial(path: string, options: Partial<SerialLineOptions> = {}) {
  return createSerialLine({ path, settings, clock: systemClock, ...options });
}

async function open(path: string, options: Partial<SerialLineOptions> = {}): Promise<LineConnection> {
  const connection = await serial(path, options).open(never());
  cleanUps.push(() => connection.close());
  return connection;
}

async function plugIn(at?: { a: string; b: string }): Promise<PtyPair> {
  const pair = await openPtyPair(at);
  cleanUps.push(() => pair.close());
  return pair;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-serial-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Resolves once the port can be opened: now, or as soon as the system has closed it. */
async function freed(path: string): Promise<true> {
  for (;;) {
    try {
      await (await serial(path).open(never())).close();
      return true;
    } catch (error) {
      if (!(error instanceof LineError) || !/in use/.test(error.message)) throw error;
    }
  }
}

const device = (path: string, serialNumber: string | null) =>
  portInfo(path, { name: 'Terminal', vendorId: '0b00', productId: '0071', serialNumber });

describe('createSerialLine without a port', () => {
  it('has the name that people and the lock know', () => {
    expect(serial('/dev/ttyUSB0').name).toBe('serial:/dev/ttyUSB0');
    expect(serial('COM3').name).toBe('serial:COM3');
  });

  it('says in words that the port is missing', async () => {
    const path = join(makeFolder(), 'ttyUSB0');
    const opening = serial(path).open(never());
    await expect(opening).rejects.toThrow(LineError);
    await expect(opening).rejects.toThrow(`there is no serial port ${path}`);
  });

  it('says in words what is wrong with a device known by what it is', async () => {
    const none = serial('usb:0B00:0071:17', { listPorts: async () => [device('/dev/ttyACM0', '18')] });
    await expect(none.open(never())).rejects.toThrow('no device usb:0b00:0071:17 is plugged in');
    const two = serial('usb:0b00:0071', {
      listPorts: async () => [device('/dev/ttyACM0', '17'), device('/dev/ttyACM1', null)],
    });
    await expect(two.open(never())).rejects.toThrow(
      'more than one device is usb:0b00:0071: /dev/ttyACM0 (serial number 17), /dev/ttyACM1 (serial number none)',
    );
    const silent = serial('usb:0b00:0071', { listPorts: () => Promise.reject(new Error('no list today')) });
    const opening = silent.open(never());
    await expect(opening).rejects.toThrow(LineError);
    await expect(opening).rejects.toThrow('no list today');
  });

  it('does not open when it is no longer wanted', async () => {
    await expect(serial('/dev/null').open(AbortSignal.abort())).rejects.toThrow(LineError);
  });
});

describe.skipIf(!needs('pseudo-terminals'))('createSerialLine on a pair of pseudo-terminals', () => {
  it('moves bytes both ways, of every value', async () => {
    const pair = await plugIn();
    const [near, far] = [await open(pair.a), await open(pair.b)];
    const [nearWatched, farWatched] = [watch(near), watch(far)];
    const all = Uint8Array.from({ length: 256 }, (_, value) => value);
    expect(near.write(all)).toBe(true);
    await farWatched.until(Buffer.from(all).toString('latin1'));
    expect(far.write(all)).toBe(true);
    await nearWatched.until(Buffer.from(all).toString('latin1'));
  });

  it('sends what the system does not take at once afterwards, and what it is given meanwhile behind it', async () => {
    const pair = await plugIn();
    const [near, far] = [await open(pair.a), await open(pair.b)];
    const whole = 'long frame '.repeat(10_000);
    let came = '';
    const last = new Promise<void>((resolve) => {
      far.onData((piece) => {
        came += Buffer.from(piece).toString('latin1');
        // Each time the system has room again.
        if (came.length < 20_000) near.write(bytes('.'));
        if (came.endsWith('end')) resolve();
        else if (came.length >= whole.length && !came.includes('end')) near.write(bytes('end'));
      });
    });
    expect(near.write(bytes(whole))).toBe(true);
    await last;
    expect(came).toMatch(/^(long frame )+\.+(end)+$/);
    expect(came.startsWith(whole)).toBe(true);
  });

  it('notices an unplugged cable, told once', async () => {
    const pair = await plugIn();
    const near = await open(pair.a);
    const watched = watch(near);
    await pair.close();
    expect(await watched.closed).toBe(`${pair.a} was unplugged`);
    expect(near.closed).toBe(true);
    expect(near.write(bytes('late'))).toBe(false);
    await near.close();
    expect(watched.closeReasons).toHaveLength(1);
  });

  it('notices an unplugged cable although nobody reads, and with a write under way', async () => {
    const pair = await plugIn();
    const near = await open(pair.a);
    const closed = new Promise<string>((resolve) => near.onClose(resolve));
    // Nobody takes it at the other end, so it stays under way.
    expect(near.write(new Uint8Array(maxWaitingBytes))).toBe(true);
    await pair.close();
    expect(await closed).toMatch(/was unplugged|failed/);
    expect(near.write(bytes('late'))).toBe(false);
    await near.close();
  });

  it('notices a cable that was unplugged while the process was busy with the last bytes', async () => {
    const pair = await plugIn();
    const [near, far] = [await open(pair.a), await open(pair.b)];
    const closed = new Promise<string>((resolve) => near.onClose(resolve));
    near.onData(() => {
      void pair.close();
      // As a synced write does; long enough for the system to hang the port up.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    });
    far.write(bytes('result'));
    expect(await closed).toBe(`${pair.a} was unplugged`);
  });

  it('sends nothing that a closed connection was given when the port comes back', async () => {
    const folder = makeFolder();
    const at = { a: join(folder, 'a'), b: join(folder, 'b') };
    const pair = await plugIn(at);
    const line = serial(at.a);
    const first = await line.open(never());
    const watched = watch(first);
    await pair.close();
    await watched.closed;
    expect(first.write(bytes('old sale'))).toBe(false);

    await plugIn(at);
    const far = watch(await open(at.b));
    const second = await line.open(never());
    cleanUps.push(() => second.close());
    expect(second).not.toBe(first);
    expect(first.write(bytes('old sale'))).toBe(false);
    second.write(bytes('new'));
    await far.until('new');
    expect(far.text()).toBe('new');
  });

  it('takes nothing that was sent before it was opened for part of this connection', async () => {
    const pair = await plugIn();
    const far = await open(pair.a);
    far.write(bytes('!old sale'));
    // Once its first byte can be read there, the rest of it waits in the system, too.
    const system = await openFile(pair.b, 'r+');
    await system.read(new Uint8Array(1), 0, 1);
    await system.close();
    const watched = watch(await open(pair.b));
    far.write(bytes('new'));
    await watched.until('new');
    expect(watched.text()).toBe('new');
  });

  it('refuses a port that is open already, and opens it once it is free', async () => {
    const pair = await plugIn();
    const first = await open(pair.a);
    const second = serial(pair.a).open(never());
    await expect(second).rejects.toThrow(LineError);
    await expect(second).rejects.toThrow(`${pair.a} is in use by another program`);
    await first.close();
    const third = await open(pair.a);
    expect(third.closed).toBe(false);
  });

  it('closes once, and says nothing afterwards', async () => {
    const pair = await plugIn();
    const [near, far] = [await open(pair.a), await open(pair.b)];
    const watched = watch(near);
    await Promise.all([near.close(), near.close()]);
    await near.close();
    expect(near.write(bytes('late'))).toBe(false);
    far.write(bytes('nobody reads this'));
    await pair.close();
    expect(await watched.closed).toBe('closed on this side');
    expect(watched.closeReasons).toHaveLength(1);
    expect(watched.text()).toBe('');
  });

  it('gives up on a device that takes no bytes', async () => {
    const pair = await plugIn();
    const near = await open(pair.a);
    const watched = watch(near);
    expect(near.write(new Uint8Array(maxWaitingBytes))).toBe(true);
    expect(near.write(new Uint8Array(maxWaitingBytes))).toBe(false);
    expect(near.closed).toBe(true);
    expect(await watched.closed).toBe(`${pair.a} takes no more bytes`);
  });

  it('gives back a port that opens after it is no longer wanted', async () => {
    const pair = await plugIn();
    // At each moment of the opening.
    for (let moment = 0; moment < 8; moment += 1) {
      const controller = new AbortController();
      const opening = serial(pair.a)
        .open(controller.signal)
        .catch((error: unknown) => error);
      await turns(moment);
      controller.abort();
      const opened = await opening;
      if (!(opened instanceof Error)) await (opened as LineConnection).close();
      expect(await freed(pair.a)).toBe(true);
    }
  });

  it('finds a device by what it is, on another port after it was plugged in again', async () => {
    const [before, after] = [await plugIn(), await plugIn()];
    let path = before.a;
    const line = serial('usb:0b00:0071:17', { listPorts: async () => [device(path, '17')] });
    expect(line.name).toBe('serial:usb:0b00:0071:17');
    const first = await line.open(never());
    await first.close();
    path = after.a;
    const far = watch(await open(after.b));
    const second = await line.open(never());
    cleanUps.push(() => second.close());
    second.write(bytes('here'));
    await far.until('here');
    expect(far.text()).toBe('here');
  });

  it('is mended when the cable is plugged in again, long before the next try would come', async () => {
    const folder = makeFolder();
    const at = { a: join(folder, 'till'), b: join(folder, 'terminal') };
    const first = await plugIn(at);
    const line = serial(at.a, { listPorts: async () => [] });
    const backoff = createBackoff({ firstMs: 3_600_000, maxMs: 3_600_000, random: () => 0 });
    const failed = Promise.withResolvers<string>();
    const before = await line.open(never());
    const lost = watch(before).closed;
    await first.close();
    expect(await lost).toBe(`${at.a} was unplugged`);

    const opening = openWithBackoff(line, {
      clock: systemClock,
      signal: never(),
      onFailure: (reason) => failed.resolve(reason),
      backoff,
      random: () => 0,
    });
    expect(await failed.promise).toContain(`there is no serial port ${at.a}`);
    await plugIn(at);
    const after = await opening;
    if (after === null) throw new Error('not opened');
    cleanUps.push(() => after.close());
    const far = watch(await open(at.b));
    after.write(bytes('here'));
    await far.until('here');
    expect(far.text()).toBe('here');
  });

  describe('that follows its device', () => {
    /** A line on `/dev/…` of the settings, whose device is at whichever port the test says. */
    function following(path: string, ports: SerialPortInfo[]) {
      const folder = makeFolder();
      const memory = createDeviceMemory(join(folder, 'device.json'), silentLog);
      const place = { kind: 'names', prefix: `\0${folder}-` } as const;
      const lock = { clock: systemClock, dataFolder: folder, place };
      const line = serial(path, { follow: { memory, lock }, listPorts: async () => ports });
      return { line, memory, lock };
    }

    async function opens(line: Line, far: PtyPair): Promise<string> {
      const near = await line.open(never());
      const terminal = await serial(far.b).open(never());
      const watched = watch(terminal);
      const answers = watch(near);
      near.write(bytes('here'));
      await watched.until('here');
      terminal.write(bytes('I am'));
      await answers.until('I am');
      await Promise.all([near.close(), terminal.close()]);
      return watched.text();
    }

    it('finds it at another port, and never takes another device for it unless a person says so', async () => {
      const [named, elsewhere] = [await plugIn(), await plugIn()];
      const ports = [device(named.a, 'A1')];
      const { line, memory } = following(named.a, ports);
      await opens(line, named);
      expect(memory.recall(named.a)).toMatchObject({ serialNumber: 'A1' });

      ports[0] = device(elsewhere.a, 'A1');
      await opens(line, elsewhere);

      ports[0] = device(named.a, 'B2');
      await expect(line.open(never())).rejects.toThrow(`another device is at ${named.a} now`);
      memory.forget();
      await opens(line, named);
      expect(memory.recall(named.a)).toMatchObject({ serialNumber: 'B2' });
    });

    it('remembers nothing of a device that has said nothing', async () => {
      const pair = await plugIn();
      const { line, memory } = following(pair.a, [device(pair.a, 'A1')]);
      const near = await line.open(never());
      near.write(bytes('who is there'));
      await near.close();
      expect(memory.recall(pair.a)).toBeNull();
    });

    it('opens the port when the system takes for ever to tell what is there', async () => {
      const pair = await plugIn();
      const { memory, lock } = following(pair.a, []);
      const listPorts = () => new Promise<never>(() => {});
      const line = serial(pair.a, { follow: { memory, lock }, listPorts });
      const held = await line.lock?.();
      expect(held?.kind).toBe('held');
      expect(await opens(line, pair)).toBe('here');
      if (held?.kind === 'held') held.release();
      await expect(serial('usb:0b00:0071:17', { listPorts }).open(never())).rejects.toThrow(
        'did not list its serial ports within 2000 ms',
      );
    });

    it('remembers nothing of a port that could not be opened', async () => {
      const path = join(makeFolder(), 'ttyUSB0');
      const { line, memory } = following(path, [device(path, 'A1')]);
      await expect(line.open(never())).rejects.toThrow('there is no serial port');
      expect(memory.recall(path)).toBeNull();
    });

    it('opens the port when the system does not tell what is there', async () => {
      const pair = await plugIn();
      const { memory, lock } = following(pair.a, []);
      const line = serial(pair.a, {
        follow: { memory, lock },
        listPorts: () => Promise.reject(new Error('no list today')),
      });
      expect(await opens(line, pair)).toBe('here');
    });

    it('is locked wherever it is, and stands in the way of no other', async () => {
      const [one, two] = [await plugIn(), await plugIn()];
      const ports = [device(one.a, 'A1'), device(two.a, 'B2')];
      const mine = following(one.a, ports);
      const others = serial(two.a, {
        follow: { ...following(two.a, ports), lock: { ...mine.lock, dataFolder: '/data/of/the/other' } },
        listPorts: async () => ports,
      });
      const mineHeld = await mine.line.lock?.();
      const othersHeld = await others.lock?.();
      expect([mineHeld?.kind, othersHeld?.kind]).toEqual(['held', 'held']);
      await opens(mine.line, one);
      await opens(others, two);

      ports.splice(0, 2, device(two.a, 'A1'), device(one.a, 'B2'));
      await opens(mine.line, two);
      await opens(others, one);

      // One that has not seen its device before finds this one's at its port.
      const third = serial(two.a, {
        follow: { ...following(two.a, ports), lock: { ...mine.lock, dataFolder: '/data/of/the/third' } },
        listPorts: async () => ports,
      });
      expect(await third.lock?.()).toMatchObject({ kind: 'taken' });
      if (mineHeld?.kind === 'held') mineHeld.release();
      const thirdHeld = await third.lock?.();
      expect(thirdHeld?.kind).toBe('held');
      for (const held of [othersHeld, thirdHeld]) if (held?.kind === 'held') held.release();
    });

    it('does not open a device that somebody else has locked', async () => {
      const [path, other] = [await plugIn(), await plugIn()];
      const ports: SerialPortInfo[] = [];
      const mine = following(path.a, ports);
      const mineHeld = await mine.line.lock?.();
      const theirs = await lockLine('serial:usb:0b00:0071:A1', {
        ...mine.lock,
        dataFolder: '/data/of/the/other',
        ports: [],
      });
      expect([mineHeld?.kind, theirs.kind]).toEqual(['held', 'held']);
      ports.push(device(path.a, 'A1'), device(other.a, 'B2'));
      await expect(mine.line.open(never())).rejects.toThrow('with the data folder /data/of/the/other');
      expect(mine.memory.recall(path.a)).toBeNull();
      for (const held of [mineHeld, theirs]) if (held?.kind === 'held') held.release();
    });
  });
});
