/**
 * The parameters that stand at fixed places before the BMPs (ZVT PA00P015, chapters 2 and 3). Everything here is pure;
 * keys are those of `ZvtMessage.positional`.
 */
import type { BytePlace } from '../../../../contract/frame.ts';
import { concatBytes, fromHex, hex, lllvar, readDigitLength } from './bytes.ts';
import { isTerminalStatus } from './result-codes.ts';
import { decodeText, encodeText, type CharacterSet } from './character-sets.ts';
import { readLength } from './tlv.ts';

export type PositionalValues = Record<string, string | number | boolean>;
/** Where each value stands, `from` its first byte `to` the one behind its last, counted from where the fixed part begins. */
export type PositionalPlaces = Record<string, BytePlace>;

export interface PositionalReading {
  values: PositionalValues;
  places: PositionalPlaces;
  /** Number of bytes that it took from the front. */
  length: number;
  /** Number of bytes at the end that hold a TLV container behind a text, where only BMPs should stand; else 0. */
  trailing: number;
  problem: string | null;
}

/** A field of fixed length; `hex`: its digits as sent; `number`: one byte as a number. */
interface Field {
  key: string;
  bytes: number;
  as: 'hex' | 'number';
}
const password: Field = { key: 'password', bytes: 3, as: 'hex' };
const resultCode: Field = { key: 'resultCode', bytes: 1, as: 'number' };
const currency: Field = { key: 'currency', bytes: 2, as: 'hex' };
const status: Field = { key: 'status', bytes: 1, as: 'hex' };
const timeoutMin: Field = { key: 'timeoutMin', bytes: 1, as: 'hex' };
const attribute: Field = { key: 'attribute', bytes: 1, as: 'hex' };
const terminalStatus: Field = { key: 'terminalStatus', bytes: 1, as: 'hex' };

const layouts: Readonly<Record<string, readonly Field[]>> = {
  '0600': [password, { key: 'configByte', bytes: 1, as: 'hex' }, currency],
  '0610': [password],
  '0612': [password, { key: 'receiptFrom', bytes: 2, as: 'hex' }, { key: 'receiptTo', bytes: 2, as: 'hex' }],
  '0620': [password],
  '0621': [password],
  '0630': [password],
  '0631': [password],
  '0650': [password],
  '0691': [password],
  '0693': [password],
  '06c0': [{ key: 'timeoutS', bytes: 1, as: 'number' }],
  '0840': [{ key: 'baudRate', bytes: 1, as: 'hex' }],
};

/** 06 D1 of card complete ends with 06 04 1F 07 01 xx once TLV is switched on. */
const trailingReceiptType = '06041f0701';
const trailingReceiptTypeBytes = 6;
/** Print attribute that says: line feeds, their number follows. */
const lineFeedAttribute = 0xff;

/**
 * Reads the fixed part of a message. `answerTo` is the control field of the command that this completes; 06 0F is
 * positional only after 05 01, and where it is not known, its first bytes tell.
 */
export function readPositional(
  ctrl: string,
  data: Uint8Array,
  encoding: CharacterSet,
  answerTo: string | undefined,
): PositionalReading {
  switch (ctrl) {
    case '04ff':
      return readIntermediateStatus(data);
    case '0501':
      // All of it is optional.
      return readFields(data.length < password.bytes ? [] : [password], data);
    case '060f':
      return isStatusCompletion(data, answerTo) ? readStatusCompletion(data, encoding) : readFields([], data);
    case '061e':
    case '841e':
      return readAbort(data);
    case '06d1':
      return readPrintLine(data, encoding);
    default:
      return readFields(layouts[ctrl] ?? [], data);
  }
}

/** Takes fields from the front for as long as there are bytes. `offset`: of `data` in the fixed part. */
function readFields(fields: readonly Field[], data: Uint8Array, offset = 0): PositionalReading {
  const values: PositionalValues = {};
  const places: PositionalPlaces = {};
  let at = 0;
  for (const { key, bytes, as } of fields) {
    if (at === data.length) break;
    const value = data.subarray(at, at + bytes);
    if (value.length < bytes) {
      return {
        values,
        places,
        length: data.length,
        trailing: 0,
        problem: `${key} is cut: ${value.length} of ${bytes} bytes`,
      };
    }
    values[key] = as === 'number' ? (value[0] ?? 0) : hex(value);
    places[key] = { from: offset + at, to: offset + at + bytes };
    at += bytes;
  }
  return { values, places, length: at, trailing: 0, problem: null };
}

/** `status [timeout] [06 TLV]`; examples of the document leave the timeout out before a TLV container. */
function readIntermediateStatus(data: Uint8Array): PositionalReading {
  const withoutTimeout = data[1] === 0x06 && data.length > 2 && !isContainer(data, 2);
  return readFields(withoutTimeout ? [status] : [status, timeoutMin], data);
}

