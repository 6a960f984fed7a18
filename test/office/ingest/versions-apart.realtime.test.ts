/** A bridge that is newer or older than the office, and what becomes of what the office cannot read. */
import { describe, expect, test } from 'vitest';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { silentLog } from '../../../src/log/log.ts';
import { eventReader, type EventReader } from '../../../src/office/ingest/event-reader.ts';
import { keepReadingAgain, readAgain } from '../../../src/office/ingest/read-again.ts';
import {
  batch,
  closed,
  ended,
  evidenceOf,
  inDoubt,
  record,
  voidOf,
} from '../../bridge/journal/sample-events.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { onBothEngines } from '../support/databases.ts';
import { officeOn } from '../support/office-kit.ts';
import { tillAt } from '../support/till.ts';

/** An office of before a kind of event came to be. */
function before(...types: string[]): EventReader {
  const isNew = ({ type }: Record<string, unknown>) => types.includes(String(type));
  return {
    factsOf: (events, open) =>
      eventReader.factsOf(
        events.filter(({ event }) => !isNew(event)),
        open,
      ),
    unknownIn: (event) => (isNew(event) ? [`event ${String(event['type'])}`] : eventReader.unknownIn(event)),
    knows: (what) => !types.some((type) => what === `event ${type}`) && eventReader.knows(what),
  };
}

function newer(event: object, more: object): JournalEvent {
  return { ...event, ...more } as JournalEvent;
}

describe('what an event has that nobody knows', () => {
  test('is its kind, or its fields, wherever they stand', () => {
    const { pay } = tillAt();
    const paid = pay('R-1', null);
    expect(eventReader.unknownIn(paid)).toEqual([]);
    expect(eventReader.unknownIn({ ...paid, kind: 'refund' })).toEqual(['event operation_started/refund']);
    expect(eventReader.unknownIn({ type: 'a\nthing' })).toEqual(['event a?thing']);
    const end = ended(paid, 'approved', { result: record() });
    const told = { ...end, tip: 1, result: { ...end.result, wallet: { name: 'x' } }, settled: [{ id: 1 }] };
    expect(eventReader.unknownIn(told).toSorted()).toEqual([
      'field operation_ended.result.wallet',
      'field operation_ended.tip',
    ]);
    const total = { scheme: 'x', count: 1, totalMinor: 1, fee: 2 };
    const close = closed(batch(), []);
    expect(eventReader.unknownIn({ ...close, batch: { ...close.batch, totals: [total] } })).toContain(
      'field operation_ended.batch.totals.fee',
    );
    expect(eventReader.knows('field operation_ended.result.amountMinor')).toBe(true);
    expect(eventReader.knows('field operation_ended.result.wallet')).toBe(false);
    expect(eventReader.knows('event operation_started/sale')).toBe(true);
    expect(eventReader.knows('event operation_started/refund')).toBe(false);
  });

  test('every event of today is known whole', () => {
    const { pay, journal, add } = tillAt();
    const paid = pay('R-1');
    const reversal = voidOf(paid);
    add(
      reversal,
      inDoubt(reversal),
      evidenceOf(reversal, true),
      ended(reversal, 'voided'),
      closed(batch(), []),
    );
    for (const { event } of journal.lines) expect(eventReader.unknownIn(event)).toEqual([]);
  });
});

