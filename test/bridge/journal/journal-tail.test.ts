/** A journal that is read in pages beside its writer. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportJournal, journalTail, JournalWriteError } from '../../../src/bridge/journal/index.ts';
import { fillJournal } from '../../support/fill-journal.ts';
import { dataFolder, open, tamper } from './folder.ts';
import { ended, sale } from './sample-events.ts';

function exported(folder: string): string[] {
  const lines: string[] = [];
  exportJournal(folder, (line) => lines.push(line));
  return lines;
}

const everything = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

describe('the tail of a journal', () => {
  it('gives the lines of the export, page by page', () => {
    const folder = dataFolder();
    fillJournal(folder, 600);
    const tail = journalTail(folder);
    const lines: string[] = [];
    let pages = 0;
    for (let after = 0; ; pages += 1) {
      const page = tail.lines(after, ...everything);
      if (page.lines.length === 0) break;
      expect(page.lines.length).toBeLessThanOrEqual(250);
      expect(page.bytes).toBe(Buffer.byteLength(page.lines.map((line) => `${line}\n`).join('')));
      lines.push(...page.lines);
      after = page.lastSeq;
    }
    expect(pages).toBe(5);
    expect(lines).toEqual(exported(folder));
    const last = JSON.parse(lines.at(-1) ?? '') as { seq: number; hash: string };
    expect(tail.head()).toEqual({ seq: last.seq, hash: last.hash });
  });

  it('gives no more events and bytes than are wanted, and always one', () => {
    const folder = dataFolder();
    fillJournal(folder, 50);
    const tail = journalTail(folder);
    const [first = '', second = ''] = exported(folder).slice(10);
    const bytes = Buffer.byteLength(first) + Buffer.byteLength(second) + 2;
    expect(tail.lines(10, 7, Number.MAX_SAFE_INTEGER).lines).toHaveLength(7);
    expect(tail.lines(10, 7, bytes).lines).toEqual([first, second]);
    expect(tail.lines(10, 7, bytes - 1)).toEqual({
      lines: [first],
      bytes: Buffer.byteLength(first) + 1,
      lastSeq: 11,
    });
    expect(tail.lines(10, 7, 0).lines).toEqual([first]);
    expect(tail.lines(101, 7, bytes)).toEqual({ lines: [], bytes: 0, lastSeq: 101 });
  });

  it('knows its places, and the one before the first event', () => {
    const folder = dataFolder();
    fillJournal(folder, 5);
    const tail = journalTail(folder);
    const fifth = JSON.parse(exported(folder)[4] ?? '') as { hash: string };
    expect(tail.placeAt(5)).toEqual({ seq: 5, hash: fifth.hash });
    expect(tail.placeAt(0)).toEqual({ seq: 0, hash: '0'.repeat(64) });
    expect(tail.placeAt(1_000)).toBeNull();
    expect(tail.placesAt([5, 1_000, 0]).map(({ seq }) => seq)).toEqual([5, 0]);
  });

  it('sees what is written meanwhile, and does not disturb the writer', () => {
    const folder = dataFolder();
    const journal = open(folder);
    const tail = journalTail(folder);
    for (let n = 1; n <= 50; n += 1) {
      const started = sale();
      journal.append(started);
      expect(tail.head().seq).toBe(2 * n);
      journal.append(ended(started, 'approved'));
      expect(tail.lines(2 * n, ...everything).lines).toHaveLength(1);
    }
    expect(journal.lastSeq()).toBe(101);
  });

  it('holds no file open between two calls', () => {
    const folder = dataFolder();
    const journal = open(folder);
    const tail = journalTail(folder);
    const { hash } = tail.head();
    journal.close();
    // As Windows would refuse for a file that is open.
    const [file, elsewhere] = [join(folder, 'journal.sqlite'), join(folder, 'elsewhere.sqlite')];
    renameSync(file, elsewhere);
    expect(() => tail.head()).toThrow(JournalWriteError);
    renameSync(elsewhere, file);
    open(folder).append(sale());
    // With the event of its opening.
    expect(tail.head().seq).toBe(3);
    expect(tail.placeAt(1)?.hash).toBe(hash);
  });

  it('gives what is garbage as the export does', () => {
    const folder = dataFolder();
    fillJournal(folder, 5);
    tamper(folder, `UPDATE events SET body = 'garbage' WHERE seq = 3`);
    const tail = journalTail(folder);
    expect(tail.lines(2, 1, 1_000).lines).toEqual([exported(folder)[2]]);
    expect(tail.lines(2, 1, 1_000).lines[0]).toContain('"unreadable":"garbage"');
  });
});
