/** Joins the pure machine with the journal: an operation's row in, journal events appended, its new state out. */
import type { JournalEvent, OperationStarted } from '../../contract/journal-events.ts';
import type { Continuity, LastRecord, TerminalRecord } from '../../contract/terminal.ts';
import type { Journal, OperationRow, PaymentRow } from '../journal/index.ts';
import { openBatch, sameTerminal, settle } from './batch.ts';
import {
  asJournalEvent,
  findingsOfAmount,
  findingsOfBatch,
  findingsOfResult,
  type Finding,
} from './discrepancies.ts';
import { knownByHand } from './history.ts';
import {
  isDone,
  step,
  type OperationInput,
  type OperationState,
  type Settlement,
} from './operation-machine.ts';

export function stateOf(row: OperationRow): OperationState {
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
    journal.append(...withConsequences(journal, row.started, events, settlement, context));
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
  if (ended?.type !== 'operation_ended' || ended.result === null || !isDone(ended.outcome)) return events;
  const { currency } = operation;
  const asEvents = (findings: Finding[]) => findings.map((finding) => asJournalEvent(finding, uuid));
  const inBatch = settlement === null ? [] : findingsOfBatch(operation, settlement, ended.result);
  const after = asEvents([...findingsOfAmount(operation, ended.result), ...inBatch]);
  // A person's word is no record of the terminal.
  if (ended.resolvedBy !== null) return [...events, ...after];
  const lastRecord: LastRecord = { kind: 'record', record: ended.result };
  const source = 'result';
  // A closed day is a boundary in any case; like every other record it shows whether something lay before it.
  const closed = ended.outcome === 'closed';
  const plain: LastRecord = { kind: 'record', record: { ...ended.result, kind: 'other' } };
  const continuity = continuityOf(closed ? plain : lastRecord);
  const between = continuity === 'gap' || continuity === 'changed_terminal';
  const unsettled = between ? expectedBatch(journal) : [];
  const found = findingsOfResult({ lastRecord, continuity, unsettled, currency });
  if (closed) {
    const seen: JournalEvent = { type: 'record_seen', lastRecord, continuity: 'same', source };
    return [...events, seen, ...asEvents(found), ...after];
  }
  const at = events.indexOf(ended);
  const seen: JournalEvent = { type: 'record_seen', lastRecord, continuity, source };
  return [...events.slice(0, at), seen, ...events.slice(at), ...asEvents(found), ...after];
}

/** The payments that the terminal's open batch is expected to hold. */
export function expectedBatch(journal: Pick<Journal, 'terminalState' | 'unsettledPayments'>): PaymentRow[] {
  const state = journal.terminalState();
  return openBatch(journal.unsettledPayments(state.batchEpoch), state);
}

/** The same, without those that are known to have been reversed at the terminal: what a close is expected to hold. */
export function batchToClose(journal: Omit<Journal, 'append' | 'subscribe' | 'close'>): PaymentRow[] {
  const { reversed } = knownByHand(journal, journal.lastSeq() + 1);
  return expectedBatch(journal).filter(({ reference }) => !reversed.includes(reference));
}

/** What a batch close settles by the journal as it stands; `record` is null when a person says that it closed. */
export function settlementOf(
  journal: Journal,
  row: OperationRow,
  record: TerminalRecord | null,
): Settlement | null {
  const { started } = row;
  if (started.kind !== 'batch_close') return null;
  // Another terminal, put on the line before anybody noticed, closed a day of its own. Its identity counts, and not the
  // id in a record: some terminals carry several.
  const { terminal } = journal.terminalState();
  // As it stood at the start: what was seen of the terminal since may already be the boundary that this close made.
  const open = openBatch(journal.unsettledPayments(started.batchEpoch), started);
  return settle({
    open: terminal === null ? open : open.filter((payment) => sameTerminal(payment, { terminal })),
    record: record?.approved === true ? record : null,
    currency: started.currency,
    batchNumber: String(journal.closedBatches() + 1),
    known: knownByHand(journal, row.position),
  });
}
