/** Whether a payment is one that a searched text means. */
import { formatAmount } from '../../contract/money.ts';
import { amountPattern } from '../../contract/request-forms.ts';
import type { PaymentRow } from './journal.ts';

export interface TextMatch {
  /** What `query-sql.ts` sorts out most others with; what passes there may still not match. */
  prefilter: Prefilter;
  matches(payment: PaymentRow): boolean;
  beginsReference(payment: PaymentRow): boolean;
}

/** Patterns of LIKE with `\` as the escape, and an amount in hundredths. */
export interface Prefilter {
  beginning: string;
  inside: string | null;
  hundredths: number | null;
}

export const matchesAll: Prefilter = { beginning: '%', inside: null, hundredths: null };

/** See `paymentFilterSchema` for what a text means. Null for none or an empty one: everything. */
export function textMatch(text: string | null): TextMatch | null {
  const wanted = fold(text?.trim() ?? '');
  if (wanted === '') return null;
  const isWanted = (field: string | null) => field !== null && fold(field) === wanted;
  const beginsReference = (payment: PaymentRow) => fold(payment.reference).startsWith(wanted);
  return {
    prefilter: {
      beginning: `${escaped(wanted)}%`,
      // In the event of the sale's end each of these is a JSON string that is this text or ends with it.
      inside: `%${escaped(JSON.stringify(wanted).slice(1))}%`,
      hundredths: amountPattern.test(wanted) ? Number(wanted.replace('.', '')) : null,
    },
    matches(payment) {
      const { result } = payment;
      if (beginsReference(payment) || formatAmount(payment.amountMinor, payment.currency) === wanted)
        return true;
      if (result === null) return false;
      if ([result.approvalCode, result.receiptNumber, result.traceNumber].some(isWanted)) return true;
      return /^\d+$/.test(wanted) && (result.maskedCardNumber?.endsWith(wanted) ?? false);
    },
    beginsReference,
  };
}

/** Letters of ASCII only, as SQLite's LIKE does it. */
function fold(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
