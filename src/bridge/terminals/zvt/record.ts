/** Status information 04 0F as the protocol-independent record of `contract/terminal.ts` (ZVT PA00P015, 04 0F). */
import { printableLine } from '../../../base/printable-text.ts';
import { currencyOfNumeric } from '../../../contract/money.ts';
import { emptyRecord, type TerminalRecord } from '../../../contract/terminal.ts';
import { maskCardNumbers } from '../../../log/index.ts';
import {
  approvalCode,
  bcdDigits,
  bcdNumber,
  hex,
  cardTypeInTag41,
  cardTypeName,
  schemeGroup,
  bitmap,
  characterSetOf,
  type ZvtMessage,
  isHostCode,
  resultText,
  readSingleTotals,
  decodeText,
  type TextEncoding,
  findTlv,
  findTlvAnywhere,
  sameBytes,
} from './wire/index.ts';

const approvedCode = 0x00;
/** A text of the terminal is for a receipt or a window; none needs more. */
const maxTextCharacters = 400;
/** Nor does any counter have more digits. */
const maxTraceDigits = 20;
/** Card types are small numbers. */
const maxCardTypeBytes = 4;

/**
 * The record that a 04 0F tells. `kind` is `batch_close` with BMP 60, `reversal` with BMP 37, else `payment`. Without a
 * result code it is not approved. Totals hold all seven classes, also those that count nothing, so that a class which
 * only the journal knows shows up as a difference. `batchNumber` stays null: ZVT has none.
 * `encoding` is the character set in force; CP437 when not given.
 */
export function toTerminalRecord(message: ZvtMessage, encoding?: TextEncoding): TerminalRecord {
  const text = (value: Uint8Array | null) =>
    value === null ? null : readableText(decodeText(value, characterSetOf(message, encoding)));
  const code = bitmap(message, '27')?.[0] ?? null;
  const hostText = text(bitmap(message, '3c')) ?? displayText(message, text);
  const totalsValue = bitmap(message, '60');
  const totals = totalsValue === null ? null : readSingleTotals(totalsValue);
  const cardType = readCardType(message);
  const amount = bitmap(message, '04');
  const named = bitmap(message, '49');
  const currency = named === null ? null : currencyOfNumeric(bcdDigits(named));
  // Of a currency that nobody here knows, an amount in minor units says nothing.
  const isForeign = named !== null && currency === null;
  return {
    ...emptyRecord(),
    kind: kindOf(message),
    approved: code === approvedCode,
    resultCode: code === null ? null : hex(Uint8Array.of(code)),
    resultText: resultSentence(code, hostText),
    amountMinor: amount === null || isForeign ? null : bcdNumber(amount),
    currency,
    terminalId: digits(message, '29'),
    merchantId: text(bitmap(message, '2a')),
    traceNumber: readTraceNumber(message),
    receiptNumber: digits(message, '87'),
    turnoverNumber: digits(message, '88'),
    originalTraceNumber: digits(message, '37'),
    approvalCode: readApprovalCode(message),
    maskedCardNumber: message.maskedCardNumber,
    cardScheme: text(bitmap(message, '8b')) ?? (cardType === null ? null : cardTypeName(cardType)),
    schemeGroup: cardType === null ? null : schemeGroup(cardType),
    entryMode: readEntryMode(message),
    signatureRequired: code === approvedCode && totalsValue === null ? readSignature(message) : null,
    hostResponseCode: readHostCode(message, code),
    hostResponseText: hostText,
    terminalDate: digits(message, '0d') ?? digits(message, 'aa'),
    terminalTime: digits(message, '0c'),
    receiptFrom: decimal(totals?.receiptFrom ?? ''),
    receiptTo: decimal(totals?.receiptTo ?? ''),
    totals: totals?.totals ?? null,
  };
}

function kindOf(message: ZvtMessage): TerminalRecord['kind'] {
  if (message.ctrl !== '040f') return 'other';
  if (bitmap(message, '60') !== null) return 'batch_close';
  return bitmap(message, '37') === null ? 'payment' : 'reversal';
}

/** The host knows best why it refused; for the terminal's own codes the text of the table is clearer. */
function resultSentence(code: number | null, hostText: string | null): string {
  if (code === null) return 'The terminal gave no result code';
  if (isHostCode(code) && hostText !== null) return hostText;
  return resultText(code);
}

