/**
 * What people ask for: payments by what stands on a receipt or in the books, newest first, and one payment with all that
 * happened to it.
 *
 * Each question touches a bounded number of partitions, however many days there are. What is known of the payment alone
 * (reference, card and approval code, receipt in a shop) goes by `payment_keys`, which names the days; an amount, a shop or
 * a terminal goes through windows of days, from the newest back, until a page is full.
 */
import { z } from 'zod';
import {
  endsSoon,
  type FoundPayment,
  type PaymentPage,
  type PaymentWithTimeline,
  type TimelineEvent,
} from '../contract/office-page.ts';
import { dayAfter, dayOf, dayOfPayment, type Day } from './database/days.ts';
import type { Database, Queries } from './database/database.ts';
import type { DividedTable } from './database/partitions.ts';
import { paymentKey, withoutCase, withoutZeros } from './payment-keys.ts';

const searchFields = z.strictObject({
  reference: z.string().min(1).max(256).optional(),
  cardDigits: z
    .string()
    .regex(/^\d{4}$/, 'must be the last four digits')
    .optional(),
  approvalCode: z.string().min(1).max(64).optional(),
  receiptNumber: z.string().min(1).max(64).optional(),
  shopId: z.uuid().optional(),
  terminalId: z.string().min(1).max(128).optional(),
  amountMinor: z.number().int().optional(),
  currency: z.string().max(8).optional(),
  status: z.string().max(32).optional(),
  /** Moments (ISO 8601): from, and up to but not with. */
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  simulated: z.boolean().default(false),
  /** `next` of the page before. */
  before: z.string().max(128).optional(),
  limit: z.number().int().min(1).max(200).default(50),
});
export const paymentSearchSchema = searchFields.refine(endsSoon, {
  path: ['from'],
  message:
    'Say from when on, or which shop: by status, currency, card digits, approval code or receipt number alone, every ' +
    'day there is would be searched.',
});
type PaymentSearch = z.infer<typeof paymentSearchSchema>;

export interface Search {
  payments(search: PaymentSearch): Promise<PaymentPage>;
  payment(paymentId: string): Promise<PaymentWithTimeline | null>;
  /** The day of a payment that is not there because its day was taken out of the database; null: it is not known. */
  archivedDayOf(paymentId: string): Promise<Day | null>;
}

/**
 * How many days one statement looks at, from the newest back: first little, as most questions end there, then the last
 * number again and again. It locks each of its partitions with all of their indexes, and PostgreSQL has room for 6,400
 * such locks in all (`max_locks_per_transaction`), whoever asks at the same moment.
 */
const windowDays = [2, 8, 32];
const largestWindowDays = 64;
/** A payment's row lies in the day of its id, whose time is taken shortly before that of its first event. */
const dayTolerance = 1;
/** Before the first Tillbridge: earlier days are those of clocks that began anew, and few payments lie there. */
const earliestDay: Day = '2026-01-01';
const noDayBefore: Day = '-infinity';
/** How many payments of one key are looked at: more than that have the same reference only by design of a till. */
const maxOfKey = 500;
const maxArchivedDays = 100;

export function createSearch(database: Database, clock: { now(): number }): Search {
  return {
    async payments(search) {
      const key = keyOf(search);
      return key === null
        ? await byWindows(database, search, clock.now())
        : await byKey(database, search, key);
    },
    async payment(paymentId) {
      const day = dayOfPayment(paymentId);
      const [payment] = await database.query<FoundPayment & Bounds>(
        `SELECT ${columns}, payments.chain, first_received_on, last_received_on FROM ${tables}
         WHERE payments.day = $1 AND payments.payment_id = $2`,
        [day, paymentId],
      );
      if (payment === undefined) return null;
      const { chain, first_received_on, last_received_on, ...found } = payment;
      const bounds = { chain, first_received_on, last_received_on };
      const [events, archived] = await Promise.all([
        eventsOf(database, paymentId, bounds),
        daysTakenOut(database, 'events', first_received_on, dayAfter(last_received_on)),
      ]);
      return { payment: found, events, archived };
    },
    async archivedDayOf(paymentId) {
      const day = dayOfPayment(paymentId);
      const [known] = await daysTakenOut(database, 'payments', day, dayAfter(day));
      return known ?? null;
    },
  };
}

interface Bounds {
  chain: number;
  first_received_on: Day;
  last_received_on: Day;
}

const columns = `payments.payment_id, payments.shop_id, shops.name AS shop, payments.terminal, payments.simulated,
  payments.reference, payments.condition_code, payments.amount_minor, payments.taken_minor, payments.currency,
  payments.status, payments.created_at, payments.updated_at, payments.completed_at, payments.protocol,
  payments.terminal_id, payments.receipt_number, payments.trace_number, payments.approval_code, payments.card_digits,
  payments.card_scheme, payments.reason, payments.decided_by, payments.batch_number,
  EXISTS (
    SELECT FROM chains WHERE chains.chain = payments.chain AND chains.in_journal_to < payments.last_seq
  ) AS not_in_journal`;
