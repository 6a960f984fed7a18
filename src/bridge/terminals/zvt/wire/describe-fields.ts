/** The named values in a message, for people: amounts as numbers, digits as sent, texts decoded. */
import { approvalCode } from './approval-code.ts';
import { bcdDigits, bcdNumber, hex } from './bytes.ts';
import { characterSetOf, type ZvtMessage } from './messages.ts';
import { endsReceipt } from './printing.ts';
import { readSingleTotals } from './single-totals.ts';
import { decodeText, type TextEncoding } from './text.ts';
import { findTlvAnywhere, type TlvObject } from './tlv.ts';

type Fields = Record<string, unknown>;

/** BMPs of one byte that are shown as a number. */
const numbers: Readonly<Record<string, string>> = {
  '27': 'resultCode',
  a0: 'resultCodeAS',
  '8a': 'cardType',
  '8c': 'networkCardType',
  '02': 'maxStatusInfos',
  '01': 'timeoutS',
  '05': 'pump',
  f0: 'displayDurationS',
};
/** BMPs that are shown as they were sent, in digits or hex. */
const digits: Readonly<Record<string, string>> = {
  '0b': 'trace',
  '37': 'originalTrace',
  '0c': 'time',
  '0d': 'dateMMDD',
  aa: 'dateYYMMDD',
  '0e': 'expiryYYMM',
  '17': 'cardSequence',
  '29': 'terminalId',
  '49': 'currency',
  '87': 'receiptNo',
  '88': 'turnoverNo',
  '03': 'serviceByte',
  fc: 'dialogControl',
};
/** BMPs with a padded text. */
const names: Readonly<Record<string, string>> = { '2a': 'vuNumber', '8b': 'cardName' };
/** BMPs with a text in which blanks count. */
const texts: Readonly<Record<string, string>> = {
  '3c': 'additionalText',
  f1: 'line1',
  f2: 'line2',
  f3: 'line3',
  f4: 'line4',
  f5: 'line5',
  f6: 'line6',
  f7: 'line7',
  f8: 'line8',
};
/** TLV tags, first one at any depth: numbers, and hex as sent. */
const tlvNumbers: Readonly<Record<string, string>> = {
  '1f07': 'receiptType',
  '1f10': 'cardholderAuth',
  '1f12': 'cardTechnology',
};
const tlvHex: Readonly<Record<string, string>> = {
  '1f2b': 'traceLong',
  '1f37': 'receiptInfo',
  '1f16': 'extendedErrorCode',
  '1f73': 'msgSeqId',
  '43': 'applicationId',
};

/** All named values of a message. `encoding` as in `describeMessage`. */
export function describeFields(message: ZvtMessage, encoding?: TextEncoding): Fields {
  const fields: Fields = {};
  const text = (value: Uint8Array) => decodeText(value, characterSetOf(message, encoding));
  for (const { tag, value } of message.bitmaps) {
    if (tag === '04') setUnlessNull(fields, 'amountMinor', bcdNumber(value));
    else if (tag === '19') fields[nameOfBitmap19(message.ctrl)] = hex(value);
    else if (tag === '3b') setUnlessNull(fields, 'aid', approvalCode(value));
    else if (tag === '60') setUnlessNull(fields, 'singleTotals', describeTotals(value));
    else if (numbers[tag] !== undefined) fields[numbers[tag]] = value[0];
    else if (digits[tag] !== undefined) fields[digits[tag]] = bcdDigits(value);
    else if (names[tag] !== undefined) fields[names[tag]] = withoutPadding(text(value));
    else if (texts[tag] !== undefined) fields[texts[tag]] = text(value);
  }
  const lastFour = message.maskedCardNumber?.slice(-4) ?? '';
  if (/^\d{4}$/.test(lastFour)) fields['panLast4'] = lastFour;
  // Behind the text of 06 D1 (card complete) only its presence is shown, as `trailingTlv`.
  if (message.ctrl !== '06d1') describeTlvFields(fields, message.tlv, text);
  return fields;
}

/** BMP 19 has three unrelated meanings. */
function nameOfBitmap19(ctrl: string): string {
  if (ctrl === '0600' || ctrl === '060f') return 'statusByte';
  return ctrl === '06c0' ? 'cardTypeSelect' : 'paymentType';
}

/** Up to the NUL that ends it, without the blanks that fill it up. */
function withoutPadding(text: string): string {
  const end = text.indexOf('\0');
  return (end < 0 ? text : text.slice(0, end)).replace(/ +$/, '');
}

function describeTotals(value: Uint8Array): Fields | null {
  const read = readSingleTotals(value);
  if (read === null) return null;
  const fields: Fields = { receiptFrom: read.receiptFrom, receiptTo: read.receiptTo };
  for (const { scheme, count, totalMinor } of read.totals) {
    // The document's older name of the class.
    fields[scheme === 'mastercard' ? 'eurocard' : scheme] = { count, totalMinor };
  }
  return fields;
}

function describeTlvFields(
  fields: Fields,
  tlv: readonly TlvObject[],
  text: (value: Uint8Array) => string,
): void {
  for (const [tag, name] of Object.entries(tlvNumbers)) {
    setUnlessNull(fields, name, findTlvAnywhere(tlv, tag)[0]?.value[0] ?? null);
  }
  for (const [tag, name] of Object.entries(tlvHex)) {
    const [first] = findTlvAnywhere(tlv, tag);
    if (first !== undefined) fields[name] = hex(first.value);
  }
  const commands = findTlvAnywhere(tlv, '0a');
  if (commands.length > 0) fields['permittedCommands'] = commands.map(({ value }) => hex(value));
  const [errorText] = findTlvAnywhere(tlv, '1f17');
  if (errorText !== undefined) fields['extendedErrorText'] = text(errorText.value);

  const display = childrenOf(findTlvAnywhere(tlv, '24'), '07');
  if (display.length > 0) fields['displayLines'] = display.map(({ value }) => text(value));

  const printTexts = findTlvAnywhere(tlv, '25');
  if (printTexts.length === 0) return;
  const lines = childrenOf(printTexts, '07');
  fields['lines'] = lines.map(({ value }) => text(value));
  const attributes = childrenOf(printTexts, '09');
  if (attributes.length > 0) fields['attributes'] = attributes.map(({ value }) => hex(value));
  const last = printTexts.at(-1)?.children?.at(-1);
  fields['endOfReceipt'] = last?.tag === '09' && endsReceipt(last.value[0] ?? 0);
  fields['lineCount'] = lines.length;
}

function childrenOf(objects: readonly TlvObject[], tag: string): TlvObject[] {
  return objects.flatMap(({ children = [] }) => children.filter((child) => child.tag === tag));
}

function setUnlessNull(fields: Fields, name: string, value: unknown): void {
  if (value !== null) fields[name] = value;
}
