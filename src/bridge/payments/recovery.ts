/**
 * What the terminal shows when it is idle: noted as its last record, compared with what the bridge did, and taken as
 * evidence for what is in doubt. The rules of evidence are the protocol's (`TerminalProtocol.reconcile`).
 */
import type { Clock } from '../../base/clock.ts';
import type { JournalEvent, OperationStarted, SaleStarted } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import { otherTerminal, otherTerminalText } from '../../contract/other-terminal.ts';
import type { LastRecord, TerminalIdentity, TerminalRecord } from '../../contract/terminal.ts';
import { type Journal, type OperationRow, completeIdentity } from '../journal/index.ts';
import { type Log, createLogThrottle } from '../../log/index.ts';
import type {
  LookUp,
  OperationInDoubt,
  ReconciliationResult,
  TerminalProtocol,
} from '../terminals/terminal-driver.ts';
import {
  asJournalEvent,
  findingOfLateResult,
  findingOfSeveral,
  findingOfUnplacedResult,
} from './discrepancies.ts';
import { resultOfSeveral } from './discrepancy-messages.ts';
import type { EndedOperation, History } from './history.ts';
import {
  belongsTo,
  isOtherApproval,
  isResultAgain,
  lateFor,
  mayAnswer,
  mayBeLateOf,
  saysTheSame,
} from './record-matching.ts';
import { findingOf, isDone, type OperationInput, type Settlement } from './operation-machine.ts';
import type { RepeatedFindings } from './repeated-findings.ts';
import type { RecordContinuity } from './record-continuity.ts';
import { anchorOf, toldBefore } from './anchor.ts';
import { createRecordNotes, isOn } from './note-record.ts';
import { labelsOf } from './journal-writer.ts';
import { before, expectedBatch, settlementOf } from './batch.ts';
import { terminalReferenceOf } from './terminal-reference.ts';
import { isOfOtherTerminal, seenIdle } from './seen-idle.ts';

/** What the terminal may be used for now: anything, a batch close only, or nothing. */
export type ReadyFor = 'anything' | 'batch_close' | 'nothing';

/** After so many polls of a terminal that is not ready, a person has to decide: recovery cannot go on by itself. */
const pollsBeforeDecision = 3;
/**
 * How many results that came after its end an operation keeps, of those that fit and of those that contradict: more than
 * any terminal repeats. Each is put on disk, so there has to be an end to them.
 */
const maxLateResults = 20;
/** The same for one that is in doubt, with those that came before it was. */
const maxResultsInDoubt = 100;
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
  lateResult(record: TerminalRecord, isKeptUnder?: (terminalReference: string) => boolean): boolean;
  /** See `RecordNotes.connectionLost`. */
  connectionLost(reason: string): boolean;
  /** The next poll is journaled even if it brings nothing new: whether the disk works again shows only by writing. */
  announceAgain(): void;
  /** After a close of ours: logs those of our approved payments that it did not cover. */
  nameUncovered(operationId: string, settlement: Settlement): void;
}

const endNotWritten: OperationInput = {
  kind: 'interrupted',
  reason: 'Its end could not be written to the journal.',
};

