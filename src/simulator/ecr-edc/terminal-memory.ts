/** What the terminal remembers: its sales, and which of them are in the open batch. */
import type { Issuer } from './cards.ts';
import type { ChargedEntry, LedgerEntry } from './ledger.ts';

export interface StoredSale {
  sale: ChargedEntry;
  state: 'open' | 'voided' | 'settled';
}

export interface BatchTotals {
  /** Sales that are not voided. */
  count: number;
  totalMinor: number;
}

export interface TerminalMemory {
  apply(entry: LedgerEntry): void;
  /** Six digits, ascending, through all batches or in each of them; used up only when the sale is applied. */
  nextInvoice(): string;
  /** How many sales there were before, in all batches. */
  sold(): number;
  batchNumber(): string;
  /** The newest with this invoice number, with or without leading zeros. */
  byInvoice(invoice: string): StoredSale | null;
  byReference(reference1: string): StoredSale | null;
  /** Of the open batch; of one host when its issuers are named. */
  totals(issuers?: readonly Issuer[]): BatchTotals;
}

const sixDigits = (number: number) => String(number).padStart(6, '0');
const lastInvoice = 999_999;

/** `invoicesBeginAnew`: with each batch. */
export function createTerminalMemory(invoicesBeginAnew: boolean): TerminalMemory {
  const sales: StoredSale[] = [];
  let batch = 1;
  let invoice = 0;

  const byInvoice = (invoice: string) =>
    sales.findLast(({ sale }) => Number(sale.receipt_number) === Number(invoice)) ?? null;

  return {
    apply(entry) {
      switch (entry.event) {
        case 'charged':
          sales.push({ sale: entry, state: 'open' });
          invoice = Number(entry.receipt_number);
          return;
        case 'reversed': {
          const undone = byInvoice(entry.receipt_number);
          if (undone !== null) undone.state = 'voided';
          return;
        }
        case 'settled':
          batch += 1;
          if (invoicesBeginAnew) invoice = 0;
          for (const stored of sales) if (stored.state === 'open') stored.state = 'settled';
      }
    },
    nextInvoice: () => sixDigits((invoice % lastInvoice) + 1),
    sold: () => sales.length,
    batchNumber: () => sixDigits(batch),
    byInvoice,
    byReference: (reference1) => sales.findLast(({ sale }) => sale.reference1 === reference1) ?? null,
    totals(issuers) {
      const open = sales.filter(
        ({ sale, state }) => state === 'open' && (issuers?.includes(sale.issuer) ?? true),
      );
      return {
        count: open.length,
        totalMinor: open.reduce((total, { sale }) => total + sale.amount_minor, 0),
      };
    },
  };
}
