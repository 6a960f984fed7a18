/** Entries as they would be written now. A draft is nothing until it is recorded, and uses up no number. */
import { formatAmount } from '../../contract/money.ts';
import { cardFor } from './cards.ts';
import type { ChargedEntry, RefusedEntry, ReversedEntry, SettledEntry } from './ledger.ts';
import { terminalTime, type Terminal } from './terminal.ts';

function always(terminal: Terminal) {
  return {
    at: new Date(terminal.clock.now()).toISOString(),
    terminal_id: terminal.terminalId,
    currency: terminal.currency,
    ...terminalTime(terminal.clock),
  };
}

function money(terminal: Terminal, amountMinor: number) {
  return { amount: formatAmount(amountMinor, terminal.currency), amount_minor: amountMinor };
}

export interface Sale {
  /** What was asked for, without a tip. */
  amountMinor: number;
  ticket: string;
  providerCommerceCode: string | null;
}

/** With the tip that the customers of its dialect add, and the change that they take. */
export function draftSale(terminal: Terminal, sale: Sale): ChargedEntry {
  const tipMinor = Math.trunc((sale.amountMinor * terminal.dialect.tipPercent) / 100);
  const changeMinor = terminal.dialect.changePesos;
  const operationNumber = terminal.memory.nextOperationNumber();
  return {
    ...always(terminal),
    event: 'charged',
    ...money(terminal, sale.amountMinor + tipMinor + changeMinor),
    receipt_number: operationNumber,
    tip_minor: tipMinor,
    change_minor: changeMinor,
    ticket: sale.ticket,
    approval_code: approvalCode(Number(operationNumber), sale.amountMinor),
    card: cardFor(sale.amountMinor),
    provider_commerce_code: sale.providerCommerceCode,
  };
}

export function draftVoid(terminal: Terminal, sale: ChargedEntry): ReversedEntry {
  return {
    ...always(terminal),
    event: 'reversed',
    ...money(terminal, sale.amount_minor),
    receipt_number: sale.receipt_number,
    approval_code: approvalCode(Number(sale.approval_code), sale.amount_minor),
  };
}

export function draftSettlement(terminal: Terminal): SettledEntry {
  const { count, totalMinor } = terminal.memory.totals();
  return {
    ...always(terminal),
    event: 'settled',
    count,
    total: formatAmount(totalMinor, terminal.currency),
    total_minor: totalMinor,
  };
}

export function draftRefusal(terminal: Terminal, sale: Sale, code: string): RefusedEntry {
  return {
    ...always(terminal),
    event: 'refused',
    ...money(terminal, sale.amountMinor),
    ticket: sale.ticket,
    code,
  };
}

/** Looks like chance, and is the same for the same sale. */
function approvalCode(number: number, amountMinor: number): string {
  return ((number * 7_919 + amountMinor * 104_729 + 181_278) % 1_000_000).toString().padStart(6, '0');
}
