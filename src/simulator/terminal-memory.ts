/** What the terminal remembers: its counters, the payments that can still be reversed or closed, the last record. */
import { schemeGroup } from '../bridge/terminals/zvt/wire/index.ts';
import { cardByKey, type CardKey } from './cards.ts';
import type {
  AutoReversedFact,
  ChargedFact,
  Fact,
  RefundedFact,
  RefusedFact,
  ReversedFact,
  SettledFact,
} from './facts.ts';

/** The groups of BMP 60 in their order on the wire (ZVT PA00P015 2.16, sheet section 9.6). */
export const totalGroups = ['girocard', 'jcb', 'mastercard', 'amex', 'visa', 'diners', 'other'] as const;

export interface GroupTotal {
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

/** What 06 20 shows. The fact is the last one; `auto_reversed` and `reversed` go with the payment that they undid. */
export type LastRecord =
  | { kind: 'payment'; payment: ChargedFact }
  | { kind: 'auto_reversed'; payment: ChargedFact; reversal: AutoReversedFact }
  | { kind: 'reversal'; payment: ChargedFact | null; reversal: ReversedFact }
  | { kind: 'refund'; refund: RefundedFact }
  | { kind: 'refusal'; refusal: RefusedFact }
  | { kind: 'batch'; batch: SettledFact; totals: BatchTotals };

export interface StoredPayment {
  payment: ChargedFact;
  reversed: boolean;
}

export interface Numbers {
  traceNumber: string;
  receiptNumber: string;
  turnoverNumber: string;
}

export interface TerminalMemory {
  apply(fact: Fact): void;
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
export function nextNumber(last: string): string {
  const highest = 10 ** last.length - 1;
  const next = Number(last) >= highest ? 1 : Number(last) + 1;
  return next.toString().padStart(last.length, '0');
}

/** `closedDay`: the last record of a terminal that has done nothing since its installation; null: it shows none. */
export function createTerminalMemory(closedDay: SettledFact | null): TerminalMemory {
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
    apply(fact) {
      // A payment and its reversal by the terminal itself are one thing to it.
      if (fact.event !== 'auto_reversed') recordBefore = lastRecord;
      switch (fact.event) {
        case 'charged':
          numbers = {
            traceNumber: fact.trace_number,
            receiptNumber: fact.receipt_number,
            turnoverNumber: fact.turnover_number,
          };
          store.push({ payment: fact, reversed: false });
          receipts.push(fact.receipt_number);
          lastRecord = { kind: 'payment', payment: fact };
          return;
        case 'auto_reversed': {
          const undone = store.pop();
          if (undone === undefined || undone.payment.trace_number !== fact.trace_number) {
            throw new Error(`auto-reversal of trace ${fact.trace_number} does not follow its payment`);
          }
          receipts.pop();
          lastRecord = { kind: 'auto_reversed', payment: undone.payment, reversal: fact };
          return;
        }
        case 'reversed': {
          const entry = find(fact.receipt_number);
          if (entry !== null) entry.reversed = true;
          numbers = {
            traceNumber: fact.trace_number,
            receiptNumber: fact.reversal_receipt_number,
            turnoverNumber: fact.turnover_number,
          };
          receipts.push(fact.reversal_receipt_number);
          lastRecord = { kind: 'reversal', payment: entry?.payment ?? null, reversal: fact };
          return;
        }
        case 'settled':
          lastRecord = { kind: 'batch', batch: fact, totals: totals() };
          numbers = { ...numbers, traceNumber: fact.trace_number };
          store = [];
          receipts = [];
          return;
        case 'refunded':
          numbers = {
            traceNumber: fact.trace_number,
            receiptNumber: fact.receipt_number,
            turnoverNumber: fact.turnover_number,
          };
          receipts.push(fact.receipt_number);
          lastRecord = { kind: 'refund', refund: fact };
          return;
        case 'refused':
          if (fact.trace_number !== null) numbers = { ...numbers, traceNumber: fact.trace_number };
          if (fact.stored) lastRecord = { kind: 'refusal', refusal: fact };
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

function sum(payments: readonly ChargedFact[]): number {
  return payments.reduce((total, payment) => total + payment.amount_minor, 0);
}
