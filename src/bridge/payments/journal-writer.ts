/**
 * The journal as payments write it: an operation's row in, events appended, its new state out; a disk that fails is an
 * answer, and is remembered until it works again.
 */
import type { JournalEvent, JournalEventOf, OperationStarted } from '../../contract/journal-events.ts';
import { agreeIfTold, type Continuity, type LastRecord } from '../../contract/terminal.ts';
import { type Journal, JournalWriteError, type OperationRow, type PaymentRow } from '../journal/index.ts';
import type { Log } from '../../log/index.ts';
import { expectedBatch, sameTerminal } from './batch.ts';
import {
  asJournalEvent,
  findingBehindBoundary,
  findingsBehindClose,
  findingsOfAmount,
  findingsOfBatch,
  findingsOfResult,
  type Finding,
} from './discrepancies.ts';
import {
  isDone,
  step,
  type OperationInput,
  type OperationState,
  type Settlement,
} from './operation-machine.ts';

export interface JournalWriter {
  /** Why the last write failed; null when it did not. */
  readonly trouble: string | null;
  /** Throws `JournalWriteError`: the operation is not on disk, and nothing of it may be sent. */
  begin(operation: OperationStarted): void;
  /** False: the events could not be written, or had no place in the operation's state; the log has it. */
  apply(operationId: string, ...inputs: OperationInput[]): boolean;
  /** False: the events could not be written; the log has it. */
  append(...events: JournalEvent[]): boolean;
  /** What `read` finds, or `otherwise` when the journal cannot even be read. */
  read<T>(read: () => T, otherwise: T): T;
}

export function createJournalWriter(
  journal: Journal,
  log: Log,
  continuityOf: (current: LastRecord) => Continuity,
  onTrouble: () => void,
  uuid: () => string,
): JournalWriter {
  let trouble: string | null = null;

  function writing<T>(write: () => T): T {
    try {
      const value = write();
      if (trouble !== null) log.info('the journal can be written again');
      trouble = null;
      return value;
    } catch (error) {
      if (error instanceof JournalWriteError) note(error);
      throw error;
    }
  }

  function note(error: JournalWriteError) {
    if (trouble !== error.message) log.error('the journal cannot be used', { err: error });
    trouble = error.message;
    onTrouble();
  }

  /** What `write` gives, or null when the journal could not be written. */
  function tryWriting<T>(write: () => T): T | null {
    try {
      return writing(write);
    } catch (error) {
      if (error instanceof JournalWriteError) return null;
      throw error;
    }
  }

  function read<T>(find: () => T, otherwise: T): T {
    try {
      return find();
    } catch (error) {
      if (!(error instanceof JournalWriteError)) throw error;
      note(error);
      return otherwise;
    }
  }

  return {
    read,
    get trouble() {
      return trouble;
    },
    begin: (operation) => void writing(() => journal.append(operation)),
    apply(operationId, ...inputs) {
      const applied = tryWriting(() => applyInputs(journal, operationId, inputs, { continuityOf, uuid }));
      if (applied?.ok === false) {
        log.error('an input had no place', { operation_id: operationId, reason: applied.reason });
      }
      return applied?.ok === true;
    },
    append: (...events) => tryWriting(() => journal.append(...events)) !== null,
  };
}

function stateOf(row: OperationRow): OperationState {
  const operation = row.started;
  switch (row.phase) {
    case 'started':
      return { phase: 'started', operation, result: null };
    case 'result_received':
      if (row.result === null) throw new Error(`operation ${row.operationId} has lost its result`);
      return { phase: 'result_received', operation, result: row.result };
    case 'in_doubt':
      return { phase: 'in_doubt', operation, result: row.result };
    case 'ended':
      if (row.outcome === null) throw new Error(`operation ${row.operationId} has lost its outcome`);
      return { phase: 'ended', operation, outcome: row.outcome };
  }
}

export type Applied = { ok: true; state: OperationState } | { ok: false; reason: string };

/** What the events about a result need to know beside the journal. */
export interface ResultContext {
  /** How a record of a thing that was done follows on the terminal's last one. */
  continuityOf: (current: LastRecord) => Continuity;
  uuid: () => string;
}

/**
 * Takes `inputs` one after the other and appends all their events in one transaction, so that either all of it has
 * happened or nothing. Throws `JournalWriteError` in the latter case.
 */
export function applyInputs(
  journal: Journal,
  operationId: string,
  inputs: OperationInput[],
  context: ResultContext,
): Applied {
  const row = journal.operation(operationId);
  if (row === null) return { ok: false, reason: `there is no operation ${operationId}` };
  let state = stateOf(row);
  const events: JournalEvent[] = [];
  for (const input of inputs) {
    const next = step(state, input);
    if (!next.ok) return next;
    state = next.state;
    events.push(...next.events);
  }
  const settlement = inputs.reduce<Settlement | null>(
    (last, input) => ('settlement' in input ? input.settlement : last),
    null,
  );
  if (events.length > 0)
    journal.append(
      ...withConsequences(journal, row.started, events, settlement, context),
      ...behindBoundary(journal, row, events).map((finding) => asJournalEvent(finding, context.uuid)),
    );
  return { ok: true, state };
}

