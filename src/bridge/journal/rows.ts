/** From rows of the tables to what the modules see. Rows are trusted: they were written by this module. */
import type { SQLOutputValue } from 'node:sqlite';
import type {
  BatchStarted,
  JournalEventOf,
  OperationStarted,
  StoredEvent,
} from '../../contract/journal-events.ts';
import type { DiscrepancyView } from '../../contract/discrepancy.ts';
import type { Currency } from '../../contract/money.ts';
import type {
  OperationKind,
  OperationOutcome,
  OperationPhase,
  TransactionStatus,
} from '../../contract/operation.ts';
import type { TerminalTrait } from '../../contract/terminal.ts';
import { chainStart, type ChainHead } from './chain.ts';
import type { BatchRow, OperationRow, PaymentRow, TerminalKnowledge, TerminalState } from './journal.ts';

export type SqlRow = Record<string, SQLOutputValue>;

/** A payment, with `ended`: the body of its sale's end, or null. */
export interface PaymentSql {
  position: number;
  transaction_id: string;
  reference: string;
  condition_code: string;
  amount_minor: number;
  currency: Currency;
  status: TransactionStatus;
  simulated: number;
  terminal: string;
  epoch: number;
  created_at: string;
  updated_at: string;
  completed_at: string | null;
  reason: string;
  batch_number: string | null;
  ended: string | null;
}

type SqlColumns = [
  position: number,
  transactionId: string,
  reference: string,
  conditionCode: string,
  amountMinor: number,
  currency: Currency,
  status: TransactionStatus,
  simulated: number,
  terminal: string,
  epoch: number,
  createdAt: string,
  updatedAt: string,
  completedAt: string | null,
  reason: string,
  batchNumber: string | null,
  ended: string | null,
];

/** An operation, with the bodies of its start and of the event that holds its result. */
export interface OperationSql {
  position: number;
  operation_id: string;
  kind: OperationKind;
  phase: OperationPhase;
  outcome: OperationOutcome | null;
  payment_id: string | null;
  reference: string | null;
  reason: string;
  needs_person: number;
  cancel_requested: number;
  started_at: string;
  ended_at: string | null;
  started: string;
  with_result: string | null;
}

interface StateSql {
  terminal: string | null;
  last_record: string;
  epoch: number;
  batch_epoch: number;
}

/** Of a row that is an array (`prepareQueries`). */
export function paymentRowOf(sqlRow: SqlRow): PaymentRow {
  const columns = sqlRow as unknown as SqlColumns;
  return parsePayment({
    position: columns[0],
    transaction_id: columns[1],
    reference: columns[2],
    condition_code: columns[3],
    amount_minor: columns[4],
    currency: columns[5],
    status: columns[6],
    simulated: columns[7],
    terminal: columns[8],
    epoch: columns[9],
    created_at: columns[10],
    updated_at: columns[11],
    completed_at: columns[12],
    reason: columns[13],
    batch_number: columns[14],
    ended: columns[15],
  });
}

export function parsePayment(row: PaymentSql): PaymentRow {
  const ended = row.ended === null ? null : (parseEvent(row.ended) as JournalEventOf<'operation_ended'>);
  return {
    position: row.position,
    transactionId: row.transaction_id,
    reference: row.reference,
    conditionCode: row.condition_code,
    amountMinor: row.amount_minor,
    currency: row.currency,
    status: row.status,
    simulated: row.simulated === 1,
    terminal: parseEvent(row.terminal) as PaymentRow['terminal'],
    epoch: row.epoch,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    reason: row.reason,
    result: ended?.result ?? null,
    receiptLines: ended?.receiptLines ?? [],
    resolvedBy: ended?.resolvedBy ?? null,
    batchNumber: row.batch_number,
  };
}

export function operationRowOf(sqlRow: SqlRow): OperationRow {
  return parseOperation(sqlRow as unknown as OperationSql);
}

