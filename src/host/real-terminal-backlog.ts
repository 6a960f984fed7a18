/**
 * What waits for a decision on the real terminal while the simulator, with a journal of its own, runs: operations in
 * doubt and open discrepancies. Nobody would see them otherwise.
 */
import { JournalWriteError, openJournalReadOnly } from '../bridge/journal/index.ts';
import { listOperationsInDoubt } from '../bridge/payments/index.ts';
import { journalLocation } from './journal-locations.ts';

export interface RealTerminalBacklog {
  doubts: number;
  /** Those that nobody has acknowledged. */
  discrepancies: number;
}

export const emptyBacklog: RealTerminalBacklog = { doubts: 0, discrepancies: 0 };

/** How many there are in the real terminal's journal; none where there is no journal or it cannot be read. */
export function readRealTerminalBacklog(dataDir: string): RealTerminalBacklog {
  try {
    const opened = openJournalReadOnly(journalLocation(dataDir, false).folder);
    if (opened.kind !== 'opened') return emptyBacklog;
    const { journal } = opened;
    try {
      return { doubts: listOperationsInDoubt(journal).length, discrepancies: journal.openDiscrepancyCount() };
    } finally {
      journal.close();
    }
  } catch (error) {
    // A bridge that starts on that journal reports what is wrong with it; the simulator does not need it.
    if (error instanceof JournalWriteError) return emptyBacklog;
    throw error;
  }
}

/** A sentence for each, for whoever starts the bridge. */
export function backlogWarnings({ doubts, discrepancies }: RealTerminalBacklog): string[] {
  return [
    ...(doubts === 0
      ? []
      : [
          'On the real terminal something is in doubt, and the simulator has a journal of its own. Connect the real terminal to decide it.',
        ]),
    ...(discrepancies === 0
      ? []
      : [
          'Discrepancies of the real terminal are open, and the simulator has a journal of its own. "tillbridge discrepancies" lists them.',
        ]),
  ];
}
