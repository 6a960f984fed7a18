/** A Transbank simulator on a memory line with a clock that stands still, for the tests beside this file. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createMemoryPair } from '../../../src/bridge/lines/memory.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createTransbankSimulator } from '../../../src/simulator/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';
import { createTill, type Till } from './till.ts';

type Simulator = ReturnType<typeof createTransbankSimulator>;
type Options = Partial<Parameters<typeof createTransbankSimulator>[0]>;

export interface Kit {
  simulator: Simulator;
  clock: VirtualClock;
  ledgerFile: string;
  /** A till on a new connection. `pseudoTerminal`: one that nothing can unplug. */
  connect(as?: 'pseudoTerminal'): Till;
  /** Event, amount and operation number of each line, such as `charged 2500.00 000001`. */
  ledger(): string[];
  /** Ends the simulator and starts another one on the same ledger. */
  restart(options?: Options): Promise<void>;
}

const cleaning: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

export function setUp(options: Options = {}): Kit {
  const folder = tempFolder('transbank');
  cleaning.push(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createVirtualClock();
  const ledgerFile = join(folder, 'ledger.jsonl');
  const start = (more: Options = {}) => {
    const simulator = createTransbankSimulator({
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
      return createTill(near, clock);
    },
    ledger: () => readLines(ledgerFile),
    async restart(more) {
      await kit.simulator.close();
      kit.simulator = start(more);
    },
  };
  return kit;
}

function readLines(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { event, amount, receipt_number, count, total } = JSON.parse(line) as Record<
        string,
        string | number | undefined
      >;
      return event === 'settled'
        ? `settled ${count} ${total}`
        : `${event} ${amount} ${receipt_number ?? ''}`.trim();
    });
}

/** A field of an answer by its place; 0 is the command. */
export function part(answer: string | undefined, place: number): string | undefined {
  return answer?.split('|')[place];
}

/** A sale as the C and Node.js SDKs ask for it. */
export function sale(amount: number, ticket = 'ABC123', status: 0 | 1 = 0): string {
  return `0200|${String(amount).padStart(9, '0')}|${ticket}|||${status}`;
}
