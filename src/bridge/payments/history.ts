/** What the bridge did lately and what was last read of the terminal, out of the newest facts of the journal. */
import type { DiscrepancyKind } from '../../contract/discrepancy.ts';
import type { OperationStarted, StoredEvent } from '../../contract/journal-events.ts';
import type { OperationOutcome } from '../../contract/operation.ts';
import type { LastRecord, TerminalRecord } from '../../contract/terminal.ts';
import type { Journal } from '../journal/journal.ts';

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
}

/** As many operations as a record can be held against: what came before them lies behind other records of ours. */
const maxEnded = 10;
const pageFacts = 500;
/** A line that comes and goes writes facts without an operation; so many pages are looked through for one. */
const maxPages = 20;

export function createHistory(journal: Pick<Journal, 'eventsAfter' | 'eventsOf' | 'lastSeq'>): History {
  function* newestFirst(): Generator<StoredEvent> {
    let below = journal.lastSeq() + 1;
    for (let page = 0; page < maxPages && below > 1; page += 1) {
      const after = Math.max(0, below - 1 - pageFacts);
      yield* journal
        .eventsAfter(after, pageFacts)
        .filter(({ seq }) => seq < below)
        .toReversed();
      below = after + 1;
    }
  }

  return {
    ended() {
      const ended: EndedOperation[] = [];
      for (const { event } of newestFirst()) {
        if (event.type !== 'operation_ended') continue;
        const operation = endedOperation(journal.eventsOf(event.operationId));
        if (operation !== null) ended.push(operation);
        if (ended.length === maxEnded) break;
      }
      return ended;
    },
    lastReadable() {
      for (const { event } of newestFirst()) {
        if (event.type !== 'record_seen' && event.type !== 'terminal_ready') continue;
        const { lastRecord } = event;
        if (lastRecord.kind !== 'record') continue;
        const source = event.type === 'record_seen' ? (event.source ?? 'terminal') : 'terminal';
        return { lastRecord, source };
      }
      return null;
    },
  };
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
