/**
 * What waits for a person and nobody would see: doubts and discrepancies of the real terminal, while the simulator with
 * its own journal runs.
 */
import { JournalWriteError, openJournalReadOnly } from '../bridge/journal/index.ts';
import { listDoubts } from '../bridge/payments/index.ts';
import { placeOf } from './journal-places.ts';

export interface OpenElsewhere {
  doubts: number;
  /** Those that nobody has acknowledged. */
  discrepancies: number;
}

export const nothingElsewhere: OpenElsewhere = { doubts: 0, discrepancies: 0 };

/** How many there are in the real terminal's journal; none where there is no journal or it cannot be read. */
export function openOnRealTerminal(dataDir: string): OpenElsewhere {
  try {
    const opened = openJournalReadOnly(placeOf(dataDir, false).folder);
    if (opened.kind !== 'opened') return nothingElsewhere;
    const { journal } = opened;
    try {
      return { doubts: listDoubts(journal).length, discrepancies: journal.openDiscrepancyCount() };
    } finally {
      journal.close();
    }
  } catch (error) {
    // A bridge that starts on it says what is wrong with it; the simulator does not need it.
    if (error instanceof JournalWriteError) return nothingElsewhere;
    throw error;
  }
}

/** A sentence for each, for whoever starts the bridge. */
export function warningsOf({ doubts, discrepancies }: OpenElsewhere): string[] {
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
