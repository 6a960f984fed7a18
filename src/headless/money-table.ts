/** Where the money of the closed batches is, as a table, as CSV and as JSON. */
import { csvLine } from '../host/index.ts';
import { maskLine } from '../log/index.ts';
import { formatAmount, type Currency } from '../contract/money.ts';
import type { KeptResults } from '../host/index.ts';
import type {
  ClosedBatch,
  Evidence,
  MoneyState,
  ReceivableResult,
  UnclearReason,
} from '../reconcile/index.ts';

/** A part of a batch, as it is printed. */
interface Row {
  batch: ClosedBatch;
  part: ReceivableResult;
}

const stateWords: Record<MoneyState, string> = {
  waiting: 'waiting',
  arrived: 'arrived',
  short: 'SHORT',
  over: 'OVER',
  late: 'LATE',
  unclear: 'unclear',
};

const evidenceWords: Record<Evidence, string> = {
  number: 'by its number',
  amount: 'by the exact amount',
  net: 'by the amount minus the fee',
  sum: 'by the sum of several',
  person: 'as a person decided',
  'nothing-due': 'nothing was due',
};

const reasonWords: Record<UnclearReason, string> = {
  'several-readings': 'something fits more than one',
  'remark-contradicts': 'remark and amount contradict each other',
  'taken-back': 'an entry of the opposite amount came after it',
  'unexplained-entries': 'overdue, and there are entries that nothing explains',
  'account-not-known': 'overdue, and not all entries of the account are known',
  'no-acquirer': 'no rule says who pays it',
  'no-totals': 'the terminal told no totals by scheme that add up',
  'fee-unknown': 'the fee cannot be told without count and totals by scheme',
  'decision-unusable': 'an entry in a person’s decision is missing, or is in another one too',
};

/** Columns of the table, and of the CSV beside those that only a program wants. */
const columns: [name: string, read: (row: Row) => string][] = [
  ['closed', ({ part }) => part.closedOn ?? ''],
  ['terminal', ({ batch }) => batch.terminal],
  ['batch', ({ batch }) => batch.number ?? '-'],
  ['acquirer', ({ part }) => part.acquirer ?? '-'],
  ['currency', ({ batch }) => batch.currency],
  ['expected', ({ batch, part }) => amount(part.expectedMinor, batch.currency)],
  ['arrived', ({ batch, part }) => amount(ownArrived(part), batch.currency)],
  ['on', ({ part }) => part.match?.arrivedOn ?? ''],
  ['due', ({ part }) => part.dueBy ?? ''],
  ['state', ({ part }) => stateWords[part.state]],
];

export function moneyTable({ batches, unexplained }: KeptResults, closed: readonly ClosedBatch[]): string[] {
  const rows = rowsOf(batches, closed);
  const cells = [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, read]) => read(row)))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const [head, ...lines] = cells.map((line) =>
    line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '),
  );
  return [
    ...(rows.length === 0
      ? ['No batch was closed in these days.']
      : [head ?? '', ...lines.map((line, at) => `${line}  ${how(rows[at])}`)]),
    ...rows.filter(({ part }) => part.needsPerson).map(callOf),
    ...(unexplained.length === 0
      ? []
      : [
          '\nEntries of the acquirers that no batch explains:',
          ...unexplained.map(
            ({ id, date, currency, amountMinor, remark }) =>
              `  ${date}  ${formatAmount(amountMinor, currency)} ${currency}  ${remark}  (${id})`,
          ),
        ]),
  ].map((line) => line.trimEnd());
}

function how(row: Row | undefined): string {
  if (row === undefined) return '';
  const { match, reason } = row.part;
  if (reason !== null) return reasonWords[reason];
  if (match === null) return '';
  const { decision, batchIds, bankingDaysLate } = match;
  return [
    evidenceWords[match.evidence],
    ...(batchIds.length > 1 ? [`together with ${batchIds.length - 1} more`] : []),
    ...(bankingDaysLate > 0 ? [`${bankingDaysLate} banking days late`] : []),
    ...(decision === null ? [] : [`${decision.by}: ${decision.reason}`]),
  ].join(', ');
}

/** What a person can do about it. */
function callOf({ batch, part }: Row): string {
  const candidates = part.possible.length === 0 ? '' : ` It may be: ${part.possible.join(', ')}.`;
  return (
    `\nSomebody should look at batch ${batch.number ?? '-'} of ${batch.terminal} (${part.closedOn ?? batch.closedAt}): ` +
    `${stateWords[part.state].toLowerCase()}.${candidates}\n  tillbridge reconcile match ${batch.id} --entry ID --by NAME --reason TEXT`
  );
}

const csvColumns: typeof columns = [
  ...columns.filter(([name]) => name !== 'state'),
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
export function moneyCsv({ batches }: KeptResults, closed: readonly ClosedBatch[]): string {
  const rows = rowsOf(batches, closed);
  return [
    csvLine(csvColumns.map(([name]) => name)),
    ...rows.map((row) => csvLine(csvColumns.map(([, read]) => read(row)))),
  ].join('');
}

export function moneyJson(results: KeptResults, closed: readonly ClosedBatch[]): string {
  const byId = new Map(closed.map((batch) => [batch.id, batch]));
  const batches = results.batches.map((money) => ({ ...byId.get(money.batchId), ...money }));
  return maskLine(JSON.stringify({ ...results, batches }));
}

function rowsOf(batches: KeptResults['batches'], closed: readonly ClosedBatch[]): Row[] {
  const byId = new Map(closed.map((batch) => [batch.id, batch]));
  return batches.flatMap(({ batchId, parts }) => {
    const batch = byId.get(batchId);
    return batch === undefined ? [] : parts.map((part) => ({ batch, part }));
  });
}

/** What arrived for this part alone: null where it came with others and is not what should have come together. */
function ownArrived({ match, expectedMinor }: ReceivableResult): number | null {
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
