/**
 * Why an approving result (04 0F with 27 = 00) cannot be accepted as the result of our command. Refused with 84 xx, the
 * terminal undoes what it did (ZVT PA00P015, 06 01). Each gives the validation error, a sentence, or null when the
 * result fits.
 */
import { currencyNumeric, formatAmount, type Currency } from '../../../contract/money.ts';
import { sameNumber, type TerminalRecord } from '../../../contract/terminal.ts';
import type { SaleOrder, VoidOrder } from '../terminal-driver.ts';
import { bcdDigits, bitmap, type ZvtMessage } from './wire/index.ts';

export type ResultValidator = (record: TerminalRecord, message: ZvtMessage) => string | null;

/** More than asked is a tip, as far as the order allows one. Less is a partial approval, which we never allow. */
export function validateSaleResult(order: SaleOrder): ResultValidator {
  return (record, message) => {
    if (record.kind !== 'payment') return 'The terminal reported something else than a payment.';
    const unreadable = foreignCurrency(message, order.currency) ?? unreadableAmount(record, message);
    if (unreadable !== null) return unreadable;
    const { amountMinor } = record;
    if (amountMinor === null) return null;
    const approved = `The terminal approved ${money(amountMinor, order)}`;
    const ordered = money(order.amountMinor, order);
    if (amountMinor < order.amountMinor)
      return `${approved}, only a part of the amount of ${ordered}; that was refused.`;
    if (amountMinor <= order.maxAmountMinor) return null;
    if (order.maxAmountMinor <= order.amountMinor)
      return `${approved}, more than the ${ordered} that were asked; that was refused.`;
    const most = money(order.maxAmountMinor, order);
    return `${approved}, more than the ${ordered} that were asked and the ${most} that a tip may make of it; that was refused.`;
  };
}

/** Binds a reversal to exactly one payment: BMP 37 is that payment's trace number, wherever both are known. */
export function validateVoidResult(order: VoidOrder): ResultValidator {
  return (record, message) => {
    if (record.kind === 'batch_close') return 'The terminal reported something else than a reversal.';
    const unreadable = foreignCurrency(message, order.currency) ?? unreadableAmount(record, message);
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

export const validateBatchResult: ResultValidator = (record) =>
  record.kind === 'reversal' ? 'The terminal reported something else than an end of day.' : null;

function money(amountMinor: number, { currency }: SaleOrder): string {
  return `${formatAmount(amountMinor, currency)} ${currency}`;
}

function unreadableAmount(record: TerminalRecord, message: ZvtMessage): string | null {
  const unreadable = record.amountMinor === null && bitmap(message, '04') !== null;
  return unreadable ? 'The terminal reported an amount that cannot be read.' : null;
}

function foreignCurrency(message: ZvtMessage, currency: Currency): string | null {
  const sent = bitmap(message, '49');
  if (sent === null || sameNumber(bcdDigits(sent), currencyNumeric(currency))) return null;
  return 'The terminal reported another currency.';
}