export function parseOperation(row: OperationSql): OperationRow {
  const withResult =
    row.with_result === null
      ? null
      : (parseEvent(row.with_result) as
          JournalEventOf<'result_received'> | JournalEventOf<'operation_ended'>);
  return {
    position: row.position,
    operationId: row.operation_id,
    kind: row.kind,
    phase: row.phase,
    outcome: row.outcome,
    paymentId: row.payment_id,
    reference: row.reference,
    started: parseEvent(row.started) as OperationStarted,
    result: withResult?.result ?? null,
    reason: row.reason,
    needsDecision: row.needs_person === 1,
    cancelRequested: row.cancel_requested === 1,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}

/** An operation of the kind `batch_close`, with `ended`: the body of its end, or null. */
export function batchRowOf(sqlRow: SqlRow): BatchRow {
  const row = operationRowOf(sqlRow);
  const { ended } = sqlRow as unknown as { ended: string | null };
  return {
    ...row,
    kind: 'batch_close',
    outcome: row.outcome as BatchRow['outcome'],
    started: row.started as BatchStarted,
    batch: ended === null ? null : (parseEvent(ended) as JournalEventOf<'operation_ended'>).batch,
  };
}

export function storedEventOf(sqlRow: SqlRow): StoredEvent {
  const { seq, at, body } = sqlRow as unknown as { seq: number; at: string; body: string };
  return { seq, at, event: parseEvent(body) as StoredEvent['event'] };
}

export function terminalStateOf(sqlRow: SqlRow | undefined): TerminalState {
  if (sqlRow === undefined) throw new SyntaxError('The journal has lost its state row.');
  const { terminal, last_record, epoch, batch_epoch } = sqlRow as unknown as StateSql;
  return parseState({ terminal, lastRecord: last_record, epoch, batchEpoch: batch_epoch });
}

/** Terminal and record are JSON. */
export function parseState(state: {
  terminal: string | null;
  lastRecord: string;
  epoch: number;
  batchEpoch: number;
}): TerminalState {
  return {
    terminal: state.terminal === null ? null : (parseEvent(state.terminal) as TerminalState['terminal']),
    lastRecord: parseEvent(state.lastRecord) as TerminalState['lastRecord'],
    epoch: state.epoch,
    batchEpoch: state.batchEpoch,
  };
}

/** A discrepancy, with the bodies of the events that found and acknowledged it. */
export function discrepancyOf(sqlRow: SqlRow): DiscrepancyView {
  const row = sqlRow as unknown as {
    position: number;
    found_at: string;
    found: string;
    acknowledged_at: string | null;
    acknowledged: string | null;
  };
  const { type: _type, ...discrepancy } = parseEvent(row.found) as JournalEventOf<'discrepancy_found'>;
  if (row.acknowledged === null || row.acknowledged_at === null) {
    return { ...discrepancy, seq: row.position, foundAt: row.found_at, acknowledged: null };
  }
  const { by, reason } = parseEvent(row.acknowledged) as JournalEventOf<'discrepancy_acknowledged'>;
  return {
    ...discrepancy,
    seq: row.position,
    foundAt: row.found_at,
    acknowledged: { by, reason, at: row.acknowledged_at },
  };
}

export function terminalKnowledgeOf(sqlRow: SqlRow): TerminalKnowledge {
  return {
    showsRecords: sqlRow['shows_records'] === 1,
    traits: parseEvent(String(sqlRow['traits'])) as TerminalTrait[],
  };
}

/** The newest row of the event table, or none. */
export function chainHeadOf(sqlRow: SqlRow | undefined): ChainHead {
  if (sqlRow === undefined) return chainStart;
  return { seq: Number(sqlRow['seq']), hash: String(sqlRow['hash']) };
}

/** Kept are at most twice as many texts. */
const maxTexts = 500;

let newer = new Map<string, unknown>();
let older = new Map<string, unknown>();

/**
 * The JSON of a journal's row, read. Events never change, and the same few are read again and again: an operation's start
 * with each look at its row, the newest ones by everybody. So what a text says is kept for a while. It is frozen, because
 * whoever reads the same text gets the same object. Throws `SyntaxError` for what is no JSON.
 */
export function parseEvent(text: string): unknown {
  const known = newer.get(text);
  if (known !== undefined) return known;
  const value = older.get(text) ?? frozen(JSON.parse(text));
  if (newer.size >= maxTexts) {
    older = newer;
    newer = new Map();
  }
  newer.set(text, value);
  return value;
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
