/**
 * The life of one operation as a pure machine: `step(state, input)` gives the events to journal and the state after
 * them. It writes nothing; `journal-writer.ts` does. An input that has no place in a state is refused, never guessed.
 *
 *     started ──result──► result_received ──answer──► ended
 *        │                      │                      ▲
 *        └──────unknown─────────┴──► in_doubt ─────────┘  by evidence, or by a named person
 */
import type {
  BatchResult,
  Evidence,
  JournalEvent,
  JournalEventOf,
  OperationStarted,
  OperationTimes,
} from '../../contract/journal-events.ts';
import type { OperationKind, OperationOutcome, Resolution } from '../../contract/operation.ts';
import type { LastRecord, PrintedLines, TerminalRecord } from '../../contract/terminal.ts';
import type { OperationAnswer, ReconciliationResult } from '../terminals/terminal-driver.ts';

export type OperationState =
  | { phase: 'started'; operation: OperationStarted; result: null }
  | { phase: 'result_received'; operation: OperationStarted; result: TerminalRecord }
  | { phase: 'in_doubt'; operation: OperationStarted; result: TerminalRecord | null }
  | { phase: 'ended'; operation: OperationStarted; outcome: OperationOutcome };

/** What a batch close settles; worked out by `batch.ts`, needed only where a batch is done. */
export interface Settlement {
  batch: BatchResult;
  /** Transaction ids of ours that the close covers. */
  settled: string[];
  /** References of ours that were expected in it and are not covered; they stay approved. */
  uncovered: string[];
  /** Those of them that nothing says are in the batch: out of its range, or put in question by its totals. */
  inQuestion: string[];
  /** Those in question were chosen by their amount alone: the terminal tells no count, and others may be missing instead. */
  mayBeOthers: boolean;
  /** Schemes whose difference what is known to have been done by hand does not explain. */
  unexplained: string[];
}

export type OperationInput =
  /** The terminal's result, about to be acknowledged; `late` when it came during recovery. */
  | { kind: 'result'; record: TerminalRecord; late: boolean }
  | {
      kind: 'answer';
      answer: OperationAnswer;
      settlement: Settlement | null;
      times?: OperationTimes | undefined;
    }
  /** The bridge has lost sight of it: a restart, or a fault of ours. */
  | { kind: 'interrupted'; reason: string }
  | {
      kind: 'reconciled';
      reconciliation: ReconciliationResult;
      lastRecord: LastRecord;
      settlement: Settlement | null;
      /** The terminal has said that it is idle. */
      idle: boolean;
    }
  | {
      kind: 'resolved';
      resolution: Resolution;
      by: string;
      reason: string;
      terminalUnreachable: boolean;
      settlement: Settlement | null;
      /** What the terminal holds of this very operation as done; null where it has not said. */
      held: TerminalRecord | null;
    };

export type Step =
  { ok: true; state: OperationState; events: JournalEvent[] } | { ok: false; reason: string };

/** What a person may say of an operation in doubt, and the outcome that each means. */
export const resolutionsOf: Record<OperationKind, Partial<Record<Resolution, OperationOutcome>>> = {
  sale: { charged: 'approved', 'not-charged': 'failed' },
  void: { voided: 'voided', 'not-voided': 'not_voided' },
  batch_close: { closed: 'closed', 'not-closed': 'not_closed' },
};

/** "sale", "void", "batch close". */
export function kindText(kind: OperationKind): string {
  return kind.replace('_', ' ');
}

/** Why nobody can say this of an operation of that kind; null where it can be said. */
export function wrongResolution(kind: OperationKind, resolution: Resolution): string | null {
  const outcomes = resolutionsOf[kind];
  if (outcomes[resolution] !== undefined) return null;
  return `a ${kindText(kind)} is resolved as ${Object.keys(outcomes).join(' or ')}`;
}

