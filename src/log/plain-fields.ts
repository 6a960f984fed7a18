/** Turns whatever a caller hands to the log into plain, bounded JSON values. Never throws. */
import type { LogFields } from './log.ts';
import { maskCardNumbers } from './mask.ts';

/** Levels of objects and arrays. */
const maxDepth = 5;
const maxEntries = 100;
const maxTextCharacters = 16 * 1024;

/** Names that the log itself puts on each line. */
const reservedNames = new Set(['time', 'level', 'msg']);

/**
 * Errors become `{type, message, stack, code, cause}`, bytes only their count (they may be a card number), and what is
 * too deep, too long or cannot be read says so. A field with a name of the log's own (`time`, `level`, `msg`) gets a
 * `_` behind it.
 */
export function plainFields(fields: LogFields): LogFields {
  const plain: LogFields = {};
  for (const [name, value] of entriesOf(fields)) {
    plain[reservedNames.has(name) ? `${name}_` : name] = plainValue(value, 1);
  }
  return plain;
}

/** Masked before it is cut, so that no half of a card number is left at the end. */
export function plainText(text: string): string {
  if (text.length <= maxTextCharacters) return text;
  const masked = maskCardNumbers(text);
  return `${masked.slice(0, maxTextCharacters)}… (${text.length} characters)`;
}

/** How long the texts in plain fields are, roughly: what they take in memory. */
export function charactersIn(plain: unknown): number {
  if (typeof plain === 'string') return plain.length;
  if (typeof plain !== 'object' || plain === null) return 8;
  let sum = 0;
  for (const [name, value] of Object.entries(plain)) sum += name.length + charactersIn(value);
  return sum;
}

function plainValue(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return plainText(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return plainText(value.toString());
    case 'function':
    case 'symbol':
      return `[${typeof value}]`;
    case 'object':
      return value === null ? null : plainObject(value, depth);
    case 'boolean':
    case 'undefined':
    default:
      return value;
  }
}

function plainObject(value: object, depth: number): unknown {
  try {
    return readObject(value, depth);
  } catch {
    // A proxy or a toString of its own may throw whatever it likes.
    return '[unreadable]';
  }
}

function readObject(value: object, depth: number): unknown {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[no date]' : value.toISOString();
  if (depth > maxDepth) return '[too deep]';
  if (value instanceof Error) return plainError(value, depth);
  if (value instanceof Map || value instanceof Set) return plainValue([...value], depth);
  if (Array.isArray(value)) {
    const items = value.slice(0, maxEntries).map((item) => plainValue(item, depth + 1) ?? null);
    return value.length > maxEntries ? [...items, `[${value.length - maxEntries} more]`] : items;
  }
  return Object.fromEntries(entriesOf(value).map(([name, item]) => [name, plainValue(item, depth + 1)]));
}

function plainError(error: Error, depth: number): unknown {
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: plainText(error.name),
    message: plainText(error.message),
    ...(code === undefined ? {} : { code: plainValue(code, depth + 1) }),
    ...(error.cause === undefined ? {} : { cause: plainValue(error.cause, depth + 1) }),
    ...(error instanceof AggregateError ? { errors: plainValue(error.errors, depth + 1) } : {}),
    stack: plainText(error.stack ?? ''),
  };
}

/** Own enumerable entries, bounded; a getter that throws is an unreadable value. */
function entriesOf(value: object): [string, unknown][] {
  const names = Object.keys(value);
  const entries = names.slice(0, maxEntries).map((name): [string, unknown] => {
    try {
      return [plainText(name), (value as Record<string, unknown>)[name]];
    } catch {
      return [plainText(name), '[unreadable]'];
    }
  });
  if (names.length > maxEntries) entries.push(['more', `[${names.length - maxEntries} more]`]);
  return entries;
}
