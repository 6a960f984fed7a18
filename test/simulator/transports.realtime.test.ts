/** The three ways to reach the simulator, with real sockets, pseudo-terminals and the real clock. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../src/base/clock.ts';
import { createSerialLine, createTcpLine, type Line } from '../../src/bridge/lines/index.ts';
import { silentLog } from '../../src/log/log.ts';
import {
  createSimulatorLine,
  serveSimulatorOnSerial,
  serveSimulatorOnTcp,
} from '../../src/simulator/index.ts';
import type { SimulatorTimings } from '../../src/simulator/simulated-terminal.ts';
import { createZvtSimulator } from '../../src/simulator/zvt-simulator.ts';
import { readLedger } from '../support/ledger.ts';
import { needs } from '../support/needs.ts';
import { openPtyPair } from '../support/pty-pair.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createZvtEcr } from '../support/zvt-ecr.ts';
import { controlFields, pay, readLastRecord, register } from './simulator-kit.ts';
import { waitFor } from '../support/real-time.ts';

const settings = { baudRate: 9_600, dataBits: 8, parity: 'none', stopBits: 2 } as const;

const cleaning: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

function createSimulator(framing: 'serial' | 'tcp', timings: Partial<SimulatorTimings> = {}) {
  const folder = tempFolder('simulator');
  cleaning.push(() => rmSync(folder, { recursive: true, force: true }));
  const ledgerFile = join(folder, 'deep', 'ledger.jsonl');
  const simulator = createZvtSimulator({
    ledgerFile,
    framing,
    timeScale: 0,
    clock,
    log: silentLog,
    currency: 'EUR',
    timings,
  });
  cleaning.push(() => simulator.close());
  return { simulator, ledger: () => readLedger(ledgerFile).map(({ event, amount }) => `${event} ${amount}`) };
}

async function connect(line: Line, framing: 'serial' | 'tcp') {
  const ecr = createZvtEcr(await line.open(new AbortController().signal), framing);
  cleaning.push(() => ecr.close());
  await ecr.run(register('18', '00'));
  return ecr;
}

/** The line once it is there again; how long that takes is the simulator's business. */
async function reconnect(line: Line, framing: 'serial' | 'tcp') {
  return await waitFor(async () => {
    try {
      const ecr = createZvtEcr(await line.open(new AbortController().signal), framing);
      cleaning.push(() => ecr.close());
      const [accepted] = await ecr.run(register('18', '00'));
      return accepted !== undefined && ecr;
    } catch {
      // Still cut.
      return null;
    }
  }, 'the line to be back');
}

describe('on a memory line', () => {
  it('a payment goes through', async () => {
    const { simulator, ledger } = createSimulator('serial');
    const line = createSimulatorLine(simulator);
    expect(line.name).toBe('memory:simulator');
    const ecr = await connect(line, 'serial');
    expect(controlFields(await ecr.run(pay(1200))).at(-1)).toBe('060f');
    expect(ledger()).toEqual(['charged 12.00']);
  });
});

describe('over TCP', () => {
  async function serve(timings?: Partial<SimulatorTimings>) {
    const { simulator, ledger } = createSimulator('tcp', timings);
    const served = await serveSimulatorOnTcp(simulator, { host: '127.0.0.1', port: 0, clock });
    cleaning.push(() => served.close());
    return {
      simulator,
      ledger,
      served,
      line: createTcpLine({ host: '127.0.0.1', port: served.port, clock }),
    };
  }

  it('a payment goes through', async () => {
    const { ledger, line } = await serve();
    const ecr = await connect(line, 'tcp');
    expect(controlFields(await ecr.run(pay(1200))).at(-1)).toBe('060f');
    expect(ledger()).toEqual(['charged 12.00']);
  });

  it.each([
    ['05', 1205, ['charged 12.05', 'auto_reversed 12.05'], { result: '6c', originalTrace: '000001' }],
    ['06', 1206, ['charged 12.06'], { result: '00', originalTrace: null }],
  ])(
    'scenario %s: the result arrives, the line is cut, and the record tells',
    async (_scenario, amount, entries, record) => {
      const { ledger, line } = await serve({ cutMs: 60 });
      const ecr = await connect(line, 'tcp');
      const messages = await ecr.run(pay(amount));
      expect(controlFields(messages).at(-1)).toBe('040f');
      const again = await reconnect(line, 'tcp');
      expect(await readLastRecord(again)).toMatchObject(record);
      expect(ledger()).toEqual(entries);
    },
  );

  it('while the line is cut, connections end at once', async () => {
    const { simulator, line } = await serve({ cutMs: 3_600_000 });
    const ecr = await connect(line, 'tcp');
    await ecr.run(pay(1204));
    expect(simulator.accepting).toBe(false);
    const refused = await line.open(new AbortController().signal).then(
      (connection) => createZvtEcr(connection, 'tcp').next(),
      () => 'closed',
    );
    expect(refused).toBe('closed');
  });

  it('a port that is taken is an error', async () => {
    const { served } = await serve();
    const { simulator } = createSimulator('tcp');
    await expect(
      serveSimulatorOnTcp(simulator, { host: '127.0.0.1', port: served.port, clock }),
    ).rejects.toThrow('EADDRINUSE');
  });
});

describe.skipIf(!needs('pseudo-terminals'))('on a pair of pseudo-terminals', () => {
  async function serve(timings?: Partial<SimulatorTimings>) {
    const { simulator, ledger } = createSimulator('serial', timings);
    const pair = await openPtyPair();
    cleaning.push(() => pair.close());
    const served = await serveSimulatorOnSerial(simulator, pair.b, settings, { clock });
    cleaning.push(() => served.close());
    return { simulator, ledger, line: createSerialLine({ path: pair.a, settings, clock }) };
  }

  it('payments go through, also noisy ones and after the till has opened its port again', async () => {
    const { ledger, line } = await serve();
    const ecr = await connect(line, 'serial');
    expect(controlFields(await ecr.run(pay(1200))).at(-1)).toBe('060f');
    await ecr.close();
    const again = await connect(line, 'serial');
    expect(controlFields(await again.run(pay(1208))).at(-1)).toBe('060f');
    expect(ledger()).toEqual(['charged 12.00', 'charged 12.08']);
  });

  it('scenario 05 ends the payment as reversed when the line is back', async () => {
    const { ledger, line } = await serve({ cutMs: 60, ackTimeoutMs: 400 });
    const ecr = await connect(line, 'serial');
    const messages = await ecr.run(pay(1205));
    expect(controlFields(messages).slice(-4)).toEqual(['040f', '04ff', '040f', '061e']);
    expect(ledger()).toEqual(['charged 12.05', 'auto_reversed 12.05']);
  });

  it('scenario 04 leaves a terminal that works and has charged nothing', async () => {
    const { ledger, simulator, line } = await serve({ cutMs: 60 });
    const ecr = await connect(line, 'serial');
    ecr.send(pay(1204));
    while (simulator.state().reach !== 'cut') {
      const what = await ecr.next();
      if (typeof what !== 'string' && what.apdu.startsWith('04ff')) ecr.send('800000');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await waitFor(() => simulator.accepting, 'the terminal to accept again');
    expect(controlFields(await ecr.run('050103000000')).at(-1)).toBe('060f');
    expect(ledger()).toEqual([]);
  });
});

it('a serial port that is not there is an error', async () => {
  const { simulator } = createSimulator('serial');
  await expect(serveSimulatorOnSerial(simulator, '/dev/not-there', settings, { clock })).rejects.toThrow(
    '/dev/not-there',
  );
});
