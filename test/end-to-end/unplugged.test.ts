/**
 * A USB cable that is pulled and put back while the bridge runs: everything is the bridge's own from the serial line on, only
 * the system's list of ports and its port are played here, and time is the clock's.
 */
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeviceMemory, createSerialLine, type SerialPortInfo } from '../../src/bridge/lines/index.ts';
import type { LineConnection } from '../../src/bridge/lines/line.ts';
import { createMemoryPair } from '../../src/bridge/lines/memory.ts';
import { createTransbankProtocol } from '../../src/bridge/terminals/transbank/index.ts';
import { silentLog } from '../../src/log/log.ts';
import { createTransbankSimulator } from '../../src/simulator/transbank/transbank-simulator.ts';
import { portInfo } from '../bridge/lines/port-info.ts';
import { connectionOver, createCoreRig, type CoreRig, type TerminalParts } from '../support/core-rig.ts';

/** Of the settings: no such file is on any machine. */
const named = '/dev/ttyTILL0';
/** Where the system lists the device; null: nowhere. */
let pluggedAt: string | null;
let simulator: ReturnType<typeof createTransbankSimulator>;
/** Pulls the cable out of the port that is open; null: none is. */
let unplug: (() => void) | null;

type Done = (error: Error | null) => void;

/** What the bridge uses of serialport's, with the simulated terminal behind it. */
class FakePort extends EventEmitter {
  isOpen = false;
  readonly closing = false;
  readonly writableLength = 0;
  readonly port = undefined;
  readonly #path: string;
  #near: LineConnection | null = null;

  constructor({ path }: { path: string }) {
    super();
    this.#path = path;
  }
  open(done: Done) {
    if (this.#path !== pluggedAt)
      return done(new Error(`Error: No such file or directory, cannot open ${this.#path}`));
    const [near, far] = createMemoryPair();
    simulator.attach(far);
    near.onData((bytes) => void this.emit('data', Buffer.from(bytes)));
    this.#near = near;
    this.isOpen = true;
    unplug = () => this.unplug();
    done(null);
  }
  unplug() {
    this.isOpen = false;
    void this.#near?.close();
    this.emit('close', new Error('disconnected'));
  }
  set(_lines: unknown, done: Done) {
    done(null);
  }
  flush(done: Done) {
    done(null);
  }
  write(bytes: Uint8Array) {
    this.#near?.write(bytes);
  }
  close(done: Done) {
    this.isOpen = false;
    void this.#near?.close();
    done(null);
  }
  destroy() {}
}
vi.mock('serialport', () => ({ SerialPort: FakePort }));

const listPorts = (): Promise<SerialPortInfo[]> =>
  Promise.resolve(
    pluggedAt === null
      ? []
      : [
          portInfo(pluggedAt, {
            vendorId: '0b00',
            productId: '0071',
            serialNumber: 'A1',
            place: '1-1.2:1.0',
          }),
        ],
  );

function plugIn(parts: TerminalParts) {
  const { ledgerFile, clock } = parts;
  simulator = createTransbankSimulator({ ledgerFile, clock, timeScale: 1, log: silentLog });
  const dataFolder = join(ledgerFile, '..');
  const line = createSerialLine({
    path: named,
    settings: { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 },
    clock,
    follow: {
      memory: createDeviceMemory(join(dataFolder, 'device.json'), silentLog),
      lock: { clock, dataFolder },
    },
    listPorts,
  });
  return {
    currency: 'CLP',
    lineName: line.name,
    connection: () => connectionOver(line, createTransbankProtocol({ clock, log: silentLog }), parts),
    pull() {
      pluggedAt = null;
      unplug?.();
      unplug = null;
    },
    put() {},
    close: () => simulator.close(),
  } as const;
}

let rig: CoreRig;
let pull: () => void;
const connection = () => rig.payments.status().terminal.connection;

beforeEach(async () => {
  pluggedAt = named;
  unplug = null;
  const made = createCoreRig({}, plugIn);
  rig = made.rig;
  pull = made.terminal.pull;
  await rig.ready();
});
afterEach(() => rig.close());

describe('a USB cable that is pulled and put back', () => {
  it.each([
    ['at once', 0],
    ['after a second', 1_000],
    ['in the middle between two tries', 12_345],
    ['after an hour', 3_600_000],
  ])('%s is mended within two seconds, at its port and at another one', async (_when, outMs) => {
    for (const path of [named, '/dev/ttyTILL7', named]) {
      pull();
      await rig.clock.advance(outMs);
      if (outMs > 0) expect(connection()).not.toBe('ready');
      pluggedAt = path;
      const putBackAt = rig.clock.elapsed();
      // A loss that nobody has noticed yet would look ready.
      await rig.until(() => unplug !== null, 'an open port');
      await rig.ready();
      expect(rig.clock.elapsed() - putBackAt).toBeLessThanOrEqual(2_000);
    }
    expect(await rig.sell(2_400, 'A')).toBe('approved');
  });

  it('is noticed at once where it is pulled, and by who asks', async () => {
    pull();
    await rig.clock.advance(0);
    expect(connection()).not.toBe('ready');
    const refused = await rig.payments.createPayment({
      amountMinor: 2_400,
      reference: 'A',
      conditionCode: '00',
    });
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'terminal_unavailable' } });
  });
});
