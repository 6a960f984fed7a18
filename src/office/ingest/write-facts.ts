/** Writes what a run of events changes: a statement for each table, however many rows. */
import { newestDayToLeave, type Day } from '../database/days.ts';
import type { Queries, Transaction } from '../database/database.ts';
import { storableJson, storableText } from '../database/storable.ts';
import { paymentKey } from '../payment-keys.ts';
import type { NewPayment, PaymentChange } from './fact-rows.ts';
import type { Facts } from './facts.ts';
import { changePayments, paymentTypes, takenOutOf, type PaymentColumn } from './payment-changes.ts';
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
  /** When the office took it, or could read it at last (ISO 8601). */
  receivedAt: string;
  /**
   * Whether the payments that begin in it are known. `new`: none is, which takes less work; where one is, it rejects with
   * a violation of uniqueness. `again`: these events were read before, by an older office, and what another chain has said
   * of a payment since stays.
   */
  payments: 'new' | 'perhaps known' | 'again';
}

export async function writeEvents(
  queries: Transaction,
  events: readonly SentEvent[],
  { chain, receivedOn }: Pick<Origin, 'chain' | 'receivedOn'>,
): Promise<void> {
  await queries.copy(
    'events',
    eventColumns,
    events.map(({ seq, at, body, hash, event }) => [
      receivedOn,
      chain,
      seq,
      at,
      body,
      hash,
      operationOf(event),
    ]),
  );
}

const eventColumns = {
  received_on: 'date',
  chain: 'integer',
  seq: 'bigint',
  at: 'text',
  body: 'text',
  hash: 'bytea',
  operation_id: 'uuid',
} as const;
/**
 * A repaired journal tells by new numbers what it has kept behind a gap: these payments are in it still, and no other
 * journal's. Gives how many there are of them.
 */
async function takeOver(
  queries: Queries,
  known: readonly NewPayment[],
  { chain, shopId, terminal, simulated, receivedOn }: Origin,
): Promise<number> {
  const days = [...new Set(known.map(({ day }) => day))];
  const rows = await queries.query(
    `UPDATE payments SET chain = $2, last_seq = said.last_seq, last_received_on = $6
     FROM json_to_recordset($1::json) AS said (day date, payment_id uuid, last_seq bigint)
     WHERE payments.day = ANY ('{${days.join(',')}}'::date[])
       AND payments.day = said.day AND payments.payment_id = said.payment_id
       AND payments.shop_id = $3 AND payments.terminal = $4 AND payments.simulated = $5
     RETURNING payments.payment_id`,
    [storableJson(known), chain, shopId, terminal, simulated, receivedOn],
  );
  return rows.length;
}

const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Null: the event is of no operation, or calls it by what is no UUID. */
function operationOf(event: Record<string, unknown>): string | null {
  const id = event['operationId'];
  return typeof id === 'string' && uuidPattern.test(id) ? id : null;
}

/** What was found while the facts were written: payments of this journal that another one has told of before. */
export interface Written {
  knownElsewhere: number;
}

