/** The events as JSON lines, for whoever wants to read or check them without Tillbridge. */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { demandPlainFiles } from '../../base/private-files.ts';
import { JournalWriteError } from './journal.ts';
import { journalFiles, journalNames } from './journal-files.ts';
import { withJournalErrors, withReadErrors } from './open.ts';
import { openForReading } from './schema.ts';
import { type EventRow, eventRows } from './chain.ts';

/**
 * Calls `write` with one line (no line break) per event, oldest first, and gives their number. Each line is
 * `{"seq":…,"at":"…","hash":"…","event":{…}}`; `chain.ts` says how the hash is made. An event that is garbage has
 * `event` null and its text as `unreadable`. Throws `JournalWriteError` when there is no journal or it cannot be read
 * further. A bridge may be writing meanwhile. `range` leaves out events up to `after` and those behind `last`.
 */
export function exportJournal(
  folder: string,
  write: (line: string) => void,
  range: { after: number; last: number } = { after: 0, last: Number.MAX_SAFE_INTEGER },
): number {
  return readBesideWriter(folder, (database) => {
    let lines = 0;
    for (const row of eventRows(database, range.after, range.last)) {
      write(lineOf(row));
      lines += 1;
    }
    return lines;
  });
}

/**
 * What `read` makes of the journal's file in `folder`, which is open for as long as that takes: it can be set aside as soon
 * as this returns. Throws `JournalWriteError` when there is no journal or it cannot be read further.
 */
export function readBesideWriter<T>(folder: string, read: (database: DatabaseSync) => T): T {
  const files = journalFiles(folder);
  if (!existsSync(files.main)) throw new JournalWriteError(`There is no journal in ${folder}.`);
  const database = withJournalErrors(files, () => {
    demandPlainFiles(folder, journalNames);
    return openForReading(files.main);
  });
  try {
    return withReadErrors(files, () => read(database));
  } finally {
    database.close();
  }
}

/** One event as it is exported, without a line break. */
export function lineOf({ seq, at, hash, body }: EventRow): string {
  const place = `"seq":${seq},"at":${JSON.stringify(at)},"hash":${JSON.stringify(hash)}`;
  try {
    JSON.parse(body);
    return `{${place},"event":${body}}`;
  } catch {
    return `{${place},"event":null,"unreadable":${JSON.stringify(body)}}`;
  }
}
