/**
 * What one look finds, without a database and a clock: from the rows that it is made from to the rows that are written.
 *
 *     batches, statements, decisions ─► reconcile ─► deposits, deposit_entries
 */
import { currencySchema } from '../../contract/money.ts';
import { maskCardNumbers } from '../../log/index.ts';
import {
  accountNumber,
  reconcile,
  ReconcileInputError,
  type AccountEntry,
  type ClosedBatch,
  type Decision,
  type ReceivableResult,
} from '../../reconcile/index.ts';
import { entriesOfAccounts } from '../../statements/index.ts';
import { storableJson } from '../database/storable.ts';
import type { Merchant } from './rules.ts';
import { statementOf, type StatementRow } from './statement-row.ts';

/** An entry that is no batch's money, by a person's word. */
export interface NobodysEntry {
  entryId: string;
  by: string;
  reason: string;
  at: string;
}

/** Of which merchant and of which days. */
export interface LookHead {
  merchant: Merchant;
  /** The names of its shops by their ids. */
  shops: ReadonlyMap<string, string>;
  decisions: Decision[];
  nobodys: NobodysEntry[];
  /** From which day on there are statements, by the accounts' numbers. */
  firstDays: [account: string, from: string][];
  /** Milliseconds since 1970. */
  now: number;
  /** `YYYY-MM-DD`, where the merchant is. */
  today: string;
  /** Entries since then take part: `YYYY-MM-DD`. */
  sinceDay: string;
  /** Batches that were closed since then are told of, in milliseconds since 1970. */
  tellFrom: number;
}

/** Rows as JSON, in any order. */
export interface LookRows {
  /** Of `batchesToLookAt`. */
  batches: string[];
  /** Of `countingStatements`. */
  statements: string[];
}

interface AccountSpan {
  account: string;
  from: string | null;
  until: string | null;
}

/** What is to be there of one table from a day or moment on, before another one. */
export interface FoundPiece {
  table: 'deposits' | 'deposit_entries';
  from: string;
  /** Null: there is no end. */
  until: string | null;
  /** As JSON. */
  rows: string;
}

export interface FoundMoney {
  /** Why nothing could be found; what was found before stays then. */
  message: string | null;
  accounts: AccountSpan[];
  pieces: Iterator<FoundPiece, void>;
}

interface OfficeBatch extends ClosedBatch {
  shopId: string;
}

export function findMoney(head: LookHead, rows: LookRows): FoundMoney {
  const { merchant, sinceDay, today, decisions } = head;
  const { rules } = merchant;
  const batches = rows.batches.flatMap((row) => batchOf(JSON.parse(row) as BatchRow, head.shops));
  const statements = rows.statements.map((row) => statementOf(JSON.parse(row) as StatementRow));
  const read = entriesOfAccounts(statements, rules);
  if (!read.ok) return nothing(read.message, []);
  const { known } = read;
  const first = new Map(head.firstDays);
  const accounts = [...new Set(rules.acquirers.map(({ account }) => account))].map((account) => {
    const ends = known.filter((span) => span.account === account).map((span) => span.until);
    return {
      account,
      from: first.get(accountNumber(account)) ?? null,
      until: ends.toSorted().at(-1) ?? null,
    };
  });
  const nobodys = new Set(head.nobodys.map(({ entryId }) => entryId));
  const ofThen = read.entries.filter(({ date }) => date >= sinceDay);
  const entries = ofThen.filter(({ id }) => !nobodys.has(id));
  try {
    const found = reconcile({ batches, entries, known, decisions, today, explain: false }, rules);
    const parts = found.batches.flatMap((batch) => batch.parts);
    const deposits = depositRows(head, batches, parts, accounts);
    return {
      message: null,
      accounts,
      pieces: piecesOf(head, deposits, entryRows(head, ofThen, found.unexplained, parts)),
    };
  } catch (error) {
    if (error instanceof ReconcileInputError) return nothing(error.message, accounts);
    throw error;
  }
}

