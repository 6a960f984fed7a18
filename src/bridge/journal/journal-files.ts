/** The files of a data folder that belong to the journal. */
import { join } from 'node:path';

export interface JournalFiles {
  folder: string;
  /** The journal; SQLite keeps `-wal` and `-shm` beside it, and the high-water mark is `-mark`. */
  main: string;
  /** A new journal while it is being made. It gets the name `main` when it is whole. */
  fresh: string;
  /** Held by the one process that writes. */
  lock: string;
}

/** Everything in a data folder that the journal opens. */
export const journalNames = /^journal[-.]/;

/** What belongs to a journal file, in the order in which it is set aside: once the first is gone, the rest follows. */
export const companions = ['', '-wal', '-shm', '-mark'] as const;

export function journalFiles(folder: string): JournalFiles {
  return {
    folder,
    main: join(folder, 'journal.sqlite'),
    fresh: join(folder, 'journal-new.sqlite'),
    lock: join(folder, 'journal.lock'),
  };
}
