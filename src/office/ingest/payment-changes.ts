/** What later events say of payments: written to their rows, or kept for those whose day was taken out of the database. */
import type { Day } from '../database/days.ts';
import type { Queries } from '../database/database.ts';
import { storableJson } from '../database/storable.ts';
import { paymentKey } from '../payment-keys.ts';
import type { NewPayment, PaymentChange } from './fact-rows.ts';

/** A column of `payments` that events fill, with its type. */
export const paymentTypes = {
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
export type PaymentColumn = keyof typeof paymentTypes;

const changedColumns = [
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
] as const satisfies readonly PaymentColumn[];

export interface LateChange {
  change: PaymentChange;
  chain: number;
  shop_id: string;
  received_on: Day;
}

interface ChangedIn {
  chain: number;
  shopId: string;
  receivedOn: Day;
  /** These events were read before: what another chain has said of a payment since stays. */
  again: boolean;
}

export async function changePayments(
  queries: Queries,
  changes: readonly PaymentChange[],
  { chain, shopId, receivedOn, again }: ChangedIn,
): Promise<void> {
  // Most say little: those of a close change four columns, and all others would be carried along for nothing.
  const said = changedColumns.filter((column) => changes.some((change) => change[column] !== null));
  const rows = changes.map((change) => {
    const { day, payment_id, updated_at, last_seq } = change;
    const row: Partial<PaymentChange> = { day, payment_id, updated_at, last_seq };
    for (const column of said) Object.assign(row, { [column]: change[column] });
    return row;
  });
  const assigned = [
    'chain = $2',
    'last_received_on = $3',
    'updated_at = said.updated_at',
    'last_seq = said.last_seq',
    ...said.map((column) => `${column} = coalesce(said.${column}, payments.${column})`),
  ];
  const types = ['day', 'payment_id', 'updated_at', 'last_seq', ...said] as const;
  // Named in the statement, so that it is planned for these days alone and locks no other.
  const days = [...new Set(changes.map(({ day }) => day))];
  const changed = await queries.query<{ payment_id: string }>(
    `UPDATE payments SET ${assigned.join(', ')}
     FROM json_to_recordset($1::json) AS said (${types.map((column) => `${column} ${paymentTypes[column]}`).join(', ')})
     WHERE payments.day = ANY ('{${days.join(',')}}'::date[])
       AND payments.day = said.day AND payments.payment_id = said.payment_id AND payments.shop_id = $4
       ${again ? 'AND payments.chain = $2' : ''}
     RETURNING payments.payment_id`,
    [storableJson(rows), chain, receivedOn, shopId],
  );
  if (changed.length === changes.length) return;
  const known = new Set(changed.map(({ payment_id }) => payment_id));
  const missing = changes.filter(({ payment_id }) => !known.has(payment_id));
  await queries.query(
    `INSERT INTO late_payment_changes (payment_id, day, chain, last_seq, received_on, change)
     SELECT (said ->> 'payment_id')::uuid, archived_days.day, $2, (said ->> 'last_seq')::bigint, $3, said
     FROM jsonb_array_elements($1::jsonb) AS said
       JOIN archived_days ON archived_days.day = (said ->> 'day')::date AND divided = 'payments' AND state = 'filed'
     WHERE NOT EXISTS (
       SELECT FROM payments WHERE payments.day = archived_days.day AND payment_id = (said ->> 'payment_id')::uuid
     )
     ON CONFLICT DO NOTHING`,
    [storableJson(missing), chain, receivedOn],
  );
}

/**
 * Their operations are open again, because a journal was put back to before their end. What that end has said of the receipt
 * stays, for whoever looks for it.
 */
export async function reopenPayments(
  queries: Queries,
  changes: readonly PaymentChange[],
  of: Omit<ChangedIn, 'again'>,
): Promise<void> {
  if (changes.length === 0) return;
  await changePayments(queries, changes, { ...of, again: false });
  // A sale whose void is open again is completed all the same.
  const sales = changes.filter(({ status }) => status !== 'voiding');
  const days = [...new Set(sales.map(({ day }) => day))];
  await queries.query(
    `UPDATE payments SET completed_at = NULL, decided_by = NULL
     WHERE day = ANY ('{${days.join(',')}}'::date[]) AND payment_id = ANY ($1::uuid[]) AND shop_id = $2`,
    [sales.map(({ payment_id }) => payment_id), of.shopId],
  );
}

/** Those of the payments whose rows were taken out with their day: they are known all the same. */
export async function takenOutOf(
  queries: Queries,
  payments: readonly NewPayment[],
): Promise<ReadonlySet<string>> {
  const keys = payments.map(({ reference, day, payment_id }) => ({
    key: `${paymentKey({ kind: 'reference', reference })}`,
    day,
    payment_id,
  }));
  const rows = await queries.query<{ payment_id: string }>(
    `SELECT payment_id FROM json_to_recordset($1::json) AS asked (key bigint, day date, payment_id uuid)
       JOIN payment_keys USING (key, day, payment_id) JOIN archived_days ON archived_days.day = asked.day
     WHERE divided = 'payments'`,
    [storableJson(keys)],
  );
  return new Set(rows.map(({ payment_id }) => payment_id));
}
