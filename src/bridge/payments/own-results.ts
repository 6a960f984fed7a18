/**
 * Results of ours that are known by themselves alone, because the terminal shows nothing of them: attempts that it refused,
 * payments that a person decided on a terminal without records. Each has used up a number, which is then no gap.
 */
import type { LastRecord, TerminalRecord } from '../../contract/terminal.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';
import type { EndedOperation, History } from './history.ts';
import { isDone } from './operation-machine.ts';

export interface OwnResults {
  /** `current` follows on the newest of them that follows without a gap on `last`, the last record that was noted. */
  isNext(last: LastRecord, current: LastRecord): boolean;
  /** The same, also behind one that the terminal may have taken back, because it was perhaps not told that we have it. */
  mayBeNext(last: LastRecord, current: LastRecord): boolean;
  /** A refusal, so that it counts also once others have ended since. */
  noteRefusal(last: LastRecord, record: TerminalRecord): void;
}

export function createOwnResults(
  { continuity }: Pick<TerminalProtocol, 'continuity'>,
  history: Pick<History, 'sinceNoted'>,
): OwnResults {
  /** The newest that the terminal certainly keeps, or has refused, and behind which record that is. */
  let certain: { newest: LastRecord; noted: number } | null = null;

  /** The newest of `told`, oldest first, that follows without a gap on `from`. */
  function newestOf(from: LastRecord, told: readonly TerminalRecord[]): LastRecord {
    return told.reduce<LastRecord>((newest, record) => {
      const next: LastRecord = { kind: 'record', record: byItsNumber(record) };
      return continuity(newest, next) === 'next' ? next : newest;
    }, from);
  }

  function newestCertain(last: LastRecord, more: readonly TerminalRecord[] = []): LastRecord {
    // Numbers may begin again each day: what ended before that record is not behind it, whatever its number.
    const { noted, ended } = history.sinceNoted();
    const from = certain?.noted === noted ? certain.newest : last;
    const newest = newestOf(from, [...ended.toReversed().flatMap(toldForCertain), ...more]);
    certain = { newest, noted };
    return newest;
  }

  return {
    isNext: (last, current) => continuity(newestCertain(last), current) === 'next',
    mayBeNext(last, current) {
      const { ended } = history.sinceNoted();
      return continuity(newestOf(newestCertain(last), ended.toReversed().flatMap(told)), current) === 'next';
    },
    noteRefusal: (last, record) => void newestCertain(last, [record]),
  };
}

/** An approval that ended its operation was noted; one that a person's word ended may have been taken back. */
function toldForCertain({ result, outcome, byPerson, acknowledged }: EndedOperation): TerminalRecord[] {
  if (result === null) return [];
  return !result.approved || (acknowledged && byPerson && isDone(outcome)) ? [result] : [];
}

function told({ result, late }: EndedOperation): TerminalRecord[] {
  return [result, late].filter((record) => record !== null);
}

/** A closed day is a boundary in any case; what places the next payment is its number. */
function byItsNumber(record: TerminalRecord): TerminalRecord {
  return record.kind === 'batch_close' ? { ...record, kind: 'other' } : record;
}
