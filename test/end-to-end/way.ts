/**
 * The bridge as it runs in a shop, with its own timers, from HTTP to a simulated terminal over one kind of line; and
 * the simulator's ledger beside it. The scenes' own durations are the real ones.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBridge, type Bridge } from '../../src/bridge/bridge.ts';
import { createSerialLine, createTcpLine, type Line } from '../../src/bridge/lines/index.ts';
import { silentLog, type Log } from '../../src/bridge/log/log.ts';
import { systemChance } from '../../src/contract/chance.ts';
import { systemClock } from '../../src/contract/clock.ts';
import { configurationSchema, type SerialSettings } from '../../src/contract/configuration.ts';
import {
  createSimulatorLine,
  createZvtSimulator,
  serveSimulatorOnSerial,
  serveSimulatorOnTcp,
  type ZvtSimulator,
} from '../../src/simulator/index.ts';
import { readLedger, type LedgerLine } from '../support/ledger.ts';
import { openPtyPair } from '../support/pty-pair.ts';
import { createTill, type Till } from '../support/till.ts';

export type LineKind = 'memory' | 'tcp' | 'pty';

export interface Way {
  till: Till;
  base: string;
  bridge: Bridge;
  simulator: ZvtSimulator;
  folder: string;
  ledger(): LedgerLine[];
  /** Resolves when /health says 200. */
  healthy(): Promise<void>;
  close(): Promise<void>;
}

const serialSettings: SerialSettings = { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 2 };
const healthLimitMs = 60_000;

export interface WayOptions {
  folder?: string;
  log?: Log;
  wrapLine?: (line: Line) => Line;
  /** Settings besides terminal, port and folder, as a configuration file has them. */
  settings?: Record<string, unknown>;
}

export async function openWay(kind: LineKind, options: WayOptions = {}): Promise<Way> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'tillbridge-way-'));
  const log = options.log ?? silentLog;
  const ledgerFile = join(folder, 'terminal', 'ledger.jsonl');
  const framing = kind === 'tcp' ? 'tcp' : 'serial';
  const simulator = createZvtSimulator({
    ledgerFile,
    framing,
    pace: 0.05,
    clock: systemClock,
    log,
    currency: 'EUR',
  });
  const { line, unplug } = await connect(kind, simulator);
  const configuration = configurationSchema.parse({
    terminal: 'simulator',
    port: 0,
    dataDir: folder,
    ...options.settings,
  });
  const started = await startBridge({
    configuration,
    line: options.wrapLine?.(line) ?? line,
    framing,
    simulated: true,
    log,
    clock: systemClock,
    chance: systemChance(systemClock),
    version: 'test',
    dataFolder: folder,
  });
  if (started.kind === 'failed') throw new Error(started.message);
  const { bridge } = started;
  const base = `http://127.0.0.1:${bridge.listener.port ?? 0}`;
  const till = createTill(base);
  return {
    till,
    base,
    bridge,
    simulator,
    folder,
    ledger: () => readLedger(ledgerFile),
    async healthy() {
      const end = performance.now() + healthLimitMs;
      for (;;) {
        const { status, body } = await till.health();
        if (status === 200) return;
        if (performance.now() > end) throw new Error(`never healthy: ${JSON.stringify(body)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async close() {
      await bridge.stop();
      await unplug();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function connect(
  kind: LineKind,
  simulator: ZvtSimulator,
): Promise<{ line: Line; unplug: () => Promise<void> }> {
  switch (kind) {
    case 'memory':
      return { line: createSimulatorLine(simulator), unplug: () => simulator.close() };
    case 'tcp': {
      const served = await serveSimulatorOnTcp(simulator, { host: '127.0.0.1', port: 0, clock: systemClock });
      return {
        line: createTcpLine({ host: '127.0.0.1', port: served.port, clock: systemClock }),
        unplug: () => served.close(),
      };
    }
    case 'pty': {
      const pair = await openPtyPair();
      const served = await serveSimulatorOnSerial(simulator, pair.b, serialSettings, { clock: systemClock });
      return {
        line: createSerialLine({ path: pair.a, settings: serialSettings, clock: systemClock }),
        async unplug() {
          await served.close();
          await pair.close();
        },
      };
    }
  }
}