export function createRecovery(parts: {
  journal: Journal;
  protocol: TerminalProtocol;
  recordContinuity: RecordContinuity;
  repeats: RepeatedFindings;
  history: History;
  log: Log;
  apply(operationId: string, ...inputs: OperationInput[]): boolean;
  append(...events: JournalEvent[]): boolean;
  rowsInDoubt(): OperationRow[];
  /** Of amounts that the terminal names without one. */
  currency: Currency;
  clock: Clock;
  uuid: () => string;
}): Recovery {
  const { journal, protocol, repeats, history, log, apply, append, rowsInDoubt } = parts;
  const notes = createRecordNotes(parts);
  const said = createLogThrottle(parts.clock);
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
    let reconciliation = isOfProtocol(row)
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

  /** The settings may name another protocol by now. */
  function isOfProtocol({ started }: OperationRow): boolean {
    return started.terminal.protocol === protocol.name;
  }

  /**
   * A record that did not decide will not get better; one that could not be read may, and so may a terminal that still
   * shows the baseline but was not ready. Once another record has left the question to a person, no later one may
   * answer it by chance.
   */
  function mayReconcileAgain(row: OperationRow, lastRecord: LastRecord, idle: boolean): boolean {
    const seen = journal
      .eventsOf(row.operationId)
      .flatMap(({ event }) => (event.type === 'evidence_found' ? [event] : []));
    const { baseline } = row.started;
    // A person may decide only once it has been idle, so that it is so now is news.
    if (idle && !seenIdle(journal.eventsOf(row.operationId))) return true;
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

  function resultsOf(row: OperationRow): number {
    return journal.eventsOf(row.operationId).filter(({ event }) => event.type === 'result_received').length;
  }

  /** A result for an operation that has ended: it may say the same and be acknowledged, but it decides nothing. */
  function afterEnd(late: TerminalRecord, isKeptUnder?: (terminalReference: string) => boolean): boolean {
    const { terminal } = journal.terminalState();
    const fitting = history
      .ended()
      .filter((ended) => isOn(terminal, ended) && hasNumber(ended.operation, isKeptUnder));
    // What it names is the one, whatever ended since without a number.
    const named = fitting.find(({ operation }) => isNamed(operation, isKeptUnder));
    if (named?.operation.kind === 'sale' && late.approved && late.amountMinor === null)
      return afterEnd({ ...late, ...amountOf(named.operation) }, isKeptUnder);
    const candidates = named === undefined ? fitting : [named];
    const record = late;
    const ended = lateFor(
      candidates,
      record,
      protocol,
      // Nothing has been seen of the terminal since the operation began.
      (baseline, place) =>
        protocol.continuity(baseline, parts.recordContinuity.known()) === 'same' &&
        parts.recordContinuity.mayFollow(place),
    );
    if (ended === null) {
      const [newest] = candidates;
      if (newest !== undefined && mayBeLateOf(newest, record)) tellOnce(newest, record);
      const due = said.due('belongs to none');
      if (due !== null)
        log.error('a result came that belongs to no operation; it is not acknowledged', { record, ...due });
      return false;
    }
    const { operationId, kind } = ended.operation;
    if (isKeptUnder === undefined && ended.result === null) {
      const others = stillOwed(kind, record).filter((one) => one.operation.operationId !== operationId);
      if (others.length > 0) return tellOfSeveral([...others, ended], null, record);
    }
    const accepted = record.approved === isDone(ended.outcome);
    const known = journal
      .eventsOf(operationId)
      .flatMap(({ event }) => (event.type === 'late_result_received' ? [event] : []));
    // Said again, it is answered again in the same way, and is no news.
    const same = known.find(({ result }) => saysTheSame(result, record));
    if (same !== undefined) return same.accepted;
    // Counted apart, so that no number of fitting ones hides the first that contradicts.
    if (known.filter((each) => each.accepted === accepted).length >= maxLateResults) {
      const due = said.due('too many');
      if (due !== null) {
        log.warn('one result after the other comes of an operation that has ended; no more are taken', {
          operation_id: operationId,
          ...due,
        });
      }
      return false;
    }
    log.warn(`a result came after its operation had ended; it is ${accepted ? '' : 'not '}acknowledged`, {
      operation_id: operationId,
      outcome: ended.outcome,
    });
    const received: JournalEvent = { type: 'late_result_received', operationId, result: record, accepted };
    if (accepted) return append(received);
    append(received, asJournalEvent(findingOfLateResult(ended, record), parts.uuid));
    return false;
  }

  /** The terminal undoes what is not acknowledged, and the operation may be called done. */
  function tellOnce(newest: EndedOperation, record: TerminalRecord): void {
    if (newest.discrepancies.includes('late_result_refused')) return;
    append(asJournalEvent(findingOfUnplacedResult(newest, record), parts.uuid));
  }

  /**
   * Operations of this kind that a person ended without anybody having seen that the terminal was done with them: as long as it
   * has answered nothing since, what it says without a name may be of one of them. A last record would show what they came to.
   */
  function stillOwed(kind: OperationStarted['kind'], record: TerminalRecord): EndedOperation[] {
    if (protocol.hasNoLastRecord !== true) return [];
    const ended = history.ended();
    const answered = ended.findIndex(({ result }) => result !== null);
    return (answered < 0 ? ended : ended.slice(0, answered)).filter(
      ({ endedUnseen, operation }) => endedUnseen && operation.kind === kind && mayAnswer(operation, record),
    );
  }

  /** It is taken for none of them, and all of them say so in the journal. `row`: the one that is in doubt, if one is. */
  function tellOfSeveral(ended: EndedOperation[], row: OperationRow | null, record: TerminalRecord): false {
    if (row !== null && row.phase !== 'in_doubt' && !apply(row.operationId, endNotWritten)) return false;
    // The amount may be that of whichever was waited for, so it says nothing.
    const told = { ...record, amountMinor: null, currency: null };
    const operations = [...ended.map(({ operation }) => operation), ...(row === null ? [] : [row.started])];
    const news: JournalEvent[] = ended
      .filter(({ outcome }) => told.approved !== isDone(outcome))
      .filter(({ discrepancies }) => !discrepancies.includes('late_result_refused'))
      .map((one) => asJournalEvent(findingOfSeveral(one, operations, told), parts.uuid));
    if (row !== null) {
      const { operationId, needsDecision } = row;
      const explanation = resultOfSeveral(operations, told);
      const lastRecord = { kind: 'unavailable', reason: 'a result that names no payment came late' } as const;
      const evidence = { lastRecord, explanation };
      // Whether a person is needed, the terminal may still show.
      const found = { operationId, evidence, needsPerson: needsDecision, idle: false } as const;
      const event = { type: 'evidence_found', ...found } as const;
      if (!repeats.isRepeat(event)) news.push(event);
    }
    if (news.length === 0) return false;
    const newest = row?.started ?? operations[0];
    log.warn('a result came late that names no payment, and may be of several; it counts for none', {
      ...(newest === undefined ? {} : labelsOf(newest)),
      record: told,
    });
    append(...news);
    return false;
  }

  /** Of the terminal that a result came from. One that does not say it came from the one that was seen last. */
  function idsOf(record: TerminalRecord): string[] {
    const id = record.terminalId ?? journal.terminalState().terminal?.terminalId ?? null;
    return id === null ? [] : [id];
  }

  return {
    observed(identity, lastRecord, readyFor, lookedUp = new Map()) {
      const terminal = completeIdentity(identity, lastRecord, journal.terminalState().terminal);
      const ready = readyFor === 'anything';
      pollsNotReady = ready ? 0 : pollsNotReady + 1;
      const before = journal.terminalState().lastRecord;
      // One that first needs a setting or a service man has not been polled in full.
      const idle = readyFor !== 'nothing' || lastRecord.kind !== 'unavailable';
      const reconciled = rowsInDoubt().map((row) => {
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
      return finished ? 'finished' : 'again';
    },
    lateResult(record, isKeptUnder) {
      const connected = idsOf(record);
      const isOfEnded = history.ended().some((ended) => isResultAgain(ended, record));
      const row = rowsInDoubt().find(
        (one) =>
          !isOfEnded &&
          isOfProtocol(one) &&
          hasNumber(one.started, isKeptUnder) &&
          belongsTo(one.started, record) &&
          !isOtherApproval(one.result, record) &&
          otherTerminal(one.started, one.result, connected) === null,
      );
      if (row === undefined) return afterEnd(record, isKeptUnder);
      const owed = isKeptUnder === undefined && row.result === null ? stillOwed(row.kind, record) : [];
      if (owed.length > 0 && mayAnswer(row.started, record)) return tellOfSeveral(owed, row, record);
      // What it refused it cannot approve later: this is somebody else's, or will be undone when it is not accepted.
      if (record.approved && row.result?.approved === false) {
        log.warn(
          'recovery: an approval came late of what had been refused; it is not acknowledged',
          labelsOf(row),
        );
        return false;
      }
      if (resultsOf(row) >= maxResultsInDoubt) {
        const due = said.due('too many in doubt');
        if (due !== null)
          log.warn('recovery: one result after the other comes late; no more are taken', {
            ...labelsOf(row),
            ...due,
          });
        return false;
      }
      log.info('recovery: a result came late', labelsOf(row));
      return apply(row.operationId, ...intoDoubt(row), { kind: 'result', record, late: true });
    },
    toLookUp: (asked) =>
      rowsInDoubt()
        // What a person has been called for is asked about again when somebody wants to know: a look-up may print.
        .filter((row) => isOfProtocol(row) && (asked || !row.needsDecision))
        .map((row) => {
          const anchor = anchorOf(journal, row);
          const told = toldBefore(journal, row);
          return {
            ...asInDoubt(row, row.started.terminal),
            unsettled: unsettledReferences(row),
            ...(anchor === null ? {} : { anchor }),
            ...(told === null ? {} : { toldBefore: told }),
          };
        }),
    connectionLost: (reason) => notes.connectionLost(reason),
    announceAgain: () => notes.announceAgain(),
    nameUncovered,
  };
}

/** Nothing that a terminal of another protocol shows, or does not show, is about this operation. */
function ofOtherProtocol({ started }: OperationRow, { name }: TerminalProtocol): ReconciliationResult {
  const other = { expected: started.terminal.protocol, connected: name };
  return { kind: 'other_terminal', otherTerminal: other, explanation: otherTerminalText(other) };
}

function intoDoubt({ phase }: OperationRow): OperationInput[] {
  return phase === 'in_doubt' ? [] : [endNotWritten];
}

/** What names the payment by its number need not tell its amount again. */
function amountOf({ amountMinor, currency }: SaleStarted): Pick<TerminalRecord, 'amountMinor' | 'currency'> {
  return { amountMinor, currency };
}

/** References for the log; bounded, because a shop may never close its day through the bridge. */
function named(references: string[]) {
  return { count: references.length, references: references.slice(0, maxNamedReferences) };
}

/** A result that names a number of ours is of no operation that was ordered under another one. */
function hasNumber(
  started: OperationStarted,
  isKeptUnder: ((terminalReference: string) => boolean) | undefined,
): boolean {
  if (isKeptUnder === undefined || started.kind === 'batch_close') return true;
  return started.terminalReference === undefined || isKeptUnder(started.terminalReference);
}

function isNamed(
  started: OperationStarted,
  isKeptUnder: ((terminalReference: string) => boolean) | undefined,
): boolean {
  if (isKeptUnder === undefined || started.kind === 'batch_close') return false;
  return started.terminalReference !== undefined && isKeptUnder(started.terminalReference);
}
