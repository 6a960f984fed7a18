/** A bank's statement as a row of the database has it. */
import { currencySchema } from '../../contract/money.ts';
import { dateOf, dayOf } from '../../reconcile/index.ts';
import type { Statement } from '../../statements/index.ts';

export interface KeptStatement extends Statement {
  fileId: string;
  place: number;
}

export interface StatementRow {
  file_id: string;
  place: number;
  name: string;
  account: string;
  currency: string;
  number: string | null;
  from_day: string;
  until_day: string;
  opening_minor: number;
  closing_minor: number;
  pending: number;
  entries: Statement['entries'];
}

export function statementOf(row: StatementRow): KeptStatement {
  return {
    fileId: row.file_id,
    place: row.place,
    file: row.name,
    account: row.account,
    currency: currencySchema.parse(row.currency),
    number: row.number === null ? null : BigInt(row.number),
    from: dayOf(row.from_day) ?? 0,
    until: dayOf(row.until_day) ?? 0,
    openingMinor: row.opening_minor,
    closingMinor: row.closing_minor,
    entries: row.entries,
    pending: row.pending,
  };
}

export function rowOfStatement(
  statement: Statement,
  fileId: string,
  place: number,
): Omit<StatementRow, 'name'> {
  const { account, currency, number, from, until, openingMinor, closingMinor, pending, entries } = statement;
  return {
    file_id: fileId,
    place,
    account,
    currency,
    number: number === null ? null : String(number),
    from_day: dateOf(from),
    until_day: dateOf(until),
    opening_minor: openingMinor,
    closing_minor: closingMinor,
    pending,
    entries,
  };
}
