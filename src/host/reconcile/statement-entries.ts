/** Entries of accounts from the files that a bank gives. They are only read. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errorText } from '../../base/error-text.ts';
import { readPlainFile } from '../../base/private-files.ts';
import { maxStatementBytes } from '../../contract/console/index.ts';
import { calendarOf, dateOf, type AccountEntry, type KnownSpan, type Rules } from '../../reconcile/index.ts';
import type { AccountDays, AccountReader, Statement } from '../../statements/index.ts';

/** In the data folder, beside the journal whose batches are paid. */
export const statementsFolder = 'statements';

const maxFiles = 10_000;

export type StatementEntries =
  | {
      ok: true;
      entries: AccountEntry[];
      known: KnownSpan[];
      /** Those of the rules that there are statements of. */
      accounts: string[];
      /** What was left out, in sentences. */
      notes: string[];
    }
  | { ok: false; message: string };

/** Of `own`, a folder that need not be there, and of `named`: files and folders. And of `more`, which are read already. */
export async function statementEntries(
  own: string,
  named: readonly string[],
  rules: Rules,
  more: readonly Statement[] = [],
): Promise<StatementEntries> {
  const found = filesOf(own, named);
  if (!found.ok) return found;
  const { files, notes } = found;
  const count = files.length + new Set(more.map(({ file }) => file)).size;
  if (count > maxFiles)
    return {
      ok: false,
      message: `There are ${count} statements, and at most ${maxFiles} can be read. Move the oldest ones out of the folder.`,
    };
  if (files.length === 0 && more.length === 0)
    return { ok: true, entries: [], known: [], accounts: [], notes };
  // Only here: most shops have none, and what reads XML takes its time to load.
  const { accountDays, readCamt053 } = await import('../../statements/index.ts');
  const statements = [...more];
  for (const file of files) {
    let content: Buffer;
    try {
      content = readPlainFile(file, { maxBytes: maxStatementBytes, followLinks: true });
    } catch (error) {
      return { ok: false, message: `The statement ${file} cannot be read: ${errorText(error)}` };
    }
    const read = readCamt053(path.basename(file), content);
    if (!read.ok) return read;
    statements.push(...read.statements);
    await setImmediate();
  }
  return fromStatements(statements, rules, accountDays, notes);
}

/** Of the accounts in the rules, under the names that they have there. */
function fromStatements(
  all: readonly Statement[],
  rules: Rules,
  accountDays: AccountReader,
  earlierNotes: readonly string[],
): StatementEntries {
  const names = Map.groupBy(new Set(rules.acquirers.map(({ account }) => account)), accountNumber);
  const twice = [...names.values()].find((each) => each.length > 1);
  if (twice !== undefined)
    return {
      ok: false,
      message: `The rules write one account in two ways: "${twice.join('" and "')}". Use only one.`,
    };
  const own = all.filter(({ account }) => names.has(accountNumber(account)));
  const calendar = calendarOf(rules);
  const read = accountDays(own, (day) => calendar.isBankingDay(day));
  if (!read.ok) return read;
  const accounts = [...Map.groupBy(read.accounts, ({ account }) => accountNumber(account))].flatMap(
    ([number, inCurrencies]) =>
      (names.get(number) ?? []).map((account) => {
        const currencies = rules.acquirers.filter((each) => each.account === account);
        const of = new Set(currencies.map(({ currency }) => currency));
        const days = inCurrencies.filter(({ currency }) => of.has(currency));
        return {
          account,
          entries: days.flatMap(({ entries }) => entries.map((entry) => ({ ...entry, account }))),
          // An account in two currencies is known on a day when both are.
          known: days.length < of.size ? [] : spansOf(account, days),
        };
      }),
  );
  const notes = [...Map.groupBy(own, ({ file }) => file)].flatMap(([file, statements]) => {
    const pending = statements.reduce((sum, each) => sum + each.pending, 0);
    return pending === 0 ? [] : [`${file}: entries that are not booked yet count for nothing (${pending}).`];
  });
  return {
    ok: true,
    entries: accounts.flatMap(({ entries }) => entries),
    known: accounts.flatMap(({ known }) => known),
    accounts: accounts.map(({ account }) => account),
    notes: [...earlierNotes, ...notes],
  };
}

/** Blanks and case say nothing in the number of an account. */
export function accountNumber(account: string): string {
  return account.replaceAll(/\s/g, '').toUpperCase();
}

/** The days that all of `accounts` are known on, as spans. */
function spansOf(account: string, [first, ...others]: readonly AccountDays[]): KnownSpan[] {
  const days = [...(first?.known ?? [])]
    .filter((day) => others.every(({ known }) => known.has(day)))
    .toSorted((one, other) => one - other);
  const starts = days.filter((day, place) => days[place - 1] !== day - 1);
  const ends = days.filter((day, place) => days[place + 1] !== day + 1);
  return starts.map((from, place) => ({
    account,
    from: dateOf(from),
    until: dateOf(ends[place] ?? from),
  }));
}

/** Files that are named are read whatever they are called; of folders those that end with `.xml`. */
function filesOf(
  own: string,
  named: readonly string[],
): { ok: true; files: string[]; notes: string[] } | { ok: false; message: string } {
  const files: string[] = [];
  const notes: string[] = [];
  for (const place of [own, ...named]) {
    let names: string[];
    try {
      const found = statSync(place, { throwIfNoEntry: place !== own });
      if (found === undefined) continue;
      if (!found.isDirectory()) {
        files.push(place);
        continue;
      }
      names = readdirSync(place).filter((name) => !name.startsWith('.'));
    } catch (error) {
      return { ok: false, message: `The statement ${place} cannot be read: ${errorText(error)}` };
    }
    const [fitting, others] = [names.filter((name) => isXml(name)), names.filter((name) => !isXml(name))];
    files.push(...fitting.toSorted().map((name) => path.join(place, name)));
    if (others.length > 0)
      notes.push(`${place}: only files .xml are read, not ${others.toSorted().join(', ')}.`);
  }
  return { ok: true, files, notes };
}

function isXml(name: string): boolean {
  return path.extname(name).toLowerCase() === '.xml';
}
