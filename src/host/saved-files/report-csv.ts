/** A day and a batch as one table each: every line says in its first column what it is about. */
import type { JournalReading } from '../../bridge/bridge.ts';
import type { BatchReport, BatchView, DayReport } from '../../contract/console/index.ts';
import { formatAmount, type Currency } from '../../contract/money.ts';
import { settledPayments } from '../views/batch-report.ts';
import { csvLine } from './csv.ts';
import { paymentHeader, paymentLine } from './payments-csv.ts';

const dayColumns = [
  'section',
  'name',
  'at',
  'reference',
  'count',
  'amount',
  'currency',
  'compared_count',
  'compared_amount',
  'by',
  'reason',
] as const;
type DayLine = { section: string } & { [K in (typeof dayColumns)[number]]?: string | number | null };

/** Lines of what a day comes to, beside the same of the day that it is compared with; then what else happened. */
export function* dayReportCsv(report: DayReport): Generator<string> {
  yield csvLine([...dayColumns]);
  for (const line of dayLines(report)) yield csvLine(dayColumns.map((column) => String(line[column] ?? '')));
}

function* dayLines(report: DayReport): Generator<DayLine> {
  const amount = (amountMinor: number | null, currency: Currency | null) =>
    amountMinor === null || currency === null ? null : formatAmount(amountMinor, currency);
  for (const { day, compared } of report.currencies) {
    const { currency } = day;
    const line = (
      section: string,
      name: string,
      sums?: { count: number; sumMinor: number },
      other?: { count: number; sumMinor: number },
    ) => ({
      section,
      name,
      currency,
      count: sums?.count ?? 0,
      amount: amount(sums?.sumMinor ?? 0, currency),
      compared_count: other?.count ?? 0,
      compared_amount: amount(other?.sumMinor ?? 0, currency),
    });
    yield line('total', 'payments', day, compared);
    for (const status of namesIn(day.statuses, compared.statuses, ({ status }) => status)) {
      const of = (sums: typeof day) => sums.statuses.find((each) => each.status === status);
      yield line('status', status, of(day), of(compared));
    }
    for (const scheme of namesIn(day.schemes, compared.schemes, ({ scheme }) => scheme)) {
      const of = (sums: typeof day) => sums.schemes.find((each) => each.scheme === scheme);
      yield line('scheme', scheme ?? 'other', of(day), of(compared));
    }
  }
  for (const { at, kind, reference, amountMinor, currency, byHand } of report.voids.items) {
    yield {
      section: 'void',
      name: byHand ? `${kind} by hand` : kind,
      at,
      reference,
      currency,
      amount: amount(amountMinor, currency),
    };
  }
  for (const { at, reference, outcome, amountMinor, currency } of report.doubts.items) {
    const name = outcome ?? 'open';
    yield { section: 'in_doubt', name, at, reference, currency, amount: amount(amountMinor, currency) };
  }
  for (const { at, reference, outcome, by, reason, amountMinor, currency } of report.decisions.items) {
    yield {
      section: 'decision',
      name: outcome,
      at,
      reference,
      currency,
      amount: amount(amountMinor, currency),
      by,
      reason,
    };
  }
  for (const { kind, foundAt, references, amountMinor, currency, acknowledged } of report.discrepancies
    .items) {
    yield {
      section: acknowledged === null ? 'discrepancy' : 'discrepancy_acknowledged',
      name: kind,
      at: acknowledged?.at ?? foundAt,
      reference: references.join(' '),
      currency,
      amount: amount(amountMinor, currency),
      by: acknowledged?.by ?? null,
      reason: acknowledged?.reason ?? null,
    };
  }
  for (const { result, endedAt, expected, currency } of report.batches.items) {
    yield {
      section: 'batch',
      name: result?.batchNumber ?? '',
      at: endedAt,
      currency,
      count: result?.count ?? expected.count,
      amount: amount(result?.totalMinor ?? expected.totalMinor, currency),
    };
  }
  yield* leftOut(report);
}

/** Of a day with more than the report holds: what is missing is said, never kept quiet. */
function* leftOut({
  voids,
  doubts,
  decisions,
  discrepancies,
  batches,
  complete,
}: DayReport): Generator<DayLine> {
  for (const [name, { count, items }] of Object.entries({
    voids,
    doubts,
    decisions,
    discrepancies,
    batches,
  })) {
    if (count > items.length) yield { section: 'left_out', name, count: count - items.length };
  }
  if (!complete) yield { section: 'left_out', name: 'rest_of_day' };
}

/** Those of both days, in the order of the first. */
function namesIn<T, N>(day: T[], compared: T[], nameOf: (each: T) => N): N[] {
  return [...new Set([...day, ...compared].map(nameOf))];
}

/** Totals and differences, an empty line, and the payments that the batch settled. */
export function* batchReportCsv(
  journal: JournalReading,
  { batch, decision }: BatchReport,
): Generator<string> {
  yield csvLine([
    'section',
    'name',
    'terminal_count',
    'terminal_amount',
    'journal_count',
    'journal_amount',
    'currency',
  ]);
  for (const values of batchLines(batch)) yield csvLine(values.map((value) => String(value ?? '')));
  if (decision !== null) yield csvLine(['decision', decision.by, decision.at, decision.reason, '', '', '']);
  yield '\r\n';
  yield paymentHeader();
  let lines = '';
  for (const payment of settledPayments(journal, batch.operationId)) {
    lines += paymentLine(payment);
    if (lines.length < maxPieceCharacters) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}

/** Between two pieces everything else has its turn. */
const maxPieceCharacters = 20_000;

function* batchLines({ result, expected, currency }: BatchView): Generator<(string | number | null)[]> {
  const amount = (amountMinor: number | null) =>
    amountMinor === null ? null : formatAmount(amountMinor, currency);
  const journal = [expected.count, amount(expected.totalMinor), currency];
  yield [
    'total',
    result?.batchNumber ?? '',
    result?.count ?? null,
    amount(result?.totalMinor ?? null),
    ...journal,
  ];
  for (const { scheme, count, totalMinor } of result?.totals ?? [])
    yield ['terminal_total', scheme, count, amount(totalMinor), null, null, currency];
  for (const difference of result?.differences ?? []) {
    const { scheme, terminalCount, terminalTotalMinor, journalCount, journalTotalMinor } = difference;
    const terminal = [terminalCount, amount(terminalTotalMinor)];
    yield ['difference', scheme, ...terminal, journalCount, amount(journalTotalMinor), currency];
  }
}