function nothing(message: string, accounts: AccountSpan[]): FoundMoney {
  return { message, accounts, pieces: [][Symbol.iterator]() };
}

interface BatchRow {
  batch_id: string;
  shop_id: string;
  terminal: string;
  terminal_id: string | null;
  told_merchant_id: string | null;
  told_number: string | null;
  closed_at: string;
  clock_is_wrong: boolean;
  currency: string;
  count: number | null;
  total_minor: number;
  totals: ClosedBatch['totals'];
}

/** None of a currency that no rule of this version can name: a newer bridge may know one. */
function batchOf(row: BatchRow, shops: ReadonlyMap<string, string>): OfficeBatch[] {
  const currency = currencySchema.safeParse(row.currency);
  if (!currency.success) return [];
  return [
    {
      id: row.batch_id,
      shop: shops.get(row.shop_id) ?? '',
      shopId: row.shop_id,
      terminal: row.terminal,
      terminalId: row.terminal_id,
      merchantId: row.told_merchant_id,
      number: row.told_number,
      // Recovery or a person may have said days later that it was closed.
      closedAt: new Date(row.closed_at).toISOString(),
      clockIsWrong: row.clock_is_wrong,
      currency: currency.data,
      count: row.count,
      totalMinor: row.total_minor,
      totals: row.totals,
    },
  ];
}

/**
 * Of batches from before the first statement of their account nobody can say anything, and nobody is asked. Nor of those of
 * its first day: clocks differ, so the day before a close has to be known as well.
 */
function depositRows(
  { merchant, now, tellFrom }: LookHead,
  batches: readonly OfficeBatch[],
  parts: readonly ReceivableResult[],
  accounts: readonly AccountSpan[],
) {
  const batchById = new Map(batches.map((batch) => [batch.id, batch]));
  const accountOf = new Map(merchant.rules.acquirers.map(({ name, account }) => [name, account]));
  const firstDay = new Map(accounts.map(({ account, from }) => [account, from]));
  const anyFirstDay = accounts.flatMap(({ from }) => from ?? []).toSorted()[0] ?? null;
  return parts.flatMap((part) => {
    const batch = batchById.get(part.batchId);
    if (batch === undefined || Date.parse(batch.closedAt) < tellFrom) return [];
    const account = part.acquirer === null ? null : (accountOf.get(part.acquirer) ?? null);
    const from = account === null ? anyFirstDay : (firstDay.get(account) ?? null);
    const closedOn = part.closedOn ?? batch.closedAt.slice(0, 10);
    if (part.match === null && (from === null || closedOn <= from)) return [];
    return [depositRow(part, batch, { merchant, account, closedOn, now })];
  });
}

function depositRow(
  part: ReceivableResult,
  batch: OfficeBatch,
  {
    merchant,
    account,
    closedOn,
    now,
  }: { merchant: Merchant; account: string | null; closedOn: string; now: number },
) {
  const { match, acquirer, possible } = part;
  const decision = match?.decision ?? null;
  return {
    batch_id: batch.id,
    acquirer: acquirer ?? '',
    merchant: merchant.name,
    shop_id: batch.shopId,
    terminal: batch.terminal,
    simulated: merchant.simulated,
    batch_number: batch.number,
    closed_at: batch.closedAt,
    closed_on: closedOn,
    account,
    currency: batch.currency,
    state: part.state,
    needs_person: part.needsPerson,
    past_due: part.pastDue,
    reason: part.reason,
    gross_minor: part.grossMinor,
    fee_minor: part.feeMinor,
    expected_minor: part.expectedMinor,
    arrived_minor: arrivedOf(part),
    arrived_on: match?.arrivedOn ?? null,
    due_by: part.dueBy,
    banking_days_late: match?.bankingDaysLate ?? 0,
    evidence: match?.evidence ?? null,
    entry_ids: match?.entryIds ?? [],
    possible_ids: possible,
    decided_by: decision?.by ?? null,
    decided_reason: decision?.reason ?? null,
    decided_at: decision?.at ?? null,
    since: new Date(now).toISOString(),
  } satisfies Record<(typeof depositColumns)[number], unknown>;
}

