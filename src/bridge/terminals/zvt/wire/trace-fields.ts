/** What a message says, as name and value for people: the wire trace and the timeline of a payment show it. */
import type { BytePlace } from '../../../../contract/frame.ts';
import { currencyOfNumeric, formatAmount, type Currency } from '../../../../contract/money.ts';
import { boundedFields, type TraceField } from '../../framing/index.ts';
import { controlFieldName } from './apdu.ts';
import { bitFieldKeys, bitFieldTexts } from './bit-fields.ts';
import { cardTypeName } from './card-types.ts';
import { describeFields } from './describe.ts';
import { placeOfCardNumber, positionalPlaces } from './field-places.ts';
import { intermediateStatusText } from './intermediate-status.ts';
import type { ZvtMessage } from './apdu-messages.ts';
import { resultText, statusText } from './result-codes.ts';
import type { TextEncoding } from './character-sets.ts';

/** Values whose name says enough. The keys are those of `describeFields` and of `ZvtMessage.positional`. */
const names: Readonly<Record<string, string>> = {
  trace: 'trace number',
  traceLong: 'trace number, long',
  originalTrace: 'trace number of the payment',
  receiptNo: 'receipt number',
  receiptFrom: 'first receipt',
  receiptTo: 'last receipt',
  turnoverNo: 'turnover number',
  terminalId: 'terminal id',
  vuNumber: 'merchant number',
  aid: 'approval code',
  cardName: 'card name',
  cardSequence: 'card sequence number',
  networkCardType: 'card type of the network',
  maxStatusInfos: 'most status informations',
  timeoutS: 'time limit, seconds',
  timeoutMin: 'time limit, minutes',
  pump: 'pump number',
  displayDurationS: 'shown for, seconds',
  serviceByte: 'service byte',
  statusByte: 'status byte',
  cardTypeSelect: 'kinds of card',
  paymentType: 'payment type',
  dialogControl: 'dialog control',
  configByte: 'configuration byte',
  baudRate: 'baud rate',
  swVersion: 'software version',
  attribute: 'print attribute',
  attributes: 'print attributes',
  lineFeeds: 'line feeds',
  text: 'text',
  additionalText: 'text',
  displayLines: 'display',
  lines: 'line',
  receiptType: 'kind of receipt',
  receiptInfo: 'receipt information',
  cardholderAuth: 'cardholder check',
  cardTechnology: 'card technology',
  extendedErrorCode: 'extended error code',
  extendedErrorText: 'extended error text',
  msgSeqId: 'message number',
  applicationId: 'card application',
  permittedCommands: 'commands that it may send',
};
for (const line of '12345678') Object.assign(names, { [`line${line}`]: 'display' });

/**
 * In the order of the wire, each value as text: `["amount", "12.00", {"from": 3, "to": 10}]`,
 * `["result", "6C: Aborted by timeout or cancel key", …]`, and the bytes in which it stands. What is bits is told bit by
 * bit: `["payment type", "40: the card decides", …]`.
 * Card numbers are masked, password and expiry date left out, control characters shown as `·`. `currency` is the one of
 * amounts whose message names none; `encoding` as in `describeMessage`. At most 100 of
 * at most 400 characters, and 8,000 characters in all.
 */
export function traceFields(message: ZvtMessage, currency: Currency, encoding?: TextEncoding): TraceField[] {
  const places = positionalPlaces(message);
  const fields = describeFields(message, encoding, places);
  const named = currencyOf(fields['currency'] ?? message.positional['currency']);
  const money = (value: unknown) => (typeof value === 'number' ? formatAmount(value, named ?? currency) : '');
  const found: TraceField[] = [];
  const add = (name: string, value: string, place: BytePlace | null | undefined) =>
    found.push(place === null || place === undefined ? [name, value] : [name, value, place]);
  // 84 1E with data behind it: the code that counts is in the data.
  if (message.name === 'negative-ack' && message.positional['resultCode'] === undefined)
    add('result', code(Number.parseInt(message.ctrl.slice(2), 16), resultText), controlCodePlace);

  for (const [key, value] of [...Object.entries(message.positional), ...Object.entries(fields)]) {
    const special = specials[key];
    const at = places.get(key) ?? [];
    if (key === 'amountMinor') add('amount', money(value), at[0]);
    else if (key === 'panLast4')
      add('card number', message.maskedCardNumber ?? '', placeOfCardNumber(message));
    else if (key === 'singleTotals') found.push(...totals(value, money, at[0]));
    else if (special !== undefined) add(special[0], special[1](value), at[0]);
    else if (names[key] !== undefined)
      for (const [index, each] of (Array.isArray(value) ? value : [value]).entries())
        add(names[key], inWords(key, message.ctrl, each), at[index]);
  }
  // A number that the terminal has masked to its end.
  if (message.maskedCardNumber !== null && fields['panLast4'] === undefined)
    add('card number', message.maskedCardNumber, placeOfCardNumber(message));
  return boundedFields(found);
}

