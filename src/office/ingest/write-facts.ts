/** Writes what a run of events changes: a statement for each table, however many rows. */
import type { Day } from '../database/days.ts';
import { storableJson, storableText, type Queries } from '../database/database.ts';
import { paymentKey } from '../payment-keys.ts';
import type { Facts, PaymentChange } from './facts.ts';
import type { SentEvent } from './read-batch.ts';

/** Where a run of events belongs. */
export interface Origin {
  chain: number;
  /** The chain, and those that it branches off. */
  lineage: readonly number[];
  shopId: string;
  terminal: string;
  simulated: boolean;
  receivedOn: Day;
}

export async function writeEvents(
  queries: Queries,
  events: readonly SentEvent[],
  { chain, receivedOn }: Pick<Origin, 'chain' | 'receivedOn'>,
): Promise<void> {
  // Canonical JSON has no line break in it, so the quickest way through both drivers is one text with one event a line.
  const columns = [
    events.map(({ at }) => at),
    events.map(({ body }) => body),
    events.map(({ hash }) => hash),
    events.map(({ event }) => (typeof event['operationId'] === 'string' ? event['operationId'] : '')),
  ].map((values) => values.join('\n'));
  await queries.query(
    `INSERT INTO events (received_on, chain, seq, at, body, hash, operation_id)
     SELECT $1::date, $2::integer, $3::bigint + place, at, body, decode(hash, 'hex'),
       CASE WHEN operation_id ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' THEN operation_id::uuid END
     FROM unnest(
       string_to_array($4, E'\\n'), string_to_array($5, E'\\n'),
       string_to_array($6, E'\\n'), string_to_array($7, E'\\n')
     ) WITH ORDINALITY AS event (at, body, hash, operation_id, place)`,
    [receivedOn, chain, (events[0]?.seq ?? 1) - 1, ...columns],
  );
}

/** What was found while the facts were written: payments of this journal that another one has told of before. */
export interface Written {
  knownElsewhere: number;
}

export async function writeFacts(queries: Queries, facts: Facts, origin: Origin): Promise<Written> {
  const { chain, lineage, shopId, terminal, simulated, receivedOn } = origin;
  let knownElsewhere = 0;
  if (facts.newPayments.length > 0) {
    const written = await queries.query<{ payment_id: string }>(
      `INSERT INTO payments (
         chain, shop_id, terminal, simulated, first_received_on, last_received_on, ${newPaymentColumns.join(', ')}
       )
       SELECT $2, $3, $4, $5, $6, $6, ${newPaymentColumns.join(', ')} FROM json_to_recordset($1::json) AS payment (
         ${newPaymentColumns.map((column) => `${column} ${paymentTypes[column]}`).join(', ')}
       )
       ON CONFLICT (day, payment_id) DO NOTHING RETURNING payment_id`,
      [storableJson(facts.newPayments), chain, shopId, terminal, simulated, receivedOn],
    );
    knownElsewhere = facts.newPayments.length - written.length;
  }
  if (facts.paymentChanges.length > 0) {
    await queries.query(
      `UPDATE payments SET chain = $2, last_received_on = $3, updated_at = said.updated_at, last_seq = said.last_seq,
         ${changedColumns.map((column) => `${column} = coalesce(said.${column}, payments.${column})`).join(', ')}
       FROM json_to_recordset($1::json) AS said (
         day date, payment_id uuid, updated_at timestamptz, last_seq bigint,
         ${changedColumns.map((column) => `${column} ${paymentTypes[column]}`).join(', ')}
       )
       WHERE payments.day = said.day AND payments.payment_id = said.payment_id AND payments.shop_id = $4`,
      [storableJson(facts.paymentChanges), chain, receivedOn, shopId],
    );
  }
  const keys = [...facts.newPayments, ...facts.paymentChanges].flatMap((payment) => keysOf(payment, shopId));
  if (keys.length > 0) {
    await queries.query(
      `INSERT INTO payment_keys (key, day, payment_id)
       SELECT key, day, payment_id FROM json_to_recordset($1::json) AS found (key bigint, day date, payment_id uuid)
       ON CONFLICT DO NOTHING`,
      [storableJson(keys)],
    );
  }
  if (facts.closed.length > 0) {
    await queries.query('DELETE FROM open_operations WHERE chain = $1 AND operation_id = ANY ($2::uuid[])', [
      chain,
      facts.closed,
    ]);
  }
  if (facts.opened.length > 0) {
    await queries.query(
      `INSERT INTO open_operations (chain, ${openColumns.join(', ')})
       SELECT $2, ${openColumns.join(', ')} FROM json_populate_recordset(NULL::open_operations, $1::json)
       ON CONFLICT (chain, operation_id) DO UPDATE SET
         doubt_since = excluded.doubt_since, needs_person = excluded.needs_person, reason = excluded.reason`,
      [storableJson(facts.opened), chain],
    );
  }
  if (facts.voids.length > 0) {
    await queries.query(
      `INSERT INTO voids (payment_id, operation_id)
       SELECT payment_id, operation_id FROM json_populate_recordset(NULL::voids, $1::json) ON CONFLICT DO NOTHING`,
      [storableJson(facts.voids)],
    );
  }
  if (facts.batchStarts.length > 0) {
    await queries.query(
      `INSERT INTO batches (
         chain, batch_id, protocol, terminal_id, currency, started_at, expected_count, expected_minor, settled_count
       )
       SELECT $2, batch_id, protocol, terminal_id, currency, started_at, expected_count, expected_minor, 0
       FROM json_populate_recordset(NULL::batches, $1::json)`,
      [storableJson(facts.batchStarts), chain],
    );
  }
  if (facts.batchEnds.length > 0) {
    await queries.query(
      `UPDATE batches SET ended_at = said.ended_at, outcome = said.outcome, batch_number = said.batch_number,
         count = said.count, total_minor = said.total_minor, reconciled = said.reconciled,
         settled_count = said.settled_count, reason = said.reason
       FROM json_populate_recordset(NULL::batches, $1::json) AS said
       WHERE batches.chain = ANY ($2::integer[]) AND batches.batch_id = said.batch_id`,
      [storableJson(facts.batchEnds), lineage],
    );
  }
  if (facts.discrepancies.length > 0) {
    await queries.query(
      `INSERT INTO discrepancies (chain, ${discrepancyColumns.join(', ')})
       SELECT $2, ${discrepancyColumns.join(', ')} FROM json_populate_recordset(NULL::discrepancies, $1::json)
       ON CONFLICT DO NOTHING`,
      [storableJson(facts.discrepancies), chain],
    );
  }
  if (facts.acknowledgements.length > 0) {
    await queries.query(
      `UPDATE discrepancies SET acknowledged_at = said.acknowledged_at, acknowledged_by = said.acknowledged_by,
         acknowledged_reason = said.acknowledged_reason
       FROM json_populate_recordset(NULL::discrepancies, $1::json) AS said
       WHERE discrepancies.chain = ANY ($2::integer[]) AND discrepancies.discrepancy_id = said.discrepancy_id`,
      [storableJson(facts.acknowledgements), lineage],
    );
  }
  if (facts.decisions.length > 0) {
    await queries.query(
      `INSERT INTO decisions (chain, ${decisionColumns.join(', ')})
       SELECT $2, ${decisionColumns.join(', ')} FROM json_populate_recordset(NULL::decisions, $1::json)`,
      [storableJson(facts.decisions), chain],
    );
  }
  if (facts.terminal !== null) {
    const { protocol, terminal_id, ready_at, lost_at, bridge_version, traits } = facts.terminal;
    await queries.query(
      `INSERT INTO terminals (chain, protocol, terminal_id, ready_at, lost_at, bridge_version, traits)
       VALUES ($1, coalesce($2::text, ''), $3, $4, $5, $6, $7::text[])
       ON CONFLICT (chain) DO UPDATE SET
         protocol = coalesce($2::text, terminals.protocol),
         terminal_id = coalesce(excluded.terminal_id, terminals.terminal_id),
         ready_at = coalesce(excluded.ready_at, terminals.ready_at),
         lost_at = coalesce(excluded.lost_at, terminals.lost_at),
         bridge_version = coalesce(excluded.bridge_version, terminals.bridge_version),
         traits = ARRAY(SELECT DISTINCT trait FROM unnest(terminals.traits || excluded.traits) AS trait ORDER BY trait)`,
      [chain, protocol, terminal_id, ready_at, lost_at, bridge_version, traits.map(storableText)],
    );
  }
  return { knownElsewhere };
}

