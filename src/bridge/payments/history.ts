/** What the bridge did lately and what was last read of the terminal, out of the newest events of the journal. */
import type { DiscrepancyKind } from '../../contract/discrepancy.ts';
import type { JournalEvent, OperationStarted, StoredEvent } from '../../contract/journal-events.ts';
import type { OperationOutcome } from '../../contract/operation.ts';
import type { LastRecord, TerminalRecord } from '../../contract/terminal.ts';
import type { Journal } from '../journal/index.ts';
import { isDone } from './operation-machine.ts';
import { seenIdle } from './seen-idle.ts';

export interface EndedOperation {
  operation: OperationStarted;
  outcome: OperationOutcome;
  /** The last result that the terminal gave of it, if any. */
  result: TerminalRecord | null;
  /** The last one that has a number: a terminal that breaks off may send another one without. */
  numbered: TerminalRecord | null;
  /** The last result that came after its end and says what its end says. */
  late: TerminalRecord | null;
  /** Our acknowledgement of its result was sent in full. */
  acknowledged: boolean;
  /** A person decided it. */
  byPerson: boolean;
  /** And nobody had seen that the terminal was done with it, because it could not be reached. */
  endedUnseen: boolean;
  /** What the terminal showed when it was decided by evidence or by a person; null when it was not looked at. */
  shown: LastRecord | null;
  /** The discrepancies about it that have been found. */
  discrepancies: DiscrepancyKind[];
  /** A charge of another amount that was not accepted, and which the terminal therefore undoes. */
  refused: TerminalRecord | null;
}

export interface History {
  /** The operations that ended last, newest first. */
  ended(): EndedOperation[];
  /** Which event noted the last record that could be read, and those of them that ended after it. */
  sinceNoted(): { noted: number; ended: EndedOperation[] };
  /** The last record that could be read, and whether the terminal showed it or it came with a result of ours. */
  lastReadable(): { lastRecord: LastRecord; source: 'terminal' | 'result' } | null;
  /**
   * The last record that had a number, and how many without one were noted since. Null when one of these came from
   * nobody knows where: then the number says nothing of what follows.
   */
  lastNumbered(): { lastRecord: LastRecord; since: number } | null;
  /** The newest payment that came with a result of ours, unless a close of ours has come since. */
  newestPayment(): LastRecord | null;
}

/** As many operations as a record can be held against: what came before them lies behind other records of ours. */
const maxEnded = 10;
/** Enough for ten operations on a quiet day. */
const pageSize = 80;
/** A line that comes and goes writes events without an operation; so many pages are looked through for one. */
const maxPages = 125;
/** A busy day has some ten thousand events. */
const maxBatchPages = 625;

type StoredEvents = Pick<Journal, 'eventsAfter' | 'lastSeq'>;

/** The events below `seq`, at most so many pages of them. */
function* newestFirst(journal: StoredEvents, seq: number, pages: number): Generator<StoredEvent> {
  let below = seq;
  for (let page = 0; page < pages && below > 1; page += 1) {
    const after = Math.max(0, below - 1 - pageSize);
    const events = journal.eventsAfter(after, pageSize).filter((stored) => stored.seq < below);
    yield* events.toReversed();
    below = after + 1;
  }
}

/** Where below `seq` the connection began that lived then; null where that is too long ago to be looked for. */
export function lastConnectionBelow(journal: StoredEvents, seq: number): number | null {
  for (const { seq: at, event } of newestFirst(journal, seq, maxPages))
    if (event.type === 'terminal_ready' || event.type === 'terminal_lost') return at;
  return null;
}

/** Follows the journal: what was read of it once is not read again, because events never change. */
export function createHistory(journal: StoredEvents & Pick<Journal, 'eventsOf'>): History {
  /** The newest event that was taken. */
  let seen = 0;
  /** The operations that ended last, newest first. */
  const endedIds: { id: string; seq: number }[] = [];
  /** When the last record that could be read was noted for the first time. */
  let notedSeq = 0;
  const operations = new Map<string, EndedOperation | null>();
  let readable: ReturnType<History['lastReadable']> = null;
  let numbered: ReturnType<History['lastNumbered']> = null;
  let newestPayment: LastRecord | null = null;

  function follow(): void {
    const head = journal.lastSeq();
    if (head === seen) return;
    const news = seen === 0 ? enough(newestFirst(journal, head + 1, maxPages)) : since(journal, seen);
    for (const stored of news) take(stored);
    seen = head;
  }

  function take({ seq, event }: StoredEvent): void {
    // What is told of an operation belongs to it, also after its end.
    if ('operationId' in event && event.operationId !== null) operations.delete(event.operationId);
    if (event.type === 'operation_ended') {
      endedIds.unshift({ id: event.operationId, seq });
      for (const old of endedIds.splice(maxEnded)) operations.delete(old.id);
      if (event.outcome === 'closed') newestPayment = null;
    }
    if (event.type !== 'record_seen' && event.type !== 'terminal_ready') return;
    const { lastRecord, continuity } = event;
    if (lastRecord.kind !== 'record') return;
    const source = event.type === 'record_seen' ? (event.source ?? 'terminal') : 'terminal';
    readable = { lastRecord, source };
    if (source === 'result' && lastRecord.record.kind === 'payment') newestPayment = lastRecord;
    // Shown again, it was noted before.
    if (continuity !== 'same' || source === 'result') notedSeq = seq;
    if (!isUnnumbered(lastRecord)) numbered = { lastRecord, since: 0 };
    else if (continuity === 'gap' || continuity === 'changed_terminal') numbered = null;
    else if (numbered !== null && continuity !== 'same')
      numbered = { ...numbered, since: numbered.since + 1 };
  }

  function operation(operationId: string): EndedOperation | null {
    const known = operations.get(operationId);
    if (known !== undefined) return known;
    const found = endedOperation(journal.eventsOf(operationId));
    operations.set(operationId, found);
    return found;
  }

  return {
    ended() {
      follow();
      return endedIds.map(({ id }) => operation(id)).filter((ended) => ended !== null);
    },
    sinceNoted() {
      follow();
      const since = endedIds.filter(({ seq }) => seq > notedSeq);
      return {
        noted: notedSeq,
        ended: since.map(({ id }) => operation(id)).filter((ended) => ended !== null),
      };
    },
    lastReadable() {
      follow();
      return readable;
    },
    lastNumbered() {
      follow();
      return numbered;
    },
    newestPayment() {
      follow();
      return newestPayment;
    },
  };
}

