/** What the payments of a span of time add up to. */
import {
  maxResponseTimes,
  maxSchemeLength,
  maxSchemes,
  type DaySummary,
  type Span,
} from '../../contract/payment-queries.ts';
import type { JournalEventOf } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import {
  isDecided,
  isTaken,
  transactionStatusSchema,
  type TransactionStatus,
} from '../../contract/operation.ts';
import { nothing, type KnownEnds, type Taken } from './known-ends.ts';
import type { Statements } from './query-sql.ts';
import { stamps, type Positions } from './span-positions.ts';

const hourMs = 3_600_000;
const maxHours = 48;

/** Payments that one part looks at, and ends that it reads of them, which takes much longer: some 10 ms either way. */
const maxSummaryRows = 5_000;
export const maxSummaryEnds = 250;

interface SummarySql {
  position: number;
  status: TransactionStatus;
  currency: string;
  amount_minor: number;
  created_at: string;
  ended_seq: number | null;
}

/**
 * `within` says where the payments of the span lie; null when it has none. Each step takes some milliseconds. A payment
 * that changes between two of them counts as it was when its turn came, and only once.
 */
export function* summaryOf(
  { statement, ends }: { statement: Statements; ends: KnownEnds },
  within: () => Positions | null,
  { span, currency, maxRows = maxSummaryRows }: { span: Span; currency: Currency; maxRows?: number },
): Generator<undefined, DaySummary> {
  const { from, until } = stamps(span);
  const sums = createDaySums(Date.parse(from), Date.parse(until));
  const { first, last } = within() ?? { first: 0, last: -1 };
  // The newest first.
  let high = last;
  while (high >= first) {
    let rows = 0;
    let ended = 0;
    let low = first;
    for (const sqlRow of statement('summary').iterate(first, high, maxRows)) {
      const row = sqlRow as unknown as SummarySql;
      rows += 1;
      if (row.currency === currency && row.created_at >= from && row.created_at < until) {
        const known = row.ended_seq === null || !sums.asksFor(row) ? nothing : ends.get(row.ended_seq);
        if (known === undefined) ended += 1;
        sums.add(row, known ?? readEnd(row.ended_seq, statement, ends));
      }
      low = row.position;
      if (ended === maxSummaryEnds) break;
    }
    if (rows < maxRows && ended < maxSummaryEnds) break;
    high = low - 1;
    yield;
  }
  return { currency, ...sums.summary() };
}

interface DaySums {
  /** Whether it matters how this payment ended. */
  asksFor(row: SummarySql): boolean;
  add(row: SummarySql, taken: Taken): void;
  summary(): Omit<DaySummary, 'currency'>;
}

/** Takes payments one after the other, the newest first. */
function createDaySums(start: number, end: number): DaySums {
  const total = { count: 0, approved: 0, sumMinor: 0 };
  const hours = Array.from({ length: hoursOf(start, end) }, (_, hour) => ({
    from: new Date(start + hour * hourMs).toISOString(),
    ...total,
  }));
  const schemes = new Map<string | null, SchemeSum>();
  const statuses = new Map<TransactionStatus, StatusSum>();
  let decided = 0;
  const responseTimes: DaySummary['responseTimes'] = [];
  const isTimed = ({ status }: SummarySql) => isDecided(status) && responseTimes.length < maxResponseTimes;

  return {
    asksFor: (row) => isTimed(row) || wasTaken(row),
    add(row, taken) {
      const timed = isTimed(row);
      const takenMinor = wasTaken(row) ? (taken.amountMinor ?? row.amount_minor) : row.amount_minor;
      add(total, row, takenMinor);
      addStatus(statuses, row.status, takenMinor);
      const hour = hours[Math.floor((Date.parse(row.created_at) - start) / hourMs)];
      if (hour !== undefined) add(hour, row, takenMinor);
      if (stands(row)) addScheme(schemes, taken.scheme, 1, takenMinor);
      if (!isDecided(row.status)) return;
      decided += 1;
      if (!timed || taken.times === null) return;
      const { answerMs, cardMs = null } = taken.times;
      responseTimes.push({ at: row.created_at, answerMs, cardMs });
    },
    summary: () => ({
      ...total,
      decided,
      hours,
      schemes: boundedSchemes(schemes),
      statuses: transactionStatusSchema.options.flatMap((status) => statuses.get(status) ?? []),
      responseTimes: responseTimes.toReversed(),
    }),
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

function readEnd(endedSeq: number | null, statement: Statements, ends: KnownEnds): Taken {
  if (endedSeq === null) return nothing;
  const body = statement('eventBody').get(endedSeq)?.['body'];
  const { result, times = null } = JSON.parse(String(body)) as JournalEventOf<'operation_ended'>;
  // A terminal may send blanks, and more than is worth a line.
  const name = (result?.cardScheme ?? result?.schemeGroup ?? '').trim().slice(0, maxSchemeLength);
  const taken = { amountMinor: result?.amountMinor ?? null, scheme: name === '' ? null : name, times };
  ends.keep(endedSeq, taken);
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

function wasTaken(row: SummarySql): boolean {
  return stands(row) || row.status === 'voided';
}

function add(
  sums: { count: number; approved: number; sumMinor: number },
  row: SummarySql,
  takenMinor: number,
): void {
  sums.count += 1;
  if (wasTaken(row)) sums.approved += 1;
  if (stands(row)) sums.sumMinor += takenMinor;
}