/** The xx of 84 xx. */
const controlCodePlace: BytePlace = { from: 1, to: 2 };

/** Bits and codes as `40: the card decides · printer ready`, everything else as it is. */
function inWords(key: string, ctrl: string, value: unknown): string {
  if (key === 'permittedCommands' && typeof value === 'string')
    return `${value.toUpperCase()}: ${controlFieldName(value)}`;
  const byte = typeof value === 'number' ? value : fromHexDigits(value);
  if (!bitFieldKeys.includes(key) || Number.isNaN(byte)) return shown(value);
  const texts = bitFieldTexts(key, ctrl, byte);
  const digits = byte.toString(16).toUpperCase().padStart(2, '0');
  return texts.length === 0 ? digits : `${digits}: ${texts.join(' · ')}`;
}

const specials: Readonly<Record<string, [name: string, show: (value: unknown) => string]>> = {
  resultCode: ['result', (value) => code(value, resultText)],
  resultCodeAS: ['result of the host', (value) => code(value, resultText)],
  status: ['status', (value) => code(fromHexDigits(value), intermediateStatusText)],
  terminalStatus: ['terminal status', (value) => code(fromHexDigits(value), statusText)],
  cardType: ['card type', (value) => (typeof value === 'number' && cardTypeName(value)) || shown(value)],
  currency: ['currency', (value) => currencyOf(value) ?? shown(value)],
  time: ['time', (value) => grouped(value, ':')],
  dateMMDD: ['date, month and day', (value) => grouped(value, '-')],
  dateYYMMDD: ['date, year first', (value) => grouped(value, '-')],
};

/** All names that a field can have, but for the classes of `total …`. */
export const fieldNames: readonly string[] = [
  'amount',
  'card number',
  ...Object.values(names),
  ...Object.values(specials).map(([name]) => name),
];

function currencyOf(value: unknown): Currency | null {
  return typeof value === 'string' ? currencyOfNumeric(value) : null;
}

/** `6C: Aborted by timeout or cancel key`. */
function code(value: unknown, textOf: (code: number) => string): string {
  if (typeof value !== 'number' || Number.isNaN(value)) return shown(value);
  return `${value.toString(16).toUpperCase().padStart(2, '0')}: ${textOf(value)}`;
}

function fromHexDigits(value: unknown): number {
  return typeof value === 'string' ? Number.parseInt(value, 16) : NaN;
}

function grouped(value: unknown, separator: string): string {
  return shown(value).replace(/(..)(?=.)/g, `$1${separator}`);
}

/** Classes that count nothing are left out. All of them stand in one field. */
function totals(
  value: unknown,
  money: (amountMinor: unknown) => string,
  place: BytePlace | undefined,
): TraceField[] {
  if (typeof value !== 'object' || value === null) return [];
  const at: [] | [BytePlace] = place === undefined ? [] : [place];
  return Object.entries(value).flatMap(([name, entry]: [string, unknown]): TraceField[] => {
    if (typeof entry === 'string') return [[names[name] ?? name, entry, ...at]];
    if (typeof entry !== 'object' || entry === null || !('count' in entry) || !('totalMinor' in entry))
      return [];
    if (entry.count === 0 && entry.totalMinor === 0) return [];
    return [[`total ${name}`, `${shown(entry.count)} × ${money(entry.totalMinor)}`, ...at]];
  });
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
