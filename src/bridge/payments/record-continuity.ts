/**
 * How a record of the terminal follows on what it did before, as far as we know: on the last record noted, or, after a
 * stretch in which it could not be read, on the last that could. Some terminals use up a trace number for each refused
 * attempt and store nothing of it, and some show nothing at all; what is known of ours by its result alone does not look
 * like a gap. Others give a reversal or a refusal no number: what follows on ours is held against the last record that
 * had one.
 */
import type { OperationStarted } from '../../contract/journal-events.ts';
import {
  recordsAgree,
  type Continuity,
  type LastRecord,
  type TerminalIdentity,
  type TerminalRecord,
} from '../../contract/terminal.ts';
import type { Journal } from '../journal/index.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';
import { isUnnumbered, type History } from './history.ts';
import { isDone } from './operation-machine.ts';
import { createOwnResults } from './own-results.ts';

export interface RecordContinuity {
  /** The last record noted, or, where that could not be read, the last that could. */
  known(): LastRecord;
  of(current: LastRecord): Continuity;
  /** `next`, also behind a result of ours that the terminal may have taken back: its number is used up all the same. */
  mayFollow(current: LastRecord): boolean;
  /**
   * The same of what a poll of the idle terminal showed. `isFirst`: the connection is new, or the journal has just begun to
   * work again.
   */
  ofPolled(terminal: TerminalIdentity, lastRecord: LastRecord, poll: { isFirst: boolean }): Continuity;
  /** It has nothing against being what we did last: what that said, or a refusal of which it said nothing. */
  isOurUnnumbered(current: LastRecord): boolean;
  /** The terminal shows nothing and never has; what is known of it came with our own results. */
  hidesOurs(terminal: TerminalIdentity, lastRecord: LastRecord): boolean;
  /** A refusal of ours that the terminal may not have stored. */
  noteRefusal(record: TerminalRecord): void;
}

export function createRecordContinuity(
  journal: Journal,
  protocol: TerminalProtocol,
  history: History,
): RecordContinuity {
  const own = createOwnResults(protocol, history);

  /** Each record of ours without a number may have used one up. */
  function overUnnumbered(before: LastRecord, current: LastRecord): Continuity {
    if (!isUnnumbered(before) || current.kind !== 'record' || isUnnumbered(current)) return 'unknown';
    const numbered = history.lastNumbered();
    if (numbered === null) return 'unknown';
    return protocol.continuity(numbered.lastRecord, current, numbered.since);
  }

  /** A terminal that has forgotten its records goes on counting; a new one has nothing to go on from. */
  function overNothing(current: LastRecord): Continuity {
    const numbered = history.lastNumbered();
    if (numbered === null || current.kind !== 'record' || isUnnumbered(current)) return 'next';
    return protocol.continuity(numbered.lastRecord, current, numbered.since);
  }

  /**
   * A terminal without a last record is placed by our payments alone, as far as no close of ours came since: a reversal has the
   * number of what it undoes, and a close that a person has called done leaves no record.
   */
  function direct(before: LastRecord, current: LastRecord): Continuity {
    if (protocol.hasNoLastRecord !== true) return protocol.continuity(before, current);
    const newest = history.newestPayment();
    return newest === null ? 'unknown' : protocol.continuity(newest, current);
  }

  function known(): LastRecord {
    const { lastRecord } = journal.terminalState();
    return lastRecord.kind === 'unavailable'
      ? (history.lastReadable()?.lastRecord ?? lastRecord)
      : lastRecord;
  }

  function of(current: LastRecord): Continuity {
    const before = known();
    const follows = direct(before, current);
    if (follows === 'unknown') return overUnnumbered(before, current);
    if (follows === 'next' && before.kind === 'empty') return overNothing(current);
    if (follows !== 'gap') return follows;
    return own.isNext(before, current) ? 'next' : 'gap';
  }

  /** A stretch in which the terminal's records could not be read may hide anything, unless its counters say otherwise. */
  function ofPolled(
    terminal: TerminalIdentity,
    lastRecord: LastRecord,
    { isFirst }: { isFirst: boolean },
  ): Continuity {
    const state = journal.terminalState();
    if (state.terminal === null) return 'unknown';
    const known = state.terminal.terminalId;
    const speaksOther = state.terminal.protocol !== terminal.protocol;
    if (speaksOther || (known !== null && known !== terminal.terminalId)) return 'changed_terminal';
    if (lastRecord.kind === 'unavailable')
      return isFirst && protocol.hasNoLastRecord !== true ? 'gap' : 'unknown';
    if (hidesOurs(terminal, lastRecord)) return 'same';
    const continuity = of(lastRecord);
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

  function isOurUnnumbered(current: LastRecord): boolean {
    if (current.kind !== 'record' || !isUnnumbered(current)) return false;
    const { record } = current;
    if (journal.openOperations().some((row) => mayHaveLeft(row.started, row.result, record))) return true;
    const [newest] = history.ended();
    if (newest === undefined) return false;
    const { operation, result, outcome } = newest;
    // What did not take place may have left a refusal, and no reversal: that one is somebody else's, and has to be told.
    return result === null && !isDone(outcome) ? !record.approved : mayHaveLeft(operation, result, record);
  }

  function hidesOurs(terminal: TerminalIdentity, lastRecord: LastRecord): boolean {
    const state = journal.terminalState();
    if (lastRecord.kind !== 'empty' || state.lastRecord.kind !== 'record') return false;
    if (journal.terminalKnowledge(terminal).showsRecords) return false;
    return state.terminal?.terminalId !== null || history.lastReadable()?.source === 'result';
  }

  /** Our close of the day is done, and the terminal shows the last payment: some never show an end of day. */
  function showsOnlyPayments(lastRecord: LastRecord): boolean {
    const newest = history.ended().find(({ result }) => result?.approved === true);
    if (newest?.outcome !== 'closed' || newest.byPerson) return false;
    return protocol.continuity(newest.operation.baseline, lastRecord) === 'same';
  }

  return {
    known,
    of,
    ofPolled,
    isOurUnnumbered,
    hidesOurs,
    mayFollow(current) {
      const continuity = of(current);
      return continuity === 'next' || (continuity === 'gap' && own.mayBeNext(known(), current));
    },
    noteRefusal: (record) => own.noteRefusal(known(), record),
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
