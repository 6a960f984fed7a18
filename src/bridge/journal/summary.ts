/** What the payments of a span of time add up to. */
import {
  maxResponseTimes,
  maxSchemeLength,
  maxSchemes,
  type DaySummary,
  type Span,
} from '../../contract/payment-queries.ts';
import type { JournalEventOf, OperationTimes } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import {
  isDecided,
  isTaken,
  transactionStatusSchema,
  type TransactionStatus,
} from '../../contract/operation.ts';
import type { Statements } from './query-sql.ts';
import { stamps, type Positions } from './span-positions.ts';

const hourMs = 3_600_000;
const maxHours = 48;

interface SummarySql {
  status: TransactionStatus;
  amount_minor: number;
  created_at: string;
  ended_seq: number | null;
}

/** What the end of a payment tells of its money, and of the terminal's time: null where it tells nothing. */
interface Taken {
  amountMinor: number | null;
  scheme: string | null;
  times: OperationTimes | null;
}

/** Ends that are kept, at most: each is read once, however often the day is added up. */
const maxEnds = 10_000;

/** By the event's number; an event never changes. */
export type KnownEnds = Map<number, Taken>;

/** `within`: where the payments of the span lie; null when it has none. */
export function summaryOf(
  { statement, ends }: { statement: Statements; ends: KnownEnds },
  within: Positions | null,
  span: Span,
  currency: Currency,
): DaySummary {
  const { from, until } = stamps(span);
  const start = Date.parse(from);
  const total = { count: 0, approved: 0, sumMinor: 0 };
  const hours = Array.from({ length: hoursOf(start, Date.parse(until)) }, (_, hour) => ({
    from: new Date(start + hour * hourMs).toISOString(),
    ...total,
  }));
  const schemes = new Map<string | null, SchemeSum>();
  const statuses = new Map<TransactionStatus, StatusSum>();
  let decided = 0;
  const responseTimes: DaySummary['responseTimes'] = [];
  const { first, last } = within ?? { first: 0, last: -1 };
  // The newest first.
  for (const sqlRow of statement('summary').iterate(first, last, from, until, currency)) {
    const row = sqlRow as unknown as SummarySql;
    const createdAt = Date.parse(row.created_at);
    const timed = isDecided(row.status) && responseTimes.length < maxResponseTimes;
    const wasTaken = stands(row) || row.status === 'voided';
    const taken = timed || wasTaken ? takenBy(row.ended_seq, statement, ends) : nothing;
    const takenMinor = wasTaken ? (taken.amountMinor ?? row.amount_minor) : row.amount_minor;
    add(total, row, takenMinor);
    addStatus(statuses, row.status, takenMinor);
    const hour = hours[Math.floor((createdAt - start) / hourMs)];
    if (hour !== undefined) add(hour, row, takenMinor);
    if (stands(row)) addScheme(schemes, taken.scheme, 1, takenMinor);
    if (!isDecided(row.status)) continue;
    decided += 1;
    if (!timed || taken.times === null) continue;
    const { answerMs, cardMs = null } = taken.times;
    responseTimes.push({ at: row.created_at, answerMs, cardMs });
  }
  return {
    currency,
    ...total,
    decided,
    hours,
    schemes: boundedSchemes(schemes),
    statuses: transactionStatusSchema.options.flatMap((status) => statuses.get(status) ?? []),
    responseTimes: responseTimes.reverse(),
  };
}

/** More than any till has. */
const maxCurrencies = 10;

/** Of the payments of the span, one look at them for each. */
export function currenciesOf(statement: Statements, within: Positions | null, span: Span): Currency[] {
  if (within === null) return [];
  const { from, until } = stamps(span);
  const found: Currency[] = [];
  while (found.length < maxCurrencies) {
    const row = statement('otherCurrency').get(within.first, within.last, from, until, found.join(' '));
    if (row === undefined) break;
    found.push(String(row['currency']) as Currency);
  }
  return found;
}

const nothing: Taken = { amountMinor: null, scheme: null, times: null };

function takenBy(endedSeq: number | null, statement: Statements, ends: KnownEnds): Taken {
  if (endedSeq === null) return nothing;
  const known = ends.get(endedSeq);
  if (known !== undefined) return known;
  const body = statement('eventBody').get(endedSeq)?.['body'];
  const { result, times = null } = JSON.parse(String(body)) as JournalEventOf<'operation_ended'>;
  // A terminal may send blanks, and more than is worth a line.
  const name = (result?.cardScheme ?? result?.schemeGroup ?? '').trim().slice(0, maxSchemeLength);
  const taken = { amountMinor: result?.amountMinor ?? null, scheme: name === '' ? null : name, times };
  if (ends.size >= maxEnds) ends.clear();
  ends.set(endedSeq, taken);
  return taken;
}

type SchemeSum = DaySummary['schemes'][number];

function addScheme(
  schemes: Map<string | null, SchemeSum>,
  scheme: string | null,
  count: number,
  sumMinor: number,
): void {
  const known = schemes.get(scheme) ?? { scheme, count: 0, sumMinor: 0 };
  schemes.set(scheme, { scheme, count: known.count + count, sumMinor: known.sumMinor + sumMinor });
}

type StatusSum = DaySummary['statuses'][number];

function addStatus(
  statuses: Map<TransactionStatus, StatusSum>,
  status: TransactionStatus,
  sumMinor: number,
): void {
  const known = statuses.get(status) ?? { status, count: 0, sumMinor: 0 };
  statuses.set(status, { status, count: known.count + 1, sumMinor: known.sumMinor + sumMinor });
}

/** The largest sum first, what has no name last; the smallest of too many are put together there. */
function boundedSchemes(schemes: Map<string | null, SchemeSum>): SchemeSum[] {
  const bySum = [...schemes.values()]
    .filter(({ scheme }) => scheme !== null)
    .toSorted((one, other) => other.sumMinor - one.sumMinor || other.count - one.count);
  const named = bySum.slice(0, maxSchemes - 1);
  for (const { count, sumMinor } of bySum.slice(named.length)) addScheme(schemes, null, count, sumMinor);
  const rest = schemes.get(null);
  return rest === undefined ? named : [...named, rest];
}

function hoursOf(start: number, end: number): number {
  return Math.min(Math.max(0, Math.ceil((end - start) / hourMs)), maxHours);
}

function stands({ status }: SummarySql): boolean {
  return isTaken(status);
}

function add(
  sums: { count: number; approved: number; sumMinor: number },
  row: SummarySql,
  takenMinor: number,
): void {
  sums.count += 1;
  if (stands(row) || row.status === 'voided') sums.approved += 1;
  if (stands(row)) sums.sumMinor += takenMinor;
}
