/** The queries to a journal file. Every query goes by an index, so none grows with the journal. */
import type { DatabaseSync } from 'node:sqlite';
import type { Span } from '../../contract/payment-queries.ts';
import { terminalKey, type Journal } from './journal.ts';
import { prepareQueries, type QueryName } from './query-sql.ts';
import {
  batchRowOf,
  chainHeadOf,
  discrepancyOf,
  operationRowOf,
  paymentRowOf,
  storedEventOf,
  terminalKnowledgeOf,
  terminalStateOf,
  type SqlRow,
} from './rows.ts';
import { discrepanciesVersion, fileVersion, hoursVersion } from './schema.ts';
import { paymentAmounts } from './payment-amounts.ts';
import { searchPayments } from './payment-search.ts';
import { everyPosition, positionsOf, type Positions } from './span-positions.ts';
import { dayEvents } from './day-events.ts';
import { createKnownEnds } from './known-ends.ts';
import { currenciesOf, summaryOf } from './summary.ts';

export type JournalQueries = Pick<
  Journal,
  | 'paymentByReference'
  | 'payment'
  | 'payments'
  | 'searchPayments'
  | 'paymentAmounts'
  | 'paymentsAt'
  | 'summary'
  | 'currencies'
  | 'dayEvents'
  | 'operation'
  | 'voidsOf'
  | 'openOperations'
  | 'unsettledPayments'
  | 'batches'
  | 'closedBatches'
  | 'terminalState'
  | 'terminalKnowledge'
  | 'openDiscrepancies'
  | 'openDiscrepancyCount'
  | 'discrepancy'
  | 'discrepanciesOf'
  | 'discrepancies'
  | 'eventsAfter'
  | 'eventsOf'
  | 'lastSeq'
>;

/** The most rows that one page holds, whatever was asked for. */
export const maxPageRows = 10_000;

/**
 * Gives the result of the query `name` with these values: as it was the last time, or by `run`. Results are not to be
 * changed by whoever gets them.
 */
export type CachedQuery = <T>(name: QueryName, values: readonly QueryValue[], run: () => T) => T;

/** The parameter of a query; its name and these are all that it is known by. */
export type QueryValue = string | number;

const uncached: CachedQuery = (_name, _values, run) => run();

/**
 * `guarded` runs each query; it is where a damaged file is noticed. `cached` is for what is small and queried often.
 */
