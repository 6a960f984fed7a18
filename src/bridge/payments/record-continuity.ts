/**
 * How a record of the terminal follows on what it did before, as far as we know: on the last record noted, or, after a
 * stretch in which it could not be read, on the last that could. Some terminals use up a trace number for each refused
 * attempt and store nothing of it; such attempts of ours do not look like a gap. Others give a reversal or a refusal no
 * number: what follows on ours is held against the last record that had one.
 */
import type { Continuity, LastRecord, TerminalRecord } from '../../contract/terminal.ts';
import type { Journal } from '../journal/index.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';
import { isUnnumbered, type History } from './history.ts';

export interface RecordContinuity {
  /** The last record noted, or, where that could not be read, the last that could. */
  known(): LastRecord;
  of(current: LastRecord): Continuity;
  /** A refusal of ours that the terminal may not have stored. */
  noteRefusal(record: TerminalRecord): void;
}

export function createRecordContinuity(
  journal: Journal,
  protocol: TerminalProtocol,
  history: History,
): RecordContinuity {
  let refused: LastRecord | null = null;
  let loaded = false;

  /** Those of an earlier run are in the journal. */
  function load() {
    if (loaded) return;
    loaded = true;
    for (const { result } of history.ended().toReversed()) {
      if (result !== null && !result.approved) note(result);
    }
  }

  function note(record: TerminalRecord) {
    const candidate: LastRecord = { kind: 'record', record };
    const { lastRecord } = journal.terminalState();
    const before = [lastRecord, ...(refused === null ? [] : [refused])];
    if (before.some((earlier) => protocol.continuity(earlier, candidate) === 'next')) refused = candidate;
  }

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

  function known(): LastRecord {
    const { lastRecord } = journal.terminalState();
    return lastRecord.kind === 'unavailable'
      ? (history.lastReadable()?.lastRecord ?? lastRecord)
      : lastRecord;
  }

  return {
    known,
    of(current) {
      const before = known();
      const direct = protocol.continuity(before, current);
      if (direct === 'unknown') return overUnnumbered(before, current);
      if (direct === 'next' && before.kind === 'empty') return overNothing(current);
      if (direct !== 'gap') return direct;
      load();
      return refused !== null && protocol.continuity(refused, current) === 'next' ? 'next' : 'gap';
    },
    noteRefusal(record) {
      load();
      note(record);
    },
  };
}
