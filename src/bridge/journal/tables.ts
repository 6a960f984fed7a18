/** Carries out what the projection and the chain say, in the tables of one open file. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { OperationKind, OperationPhase, TransactionStatus } from '../../contract/operation.ts';
import type { JournalEvent, StoredEvent } from '../../contract/journal-events.ts';
import { canonicalJson, chainHash, type ChainHead, type EventRow } from './chain.ts';
import {
  project,
  type Change,
  type OperationState,
  type PaymentState,
  type ProjectionView,
} from './projection.ts';
import { querySql } from './query-sql.ts';
import { chainHeadOf, terminalStateOf } from './rows.ts';

export interface Tables {
  readonly view: ProjectionView;
  head(): ChainHead;
  insertEvent(row: EventRow): void;
  /** Gives the tables that were written to since the last call. */
  takeWritten(): ReadonlySet<string>;
  /** Carries out a change that the event `seq`, stamped `at`, makes. */
  apply(change: Change, seq: number, at: string): void;
}

const sql = {
  payment: `SELECT p.position, p.reference, p.status, p.epoch FROM operations o
    JOIN payments p ON p.position = o.position WHERE o.operation_id = ?`,
  reference: 'SELECT 1 FROM payments WHERE reference = ?',
  operation: 'SELECT operation_id, kind, phase, payment_id FROM operations WHERE operation_id = ?',
  insertEvent: 'INSERT INTO events (seq, at, type, operation_id, body, hash) VALUES (?, ?, ?, ?, ?, ?)',
  setTerminal: `UPDATE state SET terminal = ?, last_record = ?, epoch = ?, batch_epoch = ?,
    closed_batches = closed_batches + ? WHERE id = 1`,
  insertPayment: `INSERT INTO payments (position, transaction_id, reference, condition_code, amount_minor, currency,
    status, simulated, terminal, epoch, created_at, updated_at, reason)
    VALUES (?, ?, ?, ?, ?, ?, 'in_progress', ?, ?, ?, ?, ?, '')`,
  noteHour: `INSERT INTO payment_hours VALUES (substr(?1, 1, 13), ?2, ?2)
    ON CONFLICT (hour) DO UPDATE SET last_position = excluded.last_position`,
  setStatus: `UPDATE payments SET status = ?, updated_at = ?, reason = coalesce(?, reason) WHERE position = ?`,
  setReason: 'UPDATE payments SET reason = ? WHERE position = ?',
  complete: `UPDATE payments SET status = ?, updated_at = ?, completed_at = ?, reason = ?, epoch = ?, ended_seq = ?
    WHERE position = ?`,
  settle: `UPDATE payments SET status = 'settled', updated_at = ?, reason = ?, batch_number = ? WHERE position = ?`,
  insertOperation: `INSERT INTO operations (position, operation_id, kind, phase, payment_id, reference, reason,
    needs_person, cancel_requested, started_at) VALUES (?, ?, ?, 'started', ?, ?, '', 0, 0, ?)`,
  setPhase: `UPDATE operations SET phase = ?, reason = coalesce(?, reason), result_seq = coalesce(?, result_seq)
    WHERE operation_id = ?`,
  setEvidence: 'UPDATE operations SET needs_person = ?, reason = ? WHERE operation_id = ?',
  setCancel: 'UPDATE operations SET cancel_requested = 1 WHERE operation_id = ?',
  endOperation: `UPDATE operations SET phase = 'ended', outcome = ?, reason = ?, needs_person = 0, ended_at = ?,
    result_seq = coalesce(?, result_seq) WHERE operation_id = ?`,
  showsRecords: 'SELECT 1 FROM terminals WHERE terminal = ? AND shows_records = 1',
  setShowsRecords: `INSERT INTO terminals VALUES (?, 1, '[]') ON CONFLICT (terminal) DO UPDATE SET shows_records = 1`,
  traits: 'SELECT traits FROM terminals WHERE terminal = ?',
  setTraits: `INSERT INTO terminals VALUES (?, 0, ?) ON CONFLICT (terminal) DO UPDATE SET traits = excluded.traits`,
  discrepancy: 'SELECT acknowledged_seq FROM discrepancies WHERE discrepancy_id = ?',
  insertDiscrepancy: 'INSERT INTO discrepancies VALUES (?, ?, NULL)',
  insertReference: 'INSERT INTO discrepancy_references VALUES (?, ?)',
  acknowledge: 'UPDATE discrepancies SET acknowledged_seq = ? WHERE discrepancy_id = ?',
};

