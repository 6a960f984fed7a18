/**
 * Notes what the idle terminal shows as its last record, with how it follows on what was known, what is learnt of the
 * terminal by it, and where it does not agree with what the bridge did. All of it goes into the journal at once.
 */
import type { JournalEvent, OperationStarted } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import {
  agreeIfTold,
  type Continuity,
  type LastRecord,
  type TerminalIdentity,
} from '../../contract/terminal.ts';
import { type Journal, type TerminalKnowledge, type TerminalState, terminalKey } from '../journal/index.ts';
import type { Log } from '../../log/index.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';
import { asJournalEvent, type Finding } from './discrepancies.ts';
import type { EndedOperation, History } from './history.ts';
import type { RecordContinuity } from './record-continuity.ts';
import { findingsOfPoll } from './poll-discrepancies.ts';
import { expectedBatch } from './batch.ts';

export interface RecordNotes {
  /**
   * False when it could not be written: the terminal must not be given out on an older record. `judged`: an
   * operation that was just judged accounts for the record. Throws when the journal cannot be read.
   */
  note(terminal: TerminalIdentity, lastRecord: LastRecord, reconciled: boolean): boolean;
  /** What comes may be another terminal. False when that could not be written. */
  connectionLost(reason: string): boolean;
  /** The next poll is journaled even if it brings nothing new. */
  announceAgain(): void;
}

const recordNotShown =
  'this terminal does not show its last payment, so a payment in doubt is for a person to decide, and a void goes by ' +
  'the numbers of its own result';

export interface NoteParts {
  journal: Journal;
  protocol: TerminalProtocol;
  recordContinuity: RecordContinuity;
  history: History;
  log: Log;
  currency: Currency;
  uuid: () => string;
  append(...events: JournalEvent[]): boolean;
}

