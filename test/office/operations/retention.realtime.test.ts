/** What is kept for how long, and what is never deleted. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dayAfter, dayOf } from '../../../src/office/database/days.ts';
import { restoreDays } from '../../../src/office/operations/archive/restore.ts';
import { takeOutDays } from '../../../src/office/operations/archive/take-out.ts';
import { applyRetention, showRetention } from '../../../src/office/operations/retention/retention.ts';
import { readRetentionSettings } from '../../../src/office/operations/retention/settings.ts';
import { ended, inDoubt, record, sale, voidOf } from '../../bridge/journal/sample-events.ts';
import { run } from '../../headless/test-context.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { onBothEngines } from '../support/databases.ts';
import { officeOn } from '../support/office-kit.ts';
import { tillAt } from '../support/till.ts';

const dayMs = 24 * 60 * 60_000;
const who = { name: 'Ada', role: 'administrator' } as const;

describe('the settings', () => {
  const read = (value: unknown) => readRetentionSettings(JSON.stringify(value), 'retention.json');
  test('are numbers of days that are not too small', () => {
    expect(read({})).toEqual({ ok: true, settings: {} });
    expect(read({ events: 62, audit: 180 })).toEqual({ ok: true, settings: { events: 62, audit: 180 } });
    expect(read({ events: 61 })).toEqual({
      ok: false,
      error: '"events" in retention.json must be a whole number of days, 62 at least.',
    });
    expect(read({ audit: 30 })).toMatchObject({ ok: false });
    expect(read({ evens: 100 })).toMatchObject({ ok: false, error: expect.stringContaining('"events"') });
    expect(readRetentionSettings('{', 'retention.json')).toMatchObject({ ok: false });
  });

  test('have to be there, and so has a name for who deletes', async () => {
    const dataDir = tempFolder('retention');
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const retention = (...flags: string[]) => run(['office', 'retention', '--data-dir', dataDir, ...flags]);
    expect(await retention()).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('so all of it is'),
    });
    writeFileSync(path.join(dataDir, 'retention.json'), '{"events": 100}');
    expect(await retention('--delete')).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('--by'),
    });
    const shown = await retention();
    expect(shown.output).toMatch(/^events before \d{4}-\d\d-\d\d: 0 rows would go\nNothing was deleted/);
  });
});

onBothEngines((on) => {
  const count = async (table: string) =>
    (await on.database().query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n;

  /** A shop with something of each kind that is done, and something that is not. */
  async function shopWithAPast() {
    const office = await officeOn(on.database());
    const shop = await office.join('Berlin');
    const till = tillAt(office.clock.now());
    const { add, pay, chance } = till;
    const paid = pay('done');
    const reversal = voidOf(paid, { operationId: chance.uuid() });
    add(reversal, ended(reversal, 'voided'));
    const byHand = pay('by hand', null);
    add(inDoubt(byHand), ended(byHand, 'approved', { resolvedBy: { name: 'Bo', reason: 'Seen.' } }));
    await office.send(shop, till.journal);
    const first = dayOf(office.clock.now());
    const next = () => {
      office.clock.jump(dayMs);
      till.clock.jump(dayMs);
    };
    next();
    const doubtful = sale({ operationId: chance.uuid(), reference: 'doubtful' });
    add(doubtful, inDoubt(doubtful));
    pay('beside it');
    await office.send(shop, till.journal);
    // Two findings, of which one is acknowledged.
    add(ended({ operationId: chance.uuid() }, 'approved'));
    await office.send(shop, till.journal);
    add(ended({ operationId: chance.uuid() }, 'approved'));
    await office.send(shop, till.journal);
    await on.database().query(
      `UPDATE findings SET acknowledged_at = found_at, acknowledged_by = 'Bo', acknowledged_reason = 'Known.'
       WHERE seq = (SELECT min(seq) FROM findings)`,
    );
    await on
      .database()
      .query(
        `INSERT INTO audit (at, person, role, signed_in_by, act, about) VALUES ($1, 'Bo', 'support', 'link', 'searched', '{}')`,
        [new Date(office.clock.now()).toISOString()],
      );
    await on.database().run('DELETE FROM unread');
    office.clock.jump(400 * dayMs);
    till.clock.jump(400 * dayMs);
    const parts = { database: on.database(), clock: office.clock, version: '2.0.0', who };
    return { office, shop, till, first, parts, paid };
  }
  const all = { events: 100, payments: 100, audit: 200, done: 100 };

  test('what would go is shown, and goes when it is said; what waits for a person stays', async () => {
    const { office, shop, till, first, parts } = await shopWithAPast();
    const before = { events: await count('events'), payments: await count('payments') };
    const shown = await showRetention(all, parts);
    expect({ events: await count('events'), payments: await count('payments') }).toEqual(before);
    const rows = Object.fromEntries(shown.items.map((item) => [item.what, item.rows]));
    expect(rows).toMatchObject({ events: 8, payments: 3, decisions: 1, 'audit log': 1, findings: 1 });
    expect(shown.stayed).toEqual([{ day: dayAfter(first), why: '1 operation of it is still open' }]);

    const done = await applyRetention(all, parts);
    expect(done).toMatchObject({ items: shown.items, files: [] });
    expect(done.stayed).toMatchObject(shown.stayed);
    const left = await on.database().query('SELECT reference FROM payments');
    expect(left).toEqual([{ reference: 'doubtful' }]);
    expect((await office.overview.open(10)).doubts).toMatchObject([{ reference: 'doubtful' }]);
    expect((await office.overview.open(10)).findings).toHaveLength(1);
    expect(await count('decisions')).toBe(0);
    expect(await count('voids')).toBe(0);
    expect(await count('payment_keys')).toBe(1);
    const acts = await on
      .database()
      .query<{ act: string; person: string }>('SELECT act, person FROM audit ORDER BY entry');
    expect(acts.map(({ act }) => act)).toEqual(['day_deleted', 'day_deleted', 'day_deleted', 'data_deleted']);
    expect(new Set(acts.map(({ person }) => person))).toEqual(new Set(['Ada']));

    // The journal goes on, and nothing comes twice.
    const again = await office.takeText(shop, till.journal.batch(null, 0));
    expect(again).toMatchObject({ kind: 'kept', newEvents: 0 });
    expect(await count('payments')).toBe(1);
    const gone = await office.search.payments({ simulated: true, limit: 50, reference: 'done' });
    expect(gone).toEqual({ payments: [], next: null, archived: [] });
    expect((await applyRetention(all, parts)).items.every((item) => item.rows === 0)).toBe(true);
  });

  test('without a number all is kept', async () => {
    const { parts } = await shopWithAPast();
    const before = await count('events');
    expect(await applyRetention({}, parts)).toMatchObject({ items: [], stayed: [], files: [] });
    expect(await count('events')).toBe(before);
    expect(await count('findings')).toBe(2);
  });

  test('files whose time is over are named, and what led to them is gone', async () => {
    const { office, parts, first } = await shopWithAPast();
    const into = tempFolder('archive');
    onTestFinished(() => rmSync(into, { recursive: true, force: true }));
    await takeOutDays({ before: dayAfter(first), folder: into }, parts);
    const asked = { simulated: true, limit: 50, reference: 'done' };
    expect((await office.search.payments(asked)).archived).toEqual([first]);
    const { files } = await applyRetention(all, parts);
    expect(files).toEqual([`events-${first}.csv.gz`, `payments-${first}.csv.gz`]);
    expect((await office.search.payments(asked)).archived).toEqual([]);
    await expect(restoreDays(into, parts)).rejects.toThrow('were deleted because their time was over');
  });

  test('a payment that ends after its day’s time is over is deleted the next time', async () => {
    const { office, shop, till, parts } = await shopWithAPast();
    await applyRetention(all, parts);
    const [open] = (await office.overview.open(10)).doubts;
    till.add(ended({ operationId: open?.operation_id ?? '' }, 'approved', { result: record() }));
    await office.send(shop, till.journal);
    const { payments } = await office.search.payments({ simulated: true, limit: 50, reference: 'doubtful' });
    expect(payments).toMatchObject([{ status: 'approved' }]);
    expect((await applyRetention(all, parts)).items).toContainEqual(
      expect.objectContaining({ what: 'events', rows: 6 }),
    );
    expect(await count('payments')).toBe(1);
    office.clock.jump(101 * dayMs);
    expect((await applyRetention(all, parts)).items).toContainEqual(
      expect.objectContaining({ what: 'payments beside their day', rows: 1 }),
    );
    expect(await count('payments')).toBe(0);
    expect(await count('payment_keys')).toBe(0);
  });
});
