/**
 * What the terminal shows when it is idle: noted as its last record, compared with the one before, and taken as
 * evidence for what is in doubt. The rules of evidence are the protocol's (`TerminalProtocol.conclude`).
 */
import type { JournalEvent, OperationStarted } from '../../contract/journal-events.ts';
import type { Continuity, LastRecord, TerminalIdentity, TerminalRecord } from '../../contract/terminal.ts';
import type { Journal, OperationRow, TerminalState } from '../journal/journal.ts';
import type { Log } from '../log/log.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';
import type { OperationInput, Settlement } from './machine.ts';
import { expectedBatch, settlementOf } from './operations.ts';

/** How many references one log line names at most. */
const maxNamedReferences = 100;

export interface Recovery {
  /** See `KeeperHooks.observed`. */
  observed(terminal: TerminalIdentity, lastRecord: LastRecord, ready: boolean): 'settled' | 'again';
  /** See `DriverWatch.lateResult`. */
  lateResult(record: TerminalRecord): boolean;
  connectionLost(reason: string): void;
  /** After a close of ours: logs those of our approved payments that it did not cover. */
  nameUncovered(settlement: Settlement): void;
}

export function createRecovery(parts: {
  journal: Journal;
  protocol: TerminalProtocol;
  log: Log;
  apply(operationId: string, ...inputs: OperationInput[]): boolean;
  append(...facts: JournalEvent[]): boolean;
  doubts(): OperationRow[];
}): Recovery {
  const { journal, protocol, log, apply, append, doubts } = parts;
  /** Whether `terminal_ready` was written for the connection that lives now. */
  let announced = false;

  /** `explained`: an operation of ours that was just judged accounts for one new record. */
  function note(terminal: TerminalIdentity, lastRecord: LastRecord, explained: boolean) {
    const state = journal.terminalState();
    const continuity = continuityOf(state, terminal, lastRecord);
    const references = expectedBatch(journal).map((payment) => payment.reference);
    const news =
      continuity !== 'same' && !(continuity === 'unknown' && lastRecord.kind === state.lastRecord.kind);
    if (!announced) {
      announced = append({ type: 'terminal_ready', terminal, lastRecord, continuity });
    } else if (news) {
      append({ type: 'record_seen', lastRecord, continuity });
    }
    if (news && !(continuity === 'next' && explained)) warnOf(continuity, references);
  }

  /** A stretch in which the terminal's records could not be read may hide anything: it is a gap. */
  function continuityOf(
    state: TerminalState,
    terminal: TerminalIdentity,
    lastRecord: LastRecord,
  ): Continuity {
    if (state.terminal === null) return 'unknown';
    if (state.terminal.terminalId !== terminal.terminalId) return 'changed_terminal';
    if (lastRecord.kind === 'unavailable') return announced ? 'unknown' : 'gap';
    if (state.lastRecord.kind === 'unavailable') return 'gap';
    return protocol.continuity(state.lastRecord, lastRecord);
  }

  /** `references`: ours that the terminal's open batch held as far as was known. */
  function warnOf(continuity: Continuity, references: string[]) {
    if (continuity === 'batch') {
      log.warn(
        'the day was closed at the terminal, not by the bridge; earlier payments stay approved and cannot be voided here',
        named(references),
      );
    } else if (continuity === 'changed_terminal') {
      log.warn(
        'another terminal answers on this line; payments of the one before stay approved and cannot be voided here',
        named(references),
      );
    } else if (continuity === 'gap') {
      log.warn(
        'the terminal did things that the bridge has not seen; earlier payments can no longer be voided here',
        named(references),
      );
    } else if (continuity === 'next') {
      log.warn('the terminal has a record that the bridge did not make: somebody may have used it by hand');
    }
  }

  /** True when nothing more can be found out by looking again. */
  function judge(
    row: OperationRow,
    terminal: TerminalIdentity,
    lastRecord: LastRecord,
    ready: boolean,
  ): boolean {
    if (row.phase !== 'in_doubt') {
      const reason = 'Its end could not be written to the journal.';
      if (!apply(row.operationId, { kind: 'interrupted', reason })) return false;
    }
    if (row.needsPerson && !mayLookAgain(row, lastRecord)) return true;
    const doubt = { operation: row.started, result: row.result };
    const verdict = protocol.conclude(doubt, terminal, lastRecord);
    // That nothing happened is proved only by a terminal that is idle and ready.
    if (verdict.kind === 'not_done' && !ready) return false;
    log.info(`recovery: ${verdict.kind}`, {
      operation_id: row.operationId,
      explanation: verdict.explanation,
    });
    const settlement = verdict.kind === 'done' ? settlementOf(journal, row, verdict.record) : null;
    if (!apply(row.operationId, { kind: 'verdict', verdict, lastRecord, settlement })) return false;
    if (settlement !== null) nameUncovered(settlement);
    return true;
  }

  /**
   * A record that did not decide will not get better; one that could not be read may. Once a readable record has left
   * the question to a person, no later record may answer it by chance.
   */
  function mayLookAgain(row: OperationRow, lastRecord: LastRecord): boolean {
    const seen = journal
      .eventsOf(row.operationId)
      .flatMap(({ event }) => (event.type === 'evidence_found' ? [event] : []));
    return (
      lastRecord.kind !== 'unavailable' &&
      seen.every((event) => event.evidence.lastRecord.kind === 'unavailable')
    );
  }

  function nameUncovered({ uncovered }: Settlement) {
    if (uncovered.length === 0) return;
    log.warn('payments that the closed batch does not cover stay approved', named(uncovered));
  }

  return {
    observed(terminal, lastRecord, ready) {
      let finished = true;
      const judged = doubts();
      for (const row of judged) {
        finished = judge(row, terminal, lastRecord, ready) && finished;
      }
      // A terminal that first needs a setting or a service man has not been looked at in full.
      if (ready || lastRecord.kind !== 'unavailable') note(terminal, lastRecord, judged.length > 0);
      return finished ? 'settled' : 'again';
    },
    lateResult(record) {
      const row = doubts().find((candidate) => belongsTo(candidate.started, record));
      if (row === undefined) {
        log.error('a result came that belongs to no operation; it is not acknowledged', { record });
        return false;
      }
      const inputs: OperationInput[] = [{ kind: 'result', record, late: true }];
      if (row.phase !== 'in_doubt') {
        inputs.unshift({ kind: 'interrupted', reason: 'Its end could not be written to the journal.' });
      }
      return apply(row.operationId, ...inputs);
    },
    connectionLost(reason) {
      if (!announced) return;
      announced = false;
      append({ type: 'terminal_lost', reason });
    },
    nameUncovered,
  };
}

/** References for the log; bounded, because a shop may never close its day through the bridge. */
function named(references: string[]) {
  return { count: references.length, references: references.slice(0, maxNamedReferences) };
}

/** A late result belongs to an operation when terminal and amount fit and it is not the record from before it. */
function belongsTo(operation: OperationStarted, record: TerminalRecord): boolean {
  const { terminalId } = operation.terminal;
  if (record.terminalId !== null && terminalId !== null && record.terminalId !== terminalId) return false;
  const { baseline } = operation;
  if (
    baseline.kind === 'record' &&
    record.traceNumber !== null &&
    baseline.record.traceNumber === record.traceNumber &&
    baseline.record.receiptNumber === record.receiptNumber
  ) {
    return false;
  }
  if (!record.approved) return true;
  if (operation.kind === 'batch_close') return record.kind === 'batch_close';
  const kind = operation.kind === 'sale' ? 'payment' : 'reversal';
  return record.kind === kind && record.amountMinor === operation.amountMinor;
}
