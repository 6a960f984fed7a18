/**
 * One bridge with several terminals, from HTTP down to a simulated terminal each, on one virtual clock: journals on disk,
 * the real engine and drivers, lines in memory, and each terminal's own ledger beside it.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startBridge, type Bridge, type TerminalOptions } from '../../src/bridge/bridge.ts';
import { pause } from '../../src/base/clock.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { mainTerminal } from '../../src/contract/terminal-name.ts';
import { silentLog } from '../../src/log/log.ts';
import { createSimulatorLine } from '../../src/simulator/index.ts';
import { createZvtSimulator, type ZvtSimulator } from '../../src/simulator/zvt-simulator.ts';
import { heldFetch } from './held-fetch.ts';
import { readLedger, type LedgerLine } from './ledger.ts';
import { seededChance } from './random.ts';
import { tempFolder } from './temp-folder.ts';
import { createTill, type Till } from './till.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

export interface SeveralTerminals {
  readonly bridge: Bridge;
  readonly clock: VirtualClock;
  readonly base: string;
  readonly folder: string;
  /** Of a till that names no terminal. */
  readonly till: Till;
  /** Of one whose every request names this terminal. */
  tillOf(name: string): Till;
  simulatorOf(name: string): ZvtSimulator;
  ledgerOf(name: string): LedgerLine[];
  get(path: string, headers?: Record<string, string>): Promise<{ status: number; body: unknown }>;
  until(holds: () => boolean | Promise<boolean>, what: string): Promise<void>;
  /** All terminals that are not retired take cards. */
  ready(): Promise<void>;
  /** Another bridge on the same journals and terminals, with these; `retired` are only in journals. */
  restart(
    terminals?: { names?: readonly string[]; retired?: readonly string[] },
    /** While none runs. */
    meanwhile?: () => void,
  ): Promise<void>;
  close(): Promise<void>;
}

const askAgainMs = 20;
const waitLimitMs = 120_000;

function folderOf(folder: string, name: string): string {
  return name === mainTerminal ? folder : join(folder, 'terminals', name);
}

/** `names` are of the terminals beside the main one. */
export async function openSeveral(names: readonly string[]): Promise<SeveralTerminals> {
  const folder = tempFolder('several');
  const clock = createVirtualClock({ besideIo: true });
  const chance = seededChance(clock);
  const ledgerFile = (name: string) => join(folder, 'ledgers', `${name}.jsonl`);
  const simulators = new Map(
    [mainTerminal, ...names].map((name) => [
      name,
      createZvtSimulator({
        ledgerFile: ledgerFile(name),
        framing: 'serial',
        timeScale: 1,
        clock,
        log: silentLog,
        currency: 'EUR',
      }),
    ]),
  );
  const simulatorOf = (name: string) => {
    const simulator = simulators.get(name);
    if (simulator === undefined) throw new Error(`there is no terminal ${name}`);
    return simulator;
  };
  const configuration = configurationSchema.parse({ terminal: 'simulator', port: 0, dataDir: folder });
  const lineOf = (name: string) => ({
    line: createSimulatorLine(simulatorOf(name), name),
    connection: { kind: 'serial' } as const,
  });

  async function start(others: readonly string[], retired: readonly string[]): Promise<Bridge> {
    const common = (name: string) => ({
      name,
      configuration,
      simulated: true,
      dataFolder: folderOf(folder, name),
    });
    const started = await startBridge({
      configuration,
      ...lineOf(mainTerminal),
      simulated: true,
      log: silentLog,
      clock,
      chance,
      version: 'test',
      dataFolder: folder,
      others: [
        ...others.map((name): TerminalOptions => ({ ...common(name), line: lineOf(name) })),
        ...retired.map((name): TerminalOptions => ({ ...common(name), line: null })),
      ],
    });
    if (started.kind === 'failed') throw new Error(started.message);
    return started.bridge;
  }

  let bridge = await start(names, []);
  const base = () => `http://127.0.0.1:${bridge.listener.port ?? 0}`;
  const send = (url: string, init?: RequestInit) => heldFetch(clock, url, init);

  const several: SeveralTerminals = {
    get bridge() {
      return bridge;
    },
    clock,
    get base() {
      return base();
    },
    folder,
    get till() {
      return createTill(base(), send);
    },
    tillOf: (name) => createTill(base(), send, { 'x-terminal': name }),
    simulatorOf,
    ledgerOf: (name) => readLedger(ledgerFile(name)),
    async get(path, headers = {}) {
      const response = await send(base() + path, { headers });
      return { status: response.status, body: await response.json() };
    },
    async until(holds, what) {
      const end = clock.elapsed() + waitLimitMs;
      while (!(await holds())) {
        if (clock.elapsed() > end) throw new Error(`it never came to ${what}`);
        await clock.run(pause(clock, askAgainMs), what);
      }
    },
    ready: () =>
      several.until(
        () =>
          bridge.terminals.every(
            ({ retired, payments }) => retired || payments.status().terminal.connection === 'ready',
          ),
        'terminals that are ready',
      ),
    async restart({ names: others = names, retired = [] } = {}, meanwhile = () => {}) {
      await clock.run(bridge.stop(), 'the end of the bridge');
      meanwhile();
      bridge = await start(others, retired);
    },
    async close() {
      await clock.run(bridge.stop(), 'the end of the bridge');
      for (const simulator of simulators.values())
        await clock.run(simulator.close(), 'the end of a simulator');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return several;
}