export async function writeFacts(queries: Transaction, facts: Facts, origin: Origin): Promise<Written> {
  const { chain, lineage, shopId, terminal, simulated, receivedOn, receivedAt } = origin;
  const again = origin.payments === 'again';
  let knownElsewhere = 0;
  const newPayments = await notTakenOut(queries, facts.newPayments, receivedOn);
  if (newPayments.length > 0 && origin.payments === 'new') {
    const of = [chain, shopId, terminal, simulated, receivedOn, receivedOn];
    await queries.copy(
      'payments',
      { ...originTypes, ...paymentTypes },
      newPayments.map((payment) => [...of, ...newPaymentColumns.map((column) => payment[column])]),
    );
  } else if (newPayments.length > 0) {
    const written = await queries.query<{ payment_id: string }>(
      `INSERT INTO payments (${[...Object.keys(originTypes), ...newPaymentColumns].join(', ')})
       SELECT $2, $3, $4, $5, $6, $6, ${newPaymentColumns.join(', ')} FROM json_to_recordset($1::json) AS payment (
         ${newPaymentColumns.map((column) => `${column} ${paymentTypes[column]}`).join(', ')}
       )
       ON CONFLICT (day, payment_id) ${again ? sameAgain : 'DO NOTHING'} RETURNING payment_id`,
      [storableJson(newPayments), chain, shopId, terminal, simulated, receivedOn],
    );
    const fresh = new Set(written.map(({ payment_id }) => payment_id));
    const known = newPayments.filter(({ payment_id }) => !fresh.has(payment_id));
    const own = known.length === 0 || again ? 0 : await takeOver(queries, known, origin);
    knownElsewhere = known.length - own;
  }
  knownElsewhere += facts.newPayments.length - newPayments.length;
  if (facts.paymentChanges.length > 0)
    await changePayments(queries, facts.paymentChanges, { chain, shopId, receivedOn, again });
  const keys = [...facts.newPayments, ...facts.paymentChanges].flatMap((payment) => keysOf(payment, shopId));
  if (keys.length > 0 && origin.payments === 'new') {
    await queries.copy(
      'payment_keys',
      keyColumns,
      keys.map(({ key, day, payment_id }) => [key, day, payment_id]),
    );
  } else if (keys.length > 0) {
    await queries.query(
      `INSERT INTO payment_keys (key, day, payment_id)
       SELECT key, day, payment_id FROM json_to_recordset($1::json) AS found (key bigint, day date, payment_id uuid)
       ON CONFLICT DO NOTHING`,
      [storableJson(keys.map((found) => ({ ...found, key: `${found.key}` })))],
    );
  }
  if (facts.closed.length > 0) {
    await queries.query('DELETE FROM open_operations WHERE chain = $1 AND operation_id = ANY ($2::uuid[])', [
      chain,
      facts.closed,
    ]);
  }
  if (facts.opened.length > 0) {
    // A doubt that was received before stays as old as it is, also where the journal goes on from a copy.
    await queries.query(
      `INSERT INTO open_operations (chain, ${openColumns.join(', ')}, doubt_received_at)
       SELECT $2, ${openColumns.join(', ')}, CASE WHEN doubt_since IS NOT NULL THEN coalesce((
         SELECT min(known.doubt_received_at) FROM open_operations AS known
         WHERE known.chain = ANY ($3::integer[]) AND known.operation_id = said.operation_id
       ), $4::timestamptz) END
       FROM json_populate_recordset(NULL::open_operations, $1::json) AS said
       ON CONFLICT (chain, operation_id) DO UPDATE SET
         ${[...openColumns.slice(1), 'doubt_received_at'].map((column) => `${column} = excluded.${column}`).join(', ')}`,
      [storableJson(facts.opened), chain, lineage, receivedAt],
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
         chain, batch_id, protocol, terminal_id, currency, started_at, arrived_at, expected_count, expected_minor,
         settled_count
       )
       SELECT $2, batch_id, protocol, terminal_id, currency, started_at, arrived_at, expected_count, expected_minor, 0
       FROM json_populate_recordset(NULL::batches, $1::json) ON CONFLICT DO NOTHING`,
      [storableJson(facts.batchStarts), chain],
    );
  }
  if (facts.batchEnds.length > 0) {
    await queries.query(
      `UPDATE batches SET ended_at = said.ended_at, outcome = said.outcome, batch_number = said.batch_number,
         count = said.count, total_minor = said.total_minor, reconciled = said.reconciled,
         settled_count = said.settled_count, reason = said.reason, told_currency = said.told_currency,
         totals = said.totals
       FROM json_populate_recordset(NULL::batches, $1::json) AS said
       WHERE batches.chain = ANY ($2::integer[]) AND batches.batch_id = said.batch_id`,
      [storableJson(facts.batchEnds), lineage],
    );
  }
  if (facts.batchRecords.length > 0) {
    await queries.query(
      `UPDATE batches SET told_terminal_id = said.told_terminal_id, told_merchant_id = said.told_merchant_id,
         told_number = said.told_number
       FROM json_populate_recordset(NULL::batches, $1::json) AS said
       WHERE batches.chain = ANY ($2::integer[]) AND batches.batch_id = said.batch_id`,
      [storableJson(facts.batchRecords), lineage],
    );
  }
  if (facts.discrepancies.length > 0) {
    await queries.query(
      `INSERT INTO discrepancies (chain, ${discrepancyColumns.join(', ')}, received_at)
       SELECT $2, ${discrepancyColumns.join(', ')}, $3 FROM json_populate_recordset(NULL::discrepancies, $1::json)
       ON CONFLICT DO NOTHING`,
      [storableJson(facts.discrepancies), chain, receivedAt],
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
       SELECT $2, ${decisionColumns.join(', ')} FROM json_populate_recordset(NULL::decisions, $1::json)
       ON CONFLICT DO NOTHING`,
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

/** Only those of long ago can be missing with their day. */
async function notTakenOut(
  queries: Queries,
  payments: readonly NewPayment[],
  today: Day,
): Promise<readonly NewPayment[]> {
  if (payments.length === 0) return payments;
  const newest = newestDayToLeave(Date.parse(today));
  const old = payments.filter(({ day }) => day < newest);
  if (old.length === 0) return payments;
  const takenOut = await takenOutOf(queries, old);
  return payments.filter(({ payment_id }) => !takenOut.has(payment_id));
}

function keysOf(payment: PaymentChange & { reference?: string }, shopId: string) {
  const { day, payment_id, reference, receipt_number, card_digits, approval_code } = payment;
  const keys: bigint[] = [];
  if (reference !== undefined) keys.push(paymentKey({ kind: 'reference', reference }));
  if (receipt_number !== null)
    keys.push(paymentKey({ kind: 'receipt', shopId, receiptNumber: receipt_number }));
  if (card_digits !== null && approval_code !== null)
    keys.push(paymentKey({ kind: 'card', digits: card_digits, approvalCode: approval_code }));
  return keys.map((key) => ({ key, day, payment_id }));
}

const originTypes = {
  chain: 'integer',
  shop_id: 'uuid',
  terminal: 'text',
  simulated: 'boolean',
  first_received_on: 'date',
  last_received_on: 'date',
} as const;
const keyColumns = { key: 'bigint', day: 'date', payment_id: 'uuid' } as const;
const newPaymentColumns = Object.keys(paymentTypes) as PaymentColumn[];
/** For a payment that is there already, of events that are read again. */
const sameAgain = `DO UPDATE SET ${newPaymentColumns
  .filter((column) => column !== 'day' && column !== 'payment_id')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')} WHERE payments.chain = excluded.chain`;
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
  'seq',
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
  'discrepancy_id',
];
