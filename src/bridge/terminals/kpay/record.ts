/** What a terminal holds of a transaction, as the protocol-independent record of `contract/terminal.ts`. */
import type { Currency } from '../../../contract/money.ts';
import { emptyRecord, type TerminalRecord } from '../../../contract/terminal.ts';
import {
  answerCode,
  payMethodGroup,
  payMethodName,
  payStateText,
  type KpayTransaction,
} from './wire/index.ts';

/** A sale or a void, under a number of ours. `takenMinor`: see `takenOf`; null where no readable amount was told. */
export function transactionRecord(
  transaction: KpayTransaction,
  kind: 'payment' | 'reversal',
  takenMinor: number | null,
): TerminalRecord {
  const { payResult, payMethod, state } = transaction;
  return {
    ...emptyRecord(),
    kind,
    approved: state === 'succeeded',
    resultCode: payResult === null ? null : String(payResult),
    resultText: payStateText(state),
    hostResponseText: transaction.reason,
    amountMinor: takenMinor,
    currency: takenMinor === null ? null : transaction.currency,
    terminalId: transaction.deviceId,
    merchantId: transaction.merchantNo,
    traceNumber: transaction.traceNo,
    // Only cards have a reference number.
    receiptNumber: transaction.refNo ?? transaction.transactionNo ?? transaction.kpayOutTradeNo,
    approvalCode: transaction.authCode,
    maskedCardNumber: transaction.maskedCardNumber,
    cardScheme: payMethodName(payMethod),
    schemeGroup: payMethodGroup(payMethod),
    signatureRequired: transaction.needSignature,
    batchNumber: transaction.batchNo,
  };
}

/**
 * How much was taken, in minor units. No source says whether `payAmount` holds tip, surcharge and discount. Where it is what
 * was asked for, it does not: they come on top of it, or off it.
 */
export function takenOf(transaction: KpayTransaction, orderedMinor: number): number | null {
  const { amountMinor } = transaction;
  return amountMinor === orderedMinor ? amountMinor + addedTo(transaction) : amountMinor;
}

/** The amount is the one that was asked for, or becomes it without what the terminal says was added. */
export function isAmountOf(transaction: KpayTransaction, orderedMinor: number): boolean {
  const { amountMinor, orderMinor } = transaction;
  if (amountMinor === null) return true;
  return [amountMinor, orderMinor, amountMinor - addedTo(transaction)].includes(orderedMinor);
}

function addedTo({ tipsMinor, surchargeMinor, discountMinor }: KpayTransaction): number {
  return (tipsMinor ?? 0) + (surchargeMinor ?? 0) - (discountMinor ?? 0);
}

/** Of what undid a sale at the terminal itself; `transaction` is what it holds of the sale since. */
export function undoneRecord(transaction: KpayTransaction): TerminalRecord {
  return { ...transactionRecord(transaction, 'reversal', transaction.amountMinor), approved: true };
}

/** Of a void that was refused because the money is back already. */
export function alreadyRefundedRecord(resultText: string): TerminalRecord {
  const resultCode = String(answerCode.alreadyRefunded);
  return { ...emptyRecord(), kind: 'reversal', approved: false, resultCode, resultText };
}

/** Of a batch that is closed now. The terminal's totals have no public form, so none are told. */
export const closedRecord: TerminalRecord = {
  ...emptyRecord(),
  kind: 'batch_close',
  approved: true,
  resultText: 'The terminal has settled its batch',
};

/** Of a close that found the batch empty. */
export function emptyBatchRecord(currency: Currency): TerminalRecord {
  return {
    ...emptyRecord(),
    kind: 'batch_close',
    approved: true,
    resultText: 'There is nothing to settle',
    amountMinor: 0,
    currency,
  };
}
