/**
 * How a record of the terminal follows on what it did before, as far as we know. Mostly that is the last record noted.
 * Some terminals use up a trace number for each refused attempt and store nothing of it; such attempts of ours are
 * remembered for as long as the bridge runs, so that they do not look like a gap.
 */
import type { Continuity, LastRecord, TerminalRecord } from '../../contract/terminal.ts';
import type { Journal } from '../journal/journal.ts';
import type { TerminalProtocol } from '../terminals/terminal-driver.ts';

export interface Lineage {
  of(current: LastRecord): Continuity;
  /** A refusal of ours that the terminal may not have stored. */
  noteRefusal(record: TerminalRecord): void;
}

export function createLineage(journal: Journal, protocol: TerminalProtocol): Lineage {
  let refusal: LastRecord | null = null;
  return {
    of(current) {
      const direct = protocol.continuity(journal.terminalState().lastRecord, current);
      if (direct !== 'gap' || refusal === null) return direct;
      return protocol.continuity(refusal, current) === 'next' ? 'next' : 'gap';
    },
    noteRefusal(record) {
      const candidate: LastRecord = { kind: 'record', record };
      const { lastRecord } = journal.terminalState();
      const before = [lastRecord, ...(refusal === null ? [] : [refusal])];
      if (before.some((earlier) => protocol.continuity(earlier, candidate) === 'next')) refusal = candidate;
    },
  };
}
