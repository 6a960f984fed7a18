/**
 * What the terminal shows when it is idle: noted as its last record, compared with what the bridge did, and taken as
 * evidence for what is in doubt. The rules of evidence are the protocol's (`TerminalProtocol.reconcile`).
 */
import type { Currency } from '../../contract/money.ts';
import { otherTerminalText } from '../../contract/other-terminal.ts';
import type { LastRecord, TerminalIdentity } from '../../contract/terminal.ts';
import { type OperationRow, completeIdentity } from '../journal/index.ts';
import type {
  LookUp,
  OperationInDoubt,
  ReconciliationResult,
  TerminalProtocol,
} from '../terminals/terminal-driver.ts';
import { createLateResults, endNotWritten, type LateResultParts, type LateResults } from './late-results.ts';
import { isOfProtocol } from './record-matching.ts';
import { findingOf, type Settlement } from './operation-machine.ts';
import { anchorOf, toldBefore } from './anchor.ts';
import { createRecordNotes } from './note-record.ts';
import { labelsOf } from './journal-writer.ts';
import { before, expectedBatch, settlementOf } from './batch.ts';
import { createSecondLooks } from './second-looks.ts';
import { terminalReferenceOf } from './terminal-reference.ts';
import { isOfOtherTerminal, seenIdle } from './seen-idle.ts';

/** What the terminal may be used for now: anything, a batch close only, or nothing. */
export type ReadyFor = 'anything' | 'batch_close' | 'nothing';

/** After so many polls of a terminal that is not ready, a person has to decide: recovery cannot go on by itself. */
const pollsBeforeDecision = 3;
/** One is enough to know the terminal's batch by. */
const maxUnsettledReferences = 20;
/** How many references one log line names at most. */
const maxNamedReferences = 100;

/** What the terminal said of single operations, by their ids. */
export type LookedUp = Map<string, LookUp>;

export interface Recovery {
  /** See `RunnerHooks.observed`. */
  observed(
    terminal: TerminalIdentity,
    lastRecord: LastRecord,
    readyFor: ReadyFor,
    lookedUp?: LookedUp,
  ): 'finished' | 'again';
  /** See `RunnerHooks.toLookUp`. */
  toLookUp(asked: boolean): OperationInDoubt[];
  /** See `DriverWatch.lateResult`. */
  lateResult: LateResults['take'];
  /** See `RecordNotes.connectionLost`. */
  connectionLost(reason: string): boolean;
  /** The next poll is journaled even if it brings nothing new: whether the disk works again shows only by writing. */
  announceAgain(): void;
  /** After a close of ours: logs those of our approved payments that it did not cover. */
  nameUncovered(operationId: string, settlement: Settlement): void;
}

export interface RecoveryParts extends LateResultParts {
  /** Of amounts that the terminal names without one. */
  currency: Currency;
}

