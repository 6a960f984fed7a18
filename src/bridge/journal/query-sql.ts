/** The queries to a journal file as SQL. Each goes by an index (a test has SQLite explain them). */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { takenStatuses } from '../../contract/operation.ts';

/** A payment, in the order in which `paymentRowOf` takes it. */
const paymentColumns = `SELECT p.position, p.transaction_id, p.reference, p.condition_code, p.amount_minor, p.currency,
  p.status, p.simulated, p.terminal, p.epoch, p.created_at, p.updated_at, p.completed_at, p.reason, p.batch_number,
  e.body`;
const payment = `${paymentColumns} FROM payments p LEFT JOIN events e ON e.seq = p.ended_seq`;
const operation = `SELECT o.*, s.body AS started, r.body AS with_result FROM operations o`;
const operationEvents = `JOIN events s ON s.seq = o.position LEFT JOIN events r ON r.seq = o.result_seq`;

const discrepancyEvents =
  'JOIN events f ON f.seq = d.position LEFT JOIN events a ON a.seq = d.acknowledged_seq';
const discrepancy = `SELECT d.*, f.at AS found_at, f.body AS found, a.at AS acknowledged_at, a.body AS acknowledged
  FROM discrepancies d ${discrepancyEvents}`;

/** The amount that is shown: what the terminal took, which only the event of the sale's end has, else what was asked for. */
const shownMinor = `coalesce(CASE WHEN p.status IN (${takenStatuses.map((status) => `'${status}'`).join(', ')})
  THEN json_extract(e.body, '$.result.amountMinor') END, p.amount_minor)`;
const ofAmount = `(:currency IS NULL OR (p.currency = :currency AND ${shownMinor} BETWEEN :fromMinor AND :toMinor))`;

/** What is cheap to see in a row; `payment-search.ts` looks at those that pass. The order is from cheap to dear. */
const filters = `p.created_at >= :began AND p.created_at < :until
  AND (p.reference LIKE :beginning ESCAPE '\\' OR p.amount_minor IN (:hundredths, :hundredths / 100)
    OR p.amount_minor / 10 = :hundredths OR e.body LIKE :inside ESCAPE '\\')
  AND ${ofAmount}`;

const edge = 'SELECT p.position, p.created_at FROM payments p';
const amount = `SELECT p.position, p.currency, p.status, ${shownMinor} AS minor`;
const ofAll = 'FROM payments p LEFT JOIN events e ON e.seq = p.ended_seq WHERE';
const ofStatus = `FROM payments p INDEXED BY payments_by_status LEFT JOIN events e ON e.seq = p.ended_seq
  WHERE p.status = :status AND`;
const between = 'p.position BETWEEN :low AND :high';
const down = 'ORDER BY p.position DESC';
const up = 'ORDER BY p.position';

