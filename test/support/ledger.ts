/** Reads the simulator's ledger: the truth that tests hold the bridge's belief against. */
import { existsSync, readFileSync } from 'node:fs';

export interface LedgerLine {
  at: string;
  event: 'charged' | 'auto_reversed' | 'reversed' | 'settled';
  amount: string;
  receipt_number: string;
  count?: number;
  total?: string;
}

export function readLedger(file: string): LedgerLine[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerLine);
}

/** How often `amount` was charged, was reversed by the terminal itself, and was voided. */
export function countsOf(lines: LedgerLine[], amount: string) {
  const count = (event: LedgerLine['event']) =>
    lines.filter((line) => line.event === event && line.amount === amount).length;
  return { charged: count('charged'), autoReversed: count('auto_reversed'), reversed: count('reversed') };
}
