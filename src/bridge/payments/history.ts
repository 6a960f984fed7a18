/** What the bridge did lately and what was last read of the terminal, out of the newest facts of the journal. */
import type { DiscrepancyKind } from '../../contract/discrepancy.ts';
import type { JournalEvent, OperationStarted, StoredEvent } from '../../contract/journal-events.ts';
import type { OperationOutcome } from '../../contract/operation.ts';
import type { LastRecord, TerminalRecord } from '../../contract/terminal.ts';
import type { Journal } from '../journal/journal.ts';
import type { KnownByHand } from './batch.ts';
import { isDone } from './machine.ts';

export interface EndedOperation {
  operation: OperationStarted;
  outcome: OperationOutcome;
  /** The last result that the terminal gave of it, if any. */
  result: TerminalRecord | null;
  /** A person decided it. */
  byPerson: boolean;
  /** What the terminal showed when it was decided by evidence or by a person; null when it was not looked at. */
  shown: LastRecord | null;
  /** The discrepancies about it that have been found. */
  told: DiscrepancyKind[];
}

export interface History {
  /** The operations that ended last, newest first. */
  ended(): EndedOperation[];
  /** The last record that could be read, and whether the terminal showed it or it came with a result of ours. */
  lastReadable(): { lastRecord: LastRecord; source: 'terminal' | 'result' } | null;
  /**
   * The last record that had a number, and how many without one were noted since. Null when one of these came from
   * nobody knows where: then the number says nothing of what follows.
   */
  lastNumbered(): { lastRecord: LastRecord; since: number } | null;
}

/** As many operations as a record can be held against: what came before them lies behind other records of ours. */
const maxEnded = 10;
/** Enough for ten operations on a quiet day: each look at the terminal asks for them. */
const pageFacts = 80;
/** A line that comes and goes writes facts without an operation; so many pages are looked through for one. */
const maxPages = 125;
/** A busy day has some ten thousand facts. */
const maxBatchPages = 625;

type Facts = Pick<Journal, 'eventsAfter' | 'lastSeq'>;

/** The facts below `seq`, at most so many pages of them. */
function* newestFirst(journal: Facts, seq: number, pages: number): Generator<StoredEvent> {
  let below = seq;
  for (let page = 0; page < pages && below > 1; page += 1) {
    const after = Math.max(0, below - 1 - pageFacts);
    const facts = journal.eventsAfter(after, pageFacts).filter((fact) => fact.seq < below);
    yield* facts.toReversed();
    below = after + 1;
  }
}

export function createHistory(journal: Facts & Pick<Journal, 'eventsOf'>): History {
  const lately = () => newestFirst(journal, journal.lastSeq() + 1, maxPages);

  function* recordsSeen() {
    for (const { event } of lately()) {
      if (event.type !== 'record_seen' && event.type !== 'terminal_ready') continue;
      const { lastRecord, continuity } = event;
      if (lastRecord.kind !== 'record') continue;
      const source = event.type === 'record_seen' ? (event.source ?? 'terminal') : 'terminal';
      yield { lastRecord, continuity, source };
    }
  }

  return {
    ended() {
      const ended: EndedOperation[] = [];
      for (const { event } of lately()) {
        if (event.type !== 'operation_ended') continue;
        const operation = endedOperation(journal.eventsOf(event.operationId));
        if (operation !== null) ended.push(operation);
        if (ended.length === maxEnded) break;
      }
      return ended;
    },
    lastReadable() {
      const [last] = recordsSeen();
      return last === undefined ? null : { lastRecord: last.lastRecord, source: last.source };
    },
    lastNumbered() {
      let since = 0;
      for (const { lastRecord, continuity } of recordsSeen()) {
        if (!isUnnumbered(lastRecord)) return { lastRecord, since };
        if (continuity === 'gap' || continuity === 'changed_terminal') return null;
        if (continuity !== 'same') since += 1;
      }
      return null;
    },
  };
}

/** A record that its own number does not place. */
export function isUnnumbered(lastRecord: LastRecord): boolean {
  return lastRecord.kind === 'record' && lastRecord.record.traceNumber === null;
}

/** What the discrepancies found below `seq` tell of the batch that was open then. */
export function knownByHand(journal: Facts & Pick<Journal, 'operation'>, seq: number): KnownByHand {
  const known: KnownByHand = { payments: [], reversals: [], reversed: [] };
  const seen = new Set<string>();
  for (const { event } of newestFirst(journal, seq, maxBatchPages)) {
    if (isBatchBoundary(event)) break;
    if (event.type !== 'discrepancy_found' || event.record?.approved !== true) continue;
    const { kind, record, references, operationId } = event;
    const key = `${record.kind} ${record.traceNumber ?? ''} ${record.receiptNumber ?? ''}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (kind === 'unexplained_payment') known.payments.push(record);
    if (kind === 'unexplained_reversal' && references.length === 0) known.reversals.push(record);
    if (kind === 'unexplained_reversal') known.reversed.push(...references);
    if (kind !== 'contradicted_outcome' || operationId === null) continue;
    const outcome = journal.operation(operationId)?.outcome ?? null;
    if (outcome === null || isDone(outcome)) continue;
    // It was called undone, and the terminal shows that it was done.
    if (record.kind === 'payment') known.payments.push(record);
    if (record.kind === 'reversal') known.reversed.push(...references);
  }
  return known;
}

function isBatchBoundary(event: JournalEvent): boolean {
  if (event.type === 'operation_ended') return event.outcome === 'closed';
  if (event.type !== 'record_seen' && event.type !== 'terminal_ready') return false;
  return event.continuity === 'batch' || event.continuity === 'changed_terminal';
}

/** Null: the facts are not those of an operation that has ended. */
export function endedOperation(facts: StoredEvent[]): EndedOperation | null {
  let operation: OperationStarted | null = null;
  let result: TerminalRecord | null = null;
  let shown: LastRecord | null = null;
  const told: DiscrepancyKind[] = [];
  let end: { outcome: OperationOutcome; byPerson: boolean } | null = null;
  for (const { event } of facts) {
    if (event.type === 'operation_started') operation = event;
    if (event.type === 'result_received') ({ result } = event);
    if (event.type === 'evidence_found') shown = event.evidence.lastRecord;
    if (event.type === 'discrepancy_found') told.push(event.kind);
    if (event.type !== 'operation_ended') continue;
    result = event.result ?? result;
    shown = event.evidence?.lastRecord ?? shown;
    end = { outcome: event.outcome, byPerson: event.resolvedBy !== null };
  }
  return operation === null || end === null ? null : { operation, result, shown, told, ...end };
}