const doneOutcome: Record<OperationKind, OperationOutcome> = {
  sale: 'approved',
  void: 'voided',
  batch_close: 'closed',
};
const notDoneOutcome: Record<OperationKind, OperationOutcome> = {
  sale: 'failed',
  void: 'not_voided',
  batch_close: 'not_closed',
};

/** The outcome says that the operation did what it was for. */
export function isDone(outcome: OperationOutcome): boolean {
  return Object.values(doneOutcome).includes(outcome);
}

export function step(state: OperationState, input: OperationInput): Step {
  if (state.phase === 'ended') return { ok: false, reason: 'the operation has ended' };
  switch (input.kind) {
    case 'result':
      return onResult(state, input.record, input.late);
    case 'answer':
      return onAnswer(state, input);
    case 'interrupted':
      return intoDoubt(state, input.reason);
    case 'reconciled':
      return onReconciled(state, input);
    case 'resolved':
      return onResolved(state, input);
  }
}

type OpenState = Exclude<OperationState, { phase: 'ended' }>;

function onResult(state: OpenState, record: TerminalRecord, late: boolean): Step {
  const { operation } = state;
  if (late !== (state.phase === 'in_doubt')) {
    return { ok: false, reason: late ? 'the operation is not in doubt' : 'the operation is in doubt' };
  }
  const event: JournalEvent = {
    type: 'result_received',
    operationId: operation.operationId,
    result: record,
    late,
  };
  const phase = late ? ('in_doubt' as const) : ('result_received' as const);
  return { ok: true, state: { phase, operation, result: record }, events: [event] };
}

function onAnswer(
  state: OpenState,
  { answer, settlement, times }: Extract<OperationInput, { kind: 'answer' }>,
): Step {
  if (state.phase === 'in_doubt') return { ok: false, reason: 'the operation is in doubt' };
  const { kind } = state.operation;
  switch (answer.kind) {
    case 'unknown':
      return intoDoubt(state, answer.reason);
    case 'done':
      return end(state, doneOutcome[kind], doneReason(kind), {
        result: answer.record,
        printed: answer,
        settlement,
        times,
      });
    case 'declined':
    case 'cancelled': {
      const outcome = kind === 'sale' ? answer.kind : notDoneOutcome[kind];
      return end(state, outcome, answer.reason, { result: answer.record, printed: answer, times });
    }
    case 'not_started': {
      const outcome = kind === 'sale' && answer.refusedByTerminal ? 'declined' : notDoneOutcome[kind];
      return end(state, outcome, answer.reason, { times });
    }
  }
}

function doneReason(kind: OperationKind): string {
  if (kind === 'sale') return 'The terminal approved the payment.';
  if (kind === 'void') return 'The terminal reversed the payment.';
  return 'The terminal closed the batch.';
}

function intoDoubt(state: OpenState, reason: string): Step {
  if (state.phase === 'in_doubt') return { ok: true, state, events: [] };
  const { operation, result } = state;
  return {
    ok: true,
    state: { phase: 'in_doubt', operation, result },
    events: [{ type: 'operation_in_doubt', operationId: operation.operationId, reason }],
  };
}

function onReconciled(state: OpenState, input: Extract<OperationInput, { kind: 'reconciled' }>): Step {
  if (state.phase !== 'in_doubt') return { ok: false, reason: 'the operation is not in doubt' };
  const { operation, result } = state;
  const { reconciliation, lastRecord } = input;
  const evidence: Evidence = { lastRecord, explanation: reconciliation.explanation };
  switch (reconciliation.kind) {
    case 'needs_decision':
    case 'other_terminal':
      return { ok: true, state, events: [findingOf(operation.operationId, reconciliation, input)] };
    case 'done':
      return end(state, doneOutcome[operation.kind], reconciliation.explanation, {
        result: reconciliation.record,
        evidence,
        settlement: input.settlement,
      });
    case 'not_done': {
      // A refusal that arrived late tells more than "it did not happen", unless the terminal first approved and then
      // undid it: then its last record is not the one from before any more.
      const refused = result !== null && !result.approved && showsBaseline(operation, lastRecord);
      if (operation.kind === 'sale' && refused) {
        return end(state, 'declined', result.resultText || reconciliation.explanation, { result, evidence });
      }
      return end(state, notDoneOutcome[operation.kind], reconciliation.explanation, { evidence });
    }
  }
}

