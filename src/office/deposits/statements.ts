/**
 * The bank's statements as people hand them in: each file once, by its hash. What contradicts the statements that are there
 * is refused, unless it corrects them: then those whose days it has all of count no more. A file that counts no more can be
 * handed in again, as if it were a new one.
 */
import { createHash } from 'node:crypto';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import type { AddedStatement } from '../../contract/office-deposits.ts';
import { accountNumber, dateOf } from '../../reconcile/index.ts';
import { entriesOfAccounts, readCamt053, type Statement } from '../../statements/index.ts';
import type { Queries } from '../database/database.ts';
import { storableJson, storableText } from '../database/storable.ts';
import { locks } from '../database/migrate.ts';
import type { Merchant } from './rules.ts';
import { rowOfStatement, statementOf, type KeptStatement, type StatementRow } from './statement-row.ts';

export interface HandedIn {
  name: string;
  content: Uint8Array;
  corrects: boolean;
  by: string;
}

export type Adding = { ok: true; value: AddedStatement } | { ok: false; message: string };

/** Statements so far from each other have nothing to say of the same day; the bank's count may begin anew meanwhile. */
const nearDays = 60;

/** In a transaction of its own, which is to be rolled back where the answer is no. Sentences name the file. */
export async function addStatement(
  queries: Queries,
  { name, content, corrects, by }: HandedIn,
  { merchants, clock, chance }: { merchants: readonly Merchant[]; clock: Pick<Clock, 'now'>; chance: Chance },
): Promise<Adding> {
  const read = readCamt053(name, content);
  if (!read.ok) return read;
  const accounts = [...new Set(read.statements.map(({ account }) => account))];
  const owners = new Set(
    accounts.flatMap((account) => merchants.filter((each) => hasAccount(each, account))),
  );
  if (owners.size === 0)
    return {
      ok: false,
      message: `${name} belongs to the account ${accounts.join(', ')}. In the rules no acquirer pays to it.`,
    };
  // Two that contradict each other must not come in at the same moment.
  await queries.query('SELECT pg_advisory_xact_lock($1)', [locks.statements]);
  const hash = createHash('sha256').update(content).digest();
  const [same] = await queries.query<{ file_id: string; counts: boolean }>(
    `SELECT file_id, NOT EXISTS (
       SELECT FROM statements WHERE statements.file_id = statement_files.file_id AND replaced_by IS NOT NULL
     ) AS counts FROM statement_files WHERE hash = $1`,
    [hash],
  );
  if (same?.counts === true) return { ok: true, value: { isNew: false, accounts, replaced: 0, notes: [] } };

  const span = {
    from: Math.min(...read.statements.map(({ from }) => from)) - nearDays,
    until: Math.max(...read.statements.map(({ until }) => until)) + nearDays,
  };
  const fileId = same?.file_id ?? chance.uuid();
  const kept = (await statementsOf(queries, accounts, span)).filter((each) => each.fileId !== fileId);
  // A bank may have called another one so.
  const file = `${name} (new)`;
  const added = read.statements.map((statement) => ({ ...statement, file }));
  const replaced = corrects ? kept.filter((each) => added.some((one) => covers(one, each))) : [];
  const staying = kept.filter((each) => !replaced.includes(each));
  const notes: string[] = [];
  for (const { rules } of owners) {
    const together = entriesOfAccounts([...staying, ...added], rules);
    if (!together.ok) return { ok: false, message: `${together.message} ${adviceOn(corrects)}` };
    notes.push(
      ...together.notes.filter((note) => note.startsWith(file)).map((note) => note.replace(file, () => name)),
    );
  }
  await (same === undefined ? keepFile : countAgain)(queries, fileId, {
    hash,
    name: storableText(name),
    content,
    by: storableText(by),
    at: new Date(clock.now()).toISOString(),
    statements: read.statements,
  });
  for (const { fileId: old, place } of replaced)
    await queries.query('UPDATE statements SET replaced_by = $3 WHERE file_id = $1 AND place = $2', [
      old,
      place,
      fileId,
    ]);
  return { ok: true, value: { isNew: true, accounts, replaced: replaced.length, notes } };
}

interface FileToKeep {
  hash: Buffer;
  name: string;
  content: Uint8Array;
  by: string;
  at: string;
  statements: readonly Statement[];
}

async function keepFile(
  queries: Queries,
  fileId: string,
  { hash, name, content, by, at, statements }: FileToKeep,
): Promise<void> {
  await queries.query(
    `INSERT INTO statement_files (file_id, hash, name, content, handed_in_by, handed_in_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [fileId, hash, name, content, by, at],
  );
  await queries.query(
    `INSERT INTO statements (file_id, place, account, currency, number, from_day, until_day, opening_minor, closing_minor,
       pending, entries)
     SELECT file_id, place, account, currency, number, from_day, until_day, opening_minor, closing_minor, pending, entries
     FROM json_populate_recordset(NULL::statements, $1::json)`,
    [storableJson(statements.map((statement, place) => rowOfStatement(statement, fileId, place)))],
  );
}

/** It is handed in now, and by whoever does so: from then on the money is looked for anew. */
async function countAgain(queries: Queries, fileId: string, { name, by, at }: FileToKeep): Promise<void> {
  await queries.query(
    'UPDATE statement_files SET name = $2, handed_in_by = $3, handed_in_at = $4 WHERE file_id = $1',
    [fileId, name, by, at],
  );
  await queries.query('UPDATE statements SET replaced_by = NULL WHERE file_id = $1', [fileId]);
}

function adviceOn(corrects: boolean): string {
  return corrects
    ? 'It was not kept: it corrects only statements of days that it has all of.'
    : 'It was not kept. If the bank has corrected what it said before, hand it in as a correction (--corrects).';
}

function hasAccount({ rules }: Merchant, account: string): boolean {
  return rules.acquirers.some((acquirer) => accountNumber(acquirer.account) === account);
}

function covers(one: Statement, other: Statement): boolean {
  const { account, currency, from, until } = other;
  return one.account === account && one.currency === currency && one.from <= from && until <= one.until;
}

/** $1: the accounts, $2, $3: days. Those that count, of some of these days; what one file has comes in its order. */
export const countingStatements = `
  SELECT file_id, place, name, account, currency, number, from_day, until_day, opening_minor, closing_minor, pending, entries
  FROM statements JOIN statement_files USING (file_id)
  WHERE replaced_by IS NULL AND account = ANY ($1::text[]) AND until_day >= $2 AND from_day <= $3
  ORDER BY handed_in_at, file_id, place`;

async function statementsOf(
  queries: Queries,
  accounts: readonly string[],
  { from, until }: { from: number; until: number },
): Promise<KeptStatement[]> {
  const values = [accounts.map(accountNumber), dateOf(from), dateOf(until)];
  return (await queries.query<StatementRow>(countingStatements, values)).map(statementOf);
}
