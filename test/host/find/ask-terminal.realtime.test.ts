/** A search asks simulated terminals of every protocol, each by its own question: no amount, nothing charged. */
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createSerialLine, lockLine } from '../../../src/bridge/lines/index.ts';
import { configurationSchema, type Configuration } from '../../../src/contract/configuration.ts';
import type { ProtocolName } from '../../../src/contract/protocols.ts';
import { createAsk } from '../../../src/host/find/ask-terminal.ts';
import { silentLog } from '../../../src/log/index.ts';
import {
  loadSimulator,
  serveSimulatorOnPseudoTerminal,
  serveSimulatorOnTcp,
} from '../../../src/simulator/index.ts';
import { createEcr17Simulator } from '../../../src/simulator/ecr17/ecr17-simulator.ts';
import { createKpaySimulator } from '../../../src/simulator/kpay/kpay-simulator.ts';
import { serveKpaySimulator } from '../../../src/simulator/kpay/serve.ts';
import { createZvtSimulator } from '../../../src/simulator/zvt-simulator.ts';
import { readLedger } from '../../support/ledger.ts';
import { needs } from '../../support/needs.ts';
import { openPtyPair } from '../../support/pty-pair.ts';
import { run } from '../../headless/test-context.ts';
import { watch } from '../../bridge/lines/connection-watch.ts';
import { newFolder } from '../host-kit.ts';

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function settingsOf(protocol: ProtocolName): Configuration {
  return configurationSchema.parse({
    terminal: 'simulator',
    dataDir: newFolder(),
    protocol: protocol === 'kpay' ? 'zvt' : protocol,
    pace: 0,
    ...(protocol === 'ecr-edc' ? { 'ecr-edc': { profile: 'kbtg' }, currency: 'THB' } : {}),
  });
}

/** At the end of a cable; tells its port, and what it has charged. */
async function plugIn(protocol: ProtocolName): Promise<{ path: string; charged(): number }> {
  const ledgerFile = join(newFolder(), 'ledger.jsonl');
  const common = { ledgerFile, clock: systemClock, log: silentLog };
  const simulator =
    protocol === 'ecr17'
      ? createEcr17Simulator({ ...common, timeScale: 0 })
      : (await loadSimulator(protocol)).createSimulator({ ...common, settings: settingsOf(protocol) });
  if ('serve' in simulator) throw new Error(`a ${protocol} terminal is at no cable`);
  const served = await serveSimulatorOnPseudoTerminal(simulator, { clock: systemClock });
  cleanUps.push(() => served.close());
  return {
    path: served.path,
    charged: () => readLedger(ledgerFile).filter(({ event }) => event === 'charged').length,
  };
}

const ask = () =>
  createAsk({
    settings: settingsOf('zvt'),
    clock: systemClock,
    chance: systemChance(systemClock),
    log: silentLog,
    dataFolder: newFolder(),
  });
const never = () => new AbortController().signal;
const place = (terminal: string) => ({ terminal, protocols: [], device: null });

describe.skipIf(!needs('pseudo-terminals'))('the question for a terminal on a cable', () => {
  it.each(['zvt', 'transbank', 'ecr-edc', 'ecr17'] as const)('finds one of %s', async (protocol) => {
    const { path, charged } = await plugIn(protocol);
    expect(await ask()(place(`serial:${path}`), protocol, never())).toMatchObject({
      kind: 'found',
      sure: true,
    });
    expect(charged()).toBe(0);
  });

  it('is tried in each protocol until one fits, by the command line, and what is in use is left alone', async () => {
    const [zvt, transbank, used] = [await plugIn('zvt'), await plugIn('transbank'), await openPtyPair()];
    cleanUps.push(() => used.close());
    const lock = await lockLine(`serial:${used.a}`, { clock: systemClock, dataFolder: '/data/of/another' });
    expect(lock.kind).toBe('held');
    const { exitCode, output } = await run(
      ['find', '--json', '--data-dir', newFolder(), '--port', zvt.path, transbank.path, used.a],
      { clock: systemClock, chance: systemChance(systemClock) },
    );
    if (lock.kind === 'held') lock.release();
    expect(exitCode).toBe(0);
    const view = JSON.parse(output) as { found: { terminal: string }[] };
    expect(view).toMatchObject({ state: 'done', done: 3, total: 3, taken: [`serial:${used.a}`] });
    const byPath = view.found.toSorted((one, other) => one.terminal.localeCompare(other.terminal));
    expect(byPath).toMatchObject(
      [
        { terminal: `serial:${zvt.path}`, protocol: 'zvt' },
        { terminal: `serial:${transbank.path}`, protocol: 'transbank' },
      ].toSorted((one, other) => one.terminal.localeCompare(other.terminal)),
    );
    expect([zvt.charged(), transbank.charged()]).toEqual([0, 0]);
  });

  it('says that nobody is there where the port cannot be opened', async () => {
    const path = join(newFolder(), 'ttyUSB0');
    expect(await ask()(place(`serial:${path}`), 'zvt', never())).toEqual({ kind: 'nobody' });
  });

  it('is given up at once, and nothing more is sent', async () => {
    const pair = await openPtyPair();
    cleanUps.push(() => pair.close());
    const settings = { baudRate: 9_600, dataBits: 8, parity: 'none', stopBits: 2 } as const;
    const far = createSerialLine({ path: pair.b, settings, clock: systemClock });
    const device = watch(await far.open(never()));
    const stopping = new AbortController();
    const asking = ask()(place(`serial:${pair.a}`), 'transbank', stopping.signal);
    await device.until('0100');
    stopping.abort();
    expect(await asking).toEqual({ kind: 'silent' });
  });
});

