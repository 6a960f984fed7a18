/** Where the money of the closed batches is, as a table and as JSON. */
import { moneyColumns, moneyRows, type KeptResults, type MoneyRow } from '../host/reconcile/index.ts';
import { maskCardNumbers, maskLine } from '../log/index.ts';
import { oneLine } from './cli-context.ts';
import { formatAmount } from '../contract/money.ts';
import { evidenceWords, reasonWords, stateWords } from './money-words.ts';

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
  const { match, possible } = part;
  const came =
    match === null || match.entryIds.length === 0 ? '' : ` What came: ${match.entryIds.join(', ')}.`;
  const candidates = possible.length === 0 ? '' : ` It may be: ${possible.join(', ')}.`;
  return (
    `\nSomebody should look at batch ${batch.number ?? '-'} of ${batch.terminal} (${part.closedOn ?? batch.closedAt}): ` +
    `${stateWords[part.state].toLowerCase()}.${came}${candidates}\n  ` +
    ['tillbridge reconcile match', batch.id, '--entry ID --by NAME --reason TEXT', ...place].join(' ')
  );
}

export function moneyJson({ closed, ...results }: KeptResults): string {
  const byId = new Map(closed.map((batch) => [batch.id, batch]));
  const batches = results.batches.map((money) => ({ ...byId.get(money.batchId), ...money }));
  return maskLine(JSON.stringify({ ...results, batches }));
}
