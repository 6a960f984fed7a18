/** What `tillbridge reconcile` does. */
import path from 'node:path';
import { JournalWriteError } from '../bridge/journal/index.ts';
import {
  decideMoney,
  keepResults,
  moneyCsv,
  readClosedBatches,
  readDecisions,
  readRulesFile,
  resultsSince,
  rulesFileName,
  type KeptResults,
} from '../host/index.ts';
import {
  dateOf,
  localTime,
  reconcile,
  transactionReader,
  type AccountEntry,
  type Decision,
  type KnownSpan,
  type Rules,
} from '../reconcile/index.ts';
import { createRemoteClient, RemoteError, type RemoteClientOptions } from '../remote/library/client.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from './cli-context.ts';
import { moneyJson, moneyTable } from './money-table.ts';
import { explain, readAccess, type AccessFlags } from './remote-access.ts';

export interface ReconcileFlags extends AccessFlags {
  days: string;
  rules?: string;
  simulator?: true;
  json?: true;
  csv?: true;
}

export interface DecisionFlags {
  entry: string[];
  acquirer?: string;
  rules?: string;
  simulator?: true;
  by: string;
  reason: string;
}

const maxDays = 3_660;
/** Money may come for a batch so many days after its close: those closed earlier take no part. */
const lookBackDays = 120;
const dayMs = 86_400_000;

export async function runReconcile(
  dataDir: string,
  flags: ReconcileFlags,
  context: CliContext,
): Promise<number> {
  if (!/^[1-9]\d{0,3}$/.test(flags.days) || Number(flags.days) > maxDays)
    return wrong(context, [`--days: must be a whole number from 1 to ${maxDays}.`]);
  if (flags.json === true && flags.csv === true) return wrong(context, ['Give --json or --csv, not both.']);
  const read = readRulesFile(rulesFileOf(dataDir, flags, context));
  if (!read.ok) return wrong(context, read.errors);
  const access = readAccess(flags, context);
  if (!access.ok) return wrong(context, [access.message]);

  const { rules, version: rulesVersion } = read;
  const now = context.clock.now();
  const today = localTime(rules.timeZone)(now).day;
  const since = new Date(now - (Number(flags.days) + lookBackDays) * dayMs).toISOString();
  const simulated = flags.simulator === true;
  try {
    const folder = folderOf(dataDir, simulated);
    const closed = readClosedBatches(dataDir, simulated, since);
    if (!closed.ok) return failed(context, closed.message);
    const decisions = readDecisions(folder);
    if (!decisions.ok) return failed(context, decisions.message);
    const options = { ...access.value, clock: context.clock };
    const fetched = await entriesSince(options, rules, since, dateOf(today));
    if (!fetched.ok) return failed(context, fetched.message);
    const input = { batches: closed.batches, decisions: decisions.value, today: dateOf(today) };
    const found = reconcile({ ...input, entries: fetched.entries, known: fetched.known }, rules);
    const results: KeptResults = {
      at: new Date(now).toISOString(),
      rulesVersion,
      ...resultsSince(dateOf(today - Number(flags.days)), found, {
        closed: closed.batches,
        entries: fetched.entries,
      }),
    };
    keepResults(folder, results);
    print(results, flags, context);
    return results.batches.some(({ needsPerson }) => needsPerson) ? exitFailed : exitOk;
  } catch (error) {
    if (error instanceof RemoteError) return explain(error, context);
    if (error instanceof JournalWriteError) return failed(context, error.message);
    throw error;
  }
}

/** A named person's word on whose money entries are. */
export function runDecision(
  kind: Decision['kind'],
  batchIds: readonly string[],
  dataDir: string,
  flags: DecisionFlags,
  context: CliContext,
): number {
  const read = readRulesFile(rulesFileOf(dataDir, flags, context));
  if (!read.ok) return wrong(context, read.errors);
  const names = read.rules.acquirers.map(({ name }) => name);
  const acquirer = flags.acquirer ?? (names.length === 1 ? names[0] : undefined);
  if (acquirer === undefined || !names.includes(acquirer))
    return wrong(context, [`--acquirer: must be one of ${names.join(', ')}.`]);
  const { entry: entryIds, by, reason } = flags;
  if (by.trim() === '' || reason.trim() === '')
    return wrong(context, ['--by and --reason must not be empty.']);
  const decided = decideMoney(
    { dataDir, simulated: flags.simulator === true, clock: context.clock },
    { kind, batchIds, acquirer, entryIds, by, reason },
  );
  if (!decided.ok)
    return failed(
      context,
      decided.fault === 'no-batch'
        ? `${decided.message} "tillbridge reconcile --json" names them.`
        : decided.message,
    );
  context.stdout(oneLine(`${by.trim()} has decided; it counts from the next "tillbridge reconcile" on.`));
  return exitOk;
}

/** All posted entries of the accounts in the rules. What cannot be read is never passed over. */
async function entriesSince(
  options: RemoteClientOptions,
  rules: Rules,
  since: string,
  today: string,
): Promise<{ ok: true; entries: AccountEntry[]; known: KnownSpan[] } | { ok: false; message: string }> {
  const client = createRemoteClient(options);
  const read = transactionReader(rules.timeZone);
  const entries: AccountEntry[] = [];
  const accounts = [...new Set(rules.acquirers.map(({ account }) => account))];
  for (const account of accounts) {
    const list = client.v20250212.transactions.list({
      account_id: account,
      since_time: since,
      time_column: 'post_time',
      count: 100,
    });
    for await (const transaction of list) {
      // The document names the parameters, and does not say what they do.
      if (transaction.account_id !== account) continue;
      const reading = read(transaction);
      if (reading.kind === 'unreadable') return { ok: false, message: reading.message };
      if (reading.kind === 'entry') entries.push(reading.entry);
    }
  }
  const known = accounts.map((account) => ({ account, from: since.slice(0, 10), until: today }));
  return { ok: true, entries, known };
}

function print(results: KeptResults, flags: ReconcileFlags, context: CliContext): void {
  if (flags.json === true) context.stdoutExact(moneyJson(results));
  else if (flags.csv === true) context.stdoutExact([...moneyCsv(results)].join('').trimEnd());
  else for (const line of moneyTable(results)) context.stdout(line);
}

function rulesFileOf(dataDir: string, { rules }: { rules?: string }, context: CliContext): string {
  return rules === undefined ? path.join(dataDir, rulesFileName) : path.resolve(context.currentFolder, rules);
}

/** Of the main terminal's journal. */
function folderOf(dataDir: string, simulated: boolean): string {
  return simulated ? path.join(dataDir, 'simulator') : dataDir;
}

function wrong(context: CliContext, messages: readonly string[]): number {
  for (const message of messages) context.error(oneLine(message));
  return exitUsage;
}

function failed(context: CliContext, message: string): number {
  context.error(oneLine(message));
  return exitFailed;
}
