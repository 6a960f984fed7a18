/** Codes of a transaction's result: how it ended, what it was, and what it was paid with. */

/** What `payResult` says; what a driver makes of `returned` and `timed_out` depends on what it knew before. */
export type PayState =
  | 'pending'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  /** Given back, or cancelled: sources differ. Never approved. */
  | 'returned'
  /** Of a card: failed, once told twice. Of a QR code: the customer may still pay. */
  | 'timed_out'
  | 'unknown';

const payStates: Readonly<Record<number, PayState>> = {
  1: 'pending',
  2: 'succeeded',
  3: 'failed',
  4: 'returned',
  5: 'cancelled',
  6: 'cancelled',
  [-1]: 'timed_out',
};
const payStateTexts: Readonly<Record<PayState, string>> = {
  pending: 'In progress',
  succeeded: 'Successful',
  failed: 'Failed',
  cancelled: 'Cancelled',
  returned: 'Returned or cancelled',
  timed_out: 'Time ran out at the terminal',
  unknown: 'Unknown result',
};

export function payStateOf(payResult: number | null): PayState {
  return payStates[payResult ?? 0] ?? 'unknown';
}

/** A word or two for people. */
export function payStateText(state: PayState): string {
  return payStateTexts[state];
}

export const transactionTypes = {
  1: 'sale',
  2: 'refund',
  3: 'reversal',
  4: 'pre-authorisation',
  5: 'completion',
  6: 'void',
  7: 'tip adjustment',
  8: 'tip cancellation',
} as const;

/** Those of them that a till asks for. */
export const saleType = 1;
export const voidType = 6;
/** What gives the money of a sale back: refund, reversal, void. */
export const undoingTypes: ReadonlySet<number> = new Set([2, 3, voidType]);

/** Names to print, and the group that totals count them under. */
const payMethods: Readonly<Record<number, readonly [name: string, group: string]>> = {
  1: ['Visa', 'visa'],
  2: ['Mastercard', 'mastercard'],
  3: ['UnionPay', 'unionpay'],
  4: ['WeChat Pay', 'wechat'],
  5: ['Alipay', 'alipay'],
  6: ['American Express', 'amex'],
  7: ['Diners Club', 'diners'],
  8: ['JCB', 'jcb'],
  9: ['UnionPay QuickPass', 'unionpay'],
  10: ['PayNow', 'paynow'],
  11: ['Octopus', 'octopus'],
  12: ['PayMe', 'payme'],
  24: ['EFTPOS', 'eftpos'],
};

/** Octopus cards cannot be voided. */
export const octopusMethod = 11;

/** The name of a scheme to print; of an unknown one its number. Null: none was told. */
export function payMethodName(payMethod: number | null): string | null {
  return payMethod === null ? null : (payMethods[payMethod]?.[0] ?? String(payMethod));
}

/** The plain lower-case name that totals count a scheme under; `other` for an unknown one. */
export function payMethodGroup(payMethod: number | null): string | null {
  return payMethod === null ? null : (payMethods[payMethod]?.[1] ?? 'other');
}

/** Paid at the card reader; everything else but Octopus is a QR code or an account, where money may come late. */
const cardMethods: ReadonlySet<number> = new Set([1, 2, 3, 6, 7, 8, 9, 24]);

export function isCardMethod(payMethod: number): boolean {
  return cardMethods.has(payMethod);
}