export function createRecovery(parts: RecoveryParts): Recovery {
  const { journal, protocol, repeats, log, apply, rowsInDoubt } = parts;
  const notes = createRecordNotes(parts);
  const lateResults = createLateResults(parts);
  const secondLooks = createSecondLooks(parts);
  /** Polls in a row of a terminal that is there but not ready. */
  let pollsNotReady = 0;

  /** `finished`: nothing more can be found out by looking again. */
  function reconcile(
    row: OperationRow,
    terminal: TerminalIdentity,
    lastRecord: LastRecord,
    { ready, idle }: { ready: boolean; idle: boolean },
  ): { finished: boolean; reconciliation: ReconciliationResult['kind'] | null } {
    const again = { finished: false, reconciliation: null };
    if (row.phase !== 'in_doubt') {
      if (!apply(row.operationId, endNotWritten)) return again;
    }
    if (row.needsDecision && !mayReconcileAgain(row, lastRecord, idle))
      return { finished: true, reconciliation: null };
    let reconciliation = isOfProtocol(row.started, protocol)
      ? protocol.reconcile(asInDoubt(row, terminal), terminal, lastRecord)
      : ofOtherProtocol(row, protocol);
    if (reconciliation.kind === 'not_done' && !ready) {
      // That nothing happened is proved only by a terminal that is idle and ready. One that stays as it is needs help.
      if (pollsNotReady < pollsBeforeDecision || row.needsDecision) return again;
      const explanation =
        'The terminal still shows the record from before, but is not ready, which proves nothing yet.';
      reconciliation = { kind: 'needs_decision', explanation };
    }
    const undecided =
      reconciliation.kind === 'needs_decision' || reconciliation.kind === 'other_terminal'
        ? reconciliation
        : null;
    // Found before, it is neither written nor told once more.
    if (undecided !== null && repeats.isRepeat(findingOf(row.operationId, undecided, { lastRecord, idle })))
      return { finished: true, reconciliation: reconciliation.kind };
    // What recovery can do no more about is somebody's to do.
    log[undecided === null ? 'info' : 'warn'](`recovery: ${reconciliation.kind}`, {
      ...labelsOf(row),
      explanation: reconciliation.explanation,
    });
    const settlement =
      reconciliation.kind === 'done' ? settlementOf(journal, row, reconciliation.record) : null;
    if (!apply(row.operationId, { kind: 'reconciled', reconciliation, lastRecord, settlement, idle }))
      return again;
    if (settlement !== null) nameUncovered(row.operationId, settlement);
    return { finished: true, reconciliation: reconciliation.kind };
  }

  /**
   * A record that did not decide will not get better; one that could not be read may, and so may a terminal that still
   * shows the baseline but was not ready. Once another record has left the question to a person, no later one may
   * answer it by chance. A result of its own that came since is not by chance.
   */
  function mayReconcileAgain(row: OperationRow, lastRecord: LastRecord, idle: boolean): boolean {
    const events = journal.eventsOf(row.operationId);
    const types = events.map(({ event }) => event.type);
    if (types.lastIndexOf('result_received') > types.lastIndexOf('evidence_found')) return true;
    const seen = events.flatMap(({ event }) => (event.type === 'evidence_found' ? [event] : []));
    const { baseline } = row.started;
    // A person may decide only once it has been idle, so that it is so now is news.
    if (idle && !seenIdle(events)) return true;
    return (
      lastRecord.kind !== 'unavailable' &&
      seen.every((finding) => {
        const { evidence } = finding;
        // What another terminal showed has left no question of this one to anybody.
        if (isOfOtherTerminal(finding)) return true;
        if (evidence.lastRecord.kind === 'unavailable') return true;
        return protocol.continuity(baseline, evidence.lastRecord) === 'same';
      })
    );
  }

  /** Of payments before that operation: what came after it says nothing of a batch that may have been closed in between. */
  function unsettledReferences({ position }: OperationRow): string[] {
    return before(expectedBatch(journal), position)
      .slice(-maxUnsettledReferences)
      .flatMap(({ transactionId }) => terminalReferenceOf(journal, transactionId) ?? []);
  }

  function asInDoubt(row: OperationRow, terminal: TerminalIdentity): OperationInDoubt {
    return {
      operation: row.started,
      result: row.result,
      acknowledged: wasAcknowledged(row),
      showsRecords: journal.terminalKnowledge(terminal).showsRecords,
    };
  }

  function asQuestion(row: OperationRow): OperationInDoubt {
    const anchor = anchorOf(journal, row);
    const told = toldBefore(journal, row);
    return {
      ...asInDoubt(row, row.started.terminal),
      unsettled: unsettledReferences(row),
      ...(anchor === null ? {} : { anchor }),
      ...(told === null ? {} : { toldBefore: told }),
    };
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
    observed(identity, lastRecord, readyFor, lookedUp = new Map()) {
      const terminal = completeIdentity(identity, lastRecord, journal.terminalState().terminal);
      const ready = readyFor === 'anything';
      pollsNotReady = ready ? 0 : pollsNotReady + 1;
      const before = journal.terminalState().lastRecord;
      // One that first needs a setting or a service man has not been polled in full.
      const idle = readyFor !== 'nothing' || lastRecord.kind !== 'unavailable';
      const rows = rowsInDoubt();
      const reconciledNow = new Set(rows.map(({ operationId }) => operationId));
      const reconciled = rows.map((row) => {
        const own = lookedUp.get(row.operationId);
        // It is still at it: nobody is to decide, and to look again is all that helps.
        if (own?.kind === 'pending') return { finished: false, byLastRecord: null };
        const { finished, reconciliation } = reconcile(row, terminal, own ?? lastRecord, { ready, idle });
        return { finished, byLastRecord: own === undefined ? reconciliation : null };
      });
      let finished = reconciled.every((one) => one.finished);
      // A refusal, or a reversal by the terminal itself, that has just shown how an operation of ours ended.
      const explained =
        reconciled.some(({ byLastRecord }) => byLastRecord === 'not_done') &&
        protocol.continuity(before, lastRecord) !== 'same';
      // What was looked up may have told only now which terminal this is.
      const seen = completeIdentity(terminal, lastRecord, journal.terminalState().terminal);
      if (idle && !notes.note(seen, lastRecord, explained)) finished = false;
      for (const [operationId, said] of lookedUp) {
        if (reconciledNow.has(operationId)) continue;
        const judge = (row: OperationRow, shown: LastRecord) =>
          protocol.reconcile(asInDoubt(row, terminal), terminal, shown);
        if (!secondLooks.looked(operationId, said, judge)) finished = false;
      }
      return finished ? 'finished' : 'again';
    },
    lateResult: lateResults.take,
    toLookUp(asked) {
      const inDoubt = rowsInDoubt();
      // What is decided can wait for what is not.
      const ended = inDoubt.length === 0 ? secondLooks.due() : null;
      if (ended !== null) return [{ ...asQuestion(ended), decided: true }];
      return (
        inDoubt
          // What a person has been called for is asked about again when somebody wants to know: a look-up may print.
          .filter((row) => isOfProtocol(row.started, protocol) && (asked || !row.needsDecision))
          .map(asQuestion)
      );
    },
    connectionLost(reason) {
      secondLooks.connectionLost();
      return notes.connectionLost(reason);
    },
    announceAgain: () => notes.announceAgain(),
    nameUncovered,
  };
}

/** Nothing that a terminal of another protocol shows, or does not show, is about this operation. */
function ofOtherProtocol({ started }: OperationRow, { name }: TerminalProtocol): ReconciliationResult {
  const other = { expected: started.terminal.protocol, connected: name };
  return { kind: 'other_terminal', otherTerminal: other, explanation: otherTerminalText(other) };
}

/** References for the log; bounded, because a shop may never close its day through the bridge. */
function named(references: string[]) {
  return { count: references.length, references: references.slice(0, maxNamedReferences) };
}