/** A TLV container begins at `at` and ends with the data. */
function isContainer(data: Uint8Array, at: number): boolean {
  if (data[at] !== 0x06) return false;
  const length = readLength(data, at + 1);
  return length !== null && length.valueAt + length.value === data.length;
}

/** `[code [currency]] ...`: the currency only behind 6F (wrong currency). */
function readAbort(data: Uint8Array): PositionalReading {
  const rest = data.subarray(1);
  const hasCurrency =
    data[0] === 0x6f && rest.length >= 2 && (rest[0] ?? 0xff) <= 0x09 && !isContainer(data, 1);
  return readFields(hasCurrency ? [resultCode, currency] : [resultCode], data);
}

function readPrintLine(data: Uint8Array, encoding: CharacterSet): PositionalReading {
  const reading = readFields([attribute], data);
  if (data.length === 0) return reading;
  let text = data.subarray(1);
  if (data[0] === lineFeedAttribute) {
    if (text[0] !== undefined) {
      reading.values['lineFeeds'] = text[0];
      reading.places['lineFeeds'] = { from: 1, to: 2 };
    }
    text = text.subarray(1);
  }
  const tail = text.subarray(-trailingReceiptTypeBytes);
  if (tail.length === trailingReceiptTypeBytes && hex(tail).startsWith(trailingReceiptType)) {
    text = text.subarray(0, -trailingReceiptTypeBytes);
    reading.values['trailingTlv'] = true;
    reading.trailing = trailingReceiptTypeBytes;
  }
  reading.values['text'] = decodeText(text, encoding);
  reading.length = data.length - reading.trailing;
  reading.places['text'] = { from: reading.length - text.length, to: reading.length };
  return reading;
}

function isStatusCompletion(data: Uint8Array, answerTo: string | undefined): boolean {
  if (answerTo !== undefined || data.length === 0) return answerTo === '0501';
  if (data.length === 1) return true;
  const versionLength = readDigitLength(data, 0, 3);
  if (versionLength !== null && 3 + versionLength <= data.length) return true;
  return isTerminalStatus(data[0] ?? 0) && isContainer(data, 1);
}

/** `[LLLVAR version] status ...` */
function readStatusCompletion(data: Uint8Array, encoding: CharacterSet): PositionalReading {
  const versionLength = readDigitLength(data, 0, 3);
  const end = 3 + (versionLength ?? 0);
  if (versionLength === null || end > data.length) return readFields([terminalStatus], data);
  const reading = readFields([terminalStatus], data.subarray(end), end);
  const swVersion = decodeText(data.subarray(3, end), encoding);
  return {
    ...reading,
    values: { swVersion, ...reading.values },
    places: { swVersion: { from: 0, to: end }, ...reading.places },
    length: end + reading.length,
  };
}

/** The fixed part of a message from its values. Throws on a key that the control field does not have: a mistake of ours. */
export function buildPositional(ctrl: string, values: PositionalValues, encoding: CharacterSet): Uint8Array {
  const left = new Set(Object.keys(values));
  const take = (key: string) => {
    left.delete(key);
    return values[key];
  };
  const parts: Uint8Array[] = [];
  if (ctrl === '060f' && 'swVersion' in values)
    parts.push(lllvar(encodeText(String(take('swVersion')), encoding)));
  for (const { key, bytes, as } of buildLayout(ctrl)) {
    const value = take(key);
    if (value === undefined) continue;
    const encoded = as === 'number' ? Uint8Array.of(Number(value)) : fromHex(String(value));
    if (encoded.length !== bytes)
      throw new Error(`${key} of ${ctrl} has ${bytes} bytes, not ${encoded.length}`);
    parts.push(encoded);
  }
  if (ctrl === '06d1') {
    const lineFeeds = take('lineFeeds');
    if (lineFeeds !== undefined) parts.push(Uint8Array.of(Number(lineFeeds)));
    parts.push(encodeText(String(take('text') ?? ''), encoding));
    // The container itself comes with the message's TLV.
    left.delete('trailingTlv');
  }
  const [unknown] = left;
  if (unknown !== undefined) throw new Error(`${ctrl} has no parameter "${unknown}"`);
  return concatBytes(...parts);
}

function buildLayout(ctrl: string): readonly Field[] {
  switch (ctrl) {
    case '04ff':
      return [status, timeoutMin];
    case '0501':
      return [password];
    case '060f':
      return [terminalStatus];
    case '061e':
    case '841e':
      return [resultCode, currency];
    case '06d1':
      return [attribute];
    default:
      return layouts[ctrl] ?? [];
  }
}
