/** Carries out any operation of the catalogue on the records. Knows nothing of HTTP. */
import { z } from 'zod';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { defaultCount, idFieldOf, type Catalogue, type Operation } from '../catalogue/index.ts';
import {
  checkAmount,
  checkedBody,
  checkedQuery,
  checkReferences,
  mustMatch,
  readIfMatch,
  type IfMatch,
} from './checks.ts';
import {
  advanceIntent,
  confirmIntent,
  createIntent,
  isIntent,
  isRepeatOfConfirm,
  stepIntent,
} from './intents.ts';
import { RequestError, wrongField, type RequestFailure } from './request-error.ts';
import { travelRule } from './rules/accounts.ts';
import { creates, dueActions, lookups } from './rules/index.ts';
import { newFields } from './samples.ts';
import type { Database } from './store/database.ts';
import { createLedger } from './store/ledger.ts';
import {
  createRecords,
  type Change,
  type Fields,
  type ListRequest,
  type StoredRecord,
} from './store/records.ts';
import { viewOf } from './views.ts';
import { customerId, type SandboxContext } from './sandbox-context.ts';

interface OperationCall {
  /** Of the record, where the path has one. */
  id: string | null;
  query: URLSearchParams;
  /** As JSON gave it. */
  body: unknown;
  /** The header as it came. */
  ifMatch: string | null;
}

export type OperationResult =
  { ok: true; body: unknown; etag: string | null } | { ok: false; refusal: RequestFailure };

export interface Executor {
  context: SandboxContext;
  /** What it answers is on disk. */
  execute(operation: Operation, call: OperationCall): OperationResult;
  /** The sandbox's own: has an intent that is held go on, or time do to a quote or a trade what it will do. */
  advance(resource: string, id: string): OperationResult;
  /** The sandbox's own as well: `work` answers, or throws RequestError, and then nothing of it has happened. */
  own(work: (context: SandboxContext) => unknown): OperationResult;
  /** In one transaction, after what is due by now. */
  transaction<T>(work: (context: SandboxContext) => T): T;
  /** When time next does something to a record, in milliseconds since 1970; null: nothing waits. */
  nextDueMs(): number | null;
}

export interface ExecutorOptions {
  catalogue: Catalogue;
  database: Database;
  clock: Clock;
  chance: Chance;
  /** In the transaction of the change. */
  onChange: (change: Change) => void;
}

/** Due work done before one request at most; the rest waits for the next one. */
const maxDueAtOnce = 1_000;

export function createExecutor({ catalogue, database, clock, chance, onChange }: ExecutorOptions): Executor {
  const time = (distanceMs = 0) => new Date(clock.now() + distanceMs).toISOString();
  const { sql } = database;
  const setDue = sql.prepare(
    'INSERT INTO due (resource, id, due_ms) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET due_ms = excluded.due_ms',
  );
  const selectDue = sql.prepare('SELECT resource, id FROM due WHERE due_ms <= ? ORDER BY due_ms LIMIT ?');
  const selectNextDue = sql.prepare('SELECT min(due_ms) AS due_ms FROM due');
  const deleteDue = sql.prepare('DELETE FROM due WHERE resource = ? AND id = ?');
  const context: SandboxContext = {
    catalogue,
    database,
    records: createRecords(database, { time, chance, onChange }),
    ledger: createLedger(database, { time, chance }),
    clock,
    chance,
    customerId,
    time,
    due: (resource, id, inMs) => void setDue.run(resource, id, Math.ceil(clock.now() + inMs)),
  };

  function doWhatIsDue(): void {
    for (const row of selectDue.all(Math.floor(clock.now()), maxDueAtOnce)) {
      happen(String(row['resource']), String(row['id']));
    }
  }

  function happen(resource: string, id: string): StoredRecord | null {
    deleteDue.run(resource, id);
    const record = context.records.get(resource, id);
    return record === null ? null : (dueActions[resource]?.(context, record) ?? record);
  }

  const transaction = <T>(work: (context: SandboxContext) => T): T =>
    database.transaction(() => {
      doWhatIsDue();
      return work(context);
    });

  /** A refusal undoes what the work has done, and what was due before it, which is done again with the next request. */
  function orFailure(work: () => OperationResult): OperationResult {
    try {
      return transaction(work);
    } catch (error) {
      if (error instanceof RequestError) return { ok: false, refusal: error.refusal };
      throw error;
    }
  }

  return {
    context,
    transaction,
    nextDueMs() {
      const next = selectNextDue.get()?.['due_ms'];
      return typeof next === 'number' ? next : null;
    },
    own: (work) => orFailure(() => ({ ok: true, body: work(context), etag: null })),
    execute: (operation, call) => orFailure(() => execute(context, operation, call)),
    advance: (resource, id) =>
      orFailure(() => {
        const record = context.records.get(resource, id);
        if (record === null) throw notFound(resource, id);
        if (isIntent(context, resource)) return answerOwn(advanceIntent(context, resource, record));
        if (dueActions[resource] === undefined) {
          throw new RequestError(
            'state_conflict',
            'Only intents, quotes, trades and virtual accounts can be advanced.',
          );
        }
        return answerOwn(happen(resource, id) ?? record);
      }),
  };
}

