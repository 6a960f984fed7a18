/** A simulator on a memory line with a clock that stands still, for the tests of each protocol's simulator. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import type { LineConnection } from '../../src/bridge/lines/line.ts';
import { createMemoryPair } from '../../src/bridge/lines/memory.ts';
import { silentLog } from '../../src/log/log.ts';
import type { ReachableSimulator } from '../../src/simulator/index.ts';
import { readLedger } from '../support/ledger.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';

export interface LineKit<Simulator, Till, Options> {
  simulator: Simulator;
  clock: VirtualClock;
  ledgerFile: string;
  /** A till on a new connection. `pseudoTerminal`: one that nothing can unplug. */
  connect(as?: 'pseudoTerminal'): Till;
  /** Event, amount and receipt number of each line, such as `charged 25.00 000002`. */
  ledger(): string[];
  /** Ends the simulator and starts another one on the same ledger. */
  restart(options?: Options): Promise<void>;
}

/** What every simulator is started with. */
interface Always {
  ledgerFile: string;
  timeScale: number;
  clock: Clock;
  log: typeof silentLog;
}

const cleaning: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

/** `given` weighs less than what a restart gives. */
export function setUpOnLine<Simulator extends ReachableSimulator, Till, Options extends object>(
  name: string,
  create: (options: Always & Options) => Simulator,
  createTill: (near: LineConnection, clock: VirtualClock) => Till,
  given: Options,
): LineKit<Simulator, Till, Options> {
  const folder = tempFolder(name);
  cleaning.push(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createVirtualClock();
  const ledgerFile = join(folder, 'ledger.jsonl');
  const start = (more?: Options) => {
    const simulator = create({ ledgerFile, timeScale: 0, clock, log: silentLog, ...given, ...more });
    cleaning.push(() => simulator.close());
    return simulator;
  };
  const kit: LineKit<Simulator, Till, Options> = {
    simulator: start(),
    clock,
    ledgerFile,
    connect(as) {
      const [near, far] = createMemoryPair();
      kit.simulator.attach(far, { unpluggable: as !== 'pseudoTerminal' });
      return createTill(near, clock);
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