/**
 * The record of a thing that was done is the terminal's last record from then on. For a payment it is noted first: when
 * it shows that a boundary was passed unseen, the payment belongs behind that boundary. The boundary that a close of
 * ours makes is counted by its end. What does not agree is journaled with it.
 */
function withConsequences(
  journal: Journal,
  operation: OperationStarted,
  events: JournalEvent[],
  settlement: Settlement | null,
  { continuityOf, uuid }: ResultContext,
): JournalEvent[] {
  const ended = events.find((event) => event.type === 'operation_ended');
  if (ended?.type !== 'operation_ended' || !isDone(ended.outcome)) return events;
  const { currency } = operation;
  const asEvents = (findings: Finding[]) => findings.map((finding) => asJournalEvent(finding, uuid));
  const inBatch = settlement === null ? [] : findingsOfBatch(operation, settlement, ended.result);
  const behind =
    operation.kind === 'batch_close' ? findingsBehindClose(operation, behindOf(journal, operation)) : [];
  const after = asEvents([...findingsOfAmount(operation, ended.result), ...inBatch, ...behind]);
  // A person's word is no record of the terminal.
  if (ended.result === null || ended.resolvedBy !== null) return [...events, ...after];
  const lastRecord: LastRecord = { kind: 'record', record: ended.result };
  const source = 'result';
  // A closed day is a boundary in any case; like every other record it shows whether something lay before it.
  const closed = ended.outcome === 'closed';
  const plain: LastRecord = { kind: 'record', record: { ...ended.result, kind: 'other' } };
  const continuity = continuityOf(closed ? plain : lastRecord);
  const another = anotherTerminal(journal, operation, ended, continuity);
  const follows = another.length > 0 ? 'changed_terminal' : continuity;
  const between = follows === 'gap' || follows === 'changed_terminal' || follows === 'batch';
  // A payment that was in doubt keeps its place before the close, whatever batch it is in.
  const placedBefore = follows === 'batch' && ended.evidence !== null ? rowOf(journal, operation) : [];
  const unsettled = between ? [...expectedBatch(journal), ...placedBefore] : [];
  const found = findingsOfResult({ lastRecord, continuity: follows, unsettled, currency });
  if (closed) {
    const seen: JournalEvent = { type: 'record_seen', lastRecord, continuity: 'same', source };
    return [...events, seen, ...asEvents(found), ...after];
  }
  const at = events.indexOf(ended);
  const seen: JournalEvent = { type: 'record_seen', lastRecord, continuity, source };
  const before = [...another, seen];
  return [...events.slice(0, at), ...before, ...events.slice(at), ...asEvents(found), ...after];
}

/**
 * A payment keeps the place in which it came into doubt. When it is approved after all, and a boundary has been passed since,
 * nobody has been told of it: what was told then was of approved payments.
 */
function behindBoundary(journal: Journal, row: OperationRow, events: JournalEvent[]): Finding[] {
  const { started } = row;
  const ended = events.find((event) => event.type === 'operation_ended');
  if (row.phase !== 'in_doubt' || started.kind === 'batch_close') return [];
  if (ended?.outcome !== 'approved' && ended?.outcome !== 'not_voided') return [];
  const payment = journal.payment(started.kind === 'sale' ? started.operationId : started.paymentId);
  const state = journal.terminalState();
  if (payment === null || state.terminal === null) return [];
  if (!sameTerminal(payment, state)) return [findingBehindBoundary(started, payment, 'changed_terminal')];
  return payment.epoch < state.batchEpoch
    ? [findingBehindBoundary(started, payment, 'unexplained_batch_close')]
    : [];
}

function rowOf(journal: Journal, { operationId }: OperationStarted): PaymentRow[] {
  const payment = journal.payment(operationId);
  return payment === null ? [] : [payment];
}

/** Payments that began behind this close, whose end a damaged journal had lost: the boundary that it makes comes after them. */
function behindOf(journal: Journal, { operationId }: OperationStarted): PaymentRow[] {
  const position = journal.operation(operationId)?.position ?? Infinity;
  return expectedBatch(journal).filter((payment) => payment.position > position);
}

/**
 * The sale was answered by another terminal than it was begun on, before anybody had noticed: it belongs behind that change.
 * One that was in doubt keeps the place in which it was begun.
 */
function anotherTerminal(
  journal: Journal,
  operation: OperationStarted,
  { result, evidence }: JournalEventOf<'operation_ended'>,
  continuity: Continuity,
): JournalEvent[] {
  const { terminal } = journal.terminalState();
  const told = result?.terminalId ?? null;
  if (operation.kind !== 'sale' || evidence !== null) return [];
  if (continuity !== 'unknown' && continuity !== 'changed_terminal') return [];
  if (terminal === null || agreeIfTold(terminal.terminalId, told)) return [];
  const lastRecord: LastRecord = { kind: 'unavailable', reason: 'another terminal is connected' };
  const identity = { ...terminal, terminalId: told };
  return [{ type: 'terminal_ready', terminal: identity, lastRecord, continuity: 'changed_terminal' }];
}

/** What ties a line of the log to an operation. A batch close has no reference. */
export function labelsOf({ operationId, reference }: { operationId: string; reference?: string | null }) {
  return reference == null ? { operation_id: operationId } : { operation_id: operationId, reference };
}
