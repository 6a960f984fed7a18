/** The simulated disk: what it refuses the journal's own store feels, however that talks to SQLite. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { JournalWriteError } from '../../src/bridge/journal/index.ts';
import { openTestJournal, startedSale } from '../headless/seed-journal.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createDisk, forgetDisk, type DiskTrouble } from './disk.ts';

it.each<[DiskTrouble, kept: boolean]>([
  ['full', false],
  ['failing', false],
  ['failing_after_commit', true],
])('refuses what is written while it is %s', (trouble, kept) => {
  const folder = tempFolder('simulated-disk');
  const file = path.join(folder, 'journal.sqlite');
  const disk = createDisk(folder, file);
  try {
    const journal = openTestJournal(folder);
    disk.trouble = trouble;
    expect(() => journal.append(startedSale('A-1'))).toThrow(JournalWriteError);
    disk.trouble = null;
    expect(journal.payments({ limit: 5 })).toHaveLength(kept ? 1 : 0);
    journal.append(startedSale('A-2'));
    expect(journal.payments({ limit: 5 })).toHaveLength(kept ? 2 : 1);
    journal.close();
  } finally {
    forgetDisk(file);
  }
});
