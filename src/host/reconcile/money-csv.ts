/** Where the money of the closed batches is, as a table for a spreadsheet (RFC 4180): the same from everywhere. */
import { formatAmount, type Currency } from '../../contract/money.ts';
import type { ClosedBatch, ReceivableResult } from '../../reconcile/index.ts';
import { csvLine } from '../saved-files/csv.ts';
import type { KeptResults } from './kept-results.ts';

/** A part of a batch, as it is printed. */
export interface MoneyRow {
  batch: ClosedBatch;
  part: ReceivableResult;
}

/** Columns of a table for people, and of the CSV beside those that only a program wants. */
export const moneyColumns: [name: string, read: (row: MoneyRow) => string][] = [
  ['closed', ({ part }) => part.closedOn ?? ''],
  ['terminal', ({ batch }) => batch.terminal],
  ['batch', ({ batch }) => batch.number ?? '-'],
  ['acquirer', ({ part }) => part.acquirer ?? '-'],
  ['currency', ({ batch }) => batch.currency],
  ['expected', ({ batch, part }) => amount(part.expectedMinor, batch.currency)],
  ['arrived', ({ batch, part }) => amount(ownArrived(part), batch.currency)],
  ['on', ({ part }) => part.match?.arrivedOn ?? ''],
  ['due', ({ part }) => part.dueBy ?? ''],
];

const csvColumns: typeof moneyColumns = [
  ...moneyColumns,
  ['state', ({ part }) => part.state],
  ['gross', ({ batch, part }) => amount(part.grossMinor, batch.currency)],
  ['fee', ({ batch, part }) => amount(part.feeMinor, batch.currency)],
  ['difference', ({ batch, part }) => amount(differenceOf(part), batch.currency)],
  ['evidence', ({ part }) => part.match?.evidence ?? ''],
  ['certainty', ({ part }) => part.match?.certainty ?? ''],
  ['reason', ({ part }) => part.reason ?? ''],
  ['entries', ({ part }) => part.match?.entryIds.join(' ') ?? ''],
  ['paid_with', ({ part }) => part.match?.batchIds.filter((id) => id !== part.batchId).join(' ') ?? ''],
  ['banking_days_late', ({ part }) => String(part.match?.bankingDaysLate ?? '')],
  ['decided_by', ({ part }) => part.match?.decision?.by ?? ''],
  ['decision_reason', ({ part }) => part.match?.decision?.reason ?? ''],
  ['terminal_id', ({ batch }) => batch.terminalId ?? ''],
  ['schemes', ({ part }) => part.schemes?.join(' ') ?? ''],
  ['batch_id', ({ batch }) => batch.id],
];

/** Lines with their ends. */
export function* moneyCsv(results: KeptResults): Generator<string> {
  yield csvLine(csvColumns.map(([name]) => name));
  for (const row of moneyRows(results)) yield csvLine(csvColumns.map(([, read]) => read(row)));
}

/** One for each part of each batch, in the order of closing. */
export function moneyRows({ batches, closed }: Pick<KeptResults, 'batches' | 'closed'>): MoneyRow[] {
  const byId = new Map(closed.map((batch) => [batch.id, batch]));
  return batches.flatMap(({ batchId, parts }) => {
    const batch = byId.get(batchId);
    return batch === undefined ? [] : parts.map((part) => ({ batch, part }));
  });
}

/** What arrived for this part alone: null where it came with others and is not what should have come together. */
export function ownArrived({ match, expectedMinor }: ReceivableResult): number | null {
  if (match === null) return null;
  if (match.batchIds.length === 1) return match.arrivedMinor;
  return match.arrivedMinor === match.expectedMinor ? expectedMinor : null;
}

function differenceOf(part: ReceivableResult): number | null {
  const arrived = ownArrived(part);
  return arrived === null || part.expectedMinor === null ? null : arrived - part.expectedMinor;
}

function amount(minor: number | null, currency: Currency): string {
  return minor === null ? '' : formatAmount(minor, currency);
}