const tables = 'payments JOIN shops ON shops.shop_id = payments.shop_id';

/** The key that finds the payments by itself; null: the question needs its days. */
function keyOf(search: PaymentSearch): bigint | null {
  const { reference, cardDigits, approvalCode, receiptNumber, shopId } = search;
  if (reference !== undefined) return paymentKey({ kind: 'reference', reference });
  if (cardDigits !== undefined && approvalCode !== undefined)
    return paymentKey({ kind: 'card', digits: cardDigits, approvalCode });
  if (receiptNumber !== undefined && shopId !== undefined)
    return paymentKey({ kind: 'receipt', shopId, receiptNumber });
  return null;
}

async function byKey(queries: Queries, search: PaymentSearch, key: bigint): Promise<PaymentPage> {
  const { from, to } = daysOf(search);
  const rows = await queries.query<{ day: Day; payment_id: string }>(
    `SELECT day, payment_id FROM payment_keys WHERE key = $1 AND day >= $2 AND day < $3 ORDER BY day DESC LIMIT $4`,
    [key, from ?? noDayBefore, to ?? 'infinity', maxOfKey],
  );
  if (rows.length === 0) return { payments: [], next: null, archived: [] };
  const days = [...new Set(rows.map(({ day }) => day))];
  const found: FoundPayment[] = [];
  const { conditions, values } = conditionsOf(search);
  // A question for each day, so that it is planned for one partition.
  for (const day of days) {
    if (found.length > search.limit) break;
    const ids = rows.filter((row) => row.day === day).map(({ payment_id }) => payment_id);
    found.push(
      ...(await queries.query<FoundPayment>(
        `SELECT ${columns} FROM ${tables}
         WHERE payments.day = '${day}' AND payments.payment_id = ANY ($1::uuid[]) ${conditions(2)}
         ORDER BY payments.created_at DESC, payments.payment_id DESC`,
        [ids, ...values],
      )),
    );
  }
  const there = new Set(found.map(({ payment_id }) => payment_id));
  const missing = new Set(rows.filter(({ payment_id }) => !there.has(payment_id)).map(({ day }) => day));
  const archived = await daysTakenOut(
    queries,
    'payments',
    days.at(-1) ?? earliestDay,
    dayAfter(days[0] ?? earliestDay),
  );
  return pageOf(
    found.toSorted(newestFirst),
    search.limit,
    archived.filter((day) => missing.has(day)),
  );
}

async function byWindows(queries: Queries, search: PaymentSearch, now: number): Promise<PaymentPage> {
  const { conditions, values } = conditionsOf(search);
  const { from, to: newest } = daysOf(search);
  // Where nobody says up to when: with all whose bridge has a clock that is ahead.
  let to = newest;
  const newestDay = to ?? dayAfter(dayOf(now));
  let lookedFrom = newestDay;
  const found: FoundPayment[] = [];
  const hasDaysBefore = (day: Day | null) => day === null || from === null || day > from;
  for (let window = 0; hasDaysBefore(to); window += 1) {
    const start = startOf(window, to);
    found.push(
      ...(await queries.query<FoundPayment>(
        `SELECT ${columns} FROM ${tables}
         WHERE payments.day >= '${start}' AND payments.day < '${to ?? 'infinity'}' ${conditions(1)}
         ORDER BY payments.created_at DESC, payments.payment_id DESC LIMIT ${search.limit + 1}`,
        values,
      )),
    );
    lookedFrom = start;
    if (found.length > search.limit || start === noDayBefore) break;
    to = start;
  }
  const archived = await daysTakenOut(queries, 'payments', lookedFrom, newestDay);
  return pageOf(found.toSorted(newestFirst), search.limit, archived);

  function startOf(window: number, end: Day | null): Day {
    // All of them at once: next to none has a partition of its own.
    if (end !== null && end <= earliestDay) return from ?? noDayBefore;
    const days = windowDays[window] ?? largestWindowDays;
    return later(dayAfter(end ?? dayOf(now), -days), later(from ?? earliestDay, earliestDay));
  }
}

/** The first day that can have what is asked for, and the one behind the last; null: nobody says. */
function daysOf({ from, to, before }: PaymentSearch): { from: Day | null; to: Day | null } {
  const newest = cursorOf(before)?.createdAt ?? to;
  return {
    from: from === undefined ? null : dayAfter(utcDay(from), -dayTolerance),
    to: newest === undefined ? null : dayAfter(utcDay(newest), dayTolerance + 1),
  };
}