function keysOf(payment: PaymentChange & { reference?: string }, shopId: string) {
  const { day, payment_id, reference, receipt_number, card_digits, approval_code } = payment;
  const keys: string[] = [];
  if (reference !== undefined) keys.push(paymentKey({ kind: 'reference', reference }));
  if (receipt_number !== null)
    keys.push(paymentKey({ kind: 'receipt', shopId, receiptNumber: receipt_number }));
  if (card_digits !== null && approval_code !== null)
    keys.push(paymentKey({ kind: 'card', digits: card_digits, approvalCode: approval_code }));
  return keys.map((key) => ({ key, day, payment_id }));
}

const paymentTypes = {
  day: 'date',
  payment_id: 'uuid',
  reference: 'text',
  condition_code: 'text',
  amount_minor: 'bigint',
  currency: 'text',
  status: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  completed_at: 'timestamptz',
  protocol: 'text',
  terminal_id: 'text',
  taken_minor: 'bigint',
  receipt_number: 'text',
  trace_number: 'text',
  approval_code: 'text',
  card_digits: 'text',
  card_scheme: 'text',
  reason: 'text',
  decided_by: 'text',
  batch_id: 'uuid',
  batch_number: 'text',
  first_seq: 'bigint',
  last_seq: 'bigint',
} as const;

type PaymentColumn = keyof typeof paymentTypes;
const newPaymentColumns = Object.keys(paymentTypes) as PaymentColumn[];
const changedColumns: readonly PaymentColumn[] = [
  'status',
  'completed_at',
  'terminal_id',
  'taken_minor',
  'receipt_number',
  'trace_number',
  'approval_code',
  'card_digits',
  'card_scheme',
  'reason',
  'decided_by',
  'batch_id',
  'batch_number',
];
const openColumns = [
  'operation_id',
  'kind',
  'payment_id',
  'reference',
  'amount_minor',
  'currency',
  'started_at',
  'doubt_since',
  'needs_person',
  'reason',
];
const discrepancyColumns = [
  'discrepancy_id',
  'kind',
  'message',
  'operation_id',
  'refs',
  'amount_minor',
  'currency',
  'found_at',
];
const decisionColumns = [
  'seq',
  'kind',
  'decided_at',
  'decided_by',
  'reason',
  'outcome',
  'operation_id',
  'payment_id',
];
