/**
 * Results of ours that are known by themselves alone, because the terminal shows nothing of them: attempts that it refused,
 * payments that a person decided on a terminal without records. Each has used up a number, which is then no gap.
 */
import type { LastRecord, TerminalRecord } from '../../contract/terminal.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';
import type { EndedOperation, History } from './history.ts';
import { isDone } from './operation-machine.ts';

export interface OwnResults {
  /** `current` follows on the newest of them. `noted`: the last record that was noted. */
  isNext(noted: LastRecord, current: LastRecord): boolean;
  /** The same, also behind one that the terminal may have taken back, because it was perhaps not told that we have it. */
  mayBeNext(noted: LastRecord, current: LastRecord): boolean;
  /** A refusal, so that it counts also once others have ended since. */
  noteRefusal(noted: LastRecord, record: TerminalRecord): void;
}

/** The newest of those that follow on `behind`, which is the record that was noted last, without a gap. */
interface Chain {
  newest: LastRecord;
  behind: LastRecord;
}

export function createOwnResults(
  { continuity }: Pick<TerminalProtocol, 'continuity'>,
  history: Pick<History, 'ended'>,
): OwnResults {
  let certain: Chain | null = null;

  function ends(chain: Chain | null, noted: LastRecord): LastRecord[] {
    // Once another record was noted, what lay before it places nothing any more.
    return chain !== null && continuity(chain.behind, noted) === 'same' ? [noted, chain.newest] : [noted];
  }

  function longer(chain: Chain | null, noted: LastRecord, record: TerminalRecord): Chain | null {
    const newest: LastRecord = { kind: 'record', record: byItsNumber(record) };
    const follows = ends(chain, noted).some((earlier) => continuity(earlier, newest) === 'next');
    return follows ? { newest, behind: noted } : chain;
  }

  function follow(
    chain: Chain | null,
    noted: LastRecord,
    toldBy: (ended: EndedOperation) => TerminalRecord[],
  ) {
    const told = history.ended().toReversed().flatMap(toldBy);
    return told.reduce((longest, record) => longer(longest, noted, record), chain);
  }

  function followCertain(noted: LastRecord): Chain | null {
    certain = follow(certain, noted, toldForCertain);
    return certain;
  }

  function isBehind(chain: Chain | null, noted: LastRecord, current: LastRecord): boolean {
    return ends(chain, noted).some((earlier) => continuity(earlier, current) === 'next');
  }

  return {
    isNext: (noted, current) => isBehind(followCertain(noted), noted, current),
    mayBeNext: (noted, current) => isBehind(follow(followCertain(noted), noted, told), noted, current),
    noteRefusal(noted, record) {
      certain = longer(followCertain(noted), noted, record);
    },
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