function readApprovalCode(message: ZvtMessage): string | null {
  const value = bitmap(message, '3b');
  return value === null ? null : approvalCode(value);
}

/** Digits of a BMP as sent, or null when it is absent. */
function digits(message: ZvtMessage, tag: string): string | null {
  const value = bitmap(message, tag);
  return value === null ? null : decimal(bcdDigits(value));
}

/** Null for anything but decimal digits: FFFF in BMP 87 means that there is no receipt. */
function decimal(sent: string): string | null {
  return /^\d+$/.test(sent) ? sent : null;
}

/** BMP 0B, or tag 1F2B where the number has more than six digits and BMP 0B is 000000. */
function readTraceNumber(message: ZvtMessage): string | null {
  const short = digits(message, '0b');
  if (short !== null && !/^0+$/.test(short)) return short;
  const [long] = findTlvAnywhere(message.tlv, '1f2b');
  if (long === undefined || long.value.length === 0 || long.value.length * 2 > maxTraceDigits) return short;
  return bcdDigits(long.value);
}

/** BMP 8A, or tag 41 (binary) for types above 255 and where BMP 8A is missing. */
function readCardType(message: ZvtMessage): number | null {
  const [type] = bitmap(message, '8a') ?? [];
  if (type !== undefined && type !== cardTypeInTag41) return type;
  const [long] = findTlvAnywhere(message.tlv, '41');
  if (long === undefined || long.value.length === 0 || long.value.length > maxCardTypeBytes) {
    return type ?? null;
  }
  return long.value.reduce((number, byte) => number * 256 + byte, 0);
}

const entryModes = ['magnetic_stripe', 'chip', 'contactless'] as const;

function readEntryMode(message: ZvtMessage): TerminalRecord['entryMode'] {
  const [technology] = findTlvAnywhere(message.tlv, '1f12')[0]?.value ?? [];
  return technology === undefined ? null : (entryModes[technology] ?? null);
}

/** Signature line: tag 1F10 decides where it says something, else the result type in BMP 19 (40 offline, 60 online). */
function readSignature(message: ZvtMessage): boolean | null {
  const check = findTlvAnywhere(message.tlv, '1f10')[0]?.value[0];
  if (check !== undefined && check <= 0x07) return check === 0x01 || check >= 0x05;
  const resultType = bitmap(message, '19')?.[0];
  return resultType === undefined ? null : resultType === 0x40 || resultType === 0x60;
}

function readHostCode(message: ZvtMessage, code: number | null): string | null {
  const ofAuthorisationSystem = bitmap(message, 'a0');
  if (ofAuthorisationSystem !== null) return hex(ofAuthorisationSystem);
  return code !== null && isHostCode(code) ? hex(Uint8Array.of(code)) : null;
}

/** The lines of tag 24 as one text. */
function displayText(message: ZvtMessage, text: (value: Uint8Array) => string | null): string | null {
  const lines = findTlv(message.tlv, '24', '07').map(({ value }) => text(value));
  const whole = lines.filter((line) => line !== null).join(' ');
  // A card number can begin in one line and end in the next.
  return printableLine(maskCardNumbers(whole), maxTextCharacters) || null;
}

/** Padding (NUL, blanks), line breaks and other control characters become single blanks; an empty text is none. */
function readableText(text: string): string | null {
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/[\u0000-\u0020\u007f]+/g, ' ').trim();
  return printableLine(maskCardNumbers(plain), maxTextCharacters).trimEnd() || null;
}

/** BMPs that decide what a result means and which one it is, by number. */
const plurals: Readonly<Record<string, string>> = {
  '27': 'result codes',
  '04': 'amounts',
  '49': 'currencies',
  '60': 'totals',
  '0b': 'trace numbers',
  '37': 'trace numbers of the original payment',
  '87': 'receipt numbers',
  '29': 'terminal ids',
};

/**
 * A message that says one thing twice, and not the same both times, has said nothing. Gives a reason that names what it
 * contradicts itself in, or null.
 */
export function contradictionIn(message: ZvtMessage): string | null {
  const first = new Map<string, Uint8Array>();
  for (const { tag, value } of message.bitmaps) {
    const name = plurals[tag];
    if (name === undefined) continue;
    const before = first.get(tag);
    if (before === undefined) first.set(tag, value);
    else if (!sameBytes(before, value))
      return `The terminal contradicts itself: it reported two different ${name}.`;
  }
  return null;
}
