/** A person's choice after damage: a new journal from what can still be read of the old one, which stays as it is. */
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { JournalEvent } from '../../contract/journal-events.ts';
import { acquireExclusiveLock } from '../locks/index.ts';
import { checkJournal } from './quick-check.ts';
import { setAsideJournal, finishSetAside } from './damage.ts';
import { journalFiles, type JournalFiles } from './journal-files.ts';
import { JournalRuleError } from './journal.ts';
import { openHighWaterMark } from './high-water-mark.ts';
import { namedPerson } from './named-person.ts';
import { inFolder, locked, prepareFresh, publishFresh, tooNew, type OpenOptions } from './open.ts';
import { openSource, type Source } from './salvage.ts';
import { openForWriting } from './schema.ts';
import { makeTables, writeEvents, type StampedEvent } from './tables.ts';
import { verifyJournal } from './verify.ts';

export interface RepairOptions extends OpenOptions {
  /** Who chose this, and why; both go into the new journal. */
  by: string;
  reason: string;
  /** Gives the discrepancy that a loss leaves its id. */
  uuid: () => string;
}

export type RepairResult =
  | {
      kind: 'repaired';
      /** The old journal; it is kept. */
      setAside: string;
      eventsKept: number;
      /** As far as anything tells how many there had been. */
      eventsLost: number;
      message: string;
    }
  | { kind: 'nothing_to_repair'; message: string }
  /** Nobody is named, or no reason. */
  | { kind: 'refused'; message: string }
  | { kind: 'locked'; message: string }
  | { kind: 'too_new'; message: string };

const eventsPerTransaction = 5_000;

/**
 * Makes a new journal out of the set-aside one, or of one that `verifyJournal` finds fault with (which is set aside
 * first). Events are taken over as far as the chain holds, and after a break each one that fits its hash and what is
 * known so far: a reference that was forgotten could be charged a second time. All rows are worked out anew. An
 * operation whose end is lost is open again, and so in doubt. A loss leaves a discrepancy, which holds all sales until a
 * person has acknowledged it. Throws `JournalWriteError` when folder or disk refuse.
 */
export function repairJournal(given: RepairOptions): RepairResult {
  const person = namedPerson(given.by, given.reason, 'the name of the person who repairs it is needed');
  if (!person.ok) return { kind: 'refused', message: person.refusal.message };
  const options = { ...given, ...person.value };
  const files = journalFiles(options.folder);
  return inFolder(files, () => {
    const lock = acquireExclusiveLock(files.lock);
    if (lock.kind === 'taken') return { kind: 'locked', message: locked(files).message };
    try {
      return repairLocked(files, options);
    } finally {
      lock.release();
    }
  });
}

function repairLocked(files: JournalFiles, options: RepairOptions): RepairResult {
  const found = findDamaged(files, options.clock.now());
  if (typeof found !== 'string') return found;
  prepareFresh(files);
  const scratch = join(files.folder, 'journal-mending.sqlite');
  const source = openSource(found, scratch, files.fresh);
  try {
    const { kept, lost } = rebuild(files, source, found, options);
    publishFresh(files);
    const message = summary(kept, lost, found);
    const { by, reason } = options;
    options.log.warn(message, { source: 'journal', by, reason });
    return { kind: 'repaired', setAside: found, eventsKept: kept, eventsLost: lost, message };
  } finally {
    source.close();
  }
}

/** The path of the set-aside journal, or why there is nothing to do. */
function findDamaged(files: JournalFiles, now: number): string | RepairResult {
  const waiting = finishSetAside(files);
  if (waiting !== null) return waiting;
  const check = checkJournal(files);
  if (check.kind === 'too_new') return tooNew(files, check.version);
  if (check.kind === 'none') return nothing(`There is no journal in ${files.folder}.`);
  if (check.kind === 'sound' && verifyJournal(files.folder).ok) return nothing('The journal is sound.');
  return setAsideJournal(files, now);
}

function nothing(message: string): RepairResult {
  return { kind: 'nothing_to_repair', message };
}

function rebuild(
  files: JournalFiles,
  source: Source,
  setAside: string,
  { by, reason, clock, uuid }: RepairOptions,
): { kept: number; lost: number } {
  const database = openForWriting(files.fresh);
  try {
    const tables = makeTables(database);
    let kept = 0;
    /** False: an event that does not follow on what could be read before it, such as the end of an unknown operation. */
    const keep = (entry: StampedEvent): boolean => {
      try {
        writeEvents(tables, [entry], () => {});
        return true;
      } catch (error) {
        if (error instanceof JournalRuleError) return false;
        throw error;
      }
    };
    database.exec('BEGIN IMMEDIATE');
    for (const entry of source.events()) {
      if (!keep(entry)) continue;
      kept += 1;
      if (kept % eventsPerTransaction === 0) database.exec('COMMIT; BEGIN IMMEDIATE');
    }
    const name = basename(setAside);
    const repaired: JournalEvent = { type: 'journal_repaired', by, reason, setAside: name, eventsKept: kept };
    const at = new Date(clock.now()).toISOString();
    keep({ at, event: repaired });
    const lost = Math.max(0, source.expected - kept);
    const loss = lossMessage(lost, source.hasHighWaterMark);
    if (loss !== null) keep({ at, event: lossFound(loss, uuid()) });
    database.exec('COMMIT');
    leaveHighWaterMark(files, database);
    return { kept, lost };
  } finally {
    database.close();
  }
}

function lossFound(message: string, discrepancyId: string): JournalEvent {
  const nothing = { operationId: null, references: [], amountMinor: null, currency: null, record: null };
  return { type: 'discrepancy_found', discrepancyId, kind: 'journal_loss', message, ...nothing };
}

/** What a person has to know before payments go on; null when nothing is missing. */
function lossMessage(lost: number, countIsKnown: boolean): string | null {
  if (lost === 0 && countIsKnown) return null;
  const what =
    lost === 0
      ? 'whether events are lost cannot be told'
      : `${lost} ${lost === 1 ? 'event of it is' : 'events of it are'} lost`;
  return (
    `The journal was repaired, and ${what}. Compare the terminal’s records of the day with the journal: a payment that ` +
    'the journal does not know would be charged again under the same reference.'
  );
}

function leaveHighWaterMark(files: JournalFiles, database: DatabaseSync): void {
  const highWaterMark = openHighWaterMark(`${files.fresh}-mark`);
  highWaterMark.write(makeTables(database).head());
  highWaterMark.close();
}

function summary(kept: number, lost: number, setAside: string): string {
  const taken = `A new journal was made with ${kept} events of the damaged one, which is kept as ${setAside}.`;
  if (lost === 0) return `${taken} Nothing is known to be missing.`;
  return (
    `${taken} ${lost} could not be taken over: compare the terminal's own records with the journal, and use new ` +
    `references for payments that the journal does not know.`
  );
}
