/** An ECR17 simulator on a memory line with a clock that stands still, for the tests beside this file. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createMemoryPair } from '../../../src/bridge/lines/memory.ts';
import { silentLog } from '../../../src/log/log.ts';
import {
  createEcr17Simulator,
  type Ecr17Simulator,
  type Ecr17SimulatorOptions,
} from '../../../src/simulator/index.ts';
import { readLedger } from '../../support/ledger.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';
import { createTill, type Till } from './till.ts';

type Options = Partial<Ecr17SimulatorOptions>;

export interface Kit {
  simulator: Ecr17Simulator;
  clock: VirtualClock;
  ledgerFile: string;
  /** A till on a new connection. `pseudoTerminal`: one that nothing can unplug. */
  connect(as?: 'pseudoTerminal'): Till;
  /** Event, amount and STAN of each line, such as `charged 25.00 000002`. */
  ledger(): string[];
  /** Ends the simulator and starts another one on the same ledger. */
  restart(options?: Options): Promise<void>;
}

const cleaning: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

export function setUp(options: Options = {}): Kit {
  const folder = tempFolder('ecr17');
  cleaning.push(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createVirtualClock();
  const ledgerFile = join(folder, 'ledger.jsonl');
  const start = (more: Options = {}) => {
    const simulator = createEcr17Simulator({
      ledgerFile,
      timeScale: 0,
      clock,
      log: silentLog,
      ...options,
      ...more,
    });
    cleaning.push(() => simulator.close());
    return simulator;
  };
  const kit: Kit = {
    simulator: start(),
    clock,
    ledgerFile,
    connect(as) {
      const [near, far] = createMemoryPair();
      kit.simulator.attach(far, { unpluggable: as !== 'pseudoTerminal' });
      return createTill(near, clock, options.dialect?.lrc);
    },
    ledger: () =>
      existsSync(ledgerFile)
        ? readLedger(ledgerFile).map(({ event, amount, receipt_number, count, total }) =>
            event === 'settled'
              ? `settled ${count} ${total}`
              : [event, amount, receipt_number].join(' ').trim(),
          )
        : [],
    async restart(more) {
      await kit.simulator.close();
      kit.simulator = start(more);
    },
  };
  return kit;
}

/** A field of a message by its position, which counts from 1. */
export function part(text: string | undefined, position: number, length: number): string | undefined {
  return text?.slice(position - 1, position - 1 + length);
}

const head = '000000000';
const till = '00000001';

/** P or X of so many cents. */
export function pay(amountMinor: number, code: 'P' | 'X' = 'X', flags = { tags: '0', card: '0' }): string {
  const amount = String(amountMinor).padStart(8, '0');
  return `${head}${code}${till}${flags.tags}00${flags.card}0${amount}${' '.repeat(128)}00000000`;
}
export const status = `${head}s`;
export const lastResult = `${head}G${till}0000`;
export const totals = `${head}T${till}00000000`;
export const close = `${head}C${till}00000000`;
export const reverse = (stan: string) => `${head}S${till}${stan}00`;
export const printOnTill = (on: '0' | '1') => `${head}E${on}`;
export const reprint = (onTill: '0' | '1', ticket: '0' | '1') => `${head}R${onTill}${ticket}0000000000`;
