/** What a KPay terminal remembers: each transaction number that it was ever given, and what came of it. */
import { z } from 'zod';
import {
  saleType,
  transactionTypes,
  voidType,
  type KpayTransaction,
} from '../../bridge/terminals/kpay/wire/index.ts';
import { currencySchema } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import { openLedgerFile } from '../ledger-file.ts';
import type { KpayDialect } from './dialects.ts';

const amount = z.string().regex(/^\d+\.\d{2}$/);
const always = {
  /** ISO 8601, from the injected clock; for people only. */
  at: z.string(),
  terminal_id: z.string(),
  currency: currencySchema,
};
const ofTransaction = {
  ...always,
  out_trade_no: z.string(),
  amount,
  amount_minor: z.number().int().nonnegative(),
};

/** `charged`, `reversed` and `settled` say of money what those of every simulated terminal say. */
const entrySchema = z.discriminatedUnion('event', [
  /** Taken from the till; its number is used up from now on. */
  z.object({ ...ofTransaction, event: z.literal('started'), type: z.number().int() }),
  z.object({
    ...ofTransaction,
    event: z.literal('charged'),
    receipt_number: z.string(),
    tip_minor: z.number().int().nonnegative(),
    /** It is in the amount. */
    surcharge_minor: z.number().int().nonnegative().optional(),
    pay_method: z.number().int(),
    approval_code: z.string(),
    commit_time_ms: z.number().int(),
  }),
  z.object({
    ...ofTransaction,
    event: z.literal('reversed'),
    receipt_number: z.string(),
    origin_out_trade_no: z.string(),
  }),
  z.object({
    ...ofTransaction,
    event: z.literal('ended'),
    pay_result: z.number().int(),
    reason: z.string(),
    /** Where the customer had chosen one. */
    pay_method: z.number().int().optional(),
  }),
  z.object({
    ...always,
    event: z.literal('settled'),
    count: z.number().int().nonnegative(),
    total: amount,
    total_minor: z.number().int().nonnegative(),
  }),
]);
type KpayEntry = z.infer<typeof entrySchema>;

export const payResults = { pending: 1, success: 2, failed: 3, returned: 4, cancelled: 5, timedOut: -1 };

export interface StoredTransaction {
  outTradeNo: string;
  /** See `transactionTypes`. */
  type: number;
  payResult: number;
  amountMinor: number;
  tipMinor: number;
  surchargeMinor: number;
  reason: string | null;
  payMethod: number | null;
  /** Counts sales that were charged and voids; null before. A void shows the one of its sale as refNo. */
  receiptNumber: string | null;
  refNo: string | null;
  approvalCode: string | null;
  commitTimeMs: number | null;
  batch: number;
}

export interface TransactionStore {
  find(outTradeNo: string): StoredTransaction | undefined;
  /** The sale with this number on its receipt. */
  findSale(receiptNumber: string): StoredTransaction | undefined;
  record(entry: KpayEntry): void;
  /** Charged sales of the open batch that were not voided. */
  open(): StoredTransaction[];
  /** Of the last settlement; null before the first. */
  readonly lastSettled: StoredTransaction[] | null;
  readonly batch: number;
  nextReceiptNumber(): string;
}

