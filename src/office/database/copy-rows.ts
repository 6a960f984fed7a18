/**
 * Rows in the binary form of PostgreSQL's COPY, which neither side has to search for tabs, line breaks and backslashes
 * (PostgreSQL's manual, "COPY", "Binary Format"). Numbers are big-endian; before each value stands its length in bytes,
 * and -1 is NULL. All that a chain of shops ever sends passes here, so it is written to be fast.
 */
import { storableText } from './storable.ts';
import { dayNumber, momentMs } from './days.ts';

/** What a column is declared as. */
export type CopyType = keyof typeof writers;
/** Names and types of columns, as the table declares them. */
export type CopyColumns = Readonly<Record<string, CopyType>>;
/** A day as "2026-01-31", a moment as ISO 8601, a `bytea` as hexadecimal digits. */
export type CopyValue = string | number | bigint | boolean | null;

const head = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** Where PostgreSQL begins to count days and moments. */
const epoch = '2000-01-01';
const epochMs = Date.parse(epoch);
const epochDay = dayNumber(epoch);
/** What the half of a 64-bit number is multiplied with that stands first. */
const upperHalf = 2 ** 32;
const isoDay = /^\d{4}-\d\d-\d\d$/;
/** UTF-8 takes no more for one unit of a string. */
const maxBytesOfUnit = 3;
/** A text of up to so many letters is written sooner here than by the system. */
const shortText = 48;
const noDigit = 255;
const hyphen = 45;
const hexDigits = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return /[0-9a-f]/i.test(letter) ? Number.parseInt(letter, 16) : noDigit;
});

/** Where rows are put together, when nothing of before is free. */
const firstRoom = 64 * 1024;
/** So many statements are under way at once, about; more room is given up. */
const maxFree = 10;
const maxFreeBytes = 4 * 1024 * 1024;

/** Room that is used again: new memory for each statement would be as much as all that the office takes. */
const free: Buffer[] = [];
let bytes: Buffer = Buffer.allocUnsafe(firstRoom);
let end = 0;

export interface CopyStatement {
  /** All of it but for where the rows come from. */
  into: string;
  /** The rows. */
  bytes: Buffer;
  /** Nobody reads `bytes` any more: what comes next may be written there. Not to be called where that is not certain. */
  done(): void;
}

/** What copies `rows` into `table`. Throws as `copyRows` does. */
export function copyStatement(
  table: string,
  columns: CopyColumns,
  rows: readonly (readonly CopyValue[])[],
): CopyStatement {
  const into = `COPY ${table} (${Object.keys(columns).join(', ')})`;
  const used = copyRows(Object.values(columns), rows);
  const room = bytes;
  bytes = free.pop() ?? Buffer.allocUnsafe(firstRoom);
  const done = () => {
    if (free.length < maxFree && room.length <= maxFreeBytes) free.push(room);
  };
  return { into, bytes: used, done };
}

/**
 * Each row has a value for each of the columns, in their order. Throws where one is not of the column's type. The bytes are
 * good until the next call.
 */
export function copyRows(types: readonly CopyType[], rows: readonly (readonly CopyValue[])[]): Buffer {
  const columns = types.map((type) => writers[type]);
  end = head.copy(bytes);
  for (const row of rows) {
    if (row.length !== columns.length)
      throw new TypeError('A row has not as many values as there are columns.');
    makeRoom(2);
    end = bytes.writeInt16BE(columns.length, end);
    for (let index = 0; index < row.length; index += 1) {
      const value = row[index] ?? null;
      if (value === null) begin(-1);
      else columns[index]?.(value);
    }
  }
  makeRoom(2);
  end = bytes.writeInt16BE(-1, end);
  return bytes.subarray(0, end);
}

