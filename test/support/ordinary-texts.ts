/** What shops number their sales with and what the log is full of: nothing of it is a card number. */
import type { Random } from './random.ts';

export const references: Record<string, (random: Random) => string> = {
  'INV-2026-000123': (random) => `INV-${date(random).slice(0, 4)}-${count(random, 6)}`,
  'till-counter': (random) => `${random.integer(1, 99)}-${count(random, random.integer(4, 8))}`,
  'till-date-counter': (random) => `T${random.integer(1, 9)}-${date(random)}-${count(random, 4)}`,
  'till-date-time': (random) => `${random.integer(1, 99)}-${date(random)}-${time(random)}`,
  'till-date-time-counter': (random) =>
    `${random.integer(1, 9)}-${date(random)}${time(random)}-${count(random, 3)}`,
  'date and time': (random) => `${date(random)}${time(random)}`,
  'date, time, milliseconds': (random) => `${date(random)}${time(random)}${count(random, 3)}`,
  'date, time, counter': (random) => `${date(random)}-${time(random)}-${count(random, 6)}`,
  'short date, time, counter': (random) => `${date(random).slice(2)}${time(random)}${count(random, 4)}`,
  'day first, time': (random) => `${dayFirst(random)}${time(random)}${count(random, 2)}`,
  'day-month-year-counter': (random) => `${dayFirst(random, '-')}-${count(random, 6)}`,
  'year-month-day-time': (random) => `4-${dashed(random)}-${time(random)}-${random.integer(1, 9)}`,
  'seconds since 1970': (random) => random.integer(1_760_000_000, 2_100_000_000).toString(),
  'milliseconds since 1970': (random) => random.integer(1_760_000_000_000, 2_100_000_000_000).toString(),
  'ticks of .NET': (random) => `6${random.integer(38, 42)}${count(random, 15)}`,
  'UUID version 4': (random) => uuid(random, '4'),
  'UUID version 7': (random) => uuid(random, '7'),
  'UUID with underscores': (random) => uuid(random, '4').replaceAll('-', '_'),
  'UUID behind a letter': (random) => `x${uuid(random, '4')}`,
  ObjectId: objectId,
  'ObjectId behind a word': (random) => `ORD-${objectId(random)}`,
  'UUID without dashes': (random) => uuid(random, '4').replaceAll('-', ''),
  ULID: (random) => `01K${text(random, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 23)}`,
  'nano id': (random) => text(random, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-', 21),
  'SHA-1': (random) => text(random, '0123456789abcdef', 40),
  'twelve digits': (random) => count(random, 12),
  'zeros and a counter': (random) => count(random, 6).padStart(16, '0'),
};

/** Numbers that can be a card number by chance, because they have as many digits and are nothing else. */
export const longNumbers: Record<string, (random: Random) => string> = {
  'any 13 digits': (random) => count(random, 13),
  'any 16 digits': (random) => count(random, 16),
  'any 20 digits': (random) => count(random, 20),
};

export const others: Record<string, (random: Random) => string> = {
  'ISO times': (random) => `${dashed(random)}T${clock(random)}.${count(random, 3)}Z`,
  'days and times of a person': (random) => `${dashed(random)} ${clock(random)}`,
  'times with milliseconds': (random) => `${dashed(random)} ${clock(random)}.${count(random, 3)}`,
  amounts: (random) => `${random.integer(0, 9_999)}.${count(random, 2)} EUR`,
  'rows of amounts': (random) => Array.from({ length: 6 }, () => money(random)).join(' '),
  'a receipt’s facts': (random) =>
    `receipt ${count(random, 4)}, trace ${count(random, 6)}, terminal ${count(random, 8)}, ${money(random)} EUR`,
  addresses: (random) =>
    `${Array.from({ length: 4 }, () => random.integer(1, 254)).join('.')}:${random.integer(1_024, 65_535)}`,
  'hex of a frame, colons': (random) => hexOf(random, random.integer(6, 60)).join(':'),
  'hex of a frame, bare': (random) => hexOf(random, random.integer(6, 60)).join(''),
  'SHA-256': (random) => hexOf(random, 32).join(''),
};

/** A line as the log writes it. */
export function logLine(random: Random): string {
  const line = {
    level: 'info',
    time: `${dashed(random)}T${clock(random)}.${count(random, 3)}Z`,
    source: 'payments',
    operation_id: uuid(random, '7'),
    reference: `A-${random.integer(1, 99_999)}`,
    operation: 'ended',
    outcome: 'approved',
    amount_minor: random.integer(1, 100_000),
    elapsed_ms: random.integer(1, 20_000),
    msg: `payment A-${random.integer(1, 99_999)} of ${money(random)} EUR: approved, receipt ${count(random, 4)}`,
  };
  return JSON.stringify(line);
}

/** A frame as the log's files have it. */
export function frameLine(random: Random): string {
  return JSON.stringify({
    level: 'debug',
    time: `${dashed(random)}T${clock(random)}.${count(random, 3)}Z`,
    source: 'zvt',
    direction: 'in',
    hex: hexOf(random, random.integer(3, 120)).join(':'),
    msg: '04 0F status-information',
  });
}

function two(value: number): string {
  return value.toString().padStart(2, '0');
}

function count(random: Random, digits: number): string {
  return text(random, '0123456789', digits);
}

function text(random: Random, letters: string, length: number): string {
  return Array.from({ length }, () => letters[random.integer(0, letters.length - 1)]).join('');
}

function date(random: Random): string {
  return `${random.integer(2026, 2033)}${two(random.integer(1, 12))}${two(random.integer(1, 28))}`;
}

function dashed(random: Random): string {
  return date(random).replace(/^(....)(..)/, '$1-$2-');
}

function dayFirst(random: Random, between = ''): string {
  const day = date(random);
  return [day.slice(6), day.slice(4, 6), day.slice(0, 4)].join(between);
}

function time(random: Random): string {
  return `${two(random.integer(0, 23))}${two(random.integer(0, 59))}${two(random.integer(0, 59))}`;
}

function clock(random: Random): string {
  return time(random).replace(/^(..)(..)/, '$1:$2:');
}

function money(random: Random): string {
  return `${random.integer(0, 999)}.${count(random, 2)}`;
}

function hexOf(random: Random, bytes: number): string[] {
  return Array.from({ length: bytes }, () => random.integer(0, 255).toString(16).padStart(2, '0'));
}

function uuid(random: Random, version: string): string {
  const hex = hexOf(random, 16).join('');
  const variant = random.pick(['8', '9', 'a', 'b']);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Seconds since 1970, and 16 hex digits of chance and count. */
function objectId(random: Random): string {
  return random.integer(1_740_000_000, 1_830_000_000).toString(16) + text(random, '0123456789abcdef', 16);
}
