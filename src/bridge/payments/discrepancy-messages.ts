/** The parts of the sentences in which a discrepancy is told. */
import type { OperationStarted } from '../../contract/journal-events.ts';
import { formatAmount, type Currency } from '../../contract/money.ts';
import type { OperationOutcome } from '../../contract/operation.ts';
import type { TerminalRecord } from '../../contract/terminal.ts';
import type { PaymentRow } from '../journal/index.ts';

export function nameOf(operation: OperationStarted): string {
  if (operation.kind === 'batch_close') return 'the batch close';
  return `${operation.kind === 'sale' ? 'payment' : 'the void of payment'} ${operation.reference}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A reversal that names no payment has nothing that tells it from one. */
export function aPayment({ traceNumber }: TerminalRecord): string {
  return traceNumber === null ? 'a payment or a reversal' : 'a payment';
}

export function numbersOf({ receiptNumber, traceNumber }: TerminalRecord): string {
  if (receiptNumber !== null) return `receipt ${receiptNumber}`;
  return traceNumber === null ? 'without a number' : `trace number ${traceNumber}`;
}

export function amountOf({ amountMinor, currency }: TerminalRecord, otherwise: Currency): string {
  return amountMinor === null ? 'an unknown amount' : money(amountMinor, currency ?? otherwise);
}

export function money(amountMinor: number, currency: Currency): string {
  return `${formatAmount(amountMinor, currency)} ${currency}`;
}

export function whatCannotBeVoided(payments: PaymentRow[]): string {
  if (payments.length === 0) return 'None of our payments is affected.';
  return `${oneOrMore(payments, 'earlier payment', 'earlier payments')} of ours can no longer be voided here.`;
}

/** What becomes of payments that nobody can settle or void. */
export function unsettledNow(payments: PaymentRow[]): string {
  return `${payments.length === 1 ? 'it' : 'they'} ${stays(payments)} approved and can no longer be voided here.`;
}

export function oneOrMore({ length }: readonly unknown[], one: string, more: string): string {
  return `${length} ${length === 1 ? one : more}`;
}

export function stays({ length }: readonly unknown[]): string {
  return length === 1 ? 'stays' : 'stay';
}

export function doneText({ kind }: OperationStarted): string {
  return kind === 'sale' ? 'charged' : 'carried out';
}

export function outcomeText(outcome: OperationOutcome): string {
  return outcome.replace('_', ' ');
}