export function makeQueries(
  database: DatabaseSync,
  guarded: <T>(query: () => T) => T,
  cached: CachedQuery = uncached,
): JournalQueries {
  const statement = prepareQueries(database);
  const one = <T>(name: QueryName, read: (row: SqlRow) => T, ...values: QueryValue[]): T | null =>
    guarded(() =>
      cached(name, values, () => {
        const row = statement(name).get(...values);
        return row === undefined ? null : read(row);
      }),
    );
  const many = <T>(name: QueryName, read: (row: SqlRow) => T, ...values: QueryValue[]): T[] =>
    guarded(() =>
      statement(name)
        .all(...values)
        .map(read),
    );
  /** `many` for what is a handful. The list is the caller's own. */
  const few = <T>(name: QueryName, read: (row: SqlRow) => T, ...values: QueryValue[]): T[] =>
    guarded(() => [...cached(name, values, () => many(name, read, ...values))]);
  /** A file that is only read may be of an older version: without the hours the results are the same, and slower. */
  const positions = (span: Span | null): Positions | null =>
    span === null || fileVersion(database) < hoursVersion ? everyPosition : positionsOf(statement, span);

  const ends = createKnownEnds();
  function* eachGuarded<T>(parts: Generator<undefined, T>): Generator<undefined, T> {
    for (;;) {
      const part = guarded(() => parts.next());
      if (part.done === true) return part.value;
      yield;
    }
  }
  let withDiscrepancies: boolean | null = null;
  const knowsDiscrepancies = () =>
    (withDiscrepancies ??= guarded(() => fileVersion(database) >= discrepanciesVersion));
  /** Most shops never have one: then each query for a payment needs one look-up instead of two. */
  const areDiscrepancies = () => knowsDiscrepancies() && one('firstOfDiscrepancies', () => true) === true;

  return {
    paymentByReference: (reference) => one('paymentByReference', paymentRowOf, reference),
    payment: (transactionId) => one('payment', paymentRowOf, transactionId),
    payments({ limit, before, status }) {
      const page = [before ?? Number.MAX_SAFE_INTEGER, pageRows(limit)];
      if (status === undefined) return many('payments', paymentRowOf, ...page);
      return many('paymentsOfStatus', paymentRowOf, status, ...page);
    },
    searchPayments: (search) =>
      guarded(() =>
        searchPayments(statement, positions(search.span), { ...search, limit: pageRows(search.limit) }),
      ),
    paymentAmounts: (search) => guarded(() => paymentAmounts(statement, positions(search.span), search)),
    paymentsAt: (wanted) =>
      guarded(() =>
        wanted
          .slice(0, maxPageRows)
          .map((position) => statement('paymentAt').get(position))
          .filter((row) => row !== undefined)
          .map(paymentRowOf),
      ),
    summary: (span, currency) =>
      eachGuarded(summaryOf({ statement, ends }, () => positions(span), { span, currency })),
    currencies: (span) => guarded(() => currenciesOf(statement, positions(span), span)),
    dayEvents: (span, from) => guarded(() => dayEvents(statement, positions(span), { span, from })),
    operation: (operationId) => one('operation', operationRowOf, operationId),
    voidsOf: (transactionId) => few('voidsOf', (row) => String(row['operation_id']), transactionId),
    openOperations: () => few('openOperations', operationRowOf),
    unsettledPayments(fromEpoch) {
      if (fromEpoch === undefined) return few('unsettled', paymentRowOf);
      return few('unsettledFromEpoch', paymentRowOf, fromEpoch);
    },
    batches: ({ limit, before }) =>
      many('batches', batchRowOf, before ?? Number.MAX_SAFE_INTEGER, pageRows(limit)),
    closedBatches: () => guarded(() => Number(statement('state').get()?.['closed_batches'] ?? 0)),
    terminalState: () => guarded(() => cached('state', [], () => terminalStateOf(statement('state').get()))),
    terminalKnowledge(terminal) {
      const key = terminalKey(terminal);
      if (key === null || !knowsDiscrepancies()) return { showsRecords: false, traits: [] };
      return (
        one('terminalKnowledge', terminalKnowledgeOf, key) ?? {
          showsRecords: false,
          traits: [],
        }
      );
    },
    openDiscrepancies: (limit, after = 0) =>
      knowsDiscrepancies() ? few('openDiscrepancies', discrepancyOf, after, pageRows(limit)) : [],
    openDiscrepancyCount: () =>
      knowsDiscrepancies() ? (one('openDiscrepancyCount', (row) => Number(row['count'])) ?? 0) : 0,
    discrepancy: (discrepancyId) =>
      knowsDiscrepancies() ? one('discrepancy', discrepancyOf, discrepancyId) : null,
    discrepanciesOf: (reference) =>
      areDiscrepancies() ? few('discrepanciesOf', discrepancyOf, reference) : [],
    discrepancies: ({ limit, before }) =>
      knowsDiscrepancies()
        ? many('discrepancies', discrepancyOf, before ?? Number.MAX_SAFE_INTEGER, pageRows(limit))
        : [],
    eventsAfter: (seq, limit) => many('eventsAfter', storedEventOf, seq, pageRows(limit)),
    eventsOf: (operationId) => few('eventsOf', storedEventOf, operationId),
    lastSeq: () => guarded(() => cached('head', [], () => chainHeadOf(statement('head').get())).seq),
  };
}

/** SQLite takes a negative limit for none at all. */
function pageRows(limit: number): number {
  return Math.min(Math.max(Math.trunc(limit), 0), maxPageRows);
}
