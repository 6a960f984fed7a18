/**
 * Notes what the idle terminal shows as its last record, with how it follows on what was known, what is learnt of the
 * terminal by it, and where it does not agree with what the bridge did. All of it goes into the journal at once.
 */
import type { JournalEvent, OperationStarted } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import {
  agreeIfTold,
  recordsAgree,
  type Continuity,
  type LastRecord,
  type TerminalIdentity,
  type TerminalRecord,
} from '../../contract/terminal.ts';
import { type Journal, type TerminalKnowledge, type TerminalState, terminalKey } from '../journal/index.ts';
import type { Log } from '../../log/index.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';
import { asJournalEvent, findingsOfPoll, type Finding } from './discrepancies.ts';
import { isUnnumbered, type EndedOperation, type History } from './history.ts';
import type { RecordContinuity } from './record-continuity.ts';
import { isDone } from './operation-machine.ts';
import { expectedBatch } from './batch.ts';

export interface RecordNotes {
  /**
   * False when it could not be written: the terminal must not be given out on an older record. `judged`: an
   * operation that was just judged accounts for the record. Throws when the journal cannot be read.
   */
  note(terminal: TerminalIdentity, lastRecord: LastRecord, reconciled: boolean): boolean;
  connectionLost(reason: string): void;
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
    const continuity = reconciled ? 'next' : continuityOf(state, terminal, lastRecord, knowledge);
    const explained = reconciled || (continuity === 'next' && isOurUnnumbered(lastRecord));
    const news =
      continuity !== 'same' && !(continuity === 'unknown' && lastRecord.kind === state.lastRecord.kind);
    const events: JournalEvent[] = [];
    // Another terminal has to be known as itself from now on, also where the line never ended.
    const another = continuity === 'changed_terminal';
    if (!announced || another) events.push({ type: 'terminal_ready', terminal, lastRecord, continuity });
    else if (news) events.push({ type: 'record_seen', lastRecord, continuity, source: 'terminal' });
    const silent = hidesOurs(state, lastRecord, knowledge);
    const learnt = silent && !knowledge.traits.includes('shows_no_records') && !namelessLogged;
    if (learnt && terminalKey(terminal) !== null) events.push(trait(terminal));
    if (events.length > 0 || decided) {
      const findings =
        isInstallation(state, knowledge) || explained ? [] : observe(state, lastRecord, continuity);
      events.push(...findings.map((finding) => asJournalEvent(finding, parts.uuid)));
    }
    if (events.length > 0 && !append(...events)) return false;
    announced = true;
    decided = false;
    if (learnt) {
      namelessLogged = terminalKey(terminal) === null;
      log.warn(recordNotShown, { terminal_id: terminal.terminalId });
    }
    return true;
  }

  /** A stretch in which the terminal's records could not be read may hide anything, unless its counters say otherwise. */
  function continuityOf(
    state: TerminalState,
    terminal: TerminalIdentity,
    lastRecord: LastRecord,
    knowledge: TerminalKnowledge,
  ): Continuity {
    if (state.terminal === null) return 'unknown';
    const known = state.terminal.terminalId;
    if (known !== null && known !== terminal.terminalId) return 'changed_terminal';
    if (lastRecord.kind === 'unavailable') return announced ? 'unknown' : 'gap';
    if (hidesOurs(state, lastRecord, knowledge)) return 'same';
    const continuity = recordContinuity.of(lastRecord);
    if (continuity === 'unknown') return unplaced(state.lastRecord, lastRecord);
    return continuity === 'gap' && showsOnlyPayments(lastRecord) ? 'same' : continuity;
  }

  /** No number tells how the record follows: what is neither the known one nor our own may hide anything. */
  function unplaced(known: LastRecord, current: LastRecord): Continuity {
    if (current.kind !== 'record' || known.kind !== 'record') return 'gap';
    const agrees = mayBe(known.record, current.record);
    if (agrees && isUnnumbered(known)) return 'same';
    if (isOurUnnumbered(current)) return 'next';
    return agrees ? 'same' : 'gap';
  }

  /** It has nothing against being what we did last: what that said, or a refusal of which it said nothing. */
  function isOurUnnumbered(current: LastRecord): boolean {
    if (current.kind !== 'record' || !isUnnumbered(current)) return false;
    const { record } = current;
    if (journal.openOperations().some((row) => mayHaveLeft(row.started, row.result, record))) return true;
    const [newest] = history.ended();
    if (newest === undefined) return false;
    const { operation, result, outcome } = newest;
    return (
      mayHaveLeft(operation, result, record) || (result === null && !record.approved && !isDone(outcome))
    );
  }

  /** It shows nothing and never has; what is known of it came with our own results. */
  function hidesOurs(state: TerminalState, lastRecord: LastRecord, knowledge: TerminalKnowledge): boolean {
    if (lastRecord.kind !== 'empty' || state.lastRecord.kind !== 'record' || knowledge.showsRecords)
      return false;
    return state.terminal?.terminalId !== null || history.lastReadable()?.source === 'result';
  }

  /** Our close of the day is done, and the terminal shows the last payment: some never show an end of day. */
  function showsOnlyPayments(lastRecord: LastRecord): boolean {
    const newest = history.ended().find(({ result }) => result?.approved === true);
    if (newest?.outcome !== 'closed' || newest.byPerson) return false;
    return protocol.continuity(newest.operation.baseline, lastRecord) === 'same';
  }

  /** The first record that a new journal ever sees says how the terminal was before the bridge came. */
  function isInstallation(state: TerminalState, knowledge: TerminalKnowledge): boolean {
    const before = state.terminal === null || (!knowledge.showsRecords && state.lastRecord.kind !== 'record');
    return before && history.ended().length === 0;
  }

  function observe(state: TerminalState, lastRecord: LastRecord, continuity: Continuity): Finding[] {
    return findingsOfPoll({
      protocol,
      previous: recordContinuity.known(),
      lastRecord,
      continuity,
      ended: history.ended().filter((ended) => isOn(state.terminal, ended)),
      inDoubt: journal.openOperations().map(({ started }) => started),
      unsettled: expectedBatch(journal),
      currency: parts.currency,
    });
  }

  return {
    note,
    connectionLost(reason) {
      if (!announced) return;
      announced = false;
      append({ type: 'terminal_lost', reason });
    },
    announceAgain() {
      announced = false;
    },
  };
}

/** What says nothing of the payment that it reverses looks like a payment, so the kind is no difference. */
function mayBe(known: TerminalRecord, shown: TerminalRecord): boolean {
  return recordsAgree({ ...known, kind: shown.kind }, shown);
}

/** The operation may have left this record, which has no number. */
function mayHaveLeft(
  operation: OperationStarted,
  result: TerminalRecord | null,
  record: TerminalRecord,
): boolean {
  if (result !== null) return result.traceNumber === null && mayBe(result, record);
  const { amountMinor } = record;
  return operation.kind === 'void' && (amountMinor === null || amountMinor === operation.amountMinor);
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