export const querySql = {
  paymentByReference: `${payment} WHERE p.reference = ?`,
  payment: `${paymentColumns} FROM operations o JOIN payments p ON p.position = o.position
    LEFT JOIN events e ON e.seq = p.ended_seq WHERE o.operation_id = ?`,
  payments: `${payment} WHERE p.position < ? ORDER BY p.position DESC LIMIT ?`,
  paymentsOfStatus: `${payment} WHERE p.status = ? AND p.position < ? ORDER BY p.position DESC LIMIT ?`,
  positionsOfHours: `SELECT min(first_position) AS first, max(last_position) AS last FROM payment_hours
    WHERE hour >= ? AND hour <= ?`,
  positionEdge: `${edge} WHERE ${between} ${down} LIMIT 1 OFFSET :count`,
  positionEdgeUp: `${edge} WHERE ${between} ${up} LIMIT 1 OFFSET :count`,
  positionEdgeOfStatus: `${edge} INDEXED BY payments_by_status WHERE p.status = :status AND ${between} ${down}
    LIMIT 1 OFFSET :count`,
  positionEdgeOfStatusUp: `${edge} INDEXED BY payments_by_status WHERE p.status = :status AND ${between} ${up}
    LIMIT 1 OFFSET :count`,
  found: `${paymentColumns} ${ofAll} ${between} AND ${filters} ${down}`,
  foundUp: `${paymentColumns} ${ofAll} ${between} AND ${filters} ${up}`,
  foundOfStatus: `${paymentColumns} ${ofStatus} ${between} AND ${filters} ${down}`,
  foundOfStatusUp: `${paymentColumns} ${ofStatus} ${between} AND ${filters} ${up}`,
  amounts: `${amount} ${ofAll} ${between} AND ${filters} ${down}`,
  amountsOfStatus: `${amount} ${ofStatus} ${between} AND ${filters} ${down}`,
  paymentAt: `${payment} WHERE p.position = ?`,
  referenceBegins: 'SELECT 1 FROM payments WHERE reference >= ? AND reference < ? LIMIT 1',
  referenceAt: 'SELECT reference FROM payments WHERE position = ?',
  referenceEdge: `SELECT reference, position FROM payments WHERE reference >= ? AND reference < ?
    ORDER BY reference DESC LIMIT 1 OFFSET ?`,
  foundByReference: `${payment} WHERE p.reference >= :from AND p.reference < :below
    AND p.position BETWEEN :first AND :last AND (:status IS NULL OR p.status = :status)
    AND p.created_at >= :began AND p.created_at < :until AND ${ofAmount} ORDER BY p.reference DESC`,
  summary: `SELECT position, status, currency, amount_minor, created_at, ended_seq FROM payments
    WHERE position BETWEEN ? AND ? ORDER BY position DESC LIMIT ?`,
  otherCurrency: `SELECT currency FROM payments WHERE position BETWEEN ? AND ? AND created_at >= ? AND created_at < ?
    AND instr(?, currency) = 0 LIMIT 1`,
  paymentAfter: 'SELECT position FROM payments WHERE position > ? ORDER BY position LIMIT 1',
  eventAt: 'SELECT at FROM events WHERE seq >= ? ORDER BY seq LIMIT 1',
  // A text in the JSON cannot look like one of its fields: its quotes are escaped.
  dayEvents: `SELECT seq, at, body FROM events WHERE seq BETWEEN ? AND ? AND at >= ? AND at < ?
    AND (type IN ('operation_in_doubt', 'discrepancy_found', 'discrepancy_acknowledged')
      OR type = 'operation_ended' AND (instr(body, '"resolvedBy":{') > 0
        OR instr(body, '"outcome":"voided"') > 0 OR instr(body, '"outcome":"closed"') > 0)) ORDER BY seq`,
  eventBody: 'SELECT body FROM events WHERE seq = ?',
  unsettled: `${payment} WHERE p.status = 'approved' ORDER BY p.position`,
  unsettledFromEpoch: `${paymentColumns} FROM payments p INDEXED BY payments_unsettled
    LEFT JOIN events e ON e.seq = p.ended_seq WHERE p.status = 'approved' AND p.epoch >= ? ORDER BY p.position`,
  operation: `${operation} ${operationEvents} WHERE o.operation_id = ?`,
  operationColumns: 'SELECT position, kind, reference, phase, outcome FROM operations WHERE operation_id = ?',
  paymentColumns: 'SELECT position, transaction_id, amount_minor, currency FROM payments WHERE reference = ?',
  openOperations: `${operation} INDEXED BY operations_open ${operationEvents} WHERE o.phase <> 'ended'
    ORDER BY o.position`,
  voidsOf: `SELECT operation_id FROM operations WHERE payment_id = ? AND kind = 'void' ORDER BY position`,
  batches: `SELECT o.*, s.body AS started, r.body AS with_result, e.body AS ended
    FROM operations o INDEXED BY operations_batches ${operationEvents}
    LEFT JOIN events e ON e.operation_id = o.operation_id AND e.type = 'operation_ended' WHERE o.kind = 'batch_close'
    AND o.position < ? ORDER BY o.position DESC LIMIT ?`,
  openDiscrepancies: `${discrepancy} WHERE d.acknowledged_seq IS NULL AND d.position > ? ORDER BY d.position LIMIT ?`,
  openDiscrepancyCount: 'SELECT count(*) AS count FROM discrepancies WHERE acknowledged_seq IS NULL',
  discrepancy: `${discrepancy} WHERE d.discrepancy_id = ?`,
  firstOfDiscrepancies: `SELECT reference FROM discrepancy_references WHERE reference >= '' ORDER BY reference LIMIT 1`,
  discrepanciesOf: `SELECT d.*, f.at AS found_at, f.body AS found, a.at AS acknowledged_at, a.body AS acknowledged
    FROM discrepancy_references r JOIN discrepancies d ON d.position = r.position ${discrepancyEvents}
    WHERE r.reference = ? ORDER BY r.position`,
  discrepancies: `${discrepancy} WHERE d.position < ? ORDER BY d.position DESC LIMIT ?`,
  terminalKnowledge: 'SELECT shows_records, traits FROM terminals WHERE terminal = ?',
  state: 'SELECT * FROM state WHERE id = 1',
  head: 'SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1',
  eventsAfter: 'SELECT seq, at, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
  eventsOf: 'SELECT seq, at, body FROM events WHERE operation_id = ? ORDER BY seq',
} as const;

export type QueryName = keyof typeof querySql;
/** Gives the prepared statement of that name. */
export type Statements = (name: QueryName) => StatementSync;

/** Prepares each query when it is first wanted. A payment comes as an array: an object of so many columns takes longer. */
export function prepareQueries(database: DatabaseSync): Statements {
  const prepared = new Map<QueryName, StatementSync>();
  return (name) => {
    const known = prepared.get(name);
    if (known !== undefined) return known;
    const sql = querySql[name];
    const statement = database.prepare(sql);
    if (sql.startsWith(paymentColumns)) statement.setReturnArrays(true);
    prepared.set(name, statement);
    return statement;
  };
}

/** What a query reads that may change under it, by its SQL: the tables. */
export function tablesReadBy(name: QueryName): readonly string[] {
  const known = tablesOfQueries.get(name) ?? tablesRead(querySql[name]);
  tablesOfQueries.set(name, known);
  return known;
}

const tablesOfQueries = new Map<QueryName, readonly string[]>();

/** An event that is joined to a row never changes; which one it is, the row says. */
function tablesRead(sql: string): string[] {
  return [...sql.matchAll(/\b(FROM|JOIN) (\w+)/g)]
    .filter(([, word, table]) => word === 'FROM' || table !== 'events')
    .map(([, , table = '']) => table);
}
