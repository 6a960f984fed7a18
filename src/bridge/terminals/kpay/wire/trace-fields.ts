/** What the body of a message says, as name and value for people: the wire trace and the timeline of a payment show it. */
import { currencyOfNumeric, formatAmount, type Currency } from '../../../../contract/money.ts';
import { maskCardNumbers } from '../../../../log/index.ts';
import { boundedFields, latin1, maxTracedBytes, tracedText, type TraceField } from '../../framing/index.ts';
import { codeText } from './answer-codes.ts';
import { callOf } from './commands.ts';
import { maskedCardNumber } from './fields.ts';
import { payMethodName, payStateOf, payStateText, transactionTypes } from './transaction-codes.ts';

/** What a body is searched for; nothing that a terminal sends in daily use is longer. */
const maxReadBytes = 65_536;

type Show = (value: string, currency: Currency) => string;

const money: Show = (value, currency) =>
  /^\d{1,12}$/.test(value) ? formatAmount(Number(value), currency) : value;
const plain: Show = (value) => value;
/** Milliseconds since 1970 as an instant of ISO 8601. */
const instant: Show = (value) => (/^\d{13}$/.test(value) ? new Date(Number(value)).toISOString() : value);
const inWords =
  (textOf: (code: number) => string | null): Show =>
  (value) => {
    const words = /^-?\d{1,9}$/.test(value) ? textOf(Number(value)) : null;
    return words === null || words === value ? value : `${value}: ${words}`;
  };
const typeNames: Readonly<Record<number, string>> = transactionTypes;

/** Fields that are shown: their names for people, and how their values are put. Keys and secrets are not among them. */
const shownFields: Readonly<Record<string, readonly [name: string, show: Show]>> = {
  code: ['answer code', inWords(codeText)],
  message: ['text', plain],
  msg: ['text', plain],
  outTradeNo: ['transaction number', plain],
  outTradeNO: ['transaction number', plain],
  originOutTradeNo: ['transaction number of the payment', plain],
  transactionNo: ['number at KPay', plain],
  kpayOutTradeNo: ['order number at KPay', plain],
  refNo: ['reference number', plain],
  payAmount: ['amount', money],
  tipsAmount: ['tip', money],
  orderAmount: ['amount of the order', money],
  surchargeAmount: ['surcharge', money],
  discountAmount: ['discount', money],
  payCurrency: ['currency', (value) => currencyOfNumeric(value) ?? value],
  payResult: ['result', inWords((value) => payStateText(payStateOf(value)))],
  transactionType: ['kind of transaction', inWords((value) => typeNames[value] ?? null)],
  payMethod: ['paid with', inWords(payMethodName)],
  paymentType: ['payment type', plain],
  reason: ['reason', plain],
  needSignature: ['signature needed', plain],
  includeReceipt: ['receipt data wanted', plain],
  remark: ['remark', plain],
  cardNo: ['card number', (value) => maskedCardNumber(value) ?? ''],
  authCode: ['approval code', plain],
  batchNo: ['batch number', plain],
  traceNo: ['trace number', plain],
  payTime: ['time of payment', instant],
  commitTime: ['time of payment', instant],
  deviceID: ['terminal id', plain],
  kpayMerchantNo: ['merchant number', plain],
  aid: ['card application', plain],
  aidLabel: ['name of the card application', plain],
  previousBatch: ['last batch', plain],
};

/** All names that a field can have. */
export const fieldNames: readonly string[] = [...new Set(Object.values(shownFields).map(([name]) => name))];

/** Values that no trace has: keys and secrets whole, of a card number all but the last four digits. */
const secrets = new Set(['appSecret', 'appPrivateKey', 'platformPublicKey', 'managerPassword']);
/** Digits that are no card number, whatever their check digit says. */
const plainDigits = new Set([
  'commitTime',
  'kpayMerchantNo',
  'outTradeNo',
  'outTradeNO',
  'refNo',
  'transactionNo',
]);

interface Found {
  name: string;
  /** Without quotes and escapes. */
  value: string;
  /** Of the value within the body, with its quotes, in bytes; of the name with it for `from`. */
  nameFrom: number;
  from: number;
  to: number;
}

/** Ends with the text where its own end is cut off: a secret must not be seen for that. */
const jsonString = String.raw`"(?:[^"\\]|\\.)*(?:"|\\?$)`;
/** A name with its value, or a string that is neither, so that nothing is read from within one. */
const memberPattern = new RegExp(
  String.raw`(${jsonString})\s*:\s*(${jsonString}|[-+.\w]+)|${jsonString}`,
  'gs',
);

/** Names and values of a JSON text at all depths, in its order, with their places in bytes. Damaged ones, too. */
function membersOf(body: Uint8Array): Found[] {
  const text = latin1(body.subarray(0, maxReadBytes));
  const found: Found[] = [];
  for (const match of text.matchAll(memberPattern)) {
    const [whole, name, value] = match;
    if (name === undefined || value === undefined) continue;
    const to = match.index + whole.length;
    found.push({
      name: unquoted(name),
      value: unquoted(value),
      nameFrom: match.index,
      from: to - value.length,
      to,
    });
  }
  return found;
}

function unquoted(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString('utf8');
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

/**
 * In the order of the wire, each value as text, and the bytes of the body in which it stands with its name:
 * `["amount", "1.00", {"from": 25, "to": 51}]`. Keys and secrets are left out, of a card number the last four digits
 * stay. `currency` is the one of amounts whose message names none. At most 100 of at most 400 characters, and 8,000
 * characters in all.
 */
export function traceFields(body: Uint8Array, currency: Currency): TraceField[] {
  const members = membersOf(body);
  const named = members.find(({ name }) => name === 'payCurrency');
  const ofAmounts = (named === undefined ? null : currencyOfNumeric(named.value)) ?? currency;
  const fields = members.flatMap(({ name, value, nameFrom, to }): TraceField[] => {
    const entry = Object.hasOwn(shownFields, name) ? shownFields[name] : undefined;
    if (entry === undefined) return [];
    const [words, show] = entry;
    const text = show(value, ofAmounts);
    return [[words, plainDigits.has(name) ? text : maskCardNumbers(text), { from: nameFrom, to }]];
  });
  return boundedFields(fields);
}

/**
 * The bytes of a body for the wire trace, with a colon between two and `**` for a byte that is not to be seen: keys,
 * secrets, and of card numbers all but the last four digits. At most 2,048 bytes.
 */
export function tracedHex(body: Uint8Array): string {
  const hidden = membersOf(body).flatMap(({ name, value, from, to }) => {
    if (name === 'cardNo') return [{ from, to: value.length > 8 ? to - 5 : to }];
    return secrets.has(name) ? [{ from, to }] : [];
  });
  return tracedText(body.subarray(0, maxTracedBytes), hidden);
}

const callNames = {
  sign_in: 'sign-in',
  sale: 'sale',
  query: 'query',
  close: 'stop the sale',
  void: 'void',
  settle: 'settlement',
  query_settlement: 'query of the settlement',
} as const;

/** All names that a message can have. */
export const messageNames: readonly string[] = [...Object.values(callNames), 'answer', 'unknown'];

/** The name of a request for people ("sale"); that of its answer is `answer`. */
export function requestName(method: string, uri: string): string {
  const call = callOf(method, uri);
  return call === null ? 'unknown' : callNames[call];
}