/** Of the events, given newest first, as many as tell all that there is to know of them; oldest first. */
function enough(events: Iterable<StoredEvent>): StoredEvent[] {
  const taken: StoredEvent[] = [];
  let ended = 0;
  let numbered = false;
  for (const stored of events) {
    taken.push(stored);
    const { event } = stored;
    if (event.type === 'operation_ended') ended += 1;
    if (event.type === 'record_seen' || event.type === 'terminal_ready')
      numbered ||= event.lastRecord.kind === 'record' && !isUnnumbered(event.lastRecord);
    if (ended >= maxEnded && numbered) break;
  }
  return taken.toReversed();
}

/** The events after `seq`, oldest first. */
function* since(journal: StoredEvents, seq: number): Generator<StoredEvent> {
  let after = seq;
  for (;;) {
    const events = journal.eventsAfter(after, pageSize);
    yield* events;
    const newest = events.at(-1);
    if (newest === undefined || events.length < pageSize) return;
    after = newest.seq;
  }
}

/** A record that its own number does not place. */
export function isUnnumbered(lastRecord: LastRecord): boolean {
  return lastRecord.kind === 'record' && lastRecord.record.traceNumber === null;
}

/** What the journal knows to have been done by hand since the batch was opened. */
export interface KnownByHand {
  /** Payments that are not ours. */
  payments: TerminalRecord[];
  /** Reversals of payments that are not ours. */
  reversals: TerminalRecord[];
  /** References of ours that were reversed at the terminal. */
  reversed: string[];
}

/** What the discrepancies found below `seq` tell of the batch that was open then. */
export function knownByHand(journal: StoredEvents & Pick<Journal, 'operation'>, seq: number): KnownByHand {
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

/** References of ours that were not in the batch as they were approved when a close was about to be sent, by its discrepancies. */
export interface NotInClose {
  undone: string[];
  /** They were, at another amount or in another currency. */
  differing: string[];
  /** Nothing says whether they were. */
  untold: string[];
}

/** What the terminal said before this close was sent. It is in the journal before the close's end, so nothing else is. */
export function notInClose(journal: Pick<Journal, 'eventsOf'>, operationId: string): NotInClose {
  const found: NotInClose = { undone: [], differing: [], untold: [] };
  for (const { event } of journal.eventsOf(operationId)) {
    if (event.type === 'operation_ended') break;
    if (event.type !== 'discrepancy_found') continue;
    if (event.kind === 'unexplained_reversal') found.undone.push(...event.references);
    if (event.kind === 'amount_differs') found.differing.push(...event.references);
    if (event.kind === 'batch_differs') found.untold.push(...event.references);
  }
  return found;
}

function isBatchBoundary(event: JournalEvent): boolean {
  if (event.type === 'operation_ended') return event.outcome === 'closed';
  if (event.type !== 'record_seen' && event.type !== 'terminal_ready') return false;
  return event.continuity === 'batch' || event.continuity === 'changed_terminal';
}

/** Null: the events are not those of an operation that has ended. */
function endedOperation(events: StoredEvent[]): EndedOperation | null {
  let operation: OperationStarted | null = null;
  let result: TerminalRecord | null = null;
  let numbered: TerminalRecord | null = null;
  let late: TerminalRecord | null = null;
  let acknowledged = false;
  let shown: LastRecord | null = null;
  const discrepancies: DiscrepancyKind[] = [];
  let refused: TerminalRecord | null = null;
  let end: Pick<EndedOperation, 'outcome' | 'byPerson' | 'endedUnseen'> | null = null;
  for (const { event } of events) {
    if (event.type === 'operation_started') operation = event;
    if (event.type === 'result_received') ({ result } = event);
    // Of the newest one, not of one that another has replaced.
    if (event.type === 'result_received') acknowledged = false;
    if (event.type === 'result_acknowledged') acknowledged = true;
    if (event.type === 'late_result_received' && event.accepted) late = event.result;
    if (event.type === 'evidence_found') shown = event.evidence.lastRecord;
    if (event.type === 'discrepancy_found') discrepancies.push(event.kind);
    if (event.type === 'discrepancy_found' && event.kind === 'amount_differs') refused = event.record;
    if (event.type === 'operation_ended') result = event.result ?? result;
    if (result !== null && result.traceNumber !== null) numbered = result;
    if (event.type !== 'operation_ended') continue;
    shown = event.evidence?.lastRecord ?? shown;
    const { outcome, resolvedBy } = event;
    end = {
      outcome,
      byPerson: resolvedBy !== null,
      endedUnseen: resolvedBy?.terminalUnreachable === true && !seenIdle(events),
    };
  }
  return operation === null || end === null
    ? null
    : { operation, result, numbered, late, acknowledged, shown, discrepancies, refused, ...end };
}
