/** What the terminal remembers: its counters, the payments that can still be reversed or closed, the last record. */
import { schemeGroup } from '../bridge/terminals/zvt/wire/index.ts';
import { cardByKey, type CardKey } from './cards.ts';
import type {
  AutoReversedEntry,
  ChargedEntry,
  LedgerEntry,
  RefundedEntry,
  RefusedEntry,
  ReversedEntry,
  SettledEntry,
} from './ledger.ts';

/** The groups of BMP 60 in their order on the wire (ZVT PA00P015, 2.16). */
const totalGroups = ['girocard', 'jcb', 'mastercard', 'amex', 'visa', 'diners', 'other'] as const;

interface GroupTotal {
  group: string;
  count: number;
  totalMinor: number;
}
export interface BatchTotals {
  count: number;
  totalMinor: number;
  groups: GroupTotal[];
  /** First and last receipt number in the batch; 0000 when it is empty. */
  receiptFrom: string;
  receiptTo: string;
}

/** What 06 20 shows. The entry is the last one; `auto_reversed` and `reversed` go with the payment that they undid. */
export type LastRecord =
  | { kind: 'payment'; payment: ChargedEntry }
  | { kind: 'auto_reversed'; payment: ChargedEntry; reversal: AutoReversedEntry }
  | { kind: 'reversal'; payment: ChargedEntry | null; reversal: ReversedEntry }
  | { kind: 'refund'; refund: RefundedEntry }
  | { kind: 'refusal'; refusal: RefusedEntry }
  | { kind: 'batch'; batch: SettledEntry; totals: BatchTotals };

export interface StoredPayment {
  payment: ChargedEntry;
  reversed: boolean;
}

export interface Numbers {
  traceNumber: string;
  receiptNumber: string;
  turnoverNumber: string;
}

export interface TerminalMemory {
  apply(entry: LedgerEntry): void;
  /** The numbers that the next payment or reversal gets; they are used up only when it is applied. */
  nextNumbers(): Numbers;
  /** The newest payment of the open batch with this receipt number. */
  find(receiptNumber: string): StoredPayment | null;
  /** The newest payment of the open batch that is not reversed. */
  newest(): StoredPayment | null;
  totals(): BatchTotals;
  /** Payments and reversals in the open batch. */
  readonly stored: number;
  readonly lastRecord: LastRecord | null;
  /** 06 20 shows the record before the last one, until there is another. */
  forgetLastRecord(): void;
  /** The last numbers used; zeros on a new terminal. */
  readonly numbers: Numbers;
}

/** Counts on; after the highest number of that many digits comes 1 again, never 0. */
function nextNumber(last: string): string {
  const highest = 10 ** last.length - 1;
  const next = Number(last) >= highest ? 1 : Number(last) + 1;
  return next.toString().padStart(last.length, '0');
}

/** `closedDay`: the last record of a terminal that has done nothing since its installation; null: it shows none. */
export function createTerminalMemory(closedDay: SettledEntry | null): TerminalMemory {
  let numbers: Numbers = { traceNumber: '000000', receiptNumber: '0000', turnoverNumber: '000000' };
  let store: StoredPayment[] = [];
  let receipts: string[] = [];
  let lastRecord: LastRecord | null =
    closedDay === null ? null : { kind: 'batch', batch: closedDay, totals: totals() };

  function find(receiptNumber: string): StoredPayment | null {
    return store.findLast((entry) => entry.payment.receipt_number === receiptNumber) ?? null;
  }

  function totals(): BatchTotals {
    const charged = store.filter((entry) => !entry.reversed).map((entry) => entry.payment);
    const groups = totalGroups.map((group) => {
      const members = charged.filter((payment) => groupOf(payment.card) === group);
      return { group, count: members.length, totalMinor: sum(members) };
    });
    return {
      count: charged.length,
      totalMinor: sum(charged),
      groups,
      receiptFrom: receipts[0] ?? '0000',
      receiptTo: receipts.at(-1) ?? '0000',
    };
  }

  let recordBefore: LastRecord | null = null;

  return {
    apply(entry) {
      // A payment and its reversal by the terminal itself are one thing to it.
      if (entry.event !== 'auto_reversed') recordBefore = lastRecord;
      switch (entry.event) {
        case 'charged':
          numbers = {
            traceNumber: entry.trace_number,
            receiptNumber: entry.receipt_number,
            turnoverNumber: entry.turnover_number,
          };
          store.push({ payment: entry, reversed: false });
          receipts.push(entry.receipt_number);
          lastRecord = { kind: 'payment', payment: entry };
          return;
        case 'auto_reversed': {
          const undone = store.pop();
          if (undone === undefined || undone.payment.trace_number !== entry.trace_number) {
            throw new Error(`auto-reversal of trace ${entry.trace_number} does not follow its payment`);
          }
          receipts.pop();
          lastRecord = { kind: 'auto_reversed', payment: undone.payment, reversal: entry };
          return;
        }
        case 'reversed': {
          const stored = find(entry.receipt_number);
          if (stored !== null) stored.reversed = true;
          numbers = {
            traceNumber: entry.trace_number,
            receiptNumber: entry.reversal_receipt_number,
            turnoverNumber: entry.turnover_number,
          };
          receipts.push(entry.reversal_receipt_number);
          lastRecord = { kind: 'reversal', payment: stored?.payment ?? null, reversal: entry };
          return;
        }
        case 'settled':
          lastRecord = { kind: 'batch', batch: entry, totals: totals() };
          numbers = { ...numbers, traceNumber: entry.trace_number };
          store = [];
          receipts = [];
          return;
        case 'refunded':
          numbers = {
            traceNumber: entry.trace_number,
            receiptNumber: entry.receipt_number,
            turnoverNumber: entry.turnover_number,
          };
          receipts.push(entry.receipt_number);
          lastRecord = { kind: 'refund', refund: entry };
          return;
        case 'refused':
          if (entry.trace_number !== null) numbers = { ...numbers, traceNumber: entry.trace_number };
          if (entry.stored) lastRecord = { kind: 'refusal', refusal: entry };
          return;
      }
    },
    nextNumbers: () => ({
      traceNumber: nextNumber(numbers.traceNumber),
      receiptNumber: nextNumber(numbers.receiptNumber),
      turnoverNumber: nextNumber(numbers.turnoverNumber),
    }),
    find,
    newest: () => store.findLast((entry) => !entry.reversed) ?? null,
    totals,
    get stored() {
      return receipts.length;
    },
    get lastRecord() {
      return lastRecord;
    },
    forgetLastRecord() {
      lastRecord = recordBefore;
    },
    get numbers() {
      return numbers;
    },
  };
}

function groupOf(card: CardKey): string {
  const group = schemeGroup(cardByKey(card).cardType);
  return totalGroups.some((known) => known === group) ? group : 'other';
}

function sum(payments: readonly ChargedEntry[]): number {
  return payments.reduce((total, payment) => total + payment.amount_minor, 0);
}
