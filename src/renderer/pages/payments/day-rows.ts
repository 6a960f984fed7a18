/** The rows of the table: the payments, and above those of each day one that names it. */
import type { PaymentView } from '../../../contract/console/index.ts';
import { dayOf } from '../../messages/local-day.ts';

/** As in payments.css. */
export const rowHeightPx = 42;
export const headHeightPx = 36;
export const dayHeightPx = 34;

type TableRow =
  | { kind: 'day'; key: string; day: string; at: string }
  | { kind: 'payment'; key: string; payment: PaymentView };

export interface TableRows {
  rows: TableRow[];
  /** Where each row begins, in pixels below the head. */
  starts: number[];
  /** The row of each payment. */
  rowOf: number[];
  /** The rows that name a day; none where the payments are not in the order of time. */
  days: number[];
}

export function rowsOf(payments: readonly PaymentView[]): TableRows {
  const named = isInTime(payments);
  const table: TableRows = { rows: [], starts: [], rowOf: [], days: [] };
  let start = 0;
  let last = '';
  const put = (row: TableRow, height: number) => {
    table.rows.push(row);
    table.starts.push(start);
    start += height;
  };
  for (const payment of payments) {
    const day = named ? dayOf(new Date(payment.createdAt)) : '';
    if (day !== last) {
      table.days.push(table.rows.length);
      put({ kind: 'day', key: `${day} ${payment.position}`, day, at: payment.createdAt }, dayHeightPx);
      last = day;
    }
    table.rowOf.push(table.rows.length);
    put({ kind: 'payment', key: payment.transactionId, payment }, rowHeightPx);
  }
  return table;
}

/** Not so by amount, nor where a search has put what begins with its text first. */
function isInTime(payments: readonly PaymentView[]): boolean {
  const steps = payments.slice(1).map(({ position }, index) => position - (payments[index]?.position ?? 0));
  return steps.every((step) => step > 0) || steps.every((step) => step < 0);
}

/** The last of `rows` that begins at `top` or above it; the first one when none does. */
export function rowAt({ starts }: TableRows, rows: readonly number[], top: number): number | undefined {
  return rows.findLast((row) => (starts[row] ?? 0) <= top) ?? rows[0];
}
