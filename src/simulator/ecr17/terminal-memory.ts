/** What the terminal remembers: its open batch, its last operation, and the result that it tells again. */
import type { ChargedEntry, LedgerEntry, RefusedEntry, ReversedEntry } from './ledger.ts';

/** A result as it is told, and told again (G). */
export type Result = ChargedEntry | ReversedEntry | RefusedEntry;

export interface BatchTotals {
  /** Payments that are not reversed. */
  count: number;
  totalMinor: number;
}

export interface TerminalMemory {
  apply(entry: LedgerEntry): void;
  /** Six digits, ascending by one through all batches, 000001 behind 999999; used up only when the entry is applied. */
  nextStan(): string;
  /** What G tells. */
  readonly lastResult: Result | null;
  /** The payment that a reversal would undo: the terminal's last operation, in the open batch. */
  readonly reversible: ChargedEntry | null;
  totals(): BatchTotals;
  /** It tells the result before its last, until there is another. */
  forgetLast(): void;
}

const lastStan = 999_999;

/** `firstResult`: of the payment by which it was tried out when it was installed; null: it tells none. */
export function createTerminalMemory(firstResult: ChargedEntry | null): TerminalMemory {
  let stan = Number(firstResult?.receipt_number ?? '0');
  let open: ChargedEntry[] = [];
  let lastResult: Result | null = firstResult;
  let resultBefore: Result | null = firstResult;
  let reversible: ChargedEntry | null = null;

  function tell(result: Result): void {
    if (result.told === null) return;
    resultBefore = lastResult;
    lastResult = result;
  }

  return {
    apply(entry) {
      reversible = null;
      switch (entry.event) {
        case 'charged':
          stan = Number(entry.receipt_number);
          open.push(entry);
          reversible = entry;
          return tell(entry);
        case 'reversed':
          stan = Number(entry.stan);
          open = open.filter(({ receipt_number }) => receipt_number !== entry.receipt_number);
          return tell(entry);
        case 'refused':
          if (entry.stan !== null) stan = Number(entry.stan);
          return tell(entry);
        case 'settled':
          if (entry.stan !== null) stan = Number(entry.stan);
          open = [];
      }
    },
    nextStan: () => String((stan % lastStan) + 1).padStart(6, '0'),
    get lastResult() {
      return lastResult;
    },
    get reversible() {
      return reversible;
    },
    totals: () => ({
      count: open.length,
      totalMinor: open.reduce((total, { amount_minor }) => total + amount_minor, 0),
    }),
    forgetLast() {
      lastResult = resultBefore;
    },
  };
}