describe('the question for a terminal in the network', () => {
  const here = { host: '127.0.0.1', port: 0 };
  const charges = (file: string) => readLedger(file).filter(({ event }) => event === 'charged').length;

  it('finds one of ECR17 by its own answer', async () => {
    const ledgerFile = join(newFolder(), 'ledger.jsonl');
    const simulator = createEcr17Simulator({ ledgerFile, timeScale: 0, clock: systemClock, log: silentLog });
    const served = await serveSimulatorOnTcp(simulator, { ...here, clock: systemClock });
    cleanUps.push(() => served.close());
    expect(await ask()(place(`tcp:127.0.0.1:${served.port}`), 'ecr17', never())).toMatchObject({
      kind: 'found',
      terminalId: simulator.state().terminalId,
      sure: true,
    });
    expect(charges(ledgerFile)).toBe(0);
  });

  it('finds that one of KPay may be there, which nothing but keys could make sure', async () => {
    const ledgerFile = join(newFolder(), 'ledger.jsonl');
    const simulator = createKpaySimulator({
      ledgerFile,
      currency: 'HKD',
      appId: 'app',
      appSecret: 'secret',
      timeScale: 0,
      clock: systemClock,
      log: silentLog,
    });
    const served = await serveKpaySimulator(simulator, here);
    const terminal = `http:127.0.0.1:${served.port}`;
    expect(await ask()(place(terminal), 'kpay', never())).toEqual({
      kind: 'found',
      terminalId: null,
      text: null,
      sure: false,
    });
    expect(charges(ledgerFile)).toBe(0);
    await served.close();
    expect(await ask()(place(terminal), 'kpay', never())).toEqual({ kind: 'nobody' });
  });

  it('finds one, charges nothing, and does not knock where nobody listens or where it is in use', async () => {
    const ledgerFile = join(newFolder(), 'ledger.jsonl');
    const simulator = createZvtSimulator({
      ledgerFile,
      framing: 'tcp',
      timeScale: 0,
      currency: 'EUR',
      clock: systemClock,
      log: silentLog,
    });
    const served = await serveSimulatorOnTcp(simulator, { host: '127.0.0.1', port: 0, clock: systemClock });
    cleanUps.push(() => served.close());
    const terminal = `tcp:127.0.0.1:${served.port}`;
    expect(await ask()(place(terminal), 'zvt', never())).toMatchObject({
      kind: 'found',
      terminalId: '68000001',
    });
    expect(readLedger(ledgerFile).filter(({ event }) => event === 'charged')).toEqual([]);

    let calls = 0;
    const counting = createServer((socket) => {
      calls += 1;
      const onward = connect({ host: '127.0.0.1', port: served.port });
      for (const [from, to] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        from.on('error', () => to.destroy());
        from.pipe(to);
      }
    });
    await new Promise<void>((resolve) => counting.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => void counting.close());
    const { port: counted } = counting.address() as { port: number };
    expect(await ask()(place(`tcp:127.0.0.1:${counted}`), 'zvt', never())).toMatchObject({ kind: 'found' });
    // Some terminals refuse a second connection right behind the first.
    expect(calls).toBe(1);

    let knocks = 0;
    const busy = createServer((socket) => {
      knocks += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => void busy.close());
    const { port } = busy.address() as { port: number };
    const lock = await lockLine(`tcp:127.0.0.1:${port}`, {
      clock: systemClock,
      dataFolder: '/data/of/another',
    });
    expect(await ask()(place(`tcp:127.0.0.1:${port}`), 'zvt', never())).toEqual({ kind: 'taken' });
    expect(knocks).toBe(0);
    if (lock.kind === 'held') lock.release();
  });
});
