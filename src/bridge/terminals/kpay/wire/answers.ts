/** What a terminal answers, both ways: the envelope, the keys of a sign-in, and the result of a transaction. */
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { currencyNumeric, type Currency } from '../../../../contract/money.ts';
import { amount, amountText, cardNumber, currency, flag, freeText, text, wholeNumber } from './fields.ts';
import { readJsonBody } from './http-message.ts';
import { readPrivateKey, readPublicKey } from './signatures.ts';
import { payStateOf, type PayState } from './transaction-codes.ts';

export interface KpayAnswer {
  code: number;
  /** The terminal's own words, if any; without card numbers. */
  message: string | null;
  /** As parsed; undefined where there is none. */
  data: unknown;
}

const code = z
  .union([z.number(), z.string().regex(/^\d{1,9}$/)])
  .transform(Number)
  .pipe(z.number().int().min(0).max(999_999_999));
const envelope = z.object({ code, message: freeText(), msg: freeText(), data: z.unknown().optional() });

/** Reads the body of an answer; some builds say `msg` for `message`. Null when it is no answer. Never throws. */
export function decodeAnswer(body: Uint8Array): KpayAnswer | null {
  const read = envelope.safeParse(readJsonBody(body));
  if (!read.success) return null;
  const { code, message, msg, data } = read.data;
  return { code, message: message ?? msg, data };
}

/** The body of an answer, as a terminal sends it. */
export function encodeAnswer(answer: { code: number; message?: string; data?: unknown }): Uint8Array {
  return Buffer.from(JSON.stringify(answer));
}

/** What a sign-in gives: the key that signs our requests, and the one that checks what the terminal sends by itself. */
export interface WorkingKeys {
  appPrivateKey: KeyObject;
  platformPublicKey: KeyObject;
}

const keysData = z.object({ appPrivateKey: z.string(), platformPublicKey: z.string() });

/** Null where one of them is missing or none that works. */
export function workingKeysOf(data: unknown): WorkingKeys | null {
  const read = keysData.safeParse(data);
  if (!read.success) return null;
  const appPrivateKey = readPrivateKey(read.data.appPrivateKey);
  const platformPublicKey = readPublicKey(read.data.platformPublicKey);
  return appPrivateKey === null || platformPublicKey === null ? null : { appPrivateKey, platformPublicKey };
}

const transactionFields = z.object({
  // The terminal's own spelling, and the one of some builds.
  outTradeNO: text(64),
  outTradeNo: text(64),
  payResult: wholeNumber(),
  transactionType: wholeNumber(),
  transactionNo: text(64),
  refNo: text(64),
  kpayOutTradeNo: text(64),
  payAmount: amount(),
  tipsAmount: amount(),
  orderAmount: amount(),
  surchargeAmount: amount(),
  discountAmount: amount(),
  payCurrency: currency(),
  payMethod: wholeNumber(),
  reason: freeText(),
  needSignature: flag(),
  payTime: text(64),
  cardNo: cardNumber(),
  cardInputCode: text(8),
  authCode: text(32),
  batchNo: text(32),
  traceNo: text(32),
  commitTime: wholeNumber(),
  deviceID: text(64),
  kpayMerchantNo: text(64),
  aid: text(64),
  aidLabel: freeText(64),
  tc: text(64),
});

/** The result of a transaction. What the terminal did not tell, or told in no readable form, is null. Minor units. */
export interface KpayTransaction {
  outTradeNo: string | null;
  state: PayState;
  payResult: number | null;
  /** See `transactionTypes`. */
  transactionType: number | null;
  transactionNo: string | null;
  /** Of a card; a void carries the one of its sale. */
  refNo: string | null;
  kpayOutTradeNo: string | null;
  amountMinor: number | null;
  tipsMinor: number | null;
  orderMinor: number | null;
  surchargeMinor: number | null;
  discountMinor: number | null;
  currency: Currency | null;
  payMethod: number | null;
  reason: string | null;
  needSignature: boolean | null;
  payTime: string | null;
  /** Its last four digits behind `*`. */
  maskedCardNumber: string | null;
  cardInputCode: string | null;
  authCode: string | null;
  batchNo: string | null;
  traceNo: string | null;
  /** Milliseconds since 1970. */
  commitTimeMs: number | null;
  deviceId: string | null;
  merchantNo: string | null;
  aid: string | null;
  aidLabel: string | null;
  tc: string | null;
}