function execute(context: SandboxContext, operation: Operation, call: OperationCall): OperationResult {
  const query = checkedQuery(operation, call.query);
  if (operation.kind === 'list') return { ok: true, body: list(context, operation, query), etag: null };
  if (operation.kind === 'create') return answer(operation, create(context, operation, call.body));
  const id = call.id ?? '';
  const record = context.records.get(operation.resource, id);
  if (record === null) throw notFound(operation.resource, id);
  if (operation.kind === 'retrieve') return retrieve(context, operation, record, query);
  return step(context, operation, record, call);
}

function create(context: SandboxContext, operation: Operation, given: unknown): StoredRecord {
  const { resource } = operation;
  const body = requestOf(context, operation, given);
  const own = creates[resource];
  if (own !== undefined) return own(context, body);
  if (isIntent(context, resource)) return createIntent(context, resource, body);
  const schema = context.catalogue.tables[operation.version][resource]?.record;
  if (schema === undefined) throw new Error(`the catalogue has no ${resource}`);
  return context.records.insert(resource, newFields(schema, { customer_id: context.customerId, ...body }));
}

function retrieve(
  context: SandboxContext,
  operation: Operation,
  record: StoredRecord,
  query: Fields,
): OperationResult {
  if (operation.segment === null) return answer(operation, record);
  const lookup = lookups[operation.id];
  if (lookup === undefined) throw new Error(`the sandbox cannot ${operation.id}`);
  return answer(operation, lookup(context, record, query));
}

function step(
  context: SandboxContext,
  operation: Operation,
  record: StoredRecord,
  call: OperationCall,
): OperationResult {
  const { resource } = operation;
  const ifMatch = readIfMatch(call.ifMatch);
  if (operation.action === 'confirm') {
    if (!isRepeat(record, ifMatch)) mustMatch(ifMatch, record.etag, operation.needsIfMatch);
    return answer(operation, confirmIntent(context, resource, record));
  }
  mustMatch(ifMatch, record.etag, operation.needsIfMatch);
  const body = requestOf(context, operation, call.body);
  const changed = isIntent(context, resource)
    ? stepIntent(context, operation, record, body)
    : context.records.update(resource, record.id, body);
  return answer(operation, stepAnswer(context, operation, changed));
}

function isRepeat(intent: StoredRecord, ifMatch: IfMatch | null): boolean {
  return ifMatch?.kind === 'tags' && isRepeatOfConfirm(intent, ifMatch.tags);
}

/** The travel rule is a record of its own; all other steps answer the intent, or a part of it. */
function stepAnswer(context: SandboxContext, operation: Operation, intent: StoredRecord): StoredRecord {
  if (operation.action !== 'update-travel-rule') return intent;
  return context.records.first(travelRule, { virtual_account_creation_intent_id: intent.id }) ?? intent;
}

function requestOf(context: SandboxContext, operation: Operation, body: unknown): Fields {
  if (operation.request === null) return {};
  const request = checkedBody(operation.request, body);
  checkReferences(context, request);
  checkAmount(request);
  return request;
}

function list(context: SandboxContext, operation: Operation, query: Fields): unknown[] {
  const { token, count, since_time: _since, until_time: _until, time_column, ...filters } = query;
  const range = {
    field: typeof time_column === 'string' ? time_column : 'post_time',
    since: instantIn(query, 'since_time'),
    until: instantIn(query, 'until_time'),
  };
  const request: ListRequest = {
    after: typeof token === 'string' ? token : null,
    count: typeof count === 'number' ? count : defaultCount,
    where: filters as NonNullable<ListRequest['where']>,
    range,
  };
  return context.records
    .list(operation.resource, request)
    .map((record) => operation.record.parse(viewOf(operation.version, operation.resource, record)));
}

const instant = z.iso.datetime({ offset: true });

/** In seconds since 1970. Throws RequestError. */
function instantIn(query: Fields, name: string): number | null {
  const value = query[name];
  if (value === undefined) return null;
  const read = instant.safeParse(value);
  if (!read.success) {
    throw wrongField(name, 'must be a time in ISO 8601 with its offset, as "2026-03-26T08:00:00Z"');
  }
  return Date.parse(read.data) / 1_000;
}

/** What the catalogue's schema does not have is left out; what it needs and is missing is a bug. */
function answer(operation: Operation, record: Fields): OperationResult {
  const body = operation.record.parse(viewOf(operation.version, operation.resource, record));
  return { ok: true, body, etag: typeof record['etag'] === 'string' ? record['etag'] : null };
}

function answerOwn(record: StoredRecord): OperationResult {
  const fields = Object.entries(record).filter(([name]) => !name.startsWith('_'));
  return { ok: true, body: Object.fromEntries(fields), etag: record.etag };
}

function notFound(resource: string, id: string): RequestError {
  const name = idFieldOf(resource);
  return new RequestError('record_not_found', `There is no ${resource} with this id.`, [
    { path: name, message: id === '' ? 'is empty' : 'names no record' },
  ]);
}
