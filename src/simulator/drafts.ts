/** Entries as they would be written now. A draft is nothing until it is recorded, and uses up no number. */
import { formatAmount, type Currency } from '../contract/money.ts';
import { cardFor } from './cards.ts';
import type {
  AutoReversedEntry,
  ChargedEntry,
  RefundedEntry,
  RefusedEntry,
  ReversedEntry,
  SettledEntry,
} from './ledger.ts';
import { terminalTime, type Terminal } from './simulated-terminal.ts';

function always(terminal: Terminal) {
  return {
    at: new Date(terminal.clock.now()).toISOString(),
    terminal_id: terminal.terminalId,
    currency: terminal.currency,
    ...terminalTime(terminal.clock),
  };
}

export function draftPayment(terminal: Terminal, amountMinor: number): ChargedEntry {
  const numbers = terminal.memory.nextNumbers();
  return {
    ...always(terminal),
    event: 'charged',
    amount: formatAmount(amountMinor, terminal.currency),
    receipt_number: numbers.receiptNumber,
    amount_minor: amountMinor,
    trace_number: numbers.traceNumber,
    turnover_number: numbers.turnoverNumber,
    approval_code: approvalCode(Number(numbers.traceNumber), amountMinor),
    card: cardFor(amountMinor).key,
  };
}

export function draftAutoReversal(
  terminal: Terminal,
  payment: ChargedEntry,
  reason: string,
): AutoReversedEntry {
  return {
    ...always(terminal),
    event: 'auto_reversed',
    amount: payment.amount,
    receipt_number: payment.receipt_number,
    amount_minor: payment.amount_minor,
    trace_number: payment.trace_number,
    reason,
  };
}

export function draftReversal(terminal: Terminal, payment: ChargedEntry): ReversedEntry {
  const numbers = terminal.memory.nextNumbers();
  return {
    ...always(terminal),
    event: 'reversed',
    amount: payment.amount,
    receipt_number: payment.receipt_number,
    amount_minor: payment.amount_minor,
    original_trace_number: payment.trace_number,
    trace_number: numbers.traceNumber,
    turnover_number: numbers.turnoverNumber,
    reversal_receipt_number: numbers.receiptNumber,
  };
}

export function draftSettlement(terminal: Terminal): SettledEntry {
  const totals = terminal.memory.totals();
  return {
    ...always(terminal),
    event: 'settled',
    count: totals.count,
    total: formatAmount(totals.totalMinor, terminal.currency),
    total_minor: totals.totalMinor,
    trace_number: terminal.memory.nextNumbers().traceNumber,
  };
}

export function draftRefund(terminal: Terminal, amountMinor: number): RefundedEntry {
  const numbers = terminal.memory.nextNumbers();
  return {
    ...always(terminal),
    event: 'refunded',
    amount: formatAmount(amountMinor, terminal.currency),
    receipt_number: numbers.receiptNumber,
    amount_minor: amountMinor,
    trace_number: numbers.traceNumber,
    turnover_number: numbers.turnoverNumber,
    card: cardFor(amountMinor).key,
  };
}

/** What the dialect keeps of a refused payment; null: nothing. */
export function draftRefusal(
  terminal: Terminal,
  attempt: { amountMinor: number; code: string; text: string },
): RefusedEntry | null {
  const { refusals } = terminal.dialect;
  if (refusals === 'forgotten') return null;
  return {
    ...always(terminal),
    event: 'refused',
    amount: formatAmount(attempt.amountMinor, terminal.currency),
    amount_minor: attempt.amountMinor,
    code: attempt.code,
    text: attempt.text,
    trace_number: refusals === 'stored_without_number' ? null : terminal.memory.nextNumbers().traceNumber,
    stored: refusals !== 'numbered',
  };
}

/** The day that was closed when the terminal was installed, before its first number. */
export function closedDayOfInstallation(terminalId: string, currency: Currency): SettledEntry {
  return {
    at: '2020-01-01T00:00:00.000Z',
    terminal_id: terminalId,
    currency,
    terminal_date: '0101',
    terminal_time: '000000',
    event: 'settled',
    count: 0,
    total: formatAmount(0, currency),
    total_minor: 0,
    trace_number: '000000',
  };
}

/** Any six digits that differ from payment to payment and come out the same when a run is repeated. */
function approvalCode(trace: number, amountMinor: number): string {
  return ((trace * 7_919 + amountMinor) % 1_000_000).toString().padStart(6, '0');
}
