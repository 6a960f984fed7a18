/**
 * Why an approving result (04 0F with 27 = 00) cannot be accepted as the result of our command. Refused with 84 xx, the
 * terminal undoes what it did (ZVT PA00P015, 06 01). Each gives a sentence, or null when the result fits.
 */
import { currencyNumeric, type Currency } from '../../../contract/money.ts';
import type { TerminalRecord } from '../../../contract/terminal.ts';
import type { SaleOrder, VoidOrder } from '../terminal-driver.ts';
import { bcdDigits } from './bytes.ts';
import { bitmap, type ZvtMessage } from './messages.ts';
import { sameNumber } from './counters.ts';

export type Objection = (record: TerminalRecord, message: ZvtMessage) => string | null;

/** More than asked is a tip or cashback, which the terminal may add. Less is a partial approval, which we never allow. */
export function saleObjection(order: SaleOrder): Objection {
  return (record, message) => {
    if (record.kind !== 'payment') return 'The terminal reported something else than a payment.';
    const unreadable = unreadableAmount(record, message) ?? foreignCurrency(message, order.currency);
    if (unreadable !== null) return unreadable;
    if (record.amountMinor !== null && record.amountMinor < order.amountMinor) {
      return 'The terminal approved only a part of the amount; that was refused.';
    }
    return null;
  };
}

/** Binds a reversal to exactly one payment: BMP 37 is that payment's trace number, wherever both are known. */
export function voidObjection(order: VoidOrder): Objection {
  return (record, message) => {
    if (record.kind === 'batch_close') return 'The terminal reported something else than a reversal.';
    const unreadable = unreadableAmount(record, message) ?? foreignCurrency(message, order.currency);
    if (unreadable !== null) return unreadable;
    const { originalTraceNumber } = record;
    if (
      originalTraceNumber !== null &&
      order.traceNumber !== null &&
      !sameNumber(originalTraceNumber, order.traceNumber)
    ) {
      return `The terminal reversed another payment (trace number ${originalTraceNumber}); that was refused.`;
    }
    if (record.amountMinor !== null && record.amountMinor !== order.amountMinor) {
      return 'The terminal reversed another amount; that was refused.';
    }
    return null;
  };
}

export const batchObjection: Objection = (record) =>
  record.kind === 'reversal' ? 'The terminal reported something else than an end of day.' : null;

function unreadableAmount(record: TerminalRecord, message: ZvtMessage): string | null {
  const unreadable = record.amountMinor === null && bitmap(message, '04') !== null;
  return unreadable ? 'The terminal reported an amount that cannot be read.' : null;
}

function foreignCurrency(message: ZvtMessage, currency: Currency): string | null {
  const sent = bitmap(message, '49');
  if (sent === null || sameNumber(bcdDigits(sent), currencyNumeric(currency))) return null;
  return 'The terminal reported another currency.';
}