const writers = {
  integer(value: CopyValue) {
    if (!Number.isInteger(value)) throw unfit(value, 'integer');
    begin(4);
    end = bytes.writeInt32BE(Number(value), end);
  },
  bigint(value: CopyValue) {
    if (typeof value === 'bigint') writeLong(value);
    else if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unfit(value, 'bigint');
    else writeInteger(value);
  },
  text(value: CopyValue) {
    if (typeof value !== 'string') throw unfit(value, 'text');
    if (!writeShortText(value)) writeText(storableText(value));
  },
  boolean(value: CopyValue) {
    if (typeof value !== 'boolean') throw unfit(value, 'boolean');
    begin(1);
    end = bytes.writeInt8(value ? 1 : 0, end);
  },
  uuid(value: CopyValue) {
    if (typeof value !== 'string' || value.length !== 36) throw unfit(value, 'uuid');
    begin(16);
    if (writeHex(value) !== 16) throw unfit(value, 'uuid');
  },
  date(value: CopyValue) {
    const number = typeof value === 'string' && isoDay.test(value) ? dayNumber(value) : NaN;
    if (!Number.isInteger(number)) throw unfit(value, 'date');
    begin(4);
    end = bytes.writeInt32BE(number - epochDay, end);
  },
  timestamptz(value: CopyValue) {
    const ms = typeof value === 'string' ? momentMs(value) : NaN;
    if (Number.isNaN(ms)) throw unfit(value, 'timestamptz');
    const microseconds = (ms - epochMs) * 1_000;
    // They are more than a number holds from the year 2285 on.
    if (Number.isSafeInteger(microseconds)) writeInteger(microseconds);
    else writeLong(BigInt(ms - epochMs) * 1_000n);
  },
  bytea(value: CopyValue) {
    if (typeof value !== 'string') throw unfit(value, 'bytea');
    const size = value.length / 2;
    if (!Number.isInteger(size)) throw unfit(value, 'bytea');
    begin(size);
    if (writeHex(value) !== size) throw unfit(value, 'bytea');
  },
} as const;

function unfit(value: CopyValue, type: string): TypeError {
  return new TypeError(`${String(value)} is no ${type}.`);
}

function makeRoom(size: number): void {
  if (end + size <= bytes.length) return;
  const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, end + size));
  bytes.copy(larger, 0, 0, end);
  bytes = larger;
}

/** The length of a value, and room for it. */
function begin(size: number): void {
  makeRoom(4 + Math.max(size, 0));
  end = bytes.writeInt32BE(size, end);
}

/** A whole number that is safe. */
function writeInteger(value: number): void {
  begin(8);
  end = bytes.writeInt32BE(Math.floor(value / upperHalf), end);
  end = bytes.writeUInt32BE(value >>> 0, end);
}

function writeLong(value: bigint): void {
  begin(8);
  end = bytes.writeBigInt64BE(value, end);
}

/** Gives how many bytes the digits were, and -1 where they are none; hyphens between bytes say nothing. */
function writeHex(digits: string): number {
  let upper = -1;
  const start = end;
  for (let index = 0; index < digits.length; index += 1) {
    const code = digits.charCodeAt(index);
    if (code === hyphen && upper < 0) continue;
    const digit = hexDigits[code] ?? noDigit;
    if (digit === noDigit) return -1;
    if (upper < 0) upper = digit << 4;
    else {
      bytes[end] = upper | digit;
      end += 1;
      upper = -1;
    }
  }
  return upper < 0 ? end - start : -1;
}

/** False: it is not short, or has other characters than ASCII's. */
function writeShortText(text: string): boolean {
  const { length } = text;
  if (length > shortText) return false;
  begin(length);
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0 || code > 127) {
      end -= 4 + index;
      return false;
    }
    bytes[end] = code;
    end += 1;
  }
  return true;
}

function writeText(text: string): void {
  makeRoom(4 + maxBytesOfUnit * text.length);
  const size = bytes.write(text, end + 4, 'utf8');
  end = bytes.writeInt32BE(size, end) + size;
}
