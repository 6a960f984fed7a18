/** Every record of every resource, in one table: the catalogue says what is in them. */
import type { Chance } from '../../../base/chance.ts';
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Database } from './database.ts';

/**
 * The fields of a record. Those that begin with an underscore are the sandbox's own: no schema has them, so that no
 * answer does.
 */
export type Fields = Record<string, unknown>;
export interface StoredRecord extends Fields {
  id: string;
  create_time: string;
  update_time: string;
  token: string;
  etag: string;
}

type Where = Record<string, string | number | boolean | null>;

export interface ListRequest {
  /** The token of the last record seen; null: from the first one. */
  after: string | null;
  count: number;
  where?: Where;
  /** Inclusive on both sides, of a field that holds a time. */
  range?: { field: string; since: number | null; until: number | null };
}

export interface Change {
  kind: 'created' | 'updated';
  resource: string;
  record: StoredRecord;
}

export interface Records {
  insert(resource: string, fields: Fields, id?: string): StoredRecord;
  get(resource: string, id: string): StoredRecord | null;
  /** The record must be there. It gets a new etag. */
  update(resource: string, id: string, changes: Fields): StoredRecord;
  remove(resource: string, id: string): boolean;
  /** In the order in which they were made, so that a cursor neither skips nor repeats while others write. */
  list(resource: string, request: ListRequest): StoredRecord[];
  first(resource: string, where?: Where): StoredRecord | null;
  all(resource: string, where?: Where): StoredRecord[];
}

const tokenPrefix = 'r';
const tokenPattern = /^r[0-9a-z]{1,11}$/;

export function isRecordToken(token: string): boolean {
  return tokenPattern.test(token);
}

const columns = new Set(['id', 'create_time', 'update_time']);

/** `onChange` runs in the transaction of the change. */
export function createRecords(
  database: Database,
  dependencies: { time: () => string; chance: Chance; onChange: (change: Change) => void },
): Records {
  const { time: nowTime, chance, onChange } = dependencies;
  const { sql } = database;
  const insert = sql.prepare(
    'INSERT INTO record (resource, id, create_time, update_time, revision, body) VALUES (?, ?, ?, ?, 1, ?)',
  );
  const select = sql.prepare('SELECT * FROM record WHERE resource = ? AND id = ?');
  const update = sql.prepare(
    'UPDATE record SET update_time = ?, revision = revision + 1, body = ? WHERE resource = ? AND id = ?',
  );
  const remove = sql.prepare('DELETE FROM record WHERE resource = ? AND id = ?');

  /** As many as there are sets of fields that are asked for. */
  const lists = new Map<string, StatementSync>();
  const listing = (text: string): StatementSync => {
    const statement = lists.get(text) ?? sql.prepare(text);
    lists.set(text, statement);
    return statement;
  };

  const get = (resource: string, id: string): StoredRecord | null => {
    const row = select.get(resource, id);
    return row === undefined ? null : recordOf(row);
  };
  const mustGet = (resource: string, id: string): StoredRecord => {
    const record = get(resource, id);
    if (record === null) throw new Error(`no ${resource} ${id}`);
    return record;
  };
  const list = (resource: string, request: ListRequest): StoredRecord[] => {
    const conditions = ['resource = ?', 'sequence > ?'];
    const values: SQLInputValue[] = [resource, request.after === null ? 0 : sequenceOf(request.after)];
    for (const [field, value] of Object.entries(request.where ?? {})) {
      conditions.push(`${columnOf(field)} IS ?`);
      values.push(typeof value === 'boolean' ? Number(value) : value);
    }
    const { field = '', since = null, until = null } = request.range ?? {};
    if (since !== null) {
      conditions.push(`${instantOf(field)} >= ?`);
      values.push(since);
    }
    if (until !== null) {
      conditions.push(`${instantOf(field)} <= ?`);
      values.push(until);
    }
    const text = `SELECT * FROM record WHERE ${conditions.join(' AND ')} ORDER BY sequence LIMIT ?`;
    return listing(text)
      .all(...values, request.count)
      .map(recordOf);
  };

  return {
    insert(resource, fields, id = chance.uuid()) {
      const time = nowTime();
      insert.run(resource, id, time, time, JSON.stringify(fields));
      const record = mustGet(resource, id);
      onChange({ kind: 'created', resource, record });
      return record;
    },
    get,
    update(resource, id, changes) {
      const {
        id: _id,
        create_time: _made,
        update_time: _changed,
        token: _token,
        etag: _etag,
        ...fields
      } = mustGet(resource, id);
      update.run(nowTime(), JSON.stringify({ ...fields, ...changes }), resource, id);
      const record = mustGet(resource, id);
      onChange({ kind: 'updated', resource, record });
      return record;
    },
    remove: (resource, id) => remove.run(resource, id).changes > 0,
    list,
    first: (resource, where = {}) => list(resource, { after: null, count: 1, where })[0] ?? null,
    all: (resource, where = {}) => list(resource, { after: null, count: -1, where }),
  };
}

/** Field names come from the catalogue's schemas, never from a request. */
function columnOf(field: string): string {
  if (!/^\w+$/.test(field)) throw new Error(`not the name of a field: ${field}`);
  return columns.has(field) ? field : `json_extract(body, '$.${field}')`;
}

/** In seconds, with milliseconds: one moment can be written in many ways. */
function instantOf(field: string): string {
  return `unixepoch(${columnOf(field)}, 'subsec')`;
}

function recordOf(row: Record<string, SQLOutputValue>): StoredRecord {
  const sequence = Number(row['sequence']);
  return {
    ...(JSON.parse(String(row['body'])) as Fields),
    id: String(row['id']),
    create_time: String(row['create_time']),
    update_time: String(row['update_time']),
    token: `${tokenPrefix}${sequence.toString(36)}`,
    etag: `"${sequence.toString(36)}-${String(row['revision'])}"`,
  };
}

function sequenceOf(token: string): number {
  return Number.parseInt(token.slice(tokenPrefix.length), 36);
}
