/**
 * Fills the office's tables by SQL, as its ingest would have: payments of many days, with what finds them. What a payment
 * is follows from its number alone, so whoever asks knows what has to be found.
 */
import { createPartitions } from '../../../src/office/database/partitions.ts';
import { dayAfter, type Day } from '../../../src/office/database/days.ts';
import type { Database } from '../../../src/office/database/database.ts';

export interface Filling {
  firstDay: Day;
  paymentsOfDay: number;
  shops: number;
  /** How many payments' events are written: those of the first payments of each day. */
  eventsOfDay?: number;
}

/** How many different amounts there are, and numbers of receipts in a shop. */
const amounts = 20_000;
const receipts = 10_000;
const dayMs = 24 * 60 * 60_000;

/** The shops with one bridge and one journal each; every fourth has an operation in doubt, a discrepancy and a finding. */
export async function fillShops(database: Database, { firstDay, shops }: Filling): Promise<void> {
  await database.run(`
    INSERT INTO shops (shop_id, name, created_at)
      SELECT ${shopId('n')}, 'Shop ' || n, '${firstDay}' FROM generate_series(0, ${shops - 1}) AS n;
    INSERT INTO bridges (bridge_id, shop_id, computer, key_hash, enrolled_at, version, heard_at)
      SELECT ${shopId('n')}, ${shopId('n')}, 'till', sha256(n::text::bytea), '${firstDay}', '0.1.0', now()
      FROM generate_series(0, ${shops - 1}) AS n;
    INSERT INTO chains (chain_id, shop_id, terminal, simulated, bridge_id, head_seq, head_hash, grown_at)
      SELECT ${shopId('n')}, ${shopId('n')}, 'main', false, ${shopId('n')}, 0, '\\x00', '${firstDay}'
      FROM generate_series(0, ${shops - 1}) AS n;
    INSERT INTO terminals (chain, protocol, terminal_id, traits)
      SELECT chain, 'zvt', ${terminalId('chain - 1')}, '{}' FROM chains;
    INSERT INTO open_operations (
        chain, operation_id, kind, payment_id, reference, amount_minor, currency, started_at, doubt_since, needs_person, reason
      )
      SELECT chain, chain_id, 'sale', chain_id, 'D-' || chain, 1200, 'EUR', '${firstDay}', '${firstDay}', true, 'The line was lost.'
      FROM chains WHERE chain % 4 = 0;
    INSERT INTO discrepancies (chain, discrepancy_id, kind, message, refs, found_at)
      SELECT chain, chain_id, 'other_amount', 'It differs.', '{}', '${firstDay}' FROM chains WHERE chain % 4 = 0;
    INSERT INTO findings (finding_id, chain, bridge_id, terminal, simulated, kind, seq, message, found_at)
      SELECT chain_id, chain, bridge_id, 'main', false, 'journal_behind', 1, 'It ends before.', '${firstDay}'
      FROM chains WHERE chain % 4 = 0;
  `);
}

/** The payments of day number `day` (from 0 on) and their events, without the keys. */
export async function fillDay(database: Database, filling: Filling, day: number): Promise<void> {
  const { firstDay, paymentsOfDay, eventsOfDay = 0 } = filling;
  const date = dayAfter(firstDay, day);
  const partitions = createPartitions(database, { now: () => Date.parse(date) });
  await partitions.prepare('payments', [date]);
  await partitions.prepare('events', [date]);
  const from = day * paymentsOfDay;
  const { at, id, shop } = partsOf(filling, day);
  await database.run(`
    INSERT INTO payments (
      day, payment_id, chain, shop_id, terminal, simulated, reference, condition_code, amount_minor, currency, status,
      created_at, updated_at, completed_at, protocol, terminal_id, taken_minor, receipt_number, trace_number, approval_code,
      card_digits, card_scheme, reason, first_seq, last_seq, first_received_on, last_received_on
    )
    SELECT '${date}', ${id}, ${shop} + 1, ${shopId(shop)}, 'main', false, ${reference('n')}, '00',
      ${amount('n')}, 'EUR', CASE WHEN n % 20 = 0 THEN 'declined' ELSE 'approved' END,
      ${at}, ${at} + interval '6 s', ${at} + interval '6 s', 'zvt', ${terminalId(shop)}, ${amount('n')},
      ${receipt(filling)}, lpad((n % 1000000)::text, 6, '0'), ${approvalCode('n')}, ${cardDigits('n')}, 'Visa', 'Approved.',
      1, 5, '${date}', '${date}'
    FROM generate_series(${from}::bigint, ${from + paymentsOfDay - 1}::bigint) AS n
  `);
  if (eventsOfDay > 0) {
    await database.run(`
      INSERT INTO events (received_on, chain, seq, at, body, hash, operation_id)
      SELECT '${date}', ${shop} + 1, n * 5 + place, '${date}T08:00:00.000Z', '{"type":"result_received"}', sha256(n::text::bytea), ${id}
      FROM generate_series(${from}::bigint, ${from + eventsOfDay - 1}::bigint) AS n, generate_series(1, 5) AS place
    `);
  }
}

