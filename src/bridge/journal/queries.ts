/** What can be asked of a journal file. Every query goes by an index, so none grows with the journal. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Journal } from './journal.ts';
import {
  chainHeadOf,
  operationRowOf,
  paymentRowOf,
  storedEventOf,
  terminalStateOf,
  type SqlRow,
} from './rows.ts';

export type JournalQueries = Pick<
  Journal,
  | 'paymentByReference'
  | 'payment'
  | 'payments'
  | 'operation'
  | 'openOperations'
  | 'unsettledPayments'
  | 'batches'
  | 'closedBatches'
  | 'terminalState'
  | 'eventsAfter'
  | 'eventsOf'
  | 'lastSeq'
>;

/** The most rows that one page holds, whatever was asked for. */
export const maxPageRows = 10_000;

const payment = 'SELECT p.*, e.body AS ended FROM payments p LEFT JOIN events e ON e.seq = p.ended_seq';
const operation = `SELECT o.*, s.body AS started, r.body AS with_result FROM operations o`;
const operationEvents = `JOIN events s ON s.seq = o.position LEFT JOIN events r ON r.seq = o.result_seq`;

export const querySql = {
  paymentByReference: `${payment} WHERE p.reference = ?`,
  payment: `SELECT p.*, e.body AS ended FROM operations o JOIN payments p ON p.position = o.position
    LEFT JOIN events e ON e.seq = p.ended_seq WHERE o.operation_id = ?`,
  payments: `${payment} WHERE p.position < ? ORDER BY p.position DESC LIMIT ?`,
  paymentsOfStatus: `${payment} WHERE p.status = ? AND p.position < ? ORDER BY p.position DESC LIMIT ?`,
  unsettled: `${payment} WHERE p.status = 'approved' ORDER BY p.position`,
  unsettledFromEpoch: `SELECT p.*, e.body AS ended FROM payments p INDEXED BY payments_unsettled
    LEFT JOIN events e ON e.seq = p.ended_seq WHERE p.status = 'approved' AND p.epoch >= ? ORDER BY p.position`,
  operation: `${operation} ${operationEvents} WHERE o.operation_id = ?`,
  openOperations: `${operation} INDEXED BY operations_open ${operationEvents} WHERE o.phase <> 'ended'
    ORDER BY o.position`,
  batches: `${operation} INDEXED BY operations_batches ${operationEvents} WHERE o.kind = 'batch_close'
    AND o.position < ? ORDER BY o.position DESC LIMIT ?`,
  state: 'SELECT * FROM state WHERE id = 1',
  head: 'SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1',
  eventsAfter: 'SELECT seq, at, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
  eventsOf: 'SELECT seq, at, body FROM events WHERE operation_id = ? ORDER BY seq',
} as const;

/** `guarded` runs each query; it is where a damaged file is noticed. */
export function makeQueries(database: DatabaseSync, guarded: <T>(query: () => T) => T): JournalQueries {
  const prepared = new Map<string, StatementSync>();
  const statement = (name: keyof typeof querySql): StatementSync => {
    const known = prepared.get(name) ?? database.prepare(querySql[name]);
    prepared.set(name, known);
    return known;
  };
  const one = <T>(
    name: keyof typeof querySql,
    read: (row: SqlRow) => T,
    ...values: SQLInputValue[]
  ): T | null =>
    guarded(() => {
      const row = statement(name).get(...values);
      return row === undefined ? null : read(row);
    });
  const many = <T>(name: keyof typeof querySql, read: (row: SqlRow) => T, ...values: SQLInputValue[]): T[] =>
    guarded(() =>
      statement(name)
        .all(...values)
        .map(read),
    );
  const state = <T>(read: (row: SqlRow | undefined) => T): T => guarded(() => read(statement('state').get()));

  return {
    paymentByReference: (reference) => one('paymentByReference', paymentRowOf, reference),
    payment: (transactionId) => one('payment', paymentRowOf, transactionId),
    payments({ limit, before, status }) {
      const page = [before ?? Number.MAX_SAFE_INTEGER, pageRows(limit)];
      if (status === undefined) return many('payments', paymentRowOf, ...page);
      return many('paymentsOfStatus', paymentRowOf, status, ...page);
    },
    operation: (operationId) => one('operation', operationRowOf, operationId),
    openOperations: () => many('openOperations', operationRowOf),
    unsettledPayments(fromEpoch) {
      if (fromEpoch === undefined) return many('unsettled', paymentRowOf);
      return many('unsettledFromEpoch', paymentRowOf, fromEpoch);
    },
    batches: ({ limit, before }) =>
      many('batches', operationRowOf, before ?? Number.MAX_SAFE_INTEGER, pageRows(limit)),
    closedBatches: () => state((row) => Number(row?.['closed_batches'] ?? 0)),
    terminalState: () => state(terminalStateOf),
    eventsAfter: (seq, limit) => many('eventsAfter', storedEventOf, seq, pageRows(limit)),
    eventsOf: (operationId) => many('eventsOf', storedEventOf, operationId),
    lastSeq: () => guarded(() => chainHeadOf(statement('head').get()).seq),
  };
}

/** SQLite takes a negative limit for none at all. */
function pageRows(limit: number): number {
  return Math.min(Math.max(Math.trunc(limit), 0), maxPageRows);
}