onBothEngines((on) => {
  const unread = () =>
    on.database().query('SELECT chain, what, first_seq, office_version FROM unread ORDER BY chain, what');

  describe('a newer bridge', () => {
    test('says more: it is kept, the payments are right, and one shop of all stands for it', async () => {
      const office = await officeOn(on.database());
      for (const name of ['Berlin', 'Potsdam']) {
        const shop = await office.join(name);
        const { journal, pay, add } = tillAt(undefined, name.length);
        const paid = pay(`${name}-1`, null);
        add(
          newer({ type: 'tip_entered', operationId: paid.operationId }, { tipMinor: 100 }),
          newer(ended(paid, 'approved', { result: record() }), { wallet: 'x' }),
        );
        pay(`${name}-2`);
        const chain = await office.send(shop, journal);
        expect(await office.kept(chain)).toHaveLength(journal.lines.length);
        const { payments } = await office.search.payments(searchFor({ shopId: shop.shopId }));
        expect(payments.map(({ status }) => status)).toEqual(['approved', 'approved']);
        const found = await office.search.payment(paid.operationId);
        expect(found?.events.map(({ event }) => event)).toContainEqual(
          expect.objectContaining({ tipMinor: 100 }),
        );
      }
      expect(await unread()).toMatchObject([
        { what: 'event tip_entered', first_seq: 3 },
        { what: 'field operation_ended.wallet', first_seq: 4 },
        { what: 'event tip_entered' },
        { what: 'field operation_ended.wallet' },
      ]);
      const findings = await office.findings();
      expect(findings).toMatchObject([{ kind: 'newer_bridge', seq: 3 }]);
      expect(findings[0]?.message).toContain('event tip_entered, field operation_ended.wallet');
    });

    test('makes up names without end: the office keeps some of them', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, add } = tillAt();
      for (let i = 0; i < 300; i += 1) add(newer({ type: `made_up_${i}` }, {}));
      await office.send(shop, journal);
      expect(await unread()).toHaveLength(50);
    });
  });

  describe('after an update', () => {
    const old = before('operation_in_doubt', 'operation_ended', 'discrepancy_found');
    const again = (version = '3.0.0', reader = eventReader) =>
      readAgain({
        database: on.database(),
        clock: { ...tillAt().clock },
        version,
        log: silentLog,
        signal: new AbortController().signal,
        reader,
        onNews: () => {},
      });
    /** All that is read of the journals, but for what is told of this very thing, and for when it was understood. */
    const state = async () => {
      const tables = [
        'payments',
        'open_operations',
        'voids',
        'batches',
        'discrepancies',
        'decisions',
        'terminals',
      ];
      const rows = await Promise.all(
        tables.map((table) =>
          on
            .database()
            .query<{ text: string }>(
              `SELECT (to_jsonb(t) - 'doubt_received_at' - 'received_at')::text AS text FROM ${table} AS t ORDER BY 1`,
            ),
        ),
      );
      return rows.map((texts) => texts.map(({ text }) => text));
    };
    /** A bit of everything, some of it still open at the end. */
    const history = () => {
      const till = tillAt();
      const { pay, add, journal } = till;
      const first = pay('R-1');
      const doubtful = pay('R-2', null);
      add(inDoubt(doubtful), evidenceOf(doubtful, true));
      add(
        ended(doubtful, 'approved', {
          resolvedBy: { name: 'Ada', reason: 'The receipt shows it.' },
          result: record({ receiptNumber: '0007' }),
        }),
      );
      const reversal = voidOf(first, { operationId: till.chance.uuid() });
      add(reversal, ended(reversal, 'voided'));
      const close = batch({ operationId: till.chance.uuid() });
      add(close, closed(close, [doubtful.operationId]));
      const open = pay('R-3', null);
      add(inDoubt(open));
      return { journal, till };
    };

    test('all is as if the new office had been there from the start', async () => {
      const { journal } = history();
      const expected = await officeOn(on.database());
      await expected.send(await expected.join('Berlin'), journal);
      const right = await state();
      expect(right[0]).toHaveLength(3);

      await on.database().run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      const office = await officeOn(on.database(), 1, { version: '2.0.0', reader: old });
      const shop = await office.join('Berlin');
      await office.send(shop, journal, 4);
      expect(await state()).not.toEqual(right);
      expect(await office.findings()).toMatchObject([{ kind: 'newer_bridge' }, { kind: 'newer_bridge' }]);

      expect(await again()).toBe(1);
      expect(await state()).toEqual(right);
      expect(await unread()).toEqual([]);
      expect((await office.overview.open(10)).findings).toEqual([]);
      expect(await again()).toBe(0);
      expect(await state()).toEqual(right);
    });

    test('what arrives later goes on from there, and an older office beside it leaves it alone', async () => {
      const { journal, till } = history();
      const office = await officeOn(on.database(), 1, { version: '2.0.0', reader: old });
      const shop = await office.join('Berlin');
      await office.send(shop, journal);
      expect(await again('2.0.0', old)).toBe(0);
      await again();
      const updated = await officeOn(on.database(), 2, { version: '3.0.0' });
      till.pay('R-4');
      await updated.send(shop, journal);
      const { payments } = await updated.search.payments(searchFor({}));
      expect(payments.map(({ reference, status }) => [reference, status])).toEqual([
        ['R-4', 'approved'],
        ['R-3', 'unknown'],
        ['R-2', 'settled'],
        ['R-1', 'voided'],
      ]);
    });

    test('what an older office beside it takes after the start is read again as well, and what failed is tried again', async () => {
      const office = await officeOn(on.database(), 1, { version: '2.0.0', reader: old });
      const shop = await office.join('Berlin');
      const { journal, pay } = tillAt();
      const clock = createVirtualClock({ besideIo: true });
      const ending = new AbortController();
      let failures = 1;
      let news = 0;
      const reading = keepReadingAgain({
        database: {
          ...on.database(),
          transaction(work) {
            failures -= 1;
            return failures < 0 ? on.database().transaction(work) : Promise.reject(new Error('gone'));
          },
        },
        clock,
        version: '3.0.0',
        log: silentLog,
        signal: ending.signal,
        onNews: () => (news += 1),
      });
      for (const reference of ['R-1', 'R-2']) {
        pay(reference);
        await office.send(shop, journal);
        expect(await unread()).not.toEqual([]);
        news = 0;
        await clock.until(() => news === 1, 'the journal to be read again');
        expect(await unread()).toEqual([]);
        expect((await office.overview.open(10)).findings).toEqual([]);
        const { payments } = await office.search.payments(searchFor({ reference }));
        expect(payments).toMatchObject([{ status: 'approved' }]);
      }
      ending.abort();
      await reading;
      expect(clock.waiting).toBe(0);
    });

    test('a branch that has said more of a payment keeps the last word', async () => {
      const office = await officeOn(on.database(), 1, { version: '2.0.0', reader: before('tip_entered') });
      const shop = await office.join('Berlin');
      const { journal, pay, add } = tillAt();
      const paid = pay('R-1', null);
      add(newer({ type: 'tip_entered' }, {}));
      const copy = journal.copy();
      add(ended(paid, 'declined'));
      await office.send(shop, journal);
      copy.add(ended(paid, 'approved', { result: record() }), Date.UTC(2026, 10, 3));
      await office.send(shop, copy);
      const knowing = { ...eventReader, knows: () => true, unknownIn: () => [] };
      expect(await again('3.0.0', knowing)).toBe(1);
      const { payments } = await office.search.payments(searchFor({ reference: 'R-1' }));
      expect(payments).toMatchObject([{ status: 'approved' }]);
    });

    test('what still does not fit is tried once for each newer version, and stays noted', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, add, pay } = tillAt();
      add(ended({ operationId: '018f0000-0000-7000-8000-000000000000' }, 'approved'));
      pay('R-1');
      await office.send(shop, journal);
      expect(await unread()).toMatchObject([{ what: 'unfit operation_ended', office_version: '2.0.0' }]);
      expect(await again('2.0.0')).toBe(0);
      expect(await again('3.0.0')).toBe(1);
      expect(await again('3.0.0')).toBe(0);
      expect(await unread()).toMatchObject([{ what: 'unfit operation_ended', office_version: '3.0.0' }]);
      expect((await office.overview.open(10)).findings).toMatchObject([{ kind: 'not_understood' }]);
    });
  });

  test('an older bridge, whose events lack every field that came later, is read as well', async () => {
    const office = await officeOn(on.database());
    const shop = await office.join('Berlin');
    const { journal, pay, add, chance } = tillAt();
    const paid = pay('R-1', null);
    const without = (event: object, ...names: string[]) =>
      Object.fromEntries(Object.entries(event).filter(([name]) => !names.includes(name))) as JournalEvent;
    const { amountMinor, receiptNumber, kind, approved } = record({ receiptNumber: '0007' });
    const end = ended(paid, 'approved');
    add(
      newer(without(end, 'evidence', 'receiptLines', 'settled', 'batch', 'resolvedBy', 'times'), {
        result: { amountMinor, receiptNumber, kind, approved },
      }),
    );
    const close = batch({ operationId: chance.uuid() });
    add(without(close, 'batchEpoch', 'baseline'), closed(close, [paid.operationId]));
    await office.send(shop, journal);
    expect(await office.findings()).toEqual([]);
    const { payments } = await office.search.payments(searchFor({ reference: 'R-1' }));
    expect(payments).toMatchObject([{ status: 'settled', taken_minor: 1_200, receipt_number: '0007' }]);
  });
});

function searchFor(asked: object) {
  return { simulated: true, limit: 50, ...asked };
}
