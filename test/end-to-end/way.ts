/**
 * The bridge as it runs in a shop, with its own timers, from HTTP to a simulated terminal over one kind of line; and
 * the simulator's ledger beside it.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startBridge, type Bridge } from '../../src/bridge/bridge.ts';
import type { Line } from '../../src/bridge/lines/index.ts';
import { silentLog, type Log } from '../../src/log/log.ts';
import { pause, type Clock } from '../../src/base/clock.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { createSimulatorLine } from '../../src/simulator/index.ts';
import type { SimulatorTimings } from '../../src/simulator/simulated-terminal.ts';
import { createZvtSimulator, type ZvtSimulator } from '../../src/simulator/zvt-simulator.ts';
import { heldFetch } from '../support/held-fetch.ts';
import { readLedger, type LedgerLine } from '../support/ledger.ts';
import { seededChance } from '../support/random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTill, type Till } from '../support/till.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

/** A kind of line, and whose time it is on. */
export interface WayKind {
  name: string;
  framing: 'serial' | 'tcp';
  clock: Clock;
  timings?: Partial<SimulatorTimings>;
  /** Lets the time go by that `promise` takes. */
  run<T>(promise: Promise<T>): Promise<T>;
  till(base: string): Till;
  connect(simulator: ZvtSimulator): Promise<{ line: Line; unplug: () => Promise<void> }>;
}

/** A line in this process, on a clock that goes from timer to timer. */
export function inMemory(): WayKind {
  const clock = createVirtualClock({ besideIo: true });
  return {
    name: 'memory',
    framing: 'serial',
    clock,
    run: (promise) => clock.run(promise, 'the way'),
    till: (base) => createTill(base, (url, init) => heldFetch(clock, url, init)),
    connect: (simulator) =>
      Promise.resolve({ line: createSimulatorLine(simulator), unplug: () => simulator.close() }),
  };
}

export interface Way {
  till: Till;
  base: string;
  bridge: Bridge;
  simulator: ZvtSimulator;
  folder: string;
  ledger(): LedgerLine[];
  /** Resolves when /health says 200. */
  healthy(): Promise<void>;
  /** Asks again and again until it is so. */
  until(holds: () => boolean): Promise<void>;
  close(): Promise<void>;
}

const waitLimitMs = 60_000;
const askAgainMs = 20;

export interface WayOptions {
  folder?: string;
  log?: Log;
  wrapLine?: (line: Line) => Line;
  /** Settings besides terminal, port and folder, as a configuration file has them. */
  settings?: Record<string, unknown>;
}

export async function openWay(kind: WayKind, options: WayOptions = {}): Promise<Way> {
  const folder = options.folder ?? tempFolder('way');
  const log = options.log ?? silentLog;
  const ledgerFile = join(folder, 'terminal', 'ledger.jsonl');
  const { clock, framing } = kind;
  const simulator = createZvtSimulator({
    ledgerFile,
    framing,
    timeScale: 1,
    clock,
    log,
    currency: 'EUR',
    timings: kind.timings,
  });
  const { line, unplug } = await kind.connect(simulator);
  const configuration = configurationSchema.parse({
    terminal: 'simulator',
    port: 0,
    dataDir: folder,
    ...options.settings,
  });
  const started = await startBridge({
    configuration,
    line: options.wrapLine?.(line) ?? line,
    connection: { kind: framing },
    simulated: true,
    log,
    clock,
    chance: seededChance(clock),
    version: 'test',
    dataFolder: folder,
  });
  if (started.kind === 'failed') throw new Error(started.message);
  const { bridge } = started;
  const base = `http://127.0.0.1:${bridge.listener.port ?? 0}`;
  const till = kind.till(base);
  return {
    till,
    base,
    bridge,
    simulator,
    folder,
    ledger: () => readLedger(ledgerFile),
    async healthy() {
      const end = clock.elapsed() + waitLimitMs;
      for (;;) {
        const { status, body } = await till.health();
        if (status === 200) return;
        if (clock.elapsed() > end) throw new Error(`never healthy: ${JSON.stringify(body)}`);
        await kind.run(pause(clock, askAgainMs));
      }
    },
    async until(holds) {
      const end = clock.elapsed() + waitLimitMs;
      while (!holds()) {
        if (clock.elapsed() > end) throw new Error(`it did not come true: ${holds.toString()}`);
        await kind.run(pause(clock, askAgainMs));
      }
    },
    async close() {
      await kind.run(bridge.stop());
      await kind.run(unplug());
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
