/** A simulator on a memory line with a clock that stands still, for the tests beside this file. */
import { readFileSync, rmSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { silentLog } from '../../src/log/log.ts';
import { createMemoryPair } from '../../src/bridge/lines/memory.ts';
import { amountToBcd, hex, bitmap, type ZvtMessage } from '../../src/bridge/terminals/zvt/wire/index.ts';
import {
  createZvtSimulator,
  type ZvtSimulator,
  type ZvtSimulatorOptions,
} from '../../src/simulator/zvt-simulator.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';
import { createZvtEcr, type ZvtEcr } from '../support/zvt-ecr.ts';

export interface Kit {
  simulator: ZvtSimulator;
  clock: VirtualClock;
  ledgerFile: string;
  /** A till on a new connection. `pseudoTerminal`: one that nothing can unplug. */
  connect(as?: 'pseudoTerminal'): ZvtEcr;
  /** Event, amount and receipt number of each line, such as `charged 12.00 0001`. */
  ledger(): string[];
  /** Ends the simulator and starts another one on the same ledger. */
  restart(options?: Partial<ZvtSimulatorOptions>): Promise<void>;
}

const cleaning: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

export function setUp(options: Partial<ZvtSimulatorOptions> = {}): Kit {
  const folder = tempFolder('simulator');
  cleaning.push(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createVirtualClock();
  const ledgerFile = options.ledgerFile ?? join(folder, 'ledger.jsonl');
  const start = (more: Partial<ZvtSimulatorOptions> = {}) => {
    const simulator = createZvtSimulator({
      ledgerFile,
      framing: 'serial',
      timeScale: 0,
      clock,
      log: silentLog,
      currency: 'EUR',
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
      const ecr = createZvtEcr(near, options.framing ?? 'serial');
      kit.simulator.attach(far, { unpluggable: as !== 'pseudoTerminal' });
      return ecr;
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
      const entry = JSON.parse(line) as Record<string, unknown>;
      return entry['event'] === 'settled'
        ? `settled ${String(entry['count'])} ${String(entry['total'])}`
        : `${String(entry['event'])} ${String(entry['amount'])} ${String(entry['receipt_number'])}`;
    });
}

/** 06 00 with EUR; `tlv` is the hex behind BMP 06's number and allows TLV. */
export function register(configurationByte: string, tlv?: string): string {
  const data = `000000${configurationByte}0978${tlv === undefined ? '' : `06${tlv}`}`;
  return withLength('0600', data);
}

/** 06 01 in EUR; `more` is further BMPs in hex. */
export function pay(amountMinor: number, more = ''): string {
  return withLength('0601', `04${hex(amountToBcd(amountMinor))}4909781940${more}`);
}

export function reverse(receiptNumber: string, amountMinor?: number): string {
  const amount = amountMinor === undefined ? '' : `04${hex(amountToBcd(amountMinor))}`;
  return withLength('0630', `00000087${receiptNumber}${amount}490978`);
}

export const endOfDay = '065003000000';
export const totals = '061003000000';
/** 06 20 with service byte 03: status of the last transaction, nothing printed. */
export const lastRecord = '0620050000000303';
export const statusEnquiry = '050103000000';
export const abort = '06b000';

function withLength(ctrl: string, data: string): string {
  return `${ctrl}${(data.length / 2).toString(16).padStart(2, '0')}${data}`;
}

export function controlFields(messages: readonly ZvtMessage[]): string[] {
  return messages.map(({ ctrl }) => ctrl);
}

/** The 04 0F among messages, or a failure. */
export function statusOf(messages: readonly ZvtMessage[]): ZvtMessage {
  const status = messages.findLast(({ ctrl }) => ctrl === '040f');
  if (status === undefined) throw new Error('no 04 0F came');
  return status;
}

/** The value of a BMP in hex, or null. */
export function field(message: ZvtMessage, tag: string): string | null {
  const value = bitmap(message, tag);
  return value === null ? null : hex(value);
}

/** What 06 20 shows of a terminal that has done nothing since its installation. */
export const closedDay = { result: '00', trace: '000000', receipt: null, amount: '000000000000' };

/** What 06 20 shows: result code, trace, original trace, receipt number; null when nothing is stored. */
export async function readLastRecord(ecr: ZvtEcr) {
  const messages = await ecr.run(lastRecord);
  if (!messages.some(({ ctrl }) => ctrl === '040f')) return null;
  const status = statusOf(messages);
  return {
    result: field(status, '27'),
    trace: field(status, '0b'),
    originalTrace: field(status, '37'),
    receipt: field(status, '87'),
    amount: field(status, '04'),
  };
}