/** What came for this part alone; null where it came with others and cannot be divided. */
function arrivedOf({ match, expectedMinor }: ReceivableResult): number | null {
  if (match === null) return null;
  if (match.batchIds.length === 1) return match.arrivedMinor;
  return match.arrivedMinor === match.expectedMinor ? expectedMinor : null;
}

export const depositColumns = [
  'batch_id',
  'acquirer',
  'merchant',
  'shop_id',
  'terminal',
  'simulated',
  'batch_number',
  'closed_at',
  'closed_on',
  'account',
  'currency',
  'state',
  'needs_person',
  'past_due',
  'reason',
  'gross_minor',
  'fee_minor',
  'expected_minor',
  'arrived_minor',
  'arrived_on',
  'due_by',
  'banking_days_late',
  'evidence',
  'entry_ids',
  'possible_ids',
  'decided_by',
  'decided_reason',
  'decided_at',
  'since',
] as const;

/** Those that somebody may have to look at, or has settled; what has found its batch is in the statements. */
function entryRows(
  { merchant, now, tellFrom, nobodys }: LookHead,
  entries: readonly AccountEntry[],
  unexplained: readonly AccountEntry[],
  parts: readonly ReceivableResult[],
) {
  const from = dayIn(tellFrom);
  const open = new Set(unexplained.filter(({ date }) => date >= from).map(({ id }) => id));
  const named = new Set(
    parts.flatMap(({ match, possible, needsPerson }) =>
      needsPerson ? [...possible, ...(match?.entryIds ?? [])] : [],
    ),
  );
  const settled = new Map(nobodys.map((each) => [each.entryId, each]));
  return entries
    .filter(({ id, date }) => open.has(id) || named.has(id) || (settled.has(id) && date >= from))
    .map(({ id, account, date, currency, amountMinor, remark, sender }) => ({
      merchant: merchant.name,
      entry_id: id,
      account,
      booked_on: date,
      currency,
      amount_minor: amountMinor,
      remark: maskCardNumbers(remark),
      sender: maskCardNumbers(sender),
      unexplained: open.has(id),
      since: new Date(now).toISOString(),
      settled_by: settled.get(id)?.by ?? null,
      settled_reason: settled.get(id)?.reason ?? null,
      settled_at: settled.get(id)?.at ?? null,
    }));
}

function dayIn(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

function* piecesOf(
  { tellFrom }: LookHead,
  deposits: ReturnType<typeof depositRows>,
  entries: ReturnType<typeof entryRows>,
): Generator<FoundPiece, void> {
  const moment = new Date(tellFrom).toISOString();
  yield* cut('deposits', deposits, ({ closed_at }) => closed_at, moment);
  yield* cut('deposit_entries', entries, ({ booked_on }) => booked_on, dayIn(tellFrom));
}

const rowsInPiece = 1_000;

/** Rows of one moment stay together; without rows there is one piece, which says that nothing is there. */
function* cut<Row>(
  table: FoundPiece['table'],
  rows: readonly Row[],
  placeOf: (row: Row) => string,
  from: string,
): Generator<FoundPiece, void> {
  const sorted = rows.toSorted((one, other) => compare(placeOf(one), placeOf(other)));
  const places = sorted.map(placeOf);
  let begin = 0;
  for (let since: string | null = from; since !== null;) {
    let end = begin + rowsInPiece;
    while (end < places.length && places[end] === places[end - 1]) end += 1;
    const until: string | null = places[end] ?? null;
    yield { table, from: since, until, rows: storableJson(sorted.slice(begin, end)) };
    begin = end;
    // Entries that are named may be older than what is told of.
    since = until !== null && until < from ? from : until;
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
