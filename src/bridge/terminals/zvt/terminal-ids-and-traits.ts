/**
 * What is known of the terminal on one connection: its ids, and its traits, those that the journal knows by its id and
 * those that were learnt here.
 *
 * Registration tells the id, or, where it does not, the newest record. Some terminals have more than one: each acquirer's
 * payments carry an id of their own (BMP 29). What a terminal shows that has just said who it is, is its own, whatever id
 * it carries; above the driver it has the terminal's id. A terminal may tell its id late; what was learnt before is
 * reported to the journal then.
 */
import type { TerminalRecord, TerminalTrait } from '../../../contract/terminal.ts';
import type { Log } from '../../../log/index.ts';
import type { DriverWatch } from '../terminal-driver.ts';

export interface TerminalIds {
  /** Null while the terminal has not told one. */
  readonly id: string | null;
  /** A result has brought a new id since the terminal said who it is: another one could stand in its place. */
  readonly unsure: boolean;
  /** The completion of a registration: BMP 29 in hex, or null without one. */
  registered(told: string | null): void;
  /** A record came that can only be of this terminal. Gives it with the terminal's id. */
  claim(record: TerminalRecord): TerminalRecord;
  /** The same for the result of a command. */
  claimResult(record: TerminalRecord): TerminalRecord;
  /** The same for a record that may be of another terminal: only with an id that is known to be this one's. */
  recognise(record: TerminalRecord): TerminalRecord;
  /** The record carries an id that this terminal has not been seen to have. */
  isStrange(record: TerminalRecord): boolean;
}

/** More acquirers than any terminal has; of more the first are forgotten. */
const maxOtherIds = 100;

export function createTerminalIds(log: Log): TerminalIds {
  let id: string | null = null;
  let fromRegistration = false;
  let others = new Set<string>();
  let unsure = false;

  function differs({ terminalId }: TerminalRecord): boolean {
    return fromRegistration && terminalId !== null && terminalId !== id;
  }

  function recognise(record: TerminalRecord): TerminalRecord {
    const { terminalId } = record;
    return terminalId !== null && others.has(terminalId) ? { ...record, terminalId: id } : record;
  }

  function isStrange(record: TerminalRecord): boolean {
    return differs(record) && !others.has(record.terminalId ?? '');
  }

  function claim(record: TerminalRecord): TerminalRecord {
    const { terminalId } = record;
    // Where only records tell it, the newest one says which terminal is there.
    if (!fromRegistration) id = terminalId ?? id;
    if (!differs(record) || terminalId === null) return record;
    if (!others.has(terminalId)) {
      log.info('the terminal has another id for these payments', { id, terminalId });
      others.add(terminalId);
      for (const oldest of others) {
        if (others.size <= maxOtherIds) break;
        others.delete(oldest);
      }
    }
    return recognise(record);
  }

  return {
    get id() {
      return id;
    },
    get unsure() {
      return unsure;
    },
    registered(told) {
      unsure = false;
      // FFFFFFFF and the like are no ids.
      if (told === null || !/^\d+$/.test(told)) return;
      if (told !== id) others = new Set();
      id = told;
      fromRegistration = true;
    },
    claimResult(record) {
      unsure ||= isStrange(record);
      return claim(record);
    },
    claim,
    recognise,
    isStrange,
  };
}

export interface Traits {
  has(trait: TerminalTrait): boolean;
  /** `explanation`: what was seen, a sentence. */
  learn(trait: TerminalTrait, explanation: string): void;
  /** Tells what was learnt and not told yet, once the terminal's id is known. */
  report(): void;
}

export function createTraits(parts: {
  watch: Pick<DriverWatch, 'traits' | 'learned'>;
  log: Log;
  terminalId(): string | null;
}): Traits {
  const { watch, log } = parts;
  const learnt = new Map<TerminalTrait, string>();
  const unreported = new Set<TerminalTrait>();

  function has(trait: TerminalTrait): boolean {
    return learnt.has(trait) || watch.traits(parts.terminalId()).has(trait);
  }

  function report() {
    const terminalId = parts.terminalId();
    if (terminalId === null) return;
    for (const trait of unreported) watch.learned(terminalId, trait, learnt.get(trait) ?? '');
    unreported.clear();
  }

  return {
    has,
    learn(trait, explanation) {
      if (has(trait)) return;
      log.info('something was learnt about the terminal', { trait, explanation });
      learnt.set(trait, explanation);
      unreported.add(trait);
      report();
    },
    report,
  };
}