/** Opens the memory of the terminal with this id. What ran when the power went has failed. */
export function openTransactions(file: string, terminalId: string, log: Log): TransactionStore {
  const ledger = openLedgerFile(file, entrySchema, log);
  const stored = new Map<string, StoredTransaction>();
  let batch = 1;
  let receipts = 0;
  let lastSettled: StoredTransaction[] | null = null;

  const open = () =>
    [...stored.values()].filter(
      (one) => one.batch === batch && one.type === saleType && one.payResult === payResults.success,
    );

  function apply(entry: KpayEntry): void {
    if (entry.event === 'settled') {
      lastSettled = open();
      batch += 1;
      return;
    }
    const { out_trade_no: outTradeNo, amount_minor: amountMinor } = entry;
    if (entry.event === 'started') {
      stored.set(outTradeNo, {
        outTradeNo,
        type: entry.type,
        payResult: payResults.pending,
        amountMinor,
        tipMinor: 0,
        surchargeMinor: 0,
        reason: null,
        payMethod: null,
        receiptNumber: null,
        refNo: null,
        approvalCode: null,
        commitTimeMs: null,
        batch,
      });
      return;
    }
    const one = stored.get(outTradeNo);
    if (one === undefined) throw new Error(`${outTradeNo} has not been started`);
    if (entry.event === 'ended') {
      const { pay_result: payResult, reason, pay_method: payMethod = null } = entry;
      Object.assign(one, { payResult, reason, payMethod });
      return;
    }
    receipts += 1;
    const receiptNumber = entry.receipt_number;
    Object.assign(one, { payResult: payResults.success, amountMinor, receiptNumber, batch });
    if (entry.event === 'charged') {
      Object.assign(one, {
        tipMinor: entry.tip_minor,
        surchargeMinor: entry.surcharge_minor ?? 0,
        payMethod: entry.pay_method,
        approvalCode: entry.approval_code,
        commitTimeMs: entry.commit_time_ms,
        refNo: receiptNumber.padStart(12, '5'),
      });
      return;
    }
    const origin = stored.get(entry.origin_out_trade_no);
    if (origin === undefined) return;
    origin.payResult = payResults.returned;
    Object.assign(one, { payMethod: origin.payMethod, refNo: origin.refNo });
  }

  for (const entry of ledger.entries) if (entry.terminal_id === terminalId) apply(entry);
  for (const one of stored.values())
    if (one.payResult === payResults.pending)
      Object.assign(one, { payResult: payResults.failed, reason: 'Power lost' });

  return {
    find: (outTradeNo) => stored.get(outTradeNo),
    findSale: (receiptNumber) =>
      [...stored.values()].find((one) => one.type === saleType && one.receiptNumber === receiptNumber),
    record(entry) {
      ledger.append([entry]);
      apply(entry);
    },
    open,
    get lastSettled() {
      return lastSettled;
    },
    get batch() {
      return batch;
    },
    nextReceiptNumber: () => String(receipts + 1).padStart(6, '0'),
  };
}

/** What a query shows of it. */
export function shownTransaction(
  one: StoredTransaction,
  terminal: { currency: KpayTransaction['currency']; terminalId: string },
  { showsVoidedAs }: Pick<KpayDialect, 'showsVoidedAs'>,
): Partial<KpayTransaction> {
  const { outTradeNo, amountMinor, tipMinor, payMethod, reason } = one;
  const isShownAsVoid = one.payResult === payResults.returned && showsVoidedAs === 'void';
  const { payResult, type } = isShownAsVoid ? { payResult: payResults.success, type: voidType } : one;
  const always = { outTradeNo, amountMinor, currency: terminal.currency, payResult };
  if (payResult === payResults.pending) return always;
  const ended = { ...always, payMethod, transactionType: type in transactionTypes ? type : null, reason };
  if (one.receiptNumber === null) return ended;
  return {
    ...ended,
    transactionNo: `T${one.receiptNumber.padStart(16, '0')}`,
    refNo: one.refNo,
    tipsMinor: tipMinor,
    orderMinor: amountMinor - one.surchargeMinor,
    surchargeMinor: one.surchargeMinor,
    discountMinor: 0,
    needSignature: false,
    maskedCardNumber: '************1111',
    cardInputCode: '07',
    authCode: one.approvalCode,
    batchNo: String(one.batch).padStart(6, '0'),
    traceNo: one.receiptNumber,
    commitTimeMs: one.commitTimeMs,
    deviceId: terminal.terminalId,
    merchantNo: '852999000000001',
    aid: 'A0000000031010',
    aidLabel: 'VISA CREDIT',
  };
}
