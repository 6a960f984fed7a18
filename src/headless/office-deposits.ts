/** The money of a chain's shops, for the command line: statements are handed in, and what was found is said in lines. */
import path from 'node:path';
import { errorText } from '../base/error-text.ts';
import { readPlainFile } from '../base/private-files.ts';
import { currencySchema, formatAmount } from '../contract/money.ts';
import {
  maxStatementFileBytes,
  type AddedStatement,
  type DepositEntryView,
  type DepositList,
  type DepositView,
} from '../contract/office-deposits.ts';
import { exitFailed, exitOk, oneLine, type CliContext } from './cli-context.ts';
import { evidenceWords, reasonWords, stateWords } from './money-words.ts';
import { askOffice, type AskFlags } from './run-office.ts';

export interface AddStatementFlags extends AskFlags {
  corrects?: true;
}

/** One after the other, and no more after one that is refused. */
export async function addStatements(
  files: readonly string[],
  flags: AddStatementFlags,
  context: CliContext,
): Promise<number> {
  for (const file of files) {
    const name = path.basename(file);
    let content: Buffer;
    try {
      const place = path.resolve(context.currentFolder, file);
      content = readPlainFile(place, { maxBytes: maxStatementFileBytes, followLinks: true });
    } catch (error) {
      context.error(oneLine(`${file} cannot be read: ${errorText(error)}`));
      return exitFailed;
    }
    const body = { name, content: content.toString('base64'), corrects: flags.corrects === true };
    const show = (added: AddedStatement) => addedLines(name, added);
    const code = await askOffice({ method: 'POST', path: '/statements', body }, flags, context, show);
    if (code !== exitOk) return code;
  }
  return exitOk;
}

function addedLines(name: string, { isNew, accounts, replaced, notes }: AddedStatement): string[] {
  if (!isNew) return [`${name} was there already.`];
  const instead = replaced === 0 ? '' : ` It takes the place of ${replaced} that it corrects.`;
  return [`${name} was kept: ${accounts.join(', ')}.${instead}`, ...notes];
}

/** The worst first, as the office lists them. */
export function depositLines({ rules, deposits, entries, accounts, looks, more }: DepositList): string[] {
  if (rules === 'missing')
    return [
      'The office has no rules of how money comes: start it with a file reconcile-rules.json in its data folder (docs/office.md).',
    ];
  const unexplained = entries.filter((entry) => entry.unexplained);
  const settled = entries.filter(({ settled_by }) => settled_by !== null);
  return [
    ...looks.flatMap(({ merchant, trouble }) => (trouble === null ? [] : [`${merchant}: ${trouble}`])),
    ...deposits.map(depositLine),
    ...(more ? ['There are more: ask for one shop, or with --late.'] : []),
    ...(deposits.length === 0 ? ['No batch is listed.'] : []),
    ...(unexplained.length === 0 ? [] : ['Nobody can explain:']),
    ...unexplained.map(entryLine),
    ...(settled.length === 0 ? [] : ['No batch’s money:']),
    ...settled.map((entry) => `${entryLine(entry)}; settled by ${entry.settled_by}: ${entry.settled_reason}`),
    ...accounts.map(({ merchant, account, from, until }) =>
      from === null
        ? `${merchant}: no statement of ${account} has been handed in yet.`
        : `${merchant}: statements of ${account} from ${from} to ${until ?? 'no day for certain'}.`,
    ),
  ];
}

function depositLine(deposit: DepositView): string {
  const { shop, terminal, batch_number, closed_on, state, acquirer, account, due_by, batch_id } = deposit;
  const number = batch_number === null ? '' : ` batch ${batch_number}`;
  const payer = acquirer === '' ? '' : `  ${acquirer} to ${account ?? ''}`;
  const due = due_by === null || state === 'arrived' ? '' : `, due ${due_by}`;
  return `${closed_on}  ${shop} (${terminal})${number}${payer}  ${amountText(deposit.expected_minor, deposit.currency)}  ${stateWords[state]}${due}${howText(deposit)}  ${batch_id}`;
}

function howText(deposit: DepositView): string {
  const { reason, evidence, arrived_minor, arrived_on, banking_days_late, fee_minor, currency } = deposit;
  const came = arrived_on === null ? '' : ` ${amountText(arrived_minor, currency)} on ${arrived_on}`;
  const late = banking_days_late > 0 ? `, ${banking_days_late} banking days late` : '';
  const fee = arrived_on === null || fee_minor === null ? '' : `, fee ${amountText(fee_minor, currency)}`;
  const how = wordOf(evidenceWords, evidence) ?? wordOf(reasonWords, reason);
  const settled =
    deposit.decided_by === null ? '' : `; settled by ${deposit.decided_by}: ${deposit.decided_reason ?? ''}`;
  return `${came}${late}${fee}${how === null ? '' : ` (${how})`}${settled}`;
}

function wordOf(words: Record<string, string>, name: string | null): string | null {
  return name === null ? null : (words[name] ?? name);
}

function entryLine({
  booked_on,
  account,
  amount_minor,
  currency,
  remark,
  sender,
  entry_id,
}: DepositEntryView): string {
  return `${booked_on}  ${account}  ${amountText(amount_minor, currency)}  ${remark || sender}  ${entry_id}`;
}

function amountText(minor: number | null, currency: string): string {
  if (minor === null) return 'an amount that cannot be told';
  const known = currencySchema.safeParse(currency);
  return known.success
    ? `${formatAmount(minor, known.data)} ${currency}`
    : `${minor} minor units of ${currency}`;
}
