/**
 * A whole look for the money, for whoever asks: the command line, or a host.
 *
 *     journals ─► closed batches ─┐
 *     service  ─► entries ────────┤
 *     rules, decisions ───────────┴─► reconcile ─► reconcile-results.json
 */
import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { JournalWriteError } from '../../bridge/journal/index.ts';
import { dateOf, localTime, reconcile, ReconcileInputError } from '../../reconcile/index.ts';
import { readClosedBatches } from './closed-batches.ts';
import type { EntrySource } from './entry-source.ts';
import { resultsSince, type KeptResults } from './kept-results.ts';
import { moneyFolder, rulesFileName, type MoneyPlace } from '../money-place.ts';
import { keepResults, readDecisions, readResults, readRulesFile } from './money-files.ts';
import type { Read } from './service-access.ts';
import { statementEntries, statementsFolder } from './statement-entries.ts';

export interface MoneyRequest extends MoneyPlace {
  /** The rules; left out: `reconcile-rules.json` in the data folder. */
  rulesFile?: string | undefined;
  /** The batches of so many days are told: 1 to `maxDays`. */
  days: number;
  clock: Pick<Clock, 'now'>;
  /**
   * As it would have been found on this day (`YYYY-MM-DD`), or would be if nothing more came until then. That is not kept.
   */
  asOf?: string | undefined;
  /** Files and folders with a bank's statements, beside the folder `statements` of the data folder. */
  statements?: readonly string[] | undefined;
  /** For the accounts that there are no statements of. Or what is missing to ask the remote service, as a sentence. */
  service: Read<EntrySource>;
}

export type MoneyOutcome =
  /** `notes`: what was left out of the statements, in sentences. */
  | { ok: true; results: KeptResults; notes: string[] }
  /** `usage`: rules or access are wrong, each sentence names one thing. `cause`: the error, where there was one. */
  | { ok: false; kind: 'usage' | 'failed'; messages: string[]; cause?: unknown };

export const maxDays = 3_660;
/** Money may come for a batch so many days after its close: those closed earlier take no part. */
const lookBackDays = 120;
const dayMs = 86_400_000;

/** What was found is kept beside the journal. Never rejects for what can be expected. */
export async function lookForMoney(request: MoneyRequest): Promise<MoneyOutcome> {
  const { dataDir, simulated, rulesFile = path.join(dataDir, rulesFileName), days, service } = request;
  const read = readRulesFile(rulesFile);
  if (!read.ok) return { ok: false, kind: 'usage', messages: read.errors };
  const { rules, version: rulesVersion } = read;
  const { timeZone } = rules;
  const local = localTime(timeZone);
  const { asOf } = request;
  // At noon in UTC, so that it is this day wherever the shop is but for the ends of the earth.
  const now = asOf === undefined ? request.clock.now() : Date.parse(`${asOf}T12:00:00Z`);
  const today = local(now).day;
  const sinceMs = now - (days + lookBackDays) * dayMs;
  const folder = moneyFolder(request);
  try {
    const closed = readClosedBatches(dataDir, simulated, new Date(sinceMs).toISOString());
    if (!closed.ok) return failed(closed.message);
    const decisions = readDecisions(folder);
    if (!decisions.ok) return failed(decisions.message);
    const fromBank = await statementEntries(
      path.join(folder, statementsFolder),
      request.statements ?? [],
      rules,
    );
    if (!fromBank.ok) return failed(fromBank.message);
    const accounts = [...new Set(rules.acquirers.map(({ account }) => account))].filter(
      (account) => !fromBank.accounts.includes(account),
    );
    const since = dateOf(local(sinceMs).day);
    let entries = fromBank.entries.filter(({ date }) => date >= since);
    let { known } = fromBank;
    const unread = accounts.find((account) => iban.test(account));
    if (unread !== undefined) return failed(noStatement(unread, path.join(folder, statementsFolder)));
    if (accounts.length > 0) {
      if (!service.ok) return { ok: false, kind: 'usage', messages: [service.message] };
      const fromService = await service.value({ accounts, sinceMs, untilDay: today, timeZone });
      if (!fromService.ok) return failed(fromService.message, fromService.cause);
      entries = [...entries, ...fromService.entries];
      known = [...known, ...fromService.known];
    }
    const until = dateOf(today);
    entries = entries.filter(({ date }) => asOf === undefined || date <= until);
    const batches = closed.batches.filter(
      ({ closedAt }) => asOf === undefined || local(Date.parse(closedAt)).day <= today,
    );
    const said = decisions.value.filter(({ at }) => asOf === undefined || local(Date.parse(at)).day <= today);
    const input = { batches, entries, known, decisions: said, today: until };
    const about = { entries, closed: batches };
    const results: KeptResults = {
      at: new Date(now).toISOString(),
      rulesVersion,
      ...resultsSince(dateOf(today - days), reconcile(input, rules), about),
    };
    const notKept = asOf === undefined ? keep(folder, results, request.clock) : [];
    return { ok: true, results, notes: [...fromBank.notes, ...notKept] };
  } catch (error) {
    if (error instanceof JournalWriteError || error instanceof ReconcileInputError)
      return failed(error.message);
    throw error;
  }
}

/** Unless a look that began later has been kept meanwhile. Notes why they were not. */
function keep(folder: string, results: KeptResults, clock: Pick<Clock, 'now'>): string[] {
  try {
    const other = readResults(folder);
    const at = other.ok && other.value !== null ? Date.parse(other.value.at) : 0;
    if (at <= Date.parse(results.at) || at > clock.now()) keepResults(folder, results);
    return [];
  } catch (error) {
    return [`What was found was not kept: ${errorText(error)}`];
  }
}

/** The remote service has ids of its own. */
const iban = /^ *[A-Z]{2} *\d{2}[A-Z0-9 ]{11,40}$/i;

function noStatement(account: string, folder: string): string {
  return `There is no statement of the account ${account}. Put the bank's files (camt.053) into ${folder}, or name them with --statement.`;
}

function failed(message: string, cause?: unknown): MoneyOutcome {
  return { ok: false, kind: 'failed', messages: [message], cause };
}
