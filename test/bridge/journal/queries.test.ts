import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openJournalReadOnly } from '../../../src/bridge/journal/index.ts';
import { maxPageRows } from '../../../src/bridge/journal/journal-queries.ts';
import { querySql } from '../../../src/bridge/journal/query-sql.ts';
import { migrate } from '../../../src/bridge/journal/schema.ts';
import { batch, closed, ended, inDoubt, resultOf, sale, voidOf } from './sample-events.ts';
import { dataFolder, newJournal, open } from './folder.ts';

describe('a payment that is asked for again and again', () => {
  it('is always as it stands after the last event', () => {
    const journal = newJournal();
    const started = sale({ reference: 'AGAIN' });
    const other = sale({ reference: 'OTHER' });
    const status = () => [1, 2].map(() => journal.paymentByReference('AGAIN')?.status);
    expect(status()).toEqual([undefined, undefined]);
    journal.append(started);
    expect(status()).toEqual(['in_progress', 'in_progress']);
    journal.append(inDoubt(started));
    expect(status()).toEqual(['unknown', 'unknown']);
    expect(() => journal.append(sale({ reference: 'AGAIN' }))).toThrow(/AGAIN|reference/);
    expect(status()).toEqual(['unknown', 'unknown']);
    journal.append(other, ended(started, 'approved'));
    expect(status()).toEqual(['approved', 'approved']);
    journal.close();
    expect(() => journal.paymentByReference('AGAIN')).toThrow(/finalized|closed|open/);
  });
});

describe('pages', () => {
  it('go from the newest to the oldest, each row once, whatever is added meanwhile', () => {
    const journal = newJournal();
    for (let i = 1; i <= 7; i += 1) journal.append(sale({ reference: `R${i}` }));
    const seen: string[] = [];
    let before: number | undefined;
    for (;;) {
      const page = journal.payments({ limit: 3, before });
      seen.push(...page.map((payment) => payment.reference));
      before = page.at(-1)?.position;
      if (before === undefined) break;
      journal.append(sale());
    }
    expect(seen).toEqual(['R7', 'R6', 'R5', 'R4', 'R3', 'R2', 'R1']);
  });

  it('can be of one status', () => {
    const journal = newJournal();
    const sales = Array.from({ length: 6 }, (_, i) => sale({ reference: `R${i}` }));
    for (const [i, started] of sales.entries()) {
      journal.append(started, ended(started, i % 2 === 0 ? 'approved' : 'declined'));
    }
    const first = journal.payments({ limit: 2, status: 'approved' });
    expect(first.map((payment) => payment.reference)).toEqual(['R4', 'R2']);
    const second = journal.payments({ limit: 2, status: 'approved', before: first[1]?.position });
    expect(second.map((payment) => payment.reference)).toEqual(['R0']);
    expect(journal.payments({ limit: 2, status: 'unknown' })).toEqual([]);
  });

  it('of a payment tell each attempt to reverse it, and no other', () => {
    const journal = newJournal();
    const [paid, other] = [sale({ reference: 'PAID' }), sale({ reference: 'OTHER' })];
    journal.append(paid, ended(paid, 'approved'), other, ended(other, 'approved'));
    const [first, second, ofOther] = [voidOf(paid), voidOf(paid), voidOf(other)];
    journal.append(first, ended(first, 'not_voided'), ofOther, ended(ofOther, 'voided'), second);
    expect(journal.voidsOf(paid.operationId)).toEqual([first.operationId, second.operationId]);
    expect(journal.voidsOf(first.operationId)).toEqual([]);
  });

  it('of batches have open and closed ones', () => {
    const journal = newJournal();
    const closes = [batch(), batch(), batch()];
    for (const close of closes.slice(0, 2)) journal.append(close, closed(close, []));
    journal.append(closes[2] ?? batch());
    const first = journal.batches({ limit: 2 });
    expect(first.map((row) => [row.operationId, row.phase])).toEqual([
      [closes[2]?.operationId, 'started'],
      [closes[1]?.operationId, 'ended'],
    ]);
    const second = journal.batches({ limit: 2, before: first[1]?.position });
    expect(second.map((row) => row.operationId)).toEqual([closes[0]?.operationId]);
  });

  it('of batches tell what was expected, and what the terminal closed', () => {
    const journal = newJournal();
    const expected = { count: 2, totalMinor: 2_400 };
    const closes = [batch({ expected }), batch(), batch()];
    const [done, refused, open] = closes;
    if (done === undefined || refused === undefined || open === undefined)
      throw new Error('three are needed');
    const settled = [sale(), sale()];
    for (const started of settled) journal.append(started, ended(started, 'approved'));
    const end = closed(
      done,
      settled.map((started) => started.operationId),
      '7',
    );
    // The result that a terminal tells is not the only event between start and end.
    journal.append(done, inDoubt(done), resultOf(done), end);
    journal.append(refused, ended(refused, 'not_closed'), open);
    expect(journal.batches({ limit: 3 })).toMatchObject([
      { operationId: open.operationId, outcome: null, endedAt: null, batch: null },
      { operationId: refused.operationId, outcome: 'not_closed', batch: null },
      { operationId: done.operationId, outcome: 'closed', started: { expected }, batch: end.batch },
    ]);
    expect(end.batch?.batchNumber).toBe('7');
  });

  it.each([
    [0, 0],
    [-1, 0],
    [1.9, 1],
    [Number.MAX_SAFE_INTEGER, 3],
  ])('of %d rows have %i', (limit, rows) => {
    const journal = newJournal();
    for (let i = 0; i < 2; i += 1) journal.append(sale());
    expect(journal.eventsAfter(0, limit)).toHaveLength(rows);
    expect(maxPageRows).toBeLessThan(100_000);
  });
});