/** `data` of a query, or the body of a callback. Null when it is no object. Keys that nobody knows are ignored. */
export function transactionOf(data: unknown): KpayTransaction | null {
  const read = transactionFields.safeParse(data);
  if (!read.success) return null;
  const fields = read.data;
  return {
    outTradeNo: fields.outTradeNO ?? fields.outTradeNo,
    state: payStateOf(fields.payResult),
    payResult: fields.payResult,
    transactionType: fields.transactionType,
    transactionNo: fields.transactionNo,
    refNo: fields.refNo,
    kpayOutTradeNo: fields.kpayOutTradeNo,
    amountMinor: fields.payAmount,
    tipsMinor: fields.tipsAmount,
    orderMinor: fields.orderAmount,
    surchargeMinor: fields.surchargeAmount,
    discountMinor: fields.discountAmount,
    currency: fields.payCurrency,
    payMethod: fields.payMethod,
    reason: fields.reason,
    needSignature: fields.needSignature,
    payTime: fields.payTime,
    maskedCardNumber: fields.cardNo,
    cardInputCode: fields.cardInputCode,
    authCode: fields.authCode,
    batchNo: fields.batchNo,
    traceNo: fields.traceNo,
    commitTimeMs: fields.commitTime,
    deviceId: fields.deviceID,
    merchantNo: fields.kpayMerchantNo,
    aid: fields.aid,
    aidLabel: fields.aidLabel,
    tc: fields.tc,
  };
}

/**
 * `data` of a query as a terminal sends it: what is null is left out, and so is what only a receipt needs unless
 * `withReceipt`.
 */
export function transactionData(
  transaction: Readonly<Partial<KpayTransaction>>,
  withReceipt: boolean,
): Record<string, unknown> {
  const { amountMinor, tipsMinor, orderMinor, surchargeMinor, discountMinor, currency } = transaction;
  const twelve = (minor: number | null | undefined) => (typeof minor === 'number' ? amountText(minor) : null);
  const always = {
    outTradeNO: transaction.outTradeNo,
    transactionNo: transaction.transactionNo,
    refNo: transaction.refNo,
    kpayOutTradeNo: transaction.kpayOutTradeNo,
    payAmount: twelve(amountMinor),
    tipsAmount: twelve(tipsMinor),
    orderAmount: twelve(orderMinor),
    surchargeAmount: twelve(surchargeMinor),
    discountAmount: twelve(discountMinor),
    payCurrency: typeof currency === 'string' ? currencyNumeric(currency) : null,
    payMethod: transaction.payMethod,
    transactionType: transaction.transactionType,
    payResult: transaction.payResult,
    reason: transaction.reason,
    payTime: transaction.payTime,
    needSignature: transaction.needSignature,
  };
  const ofReceipt = {
    cardNo: transaction.maskedCardNumber,
    cardInputCode: transaction.cardInputCode,
    authCode: transaction.authCode,
    batchNo: transaction.batchNo,
    traceNo: transaction.traceNo,
    commitTime: transaction.commitTimeMs,
    deviceID: transaction.deviceId,
    kpayMerchantNo: transaction.merchantNo,
    aid: transaction.aid,
    aidLabel: transaction.aidLabel,
    tc: transaction.tc,
  };
  const told = Object.entries(withReceipt ? { ...always, ...ofReceipt } : always);
  return Object.fromEntries(told.filter(([, value]) => value !== null && value !== undefined));
}

/** Whether the answer to a question for settled totals shows a batch: their fields are not public. */
export function showsBatch(data: unknown): boolean {
  if (Array.isArray(data)) return data.length > 0;
  return typeof data === 'object' && data !== null && Object.keys(data).length > 0;
}
