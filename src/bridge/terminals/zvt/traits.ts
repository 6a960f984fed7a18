/**
 * What is known of the terminal on this connection: what the journal knows by its id, and what was learnt here. A
 * terminal may tell its id late; what was learnt before is told to the journal then.
 */
import type { TerminalTrait } from '../../../contract/terminal.ts';
import type { Log } from '../../../log/index.ts';
import type { DriverWatch } from '../terminal-driver.ts';

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