export function createRecordNotes(parts: NoteParts): RecordNotes {
  const { journal, protocol, recordContinuity, history, log, append } = parts;
  /** Whether `terminal_ready` was written for the connection that lives now. */
  let announced = false;
  /** By the journal a connection lives: one was announced in this run, and its loss was not written since. */
  let live = false;
  /** A person has decided something since the last poll: what the terminal shows is held against it. */
  let decided = true;
  /** A terminal without an id cannot be remembered; it is logged once a run. */
  let namelessLogged = false;

  // The one place where a discrepancy is logged, whichever way it was found.
  journal.subscribe(({ event }) => {
    if (event.type === 'operation_ended' && event.resolvedBy !== null) decided = true;
    if (event.type !== 'discrepancy_found') return;
    const { discrepancyId, kind, references, message, operationId } = event;
    log.warn('a discrepancy was found', {
      discrepancy_id: discrepancyId,
      kind,
      message,
      references,
      ...(operationId === null ? {} : { operation_id: operationId }),
    });
  });

  function note(terminal: TerminalIdentity, lastRecord: LastRecord, reconciled: boolean): boolean {
    const state = journal.terminalState();
    const knowledge = journal.terminalKnowledge(terminal);
    const continuity = reconciled
      ? 'next'
      : recordContinuity.ofPolled(terminal, lastRecord, { isFirst: !announced });
    const explained = reconciled || (continuity === 'next' && recordContinuity.isOurUnnumbered(lastRecord));
    // The next operation starts from what is journaled here, and what it left is told from before by this total.
    const anotherTotal =
      batchTotalOf(lastRecord) !== null && batchTotalOf(lastRecord) !== batchTotalOf(state.lastRecord);
    const retold = continuity === 'same' && (anotherTotal || tellsAmountOf(state.lastRecord, lastRecord));
    const placed =
      continuity !== 'same' && !(continuity === 'unknown' && lastRecord.kind === state.lastRecord.kind);
    const events: JournalEvent[] = [];
    // Another terminal has to be known as itself from now on, also where the line never ended; and so has one that has told its
    // id with a result that decided nothing, and shows no record that would say it.
    const another = continuity === 'changed_terminal';
    const named = terminal.terminalId !== null && state.terminal?.terminalId === null;
    const ready = !announced || another || (named && lastRecord.kind === 'unavailable');
    if (ready) events.push({ type: 'terminal_ready', terminal, lastRecord, continuity });
    // Ready with the same record, it takes nothing back of what was known of that, and adds nothing to it.
    if (retold || (placed && !ready))
      events.push({ type: 'record_seen', lastRecord, continuity, source: 'terminal' });
    const silent = recordContinuity.hidesOurs(terminal, lastRecord);
    const learnt = silent && !knowledge.traits.includes('shows_no_records') && !namelessLogged;
    if (learnt && terminalKey(terminal) !== null) events.push(trait(terminal));
    if (events.length > 0 || decided) {
      const findings =
        isInstallation(state, knowledge) || explained ? [] : observe(terminal, lastRecord, continuity);
      events.push(...findings.map((finding) => asJournalEvent(finding, parts.uuid)));
    }
    if (events.length > 0 && !append(...events)) return false;
    announced = true;
    live ||= ready;
    decided = false;
    if (learnt) {
      namelessLogged = terminalKey(terminal) === null;
      log.warn(recordNotShown, { terminal_id: terminal.terminalId });
    }
    return true;
  }

  /** The first record that a new journal ever sees says how the terminal was before the bridge came. */
  function isInstallation(state: TerminalState, knowledge: TerminalKnowledge): boolean {
    const before = state.terminal === null || (!knowledge.showsRecords && state.lastRecord.kind !== 'record');
    return before && history.ended().length === 0;
  }

  function observe(terminal: TerminalIdentity, lastRecord: LastRecord, continuity: Continuity): Finding[] {
    const before = journal.terminalState().terminal;
    const ended = history.ended();
    return findingsOfPoll({
      protocol,
      previous: recordContinuity.known(),
      lastRecord,
      continuity,
      ended: ended.filter((each) => isOn(terminal, each)),
      endedBefore: ended.filter((each) => isOn(before, each)),
      inDoubt: journal
        .openOperations()
        .filter(({ operationId, started }) => isReconciledWith(operationId, started, lastRecord))
        .map(({ started }) => started),
      unsettled: expectedBatch(journal),
      currency: parts.currency,
    });
  }

  /**
   * What an operation in doubt could have done is held against it by recovery, and nobody is told of it besides. But not
   * where another record has left it to a person before: recovery does not look at it again, and this record came later.
   */
  function isReconciledWith(operationId: string, started: OperationStarted, lastRecord: LastRecord): boolean {
    const shown = journal
      .eventsOf(operationId)
      .flatMap(({ event }) =>
        event.type === 'evidence_found' && event.otherTerminal === undefined
          ? [event.evidence.lastRecord]
          : [],
      )
      .filter((each) => each.kind === 'record' && protocol.continuity(started.baseline, each) !== 'same');
    return shown.length === 0 || shown.some((each) => protocol.continuity(each, lastRecord) === 'same');
  }

  return {
    note,
    connectionLost(reason) {
      announced = false;
      if (live) live = !append({ type: 'terminal_lost', reason });
      return !live;
    },
    announceAgain() {
      announced = false;
    },
  };
}

function batchTotalOf(lastRecord: LastRecord): number | null {
  return lastRecord.kind === 'record' ? (lastRecord.record.batchTotalMinor ?? null) : null;
}

/** A result of ours told no amount, and this does. */
function tellsAmountOf(known: LastRecord, shown: LastRecord): boolean {
  if (known.kind !== 'record' || shown.kind !== 'record' || shown.record.amountMinor === null) return false;
  return known.record.kind === 'payment' && known.record.approved && known.record.amountMinor === null;
}

function trait(terminal: TerminalIdentity): JournalEvent {
  return {
    type: 'terminal_trait_learned',
    terminal,
    trait: 'shows_no_records',
    explanation: 'Asked for its last record after a payment of ours, it showed none.',
  };
}

export function isOn(terminal: TerminalIdentity | null, { operation }: EndedOperation): boolean {
  const one = operation.terminal;
  if (terminal === null || one.protocol !== terminal.protocol) return false;
  return agreeIfTold(one.terminalId, terminal.terminalId);
}