export function makeTables(database: DatabaseSync): Tables {
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const statement = (text: string) => {
    const known = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, known);
    return known;
  };
  const get = (text: string, ...values: SQLInputValue[]) => statement(text).get(...values);
  let written = new Set<string>();
  /** Every one of these must find its one row: a projection that misses one is not a projection any more. */
  const run = (text: string, ...values: SQLInputValue[]) => {
    written.add(tableWritten(text));
    const { changes } = statement(text).run(...values);
    if (changes !== 1) throw new Error(`The journal's tables do not agree with each other: ${text}`);
  };

  const view: ProjectionView = {
    payment(transactionId): PaymentState | null {
      const row = get(sql.payment, transactionId);
      if (row === undefined) return null;
      return {
        position: Number(row['position']),
        transactionId,
        reference: String(row['reference']),
        status: row['status'] as TransactionStatus,
        epoch: Number(row['epoch']),
      };
    },
    referenceIsKnown: (reference) => get(sql.reference, reference) !== undefined,
    operation(operationId): OperationState | null {
      const row = get(sql.operation, operationId);
      if (row === undefined) return null;
      return {
        operationId,
        kind: row['kind'] as OperationKind,
        phase: row['phase'] as OperationPhase,
        paymentId: row['payment_id'] as string | null,
      };
    },
    terminalState: () => terminalStateOf(get(querySql.state)),
    terminalShowsRecords: (terminal) => get(sql.showsRecords, terminal) !== undefined,
    discrepancyIsOpen(discrepancyId) {
      const row = get(sql.discrepancy, discrepancyId);
      return row === undefined ? null : row['acknowledged_seq'] === null;
    },
  };

  function apply(change: Change, seq: number, at: string): void {
    switch (change.kind) {
      case 'payment_made': {
        const { sale, terminal, epoch } = change;
        const { operationId, reference, conditionCode, amountMinor, currency } = sale;
        const simulated = sale.simulated ? 1 : 0;
        const request = [operationId, reference, conditionCode, amountMinor, currency];
        run(sql.insertPayment, seq, ...request, simulated, terminal, epoch, at, at);
        return run(sql.noteHour, at, seq);
      }
      case 'payment_status':
        return run(sql.setStatus, change.status, at, change.reason, change.position);
      case 'payment_reason':
        return run(sql.setReason, change.reason, change.position);
      case 'payment_completed':
        return run(sql.complete, change.status, at, at, change.reason, change.epoch, seq, change.position);
      case 'payment_settled':
        return run(sql.settle, at, change.reason, change.batchNumber, change.position);
      case 'operation_made': {
        const { started, paymentId, reference } = change;
        return run(sql.insertOperation, seq, started.operationId, started.kind, paymentId, reference, at);
      }
      case 'operation_phase':
        return run(
          sql.setPhase,
          change.phase,
          change.reason,
          change.hasResult ? seq : null,
          change.operationId,
        );
      case 'operation_evidence':
        return run(sql.setEvidence, change.needsDecision ? 1 : 0, change.reason, change.operationId);
      case 'operation_cancel':
        return run(sql.setCancel, change.operationId);
      case 'operation_ended': {
        const { outcome, reason, hasResult, operationId } = change;
        return run(sql.endOperation, outcome, reason, at, hasResult ? seq : null, operationId);
      }
      case 'terminal_state': {
        const { terminal, lastRecord, epoch, batchEpoch, closedBatches } = change;
        return run(sql.setTerminal, terminal, lastRecord, epoch, batchEpoch, closedBatches);
      }
      case 'terminal_shows_records':
        return run(sql.setShowsRecords, change.terminal);
      case 'terminal_trait': {
        const row = get(sql.traits, change.terminal);
        const known = row === undefined ? [] : (JSON.parse(String(row['traits'])) as string[]);
        return run(
          sql.setTraits,
          change.terminal,
          JSON.stringify([...new Set([...known, change.trait])].toSorted()),
        );
      }
      case 'discrepancy_made':
        run(sql.insertDiscrepancy, seq, change.discrepancyId);
        for (const reference of change.references) run(sql.insertReference, reference, seq);
        return;
      case 'discrepancy_acknowledged':
        return run(sql.acknowledge, seq, change.discrepancyId);
    }
  }

  return {
    view,
    head: () => chainHeadOf(get(querySql.head)),
    insertEvent({ seq, at, type, operation_id, body, hash }) {
      run(sql.insertEvent, seq, at, type, operation_id, body, hash);
    },
    apply,
    takeWritten() {
      const taken = written;
      written = new Set();
      return taken;
    },
  };
}

const writes = new Map(
  Object.values(sql).map((text) => [text, /^(?:INSERT INTO|UPDATE) (\w+)/.exec(text)?.[1]]),
);

function tableWritten(text: string): string {
  const table = writes.get(text);
  if (table === undefined) throw new Error(`This writes to no table: ${text}`);
  return table;
}

/** An event with its stamp (ISO 8601, UTC). */
export interface StampedEvent {
  at: string;
  event: JournalEvent;
}

/**
 * Writes `entries` after what there is, and gives the new head of the chain. The caller has begun a transaction and
 * ends it. `onWritten` hears of each event; it is not on disk before the caller has committed.
 */
export function writeEvents(
  tables: Tables,
  entries: Iterable<StampedEvent>,
  onWritten: (stored: StoredEvent) => void,
): ChainHead {
  let head = tables.head();
  for (const { at, event } of entries) {
    const seq = head.seq + 1;
    // Before the insert: an event that breaks a rule leaves nothing behind.
    const changes = project(event, tables.view);
    const body = canonicalJson(event);
    const hash = chainHash(head.hash, seq, at, body);
    const operationId = 'operationId' in event ? event.operationId : null;
    tables.insertEvent({ seq, at, type: event.type, operation_id: operationId, body, hash });
    for (const change of changes) tables.apply(change, seq, at);
    head = { seq, hash };
    onWritten({ seq, at, event });
  }
  return head;
}
