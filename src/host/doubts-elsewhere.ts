/** Doubts that nobody would see: those of the real terminal, while the simulator with its own journal runs. */
import { JournalWriteError, openJournalReadOnly } from '../bridge/journal/index.ts';
import { listDoubts } from '../bridge/payments/index.ts';
import { placeOf } from './journal-places.ts';

/** How many there are in the real terminal's journal; 0 where there is no journal or it cannot be read. */
export function realDoubts(dataDir: string): number {
  try {
    const opened = openJournalReadOnly(placeOf(dataDir, false).folder);
    if (opened.kind !== 'opened') return 0;
    try {
      return listDoubts(opened.journal).length;
    } finally {
      opened.journal.close();
    }
  } catch (error) {
    // A bridge that starts on it says what is wrong with it; the simulator does not need it.
    if (error instanceof JournalWriteError) return 0;
    throw error;
  }
}
