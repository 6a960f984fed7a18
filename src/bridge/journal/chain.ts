/**
 * The chain of events. Each row's hash is
 *
 *     SHA-256( hash of the row before, 64 hex digits │ "\n" │ {"at":…,"event":…,"seq":…} )
 *
 * where the object is canonical JSON: keys in order, no spaces. Whoever has an export can work it out again.
 */
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** What the first row follows on. */
const genesisHash = '0'.repeat(64);

/** One row of the event table. `body` is the event's canonical JSON. */
export interface EventRow {
  seq: number;
  at: string;
  type: string;
  operation_id: string | null;
  body: string;
  hash: string;
}

/** A place in the chain: the row that the next one follows on. */
export interface ChainHead {
  seq: number;
  hash: string;
}

export const chainStart: ChainHead = { seq: 0, hash: genesisHash };

/** JSON with sorted keys and without spaces; what is `undefined` is left out. Throws for what JSON cannot say. */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (Number.isFinite(value)) return JSON.stringify(value);
      break;
    case 'object':
      if (value === null) return 'null';
      return keptTexts.get(value) ?? (Array.isArray(value) ? canonicalList(value) : canonicalMembers(value));
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
  }
  throw new TypeError(`An event cannot hold ${typeof value}: JSON has no form for it.`);
}

/** Lets `canonicalJson` give `text` for this object, which says the same and is frozen, with all that is in it. */
export function keepCanonical(frozen: object, text: string): void {
  keptTexts.set(frozen, text);
}

const keptTexts = new WeakMap<object, string>();

function canonicalList(list: unknown[]): string {
  let items = '';
  for (const item of list) items += items === '' ? canonicalJson(item) : `,${canonicalJson(item)}`;
  return `[${items}]`;
}

function canonicalMembers(content: object): string {
  let members = '';
  for (const key of Object.keys(content).sort()) {
    const value = (content as Record<string, unknown>)[key];
    if (value === undefined) continue;
    if (members !== '') members += ',';
    members += (fieldNames.get(key) ?? fieldName(key)) + canonicalJson(value);
  }
  return `{${members}}`;
}

/** The fields of events are some hundred; whatever else comes is not kept. */
const maxFieldNames = 1_000;
/** Each field's name, quoted, with its colon. */
const fieldNames = new Map<string, string>();

function fieldName(key: string): string {
  const quoted = `${JSON.stringify(key)}:`;
  if (fieldNames.size < maxFieldNames) fieldNames.set(key, quoted);
  return quoted;
}

/** The hash of the row `seq` with this content after a row with `previousHash`. */
export function chainHash(previousHash: string, seq: number, at: string, body: string): string {
  return hash('sha256', `${previousHash}\n{"at":${JSON.stringify(at)},"event":${body},"seq":${seq}}`, 'hex');
}

/** Why `row` does not follow on `previous`, as a sentence; null when it does. `parse` reads the body's JSON. */
export function linkProblem(
  previous: ChainHead,
  row: EventRow,
  parse: (body: string) => unknown = JSON.parse,
): string | null {
  if (row.seq !== previous.seq + 1) {
    const missing =
      row.seq - 1 > previous.seq + 1
        ? `Events ${previous.seq + 1} to ${row.seq - 1} are`
        : `Event ${previous.seq + 1} is`;
    return `${missing} missing.`;
  }
  if (row.hash !== chainHash(previous.hash, row.seq, row.at, row.body)) {
    return `Event ${row.seq} does not fit its hash: it or the event before it was changed after it was written.`;
  }
  return columnProblem(row, parse);
}

/** The columns beside the body are there to be searched; they must say what the body says. */
function columnProblem(row: EventRow, parse: (body: string) => unknown): string | null {
  let event: unknown;
  try {
    event = parse(row.body);
  } catch {
    return `Event ${row.seq} is not JSON.`;
  }
  if (typeof event !== 'object' || event === null) return `Event ${row.seq} is not an object.`;
  const { type, operationId } = event as { type?: unknown; operationId?: unknown };
  if (type === row.type && (operationId ?? null) === row.operation_id) return null;
  return `Event ${row.seq} is filed under another type or operation than its own.`;
}

const pageRows = 1_000;

/**
 * Rows after `after` up to and with `last`, in order. Throws where the file cannot be read. They come in
 * pages, so that no long transaction keeps the writer from trimming its files.
 */
export function* eventRows(database: DatabaseSync, after: number, last: number): Generator<EventRow> {
  const page = database.prepare('SELECT * FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?');
  let seen = after;
  for (;;) {
    const rows = page.all(seen, last, pageRows) as unknown as EventRow[];
    yield* rows;
    const newest = rows.at(-1);
    if (newest === undefined || rows.length < pageRows) return;
    seen = newest.seq;
  }
}

/** What of rows 1 to `last` can be read, in order; steps over the places that cannot. */
export function* readableRows(database: DatabaseSync, last: number): Generator<EventRow> {
  const range = database.prepare('SELECT * FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq');
  const read = (from: number, to: number): EventRow[] | null => {
    try {
      return range.all(from, to) as unknown as EventRow[];
    } catch {
      return null;
    }
  };
  for (let from = 1; from <= last; from += pageRows) {
    const to = Math.min(from + pageRows - 1, last);
    const rows = read(from, to);
    if (rows !== null) {
      yield* rows;
      continue;
    }
    for (let seq = from; seq <= to; seq += 1) yield* read(seq, seq) ?? [];
  }
}
