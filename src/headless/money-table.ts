/** Where the money of the closed batches is, as a table and as JSON. */
import { moneyColumns, moneyRows, type KeptResults, type MoneyRow } from '../host/index.ts';
import { maskCardNumbers, maskLine } from '../log/index.ts';
import { oneLine } from './cli-context.ts';
import { formatAmount } from '../contract/money.ts';
import type { Evidence, MoneyState, UnclearReason } from '../reconcile/index.ts';

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

const columns: typeof moneyColumns = [...moneyColumns, ['state', ({ part }) => stateWords[part.state]]];

/**
 * Only what people have written is masked: an amount beside a date can look like a card number. `place`: the flags that name
 * the place of the decisions, for the commands in it.
 */
export function moneyTable(results: KeptResults, place: readonly string[]): string[] {
  const { unexplained } = results;
  const rows = moneyRows(results);
  const cells = [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, read]) => read(row)))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const [head, ...lines] = cells.map((line) =>
    line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '),
  );
  return [
    ...(rows.length === 0
      ? results.closed.length > 0
        ? []
        : ['No batch was closed in these days.']
      : [head ?? '', ...lines.map((line, at) => `${line}  ${how(rows[at])}`)]),
    ...rows.filter(({ part }) => part.needsPerson).map((row) => callOf(row, place)),
    ...(unexplained.length === 0
      ? []
      : [
          '\nEntries of the acquirers that no batch explains:',
          ...unexplained.map(
            ({ id, date, currency, amountMinor, remark }) =>
              `  ${date}  ${formatAmount(amountMinor, currency)} ${currency}  ${foreign(remark)}  (${id})`,
          ),
        ]),
  ].map((line) => line.trimEnd());
}

function how(row: MoneyRow | undefined): string {
  if (row === undefined) return '';
  const { match, reason } = row.part;
  if (reason !== null) return reasonWords[reason];
  if (match === null) return '';
  const { decision, batchIds, bankingDaysLate } = match;
  return [
    evidenceWords[match.evidence],
    ...(batchIds.length > 1 ? [`together with ${batchIds.length - 1} more`] : []),
    ...(bankingDaysLate > 0 ? [`${bankingDaysLate} banking days late`] : []),
    ...(decision === null ? [] : [foreign(`${decision.by}: ${decision.reason}`)]),
  ].join(', ');
}

function foreign(text: string): string {
  return oneLine(maskCardNumbers(text));
}

/** What a person can do about it. */
function callOf({ batch, part }: MoneyRow, place: readonly string[]): string {
  const candidates = part.possible.length === 0 ? '' : ` It may be: ${part.possible.join(', ')}.`;
  return (
    `\nSomebody should look at batch ${batch.number ?? '-'} of ${batch.terminal} (${part.closedOn ?? batch.closedAt}): ` +
    `${stateWords[part.state].toLowerCase()}.${candidates}\n  ` +
    ['tillbridge reconcile match', batch.id, '--entry ID --by NAME --reason TEXT', ...place].join(' ')
  );
}

export function moneyJson({ closed, ...results }: KeptResults): string {
  const byId = new Map(closed.map((batch) => [batch.id, batch]));
  const batches = results.batches.map((money) => ({ ...byId.get(money.batchId), ...money }));
  return maskLine(JSON.stringify({ ...results, batches }));
}
