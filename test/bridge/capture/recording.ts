/** A driver in front of a simulated terminal, with its line recorded. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../src/base/clock.ts';
import { headerOf, recordedProtocol, startCapture } from '../../../src/bridge/capture/index.ts';
import type { Line } from '../../../src/bridge/lines/line.ts';
import type { CaptureForm } from '../../../src/bridge/terminals/framing/index.ts';
import { loadProtocol } from '../../../src/bridge/terminals/protocols.ts';
import type {
  LineProtocol,
  OperationWatch,
  TerminalDriver,
} from '../../../src/bridge/terminals/terminal-driver.ts';
import { configurationSchema, type Configuration } from '../../../src/contract/configuration.ts';
import type { Currency } from '../../../src/contract/money.ts';
import type { ProtocolName } from '../../../src/contract/protocols.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createSimulatorLine, type ReachableSimulator } from '../../../src/simulator/index.ts';
import { createEcrEdcSimulator } from '../../../src/simulator/ecr-edc/ecr-edc-simulator.ts';
import { createEcr17Simulator } from '../../../src/simulator/ecr17/ecr17-simulator.ts';
import { createKpaySimulator, type KpaySimulator } from '../../../src/simulator/kpay/kpay-simulator.ts';
import { createTransbankSimulator } from '../../../src/simulator/transbank/transbank-simulator.ts';
import { createZvtSimulator } from '../../../src/simulator/zvt-simulator.ts';
import {
  createLosses,
  kpaySimulatorKeys as simulatedKeys,
  transportTo,
} from '../../support/kpay-terminal.ts';
import { createNotingLog } from '../../support/noting-log.ts';
import { seededChance } from '../../support/random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { watchDriver } from '../terminals/driver-watch.ts';

export interface Recording {
  driver: TerminalDriver;
  watch: OperationWatch;
  currency: Currency;
  /** Ends it, and gives what the file holds. */
  end(): Promise<string>;
}

/** Of the application, as KPay gives one to a merchant. */
export const kpaySecret = 'test-secret-not-real';

type SimulatorOptions = { ledgerFile: string; timeScale: number; clock: Clock; log: typeof silentLog };

interface SimulatedTerminal {
  currency: Currency;
  create: (options: SimulatorOptions) => ReachableSimulator;
}

const terminals = {
  zvt: {
    currency: 'EUR',
    create: (options) => createZvtSimulator({ ...options, framing: 'serial', currency: 'EUR' }),
  },
  transbank: { currency: 'CLP', create: createTransbankSimulator },
  'ecr-edc': { currency: 'THB', create: createEcrEdcSimulator },
  ecr17: { currency: 'EUR', create: createEcr17Simulator },
} satisfies Partial<Record<ProtocolName, SimulatedTerminal>>;

/** Those that are spoken over a line, and have a simulator. */
export type LineName = keyof typeof terminals;

/** Its currency, and how it is made: a line to one that keeps its ledger in the file. */
export function simulatedTerminal(name: LineName): {
  currency: Currency;
  create(options: { ledgerFile: string; clock: Clock }): { line: Line; close(): Promise<void> };
} {
  const { currency, create }: SimulatedTerminal = terminals[name];
  return {
    currency,
    create(options) {
      const simulator = create({ ...options, timeScale: 1, log: silentLog });
      return { line: createSimulatorLine(simulator), close: () => simulator.close() };
    },
  };
}

export const lineNames = Object.keys(terminals) as LineName[];

/** `more`: of the simulator. */
export async function startRecording(
  name: LineName,
  clock: Clock,
  more: Record<string, unknown> = {},
): Promise<Recording> {
  const { currency, create }: SimulatedTerminal = terminals[name];
  const folder = tempFolder('recording');
  const ledgerFile = join(folder, 'ledger.jsonl');
  const simulator = create({ ledgerFile, timeScale: 1, clock, log: silentLog, ...more });
  const connection = await createSimulatorLine(simulator).open(new AbortController().signal);
  const recorder = await record(name, currency, clock);
  const { owner, watch } = watchDriver();
  const driver = recorder.protocol.attach(connection, owner);
  return {
    driver,
    watch,
    currency,
    async end() {
      await connection.close();
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
      return recorder.text();
    },
  };
}

/** The protocol of a line that is recorded; `text` is what the file holds. */
export async function record(
  name: ProtocolName,
  currency: Currency,
  clock: Clock,
): Promise<{ protocol: LineProtocol; text(): string }> {
  const settings = settingsWith({ currency });
  const protocol = await lineProtocol(name, settings, clock);
  const header = headerOf({
    program: '0.0.0',
    protocol: name,
    connection: 'serial',
    settings,
    started: new Date(clock.now()).toISOString(),
  });
  const lines = [JSON.stringify(header)];
  return {
    protocol: recordedProtocol(protocol, {
      form: protocol.captureForm,
      clock,
      write: (entry) => lines.push(JSON.stringify(entry)),
      failed(error) {
        throw error;
      },
    }),
    text: () => `${lines.join('\n')}\n`,
  };
}