describe('what is not there', () => {
  it('is null', () => {
    const journal = newJournal();
    const close = batch();
    journal.append(close);
    expect(journal.paymentByReference('none')).toBeNull();
    expect(journal.payment('none')).toBeNull();
    // A batch has an operation id, but is no payment.
    expect(journal.payment(close.operationId)).toBeNull();
    expect(journal.operation('none')).toBeNull();
    expect(journal.eventsOf('none')).toEqual([]);
  });
});

describe('query plans', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database);

  function planOf(sql: string): string[] {
    return database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => String(row['detail']));
  }

  it.each(Object.entries(querySql))('%s goes by an index', (name, sql) => {
    const steps = planOf(sql);
    // The indexes of open operations and open discrepancies are read whole: there are few. The newest event is the first of a scan backwards.
    const allowed =
      name === 'head'
        ? /^SCAN events$/
        : /^SCAN (o USING INDEX operations_open|d(iscrepancies)? USING INDEX discrepancies_open)$/;
    for (const step of steps) {
      expect(
        step.startsWith('SEARCH') || step.startsWith('USE TEMP B-TREE') || allowed.test(step),
        step,
      ).toBe(true);
    }
    // Only the unsettled payments of one batch are sorted, which are few.
    const sorts = steps.some((step) => step.startsWith('USE TEMP B-TREE'));
    expect(sorts).toBe(name === 'unsettledFromEpoch');
  });

  it('would notice a scan', () => {
    expect(planOf('SELECT * FROM payments p WHERE p.reason = ?')).toEqual(['SCAN p']);
  });
});

describe('reading beside a bridge', () => {
  it('sees what is written meanwhile, and needs no lock', () => {
    const folder = dataFolder();
    const journal = open(folder);
    const result = openJournalReadOnly(folder);
    if (result.kind !== 'opened') throw new Error(result.message);
    const reader = result.journal;
    const started = sale();
    journal.append(started, inDoubt(started));
    expect(reader.openOperations()).toMatchObject([{ operationId: started.operationId, phase: 'in_doubt' }]);
    expect(reader.eventsOf(started.operationId)).toHaveLength(2);
    reader.close();
    journal.append(ended(started, 'failed'));
  });

  it('says when there is no journal, and makes nothing', () => {
    const folder = join(dataFolder(), 'none');
    expect(openJournalReadOnly(folder)).toMatchObject({ kind: 'none' });
    expect(openJournalReadOnly(folder)).toMatchObject({ kind: 'none' });
  });
});