/** What the rows must be, behind a WHERE, and the values for it; `from` is the number of the first one. */
function conditionsOf(search: PaymentSearch): { conditions: (from: number) => string; values: unknown[] } {
  const before = cursorOf(search.before);
  const asked: [string, unknown][] = (
    [
      ['payments.simulated = ?', search.simulated],
      ['payments.reference = ?', search.reference],
      ['payments.card_digits = ?', search.cardDigits],
      [
        'upper(payments.approval_code) = ?',
        search.approvalCode === undefined ? undefined : withoutCase(search.approvalCode),
      ],
      [
        "ltrim(payments.receipt_number, '0') = ltrim(?, '0')",
        search.receiptNumber === undefined ? undefined : withoutZeros(search.receiptNumber),
      ],
      ['payments.shop_id = ?', search.shopId],
      ['payments.terminal_id = ?', search.terminalId],
      ['payments.amount_minor = ?', search.amountMinor],
      ['payments.currency = ?', search.currency],
      ['payments.status = ?', search.status],
      ['payments.created_at >= ?', search.from],
      ['payments.created_at < ?', search.to],
      ['payments.created_at <= ?', before?.createdAt],
    ] satisfies [string, unknown][]
  ).filter(([, value]) => value !== undefined);
  const conditions = (from: number) => {
    let number = from;
    const parts = asked.map(([condition]) => condition.replace('?', () => `$${number++}`));
    if (before !== null) {
      parts.push(`(payments.created_at, payments.payment_id) < ($${number++}, $${number})`);
    }
    return parts.map((part) => `AND ${part}`).join(' ');
  };
  const values = asked.map(([, value]) => value);
  return { conditions, values: before === null ? values : [...values, before.createdAt, before.paymentId] };
}

interface Cursor {
  createdAt: string;
  paymentId: string;
}

const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([0-9a-f-]{36})$/;

function cursorOf(text: string | undefined): Cursor | null {
  const [, createdAt, paymentId] = cursorPattern.exec(text ?? '') ?? [];
  return createdAt === undefined || paymentId === undefined ? null : { createdAt, paymentId };
}

/** The newest first; from, and up to but not with. */
async function daysTakenOut(queries: Queries, table: DividedTable, from: Day, to: Day): Promise<Day[]> {
  const rows = await queries.query<{ day: Day }>(
    `SELECT day FROM archived_days WHERE divided = $1 AND day >= $2 AND day < $3 ORDER BY day DESC LIMIT $4`,
    [table, from, to, maxArchivedDays],
  );
  return rows.map(({ day }) => day);
}

function pageOf(found: FoundPayment[], limit: number, archived: Day[]): PaymentPage {
  const payments = found.slice(0, limit);
  const last = payments.at(-1);
  const more = found.length > limit && last !== undefined;
  return { payments, next: more ? `${last.created_at}_${last.payment_id}` : null, archived };
}

function newestFirst(one: FoundPayment, other: FoundPayment): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  return one.payment_id < other.payment_id ? 1 : -1;
}

function utcDay(moment: string): Day {
  return dayOf(Date.parse(moment));
}

function later(one: Day, other: Day): Day {
  return one > other ? one : other;
}

/** Everything that was said of a payment: of its sale, and of the operations that were to reverse it. */
async function eventsOf(
  queries: Queries,
  paymentId: string,
  { chain, ...days }: Bounds,
): Promise<TimelineEvent[]> {
  const rows = await queries.query<{
    seq: number;
    at: string;
    received_on: Day;
    body: string;
    in_journal: boolean;
  }>(
    `WITH RECURSIVE journal AS (
       SELECT chain, branch_of, in_journal_to FROM chains WHERE chain = $2
       UNION ALL
       SELECT parent.chain, parent.branch_of, parent.in_journal_to
       FROM journal JOIN LATERAL (
         -- One by one: PostgreSQL thinks that there are many, and would read every chain for that.
         SELECT chain, branch_of, in_journal_to FROM chains WHERE chain = journal.branch_of LIMIT 1
       ) AS parent ON true
     )
     SELECT events.seq, events.at, events.received_on, events.body,
       events.seq <= coalesce(journal.in_journal_to, events.seq) AS in_journal
     FROM events JOIN journal USING (chain)
     WHERE events.received_on BETWEEN $3 AND $4 AND events.operation_id = ANY (
       ARRAY(SELECT operation_id FROM voids WHERE payment_id = $1) || $1::uuid
     )
     ORDER BY events.seq`,
    [paymentId, chain, days.first_received_on, days.last_received_on],
  );
  return rows.map(({ body, ...row }) => ({ ...row, event: JSON.parse(body) as Record<string, unknown> }));
}
