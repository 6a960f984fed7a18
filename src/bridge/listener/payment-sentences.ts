/** What a payment's state is called in a sentence that a cashier can read. */
import type { Currency } from '../../contract/money.ts';
import { formatAmount } from '../../contract/money.ts';
import { type DiscrepancyView, type PaymentRow, approvedMinor } from '../payments/index.ts';

export type Payment = PaymentRow;

/** "12.00 EUR". */
export function money(amountMinor: number, currency: Currency): string {
  return `${formatAmount(amountMinor, currency)} ${currency}`;
}

/** One sentence or two: what the status is, what it means for the money, and the terminal's reason where it helps. */
export function paymentMessage(payment: Payment): string {
  const asked = money(payment.amountMinor, payment.currency);
  const taken = money(approvedMinor(payment) ?? payment.amountMinor, payment.currency);
  const because = asSentence(payment.reason);
  switch (payment.status) {
    case 'in_progress':
      return `${asked} is at the terminal; it is not decided yet.`;
    case 'approved':
      return taken === asked ? `${asked} approved.` : `${taken} approved, of ${asked} that were asked for.`;
    case 'declined':
      return `${asked} declined; no money was taken.${because}`;
    case 'cancelled':
      return `${asked} cancelled; no money was taken.${because}`;
    case 'failed':
      return `${asked} failed; no money was taken.${because}`;
    case 'unknown':
      return `It is not known yet whether ${asked} was taken; do not take it again before this is decided.${because}`;
    case 'voiding':
      return `The reversal of ${taken} is under way; it is not decided yet.`;
    case 'voided':
      return `${taken} reversed; the customer gets the money back.`;
    case 'settled':
      return payment.batchNumber === null
        ? `${taken} approved and settled.`
        : `${taken} approved and settled in batch ${payment.batchNumber}.`;
  }
}

/** What CreatePayment adds when the reference was given before. */
export function repeatedMessage(payment: Payment): string {
  const again = 'This reference was used before, so nothing new was started.';
  const ended =
    payment.status === 'declined' || payment.status === 'cancelled' || payment.status === 'failed';
  return ended ? `${again} For a new attempt use a new reference.` : again;
}

/** What QueryPayment adds while terminal and journal disagree about the payment. */
export function discrepancyMessage(discrepancy: DiscrepancyView): string {
  return `Terminal and journal disagree, so a person has to look:${asSentence(discrepancy.message)}`;
}

/** " Issuer says no." from "Issuer says no"; empty stays empty. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  return /[.!?]$/.test(trimmed) ? ` ${trimmed}` : ` ${trimmed}.`;
}
