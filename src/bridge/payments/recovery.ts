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
import type { Lineage } from './lineage.ts';
import { expectedBatch, settlementOf } from './operations.ts';

/** What the terminal may be used for now: anything, a batch close only, or nothing. */
export type Fitness = 'ready' | 'batch_close_only' | 'unfit';

/** After so many looks at a terminal that is not ready, a person hears that recovery cannot go on by itself. */
const looksBeforePerson = 3;
/** How many references one log line names at most. */
const maxNamedReferences = 100;

export interface Recovery {
  /** See `KeeperHooks.observed`. */
  observed(terminal: TerminalIdentity, lastRecord: LastRecord, fitness: Fitness): 'settled' | 'again';
  /** See `DriverWatch.lateResult`. */
  lateResult(record: TerminalRecord): boolean;
  connectionLost(reason: string): void;
  /** The next look is written down even if it brings nothing new: whether the disk works again shows only by writing. */
  announceAgain(): void;
  /** After a close of ours: logs those of our approved payments that it did not cover. */
  nameUncovered(operationId: string, settlement: Settlement): void;
}

export function createRecovery(parts: {
  journal: Journal;
  protocol: TerminalProtocol;
  lineage: Lineage;
  log: Log;
  apply(operationId: string, ...inputs: OperationInput[]): boolean;
  append(...facts: JournalEvent[]): boolean;
  doubts(): OperationRow[];
}): Recovery {
  const { journal, protocol, lineage, log, apply, append, doubts } = parts;
  /** Looks in a row at a terminal that is there but not ready. */
  let looksNotReady = 0;
  /** Whether `terminal_ready` was written for the connection that lives now. */
  let announced = false;

  /**
   * False when it could not be written: the terminal must not be given out on an older record. `explained`: an
   * operation of ours that was just judged accounts for one new record.
   */
  function note(terminal: TerminalIdentity, lastRecord: LastRecord, explained: boolean): boolean {
    const state = journal.terminalState();
    const continuity = continuityOf(state, terminal, lastRecord);
    const news =
      continuity !== 'same' && !(continuity === 'unknown' && lastRecord.kind === state.lastRecord.kind);
    const startling = news && !(continuity === 'next' && explained);
    // Before the fact is written, which may move the boundary; and only then, because a day has many payments.
    const references = startling ? expectedBatch(journal).map((payment) => payment.reference) : [];
    if (!announced) {
      announced = append({ type: 'terminal_ready', terminal, lastRecord, continuity });
      if (!announced) return false;
    } else if (news && !append({ type: 'record_seen', lastRecord, continuity })) {
      return false;
    }
    if (startling) warnOf(continuity, references);
    return true;
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
    return lineage.of(lastRecord);
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
    const doubt = {
      operation: row.started,
      result: row.result,
      acknowledged: wasAcknowledged(row),
      showsRecords: journal.terminalKnowledge(terminal).showsRecords,
    };
    let verdict = protocol.conclude(doubt, terminal, lastRecord);
    if (verdict.kind === 'not_done' && !ready) {
      // That nothing happened is proved only by a terminal that is idle and ready. One that stays as it is needs help.
      if (looksNotReady < looksBeforePerson || row.needsPerson) return false;
      const explanation =
        'The terminal still shows the record from before, but is not ready, which proves nothing yet.';
      verdict = { kind: 'unclear', explanation };
    }
    log.info(`recovery: ${verdict.kind}`, {
      ...labelsOf(row),
      explanation: verdict.explanation,
    });
    const settlement = verdict.kind === 'done' ? settlementOf(journal, row, verdict.record) : null;
    if (!apply(row.operationId, { kind: 'verdict', verdict, lastRecord, settlement })) return false;
    if (settlement !== null) nameUncovered(row.operationId, settlement);
    return true;
  }

  /**
   * A record that did not decide will not get better; one that could not be read may, and so may a terminal that still
   * shows the baseline but was not ready. Once another record has left the question to a person, no later one may
   * answer it by chance.
   */
  function mayLookAgain(row: OperationRow, lastRecord: LastRecord): boolean {
    const seen = journal
      .eventsOf(row.operationId)
      .flatMap(({ event }) => (event.type === 'evidence_found' ? [event] : []));
    const { baseline } = row.started;
    return (
      lastRecord.kind !== 'unavailable' &&
      seen.every(({ evidence }) => {
        if (evidence.lastRecord.kind === 'unavailable') return true;
        return protocol.continuity(baseline, evidence.lastRecord) === 'same';
      })
    );
  }

  /** The acknowledgement of the newest result, not of one that another has replaced. */
  function wasAcknowledged(row: OperationRow): boolean {
    const events = journal.eventsOf(row.operationId).map(({ event }) => event.type);
    return events.lastIndexOf('result_acknowledged') > events.lastIndexOf('result_received');
  }

  function nameUncovered(operationId: string, { uncovered }: Settlement) {
    if (uncovered.length === 0) return;
    log.warn('payments that the closed batch does not cover stay approved', {
      operation_id: operationId,
      ...named(uncovered),
    });
  }

  return {
    observed(terminal, lastRecord, fitness) {
      const ready = fitness === 'ready';
      looksNotReady = ready ? 0 : looksNotReady + 1;
      let finished = true;
      const judged = doubts();
      for (const row of judged) {
        finished = judge(row, terminal, lastRecord, ready) && finished;
      }
      // One that first needs a setting or a service man has not been looked at in full.
      const seen = fitness !== 'unfit' || lastRecord.kind !== 'unavailable';
      if (seen && !note(terminal, lastRecord, judged.length > 0)) finished = false;
      return finished ? 'settled' : 'again';
    },
    lateResult(record) {
      const row = doubts().find((candidate) => belongsTo(candidate.started, record));
      if (row === undefined) {
        log.error('a result came that belongs to no operation; it is not acknowledged', { record });
        return false;
      }
      log.info('recovery: a result came late', labelsOf(row));
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
    announceAgain() {
      announced = false;
    },
    nameUncovered,
  };
}

/** What ties a line of the log to an operation. */
function labelsOf({ operationId, reference }: OperationRow) {
  return reference === null ? { operation_id: operationId } : { operation_id: operationId, reference };
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
