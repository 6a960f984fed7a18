/** What the terminal remembers: the sales of its open batch, and the last attempt if it was declined. */
import type { ChargedEntry, LedgerEntry, RefusedEntry } from './ledger.ts';

export interface StoredSale {
  sale: ChargedEntry;
  voided: boolean;
}

export interface BatchTotals {
  /** Sales that are not voided. */
  count: number;
  /** Tips included. */
  totalMinor: number;
}

export interface TerminalMemory {
  apply(entry: LedgerEntry): void;
  /** Six digits, ascending from 1 in each batch; used up only when the sale is applied. */
  nextOperationNumber(): string;
  /** By its number, with or without leading zeros. */
  find(operationNumber: string): StoredSale | null;
  /** Of the open batch, oldest first. */
  readonly sales: readonly StoredSale[];
  /** A declined attempt that nothing has come after. */
  readonly lastRefusal: RefusedEntry | null;
  totals(): BatchTotals;
}

export function createTerminalMemory(): TerminalMemory {
  let sales: StoredSale[] = [];
  let lastRefusal: RefusedEntry | null = null;

  const find = (operationNumber: string) =>
    sales.find(({ sale }) => Number(sale.receipt_number) === Number(operationNumber)) ?? null;

  return {
    apply(entry) {
      lastRefusal = entry.event === 'refused' ? entry : null;
      if (entry.event === 'charged') sales.push({ sale: entry, voided: false });
      if (entry.event === 'settled') sales = [];
      const undone = entry.event === 'reversed' ? find(entry.receipt_number) : null;
      if (undone !== null) undone.voided = true;
    },
    nextOperationNumber: () => String(sales.length + 1).padStart(6, '0'),
    find,
    get sales() {
      return sales;
    },
    get lastRefusal() {
      return lastRefusal;
    },
    totals() {
      const standing = sales.filter(({ voided }) => !voided);
      return {
        count: standing.length,
        totalMinor: standing.reduce((total, { sale }) => total + sale.amount_minor, 0),
      };
    },
  };
}