/** What finds the payments of these days. */
export async function fillKeys(
  database: Database,
  { firstDay }: Filling,
  days: { from: number; to: number },
): Promise<void> {
  await database.run(`
    INSERT INTO payment_keys (key, day, payment_id)
    SELECT key, day, payment_id FROM payments CROSS JOIN LATERAL (VALUES
      (${keyOf("'reference' || E'\\n' || reference")}),
      (${keyOf("'card' || E'\\n' || card_digits || E'\\n' || approval_code")}),
      (${keyOf("'receipt' || E'\\n' || shop_id || E'\\n' || receipt_number")})
    ) AS found (key)
    WHERE day >= '${dayAfter(firstDay, days.from)}' AND day < '${dayAfter(firstDay, days.to)}'
  `);
}

export interface FilledPayment {
  paymentId: string;
  reference: string;
  shopId: string;
  terminalId: string;
  amountMinor: number;
  receiptNumber: string;
  cardDigits: string;
  approvalCode: string;
  createdAt: string;
}

/** Payment number `number`, as it was filled in. */
export async function filledPayment(
  database: Database,
  filling: Filling,
  number: number,
): Promise<FilledPayment> {
  const { at, id, shop } = partsOf(filling, Math.floor(number / filling.paymentsOfDay));
  const [payment] = await database.query<FilledPayment>(
    `SELECT ${id} AS "paymentId", ${reference('n')} AS reference, ${shopId(shop)} AS "shopId", ${terminalId(shop)} AS "terminalId",
       ${amount('n')} AS "amountMinor", ${receipt(filling)} AS "receiptNumber", ${cardDigits('n')} AS "cardDigits",
       ${approvalCode('n')} AS "approvalCode", ${at} AS "createdAt"
     FROM (SELECT ${number}::bigint AS n) AS asked`,
  );
  if (payment === undefined) throw new Error('There is no such payment.');
  return payment;
}

/** SQL for the payment number n of this day. */
function partsOf({ firstDay, paymentsOfDay, shops }: Filling, day: number) {
  const start = Date.parse(dayAfter(firstDay, day));
  const ms = `(${start} + (n - ${day * paymentsOfDay}) * ${dayMs} / ${paymentsOfDay})`;
  return {
    at: `to_timestamp(${ms} / 1000.0)`,
    // UUID version 7: milliseconds, and here the payment's own number in place of chance.
    id: `(lpad(to_hex(${ms}), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid`,
    shop: `(n % ${shops})`,
  };
}

function shopId(number: string): string {
  return `('018f0000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}

function terminalId(shop: string): string {
  return `(52500000 + ${shop})::text`;
}

function reference(number: string): string {
  return `'R-' || ${number}`;
}

function amount(number: string): string {
  return `100 + ${hashed(number, 1, amounts)}`;
}

function receipt({ shops }: Filling): string {
  return `(1 + n / ${shops} % ${receipts - 1})::text`;
}

function cardDigits(number: string): string {
  return `lpad((${hashed(number, 2, 10_000)})::text, 4, '0')`;
}

function approvalCode(number: string): string {
  return `lpad((${hashed(number, 3, 1_000_000)})::text, 6, '0')`;
}

/** Without the order of the numbers in it, as what people pay has none. */
function hashed(number: string, seed: number, below: number): string {
  return `(hashint8extended(${number}, ${seed}) & 1073741823) % ${below}`;
}

/** As `payment-keys.ts` makes it. */
function keyOf(text: string): string {
  return `('x' || encode(substr(sha256(convert_to(${text}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint`;
}