export type Undecided = Extract<ReconciliationResult, { kind: 'needs_decision' | 'other_terminal' }>;

/** What a look at the terminal that decided nothing leaves in the journal. Of another terminal it keeps no record. */
export function findingOf(
  operationId: string,
  reconciliation: Undecided,
  { lastRecord, idle }: { lastRecord: LastRecord; idle: boolean },
): JournalEventOf<'evidence_found'> {
  const { explanation } = reconciliation;
  const base = { type: 'evidence_found', operationId, needsPerson: true } as const;
  if (reconciliation.kind === 'other_terminal') {
    const notAsked: LastRecord = { kind: 'unavailable', reason: 'another terminal is connected' };
    const { otherTerminal } = reconciliation;
    return { ...base, evidence: { lastRecord: notAsked, explanation }, idle: false, otherTerminal };
  }
  const found = { ...base, evidence: { lastRecord, explanation } };
  return idle ? found : { ...found, idle: false };
}

function showsBaseline(operation: OperationStarted, lastRecord: LastRecord): boolean {
  const { baseline } = operation;
  if (baseline.kind !== 'record' || lastRecord.kind !== 'record') return baseline.kind === lastRecord.kind;
  return baseline.record.traceNumber === lastRecord.record.traceNumber;
}

function onResolved(state: OpenState, input: Extract<OperationInput, { kind: 'resolved' }>): Step {
  if (state.phase !== 'in_doubt') {
    return {
      ok: false,
      reason: 'the operation is still running on the terminal; it cannot be decided by hand yet',
    };
  }
  const { operation, result } = state;
  const outcome = resolutionsOf[operation.kind][input.resolution];
  if (outcome === undefined) {
    return { ok: false, reason: wrongResolution(operation.kind, input.resolution) ?? '' };
  }
  const done = outcome === doneOutcome[operation.kind];
  return end(state, outcome, `Decided by ${input.by}: ${input.reason}`, {
    // What the terminal says itself is what the receipt is made of: the amount may be another one than was asked for.
    result: done ? (result?.approved === true ? result : input.held) : null,
    settlement: done ? input.settlement : null,
    resolvedBy: {
      name: input.by,
      reason: input.reason,
      ...(input.terminalUnreachable ? { terminalUnreachable: true } : {}),
    },
  });
}

function end(
  state: OpenState,
  outcome: OperationOutcome,
  reason: string,
  more: {
    result?: TerminalRecord | null;
    evidence?: Evidence;
    printed?: PrintedLines;
    settlement?: Settlement | null;
    resolvedBy?: NonNullable<JournalEventOf<'operation_ended'>['resolvedBy']>;
    times?: OperationTimes | undefined;
  },
): Step {
  const { operation } = state;
  if (outcome === 'closed' && (more.settlement ?? null) === null) {
    return { ok: false, reason: 'a closed batch needs its settlement' };
  }
  const event: JournalEventOf<'operation_ended'> = {
    type: 'operation_ended',
    operationId: operation.operationId,
    outcome,
    reason,
    result: more.result ?? null,
    evidence: more.evidence ?? null,
    receiptLines: more.printed?.receiptLines ?? [],
    ...(more.printed?.receiptParts === undefined ? {} : { receiptParts: more.printed.receiptParts }),
    resolvedBy: more.resolvedBy ?? null,
    batch: outcome === 'closed' ? (more.settlement?.batch ?? null) : null,
    settled: outcome === 'closed' ? (more.settlement?.settled ?? []) : [],
    ...(more.times === undefined ? {} : { times: more.times }),
  };
  return { ok: true, state: { phase: 'ended', operation, outcome }, events: [event] };
}
