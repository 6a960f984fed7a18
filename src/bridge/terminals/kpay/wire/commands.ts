/** What a till asks of a terminal: path and body of each command, both ways ("KPay Official API Specification" v2.0). */
import { z } from 'zod';
import { type Currency, currencyOfNumeric } from '../../../../contract/money.ts';
import { amountText, currencyText, freeText } from './fields.ts';
import { readJsonBody } from './http-message.ts';

/**
 * Amounts in minor units. Mind the names on the wire: `close` stops a running sale, and what is called `cancel` there is
 * the void.
 */
export type KpayCommand =
  | { call: 'sign_in'; appId: string; appSecret: string }
  | {
      call: 'sale';
      /** 1 to 32 letters and digits, never used before at this terminal. */
      outTradeNo: string;
      amountMinor: number;
      tipsMinor: number;
      currency: Currency;
      /** 1: card, 2: the terminal scans, 3: the customer scans, …; null: chosen at the terminal. */
      paymentType: number | null;
      /** The result carries what a receipt needs, and the terminal prints none. */
      includeReceipt: boolean;
      remark: string | null;
    }
  | { call: 'query'; outTradeNo: string; includeReceipt: boolean }
  | { call: 'close'; outTradeNo: string }
  | { call: 'void'; outTradeNo: string; originOutTradeNo: string; includeReceipt: boolean }
  | { call: 'settle'; settlementReceipt: boolean; detailsReceipt: boolean; autoSignIn: boolean }
  | { call: 'query_settlement'; previousBatch: boolean };

export type KpayCall = KpayCommand['call'];

const places: Readonly<Record<KpayCall, { method: 'GET' | 'POST'; path: string }>> = {
  sign_in: { method: 'POST', path: '/v2/pos/sign' },
  sale: { method: 'POST', path: '/v2/pos/sales' },
  query: { method: 'GET', path: '/v2/pos/query' },
  close: { method: 'POST', path: '/v2/pos/sales/close' },
  void: { method: 'POST', path: '/v2/pos/sales/cancel' },
  settle: { method: 'POST', path: '/v2/pos/settlement' },
  query_settlement: { method: 'GET', path: '/v2/pos/query/settlement' },
};

export interface EncodedCommand {
  method: 'GET' | 'POST';
  /** Path with the query, as it is signed and sent. */
  uri: string;
  /** The bytes that are signed and sent; null where there is none. */
  body: Uint8Array | null;
}

/** Path and body. Throws a RangeError for an amount that twelve digits cannot say. */
export function encodeCommand(command: KpayCommand): EncodedCommand {
  const { method, path } = places[command.call];
  const fields = fieldsOf(command);
  if (method === 'POST') return { method, uri: path, body: Buffer.from(JSON.stringify(fields)) };
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return { method, uri: `${path}?${query.join('&')}`, body: null };
}

/** In the order of the wire. */
function fieldsOf(command: KpayCommand): Record<string, unknown> {
  switch (command.call) {
    case 'sale': {
      const { outTradeNo, amountMinor, tipsMinor, currency, paymentType, includeReceipt, remark } = command;
      return {
        outTradeNo,
        payAmount: amountText(amountMinor),
        // Required by the specification; some tills leave it out.
        tipsAmount: amountText(tipsMinor),
        payCurrency: currencyText(currency),
        ...(paymentType === null ? {} : { paymentType }),
        ...(includeReceipt ? { includeReceipt } : {}),
        ...(remark === null ? {} : { remark }),
      };
    }
    case 'void': {
      const { outTradeNo, originOutTradeNo, includeReceipt } = command;
      return { outTradeNo, originOutTradeNo, ...(includeReceipt ? { includeReceipt } : {}) };
    }
    case 'query': {
      const { outTradeNo, includeReceipt } = command;
      return { outTradeNo, ...(includeReceipt ? { includeReceipt } : {}) };
    }
    case 'sign_in':
    case 'close':
    case 'settle':
    case 'query_settlement': {
      const { call: _call, ...fields } = command;
      return fields;
    }
  }
}

const ours = z.string().min(1).max(32);
const bool = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
  .default(false);
const digits12 = z
  .string()
  .regex(/^\d{12}$/)
  .default('0'.repeat(12))
  .transform(Number);
const isoNumber = z
  .union([z.string(), z.number()])
  .transform((value) => (/^\d{1,3}$/.test(String(value)) ? currencyOfNumeric(String(value)) : null))
  .pipe(z.custom<Currency>((value) => value !== null, 'no currency'));
const kind = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === undefined || value === null ? null : Number(value)))
  .pipe(z.number().int().min(1).max(99).nullable());

const schemas = {
  sign_in: z.object({ appId: z.string().max(32), appSecret: z.string().max(64) }),
  sale: z
    .object({
      outTradeNo: ours,
      payAmount: z
        .string()
        .regex(/^\d{12}$/)
        .transform(Number),
      tipsAmount: digits12,
      payCurrency: isoNumber,
      paymentType: kind,
      includeReceipt: bool,
      remark: freeText(256),
    })
    .transform(({ payAmount, tipsAmount, payCurrency, ...rest }) => ({
      ...rest,
      amountMinor: payAmount,
      tipsMinor: tipsAmount,
      currency: payCurrency,
    })),
  query: z.object({ outTradeNo: ours, includeReceipt: bool }),
  close: z.object({ outTradeNo: ours }),
  void: z.object({ outTradeNo: ours, originOutTradeNo: ours, includeReceipt: bool }),
  settle: z.object({ settlementReceipt: bool, detailsReceipt: bool, autoSignIn: bool }),
  query_settlement: z.object({ previousBatch: bool }),
} satisfies Record<KpayCall, z.ZodType>;

/** Path without the query, as pace and signature rules see it. */
export function pathOf(uri: string): string {
  return uri.split('?', 1)[0] ?? uri;
}

/** Which command a request is by method and path; null for one that this bridge does not know. */
export function callOf(method: string, uri: string): KpayCall | null {
  const path = pathOf(uri);
  const found = (Object.keys(places) as KpayCall[]).find(
    (call) => places[call].method === method && places[call].path === path,
  );
  return found ?? null;
}

export type DecodedCommand =
  | { ok: true; command: KpayCommand }
  /** `unknown_call`: no such path; `bad_fields`: a field that is needed is missing or wrong. */
  | { ok: false; reason: 'unknown_call' | 'bad_fields' };

/** Reads a request as a terminal does: keys that nobody knows are ignored. Never throws. */
export function decodeCommand(request: {
  method: string;
  uri: string;
  body: Uint8Array | null;
}): DecodedCommand {
  const call = callOf(request.method, request.uri);
  if (call === null) return { ok: false, reason: 'unknown_call' };
  const fields =
    places[call].method === 'POST'
      ? readJsonBody(request.body ?? new Uint8Array())
      : Object.fromEntries(new URLSearchParams(request.uri.slice(pathOf(request.uri).length + 1)));
  const read = schemas[call].safeParse(fields);
  if (!read.success) return { ok: false, reason: 'bad_fields' };
  return { ok: true, command: { call, ...read.data } as KpayCommand };
}
