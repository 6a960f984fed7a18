/** What the payments of a span of time add up to. */
import { maxResponseTimes, type DaySummary, type Span } from '../../contract/payment-queries.ts';
import type { Currency } from '../../contract/money.ts';
import { isDecided, type TransactionStatus } from '../../contract/operation.ts';
import type { Statements } from './query-sql.ts';
import { stamps, type Positions } from './span-positions.ts';

const hourMs = 3_600_000;
const maxHours = 48;

interface SummarySql {
  status: TransactionStatus;
  amount_minor: number;
  created_at: string;
  completed_at: string | null;
}

/** `within`: where the payments of the span lie; null when it has none. */
export function summaryOf(
  statement: Statements,
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
  let decided = 0;
  const responseTimes: DaySummary['responseTimes'] = [];
  const { first, last } = within ?? { first: 0, last: -1 };
  // The newest first.
  for (const sqlRow of statement('summary').iterate(first, last, from, until, currency)) {
    const row = sqlRow as unknown as SummarySql;
    const createdAt = Date.parse(row.created_at);
    add(total, row);
    const hour = hours[Math.floor((createdAt - start) / hourMs)];
    if (hour !== undefined) add(hour, row);
    if (!isDecided(row.status)) continue;
    decided += 1;
    if (row.completed_at === null || responseTimes.length === maxResponseTimes) continue;
    // A clock that was set back meanwhile must not make it less than nothing.
    const durationMs = Math.max(0, Date.parse(row.completed_at) - createdAt);
    responseTimes.push({ at: row.created_at, durationMs });
  }
  return { currency, ...total, decided, hours, responseTimes: responseTimes.reverse() };
}

function hoursOf(start: number, end: number): number {
  return Math.min(Math.max(0, Math.ceil((end - start) / hourMs)), maxHours);
}

function add(sums: { count: number; approved: number; sumMinor: number }, row: SummarySql): void {
  const { status, amount_minor: amountMinor } = row;
  const stands = status === 'approved' || status === 'settled';
  sums.count += 1;
  if (stands || status === 'voided') sums.approved += 1;
  if (stands) sums.sumMinor += amountMinor;
}