/** A KPay terminal whose requests are recorded, from the sign-in on. */
export interface RequestRecording extends Recording {
  simulator: KpaySimulator;
  losses: ReturnType<typeof createLosses>;
  /** Why another terminal may be there, as the driver said. */
  others: string[];
  /** The bridge gives the connection up; the recording goes on. */
  close(): Promise<void>;
}

/** `more`: of the simulator. Needs a clock that goes by itself, or a test that moves it meanwhile. */
export async function startKpayRecording(
  clock: Clock,
  more: Partial<Parameters<typeof createKpaySimulator>[0]> = {},
): Promise<RequestRecording> {
  const folder = tempFolder('recording');
  const currency = 'HKD';
  const application = { appId: '202600000000001', appSecret: kpaySecret };
  const simulator = createKpaySimulator({
    ledgerFile: join(folder, 'ledger.jsonl'),
    currency,
    ...application,
    timeScale: 1,
    clock,
    newKeys: () => Promise.resolve(simulatedKeys),
    ...more,
  });
  const settings = settingsWith({
    currency,
    protocol: 'kpay',
    terminal: 'http:terminal:1',
    kpay: application,
  });
  const connection = { kind: 'http', host: 'terminal', port: 1 } as const;
  const protocol = await loadProtocol('kpay', {
    connection,
    settings,
    clock,
    chance: seededChance(clock),
    log: silentLog,
    onHeard() {},
  });
  if ('attach' in protocol || protocol.recordable === undefined) throw new Error('no requests are recorded');
  const losses = createLosses();
  const way = losses.through(transportTo(simulator));
  const file = join(folder, 'capture.jsonl');
  const capture = startCapture(
    protocol.recordable.through(() => way),
    {
      file,
      program: '0.0.0',
      connection,
      settings,
      clock,
      log: createNotingLog((level, message, { reason }) => {
        if (level === 'error') throw new Error(`${message}: ${String(reason)}`);
      }),
    },
  );
  if (capture === null || 'attach' in capture.protocol) throw new Error('no requests are recorded');
  const { owner, watch, others } = watchDriver();
  const connected = await capture.protocol.connect(owner, new AbortController().signal, () => {});
  if (connected === null) throw new Error('no connection');
  return {
    driver: connected.driver,
    watch,
    currency,
    simulator,
    losses,
    others,
    close: () => connected.close(),
    async end() {
      await connected.close();
      simulator.close();
      capture.close();
      const text = readFileSync(file, 'utf8');
      rmSync(folder, { recursive: true, force: true });
      return text;
    },
  };
}

export function settingsWith(settings: object): Configuration {
  return configurationSchema.parse({ terminal: 'simulator', dataDir: '.', ...settings });
}

export async function lineProtocol(
  name: ProtocolName,
  settings: Configuration,
  clock: Clock,
): Promise<LineProtocol & { captureForm: CaptureForm }> {
  const protocol = await loadProtocol(name, {
    connection: { kind: 'serial' },
    settings,
    clock,
    chance: seededChance(clock),
    log: silentLog,
    onHeard() {},
  });
  if (!('attach' in protocol) || protocol.captureForm === undefined)
    throw new Error(`lines of ${name} are not recorded`);
  return { ...protocol, captureForm: protocol.captureForm };
}

/** As a shop has it: a payment, one that the issuer refuses, a void where it can be, the close of the batch. */
export async function usualDay({ driver, watch, currency }: Recording): Promise<void> {
  await driver.prepare();
  const sale = (amountMinor: number, terminalReference: string) =>
    driver.sale({ amountMinor, maxAmountMinor: amountMinor, currency, terminalReference }, watch);
  const paid = await sale(1_200, 'A00001');
  await driver.probe();
  await sale(1_301, 'A00002');
  if (paid.kind === 'done' && paid.record.receiptNumber !== null) {
    const { receiptNumber, traceNumber, terminalId } = paid.record;
    const numbers = { terminalReference: 'A00003', originalTerminalReference: 'A00001' };
    await driver.void(
      { amountMinor: 1_200, currency, receiptNumber, traceNumber, terminalId, ...numbers },
      watch,
    );
  }
  await driver.closeBatch({ currency, terminalId: null }, watch);
  await driver.probe();
  await driver.signOff();
}
