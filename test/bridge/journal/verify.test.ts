import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { canonicalJson, chainHash, chainStart } from '../../../src/bridge/journal/chain.ts';
import { exportJournal, JournalWriteError, verifyJournal } from '../../../src/bridge/journal/index.ts';
import { fillJournal } from '../../support/fill-journal.ts';
import { ended, sale } from './sample-events.ts';
import { dataFolder, flipByte, open, tamper } from './folder.ts';

/** 1 is the opening, 2 and 3 the first payment, and so on to 41. */
function twentyPayments(): string {
  const folder = dataFolder();
  fillJournal(folder, 20);
  return folder;
}

describe('verify', () => {
  it('counts the events of a sound journal and gives its last hash, also while a bridge writes', () => {
    const folder = twentyPayments();
    const before = verifyJournal(folder);
    expect(before).toMatchObject({ ok: true, events: 41 });
    const journal = open(folder);
    journal.append(sale());
    const result = verifyJournal(folder);
    expect(result).toMatchObject({ ok: true, events: 43 });
    expect(before.ok && result.ok && before.lastHash !== result.lastHash).toBe(true);
    journal.append(sale());
  });

  it.each([
    ['a changed event', 'UPDATE events SET body = replace(body, \'"EUR"\', \'"USD"\') WHERE seq = 12', 12],
    ['a changed time', "UPDATE events SET at = '2001-01-01T00:00:00.000Z' WHERE seq = 12", 12],
    ['a changed hash', "UPDATE events SET hash = replace(hash, 'a', 'b') WHERE seq = 12", 12],
    ['a changed type', "UPDATE events SET type = 'terminal_lost' WHERE seq = 12", 12],
    ['another operation', "UPDATE events SET operation_id = 'x' WHERE seq = 12", 12],
    ['an event that is gone', 'DELETE FROM events WHERE seq = 12', 12],
    ['events that are gone', 'DELETE FROM events WHERE seq BETWEEN 12 AND 20', 12],
    ['first events that are gone', 'DELETE FROM events WHERE seq < 3', 1],
    ['last events that are gone', 'DELETE FROM events WHERE seq > 38', 39],
    ['all events gone', 'DELETE FROM events', 1],
    ['the first of two', "UPDATE events SET body = '{}' WHERE seq IN (12, 30)", 12],
    ['garbage', "UPDATE events SET body = 'garbage' WHERE seq = 12", 12],
    [
      'two events in each other’s place',
      'UPDATE events SET seq = -seq WHERE seq = 12; UPDATE events SET seq = 12 WHERE seq = 14; UPDATE events SET seq = 14 WHERE seq = -12',
      12,
    ],
  ])('names the first event that does not fit: %s', (_name, sql, seq) => {
    const folder = twentyPayments();
    tamper(folder, sql);
    expect(verifyJournal(folder)).toMatchObject({ ok: false, seq });
  });

  it('finds an event that was put in with a good hash of its own, by the one after it', () => {
    const folder = twentyPayments();
    const database = new DatabaseSync(join(folder, 'journal.sqlite'), { readOnly: true });
    const previous = database.prepare('SELECT hash FROM events WHERE seq = 11').get()?.['hash'];
    const old = database.prepare('SELECT at, body FROM events WHERE seq = 12').get();
    database.close();
    const body = String(old?.['body']).replace('"amountMinor":105', '"amountMinor":905');
    const hash = chainHash(String(previous), 12, String(old?.['at']), body);
    tamper(
      folder,
      `UPDATE events SET hash = '${hash}', body = '${body}' WHERE seq = 12;
      UPDATE payments SET amount_minor = 905 WHERE position = 12`,
    );
    expect(verifyJournal(folder)).toMatchObject({ ok: false, seq: 13 });
  });

  it('finds a whole chain that was made anew, by the mark', () => {
    const folder = twentyPayments();
    const database = new DatabaseSync(join(folder, 'journal.sqlite'), { readOnly: true });
    const rows = database.prepare('SELECT seq, at, body FROM events ORDER BY seq').all();
    database.close();
    let previous = chainStart.hash;
    const updates = rows.map((row) => {
      const body = String(row['body']).replace('0.0.0-filled', '6.6.6-forged');
      previous = chainHash(previous, Number(row['seq']), String(row['at']), body);
      return `UPDATE events SET hash = '${previous}', body = '${body}' WHERE seq = ${String(row['seq'])}`;
    });
    tamper(folder, updates.join(';'));
    expect(verifyJournal(folder)).toMatchObject({
      ok: false,
      seq: 41,
      problem: expect.stringMatching(/not the one/) as string,
    });
  });

  it('names the event on a page that cannot be read', () => {
    const folder = dataFolder();
    fillJournal(folder, 300);
    const file = join(folder, 'journal.sqlite');
    const database = new DatabaseSync(file, { readOnly: true });
    const pages = database.prepare("SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf'");
    let page = 0;
    try {
      page = Number(pages.all()[50]?.['pageno']);
    } finally {
      database.close();
    }
    // The first byte says what kind of page it is.
    flipByte(file, (page - 1) * 4096);
    const result = verifyJournal(folder);
    expect(result).toMatchObject({ ok: false, problem: expect.stringMatching(/cannot be read/) as string });
    expect(result.ok ? 0 : result.seq).toBeGreaterThan(50);
  });

  it('says when there is nothing to verify', () => {
    expect(verifyJournal(join(dataFolder(), 'none'))).toMatchObject({
      ok: false,
      seq: 0,
      problem: expect.stringMatching(/no journal/) as string,
    });
  });
});

describe('export', () => {
  function lines(folder: string): string[] {
    const found: string[] = [];
    expect(exportJournal(folder, (line) => found.push(line))).toBe(found.length);
    return found;
  }

  it('gives each event in a line of its own, with what its hash is made of', () => {
    const folder = dataFolder();
    const journal = open(folder);
    const started = sale({ conditionCode: 'ü\n' });
    journal.append(started, ended(started, 'approved'));
    const found = lines(folder);
    expect(found).toHaveLength(3);
    let previous = '0'.repeat(64);
    for (const [index, line] of found.entries()) {
      expect(line).not.toContain('\n');
      const { seq, at, hash, event } = JSON.parse(line) as {
        seq: number;
        at: string;
        hash: string;
        event: object;
      };
      expect(seq).toBe(index + 1);
      expect(hash).toBe(chainHash(previous, seq, at, canonicalJson(event)));
      previous = hash;
    }
    expect(JSON.parse(found[1] ?? '')).toMatchObject({ event: started });
  });

  it('goes over more than a page of events', () => {
    const folder = dataFolder();
    fillJournal(folder, 1200);
    // The opening, the payments, and a batch.
    expect(lines(folder)).toHaveLength(1 + 2400 + 2);
    expect(verifyJournal(folder)).toMatchObject({ ok: true });
  });

  it('gives what it can of an event that is garbage', () => {
    const folder = twentyPayments();
    tamper(folder, `UPDATE events SET body = 'gar"bage' WHERE seq = 12`);
    expect(JSON.parse(lines(folder)[11] ?? '')).toMatchObject({
      seq: 12,
      event: null,
      unreadable: 'gar"bage',
    });
  });

  it('says when there is no journal, or none that can be read', () => {
    const folder = twentyPayments();
    expect(() => lines(join(folder, 'none'))).toThrow(JournalWriteError);
    flipByte(join(folder, 'journal.sqlite'), 3);
    expect(() => lines(folder)).toThrow(`The journal in ${folder} is damaged: `);
  });
});
