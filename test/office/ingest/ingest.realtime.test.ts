import { describe, expect, test } from 'vitest';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { batch, sale, ended, record, voidOf, inDoubt, resultOf } from '../../bridge/journal/sample-events.ts';
import { makeTill } from '../../bridge/journal/random-till.ts';
import { createRandom } from '../../support/random.ts';
import { onBothEngines } from '../support/databases.ts';
import { presentChains } from '../../../src/office/database/migrations/present-chains.ts';
import { acknowledge } from '../../../src/office/findings.ts';
import { eventDaysThatStay } from '../../../src/office/operations/archive/days-that-stay.ts';
import { readDatabase } from '../../../src/office/operations/database-numbers.ts';
import { createShopStates } from '../../../src/office/shop-states.ts';
import { officeOn } from '../support/office-kit.ts';
import { ShopJournal, chainStart, textOf } from '../support/shop.ts';
import { tillAt } from '../support/till.ts';

onBothEngines((on) => {
  describe('what was sent is there', () => {
    test('a history of any kind, in batches of any size, adds up to what the shop has', async () => {
      for (const seed of [1, 2, 3, 4]) {
        const random = createRandom(seed);
        const till = makeTill((choices) => random.integer(0, choices - 1));
        const journal = new ShopJournal();
        for (let i = 0; i < 400; i += 1) journal.add(till.next(), Date.UTC(2026, 10, 1) + i * 1_000);
        const office = await officeOn(on.database(), seed);
        const shop = await office.join(`Shop ${seed}`);
        for (let sent = 0, chain: string | null = null; sent < journal.lines.length;) {
          const count = random.integer(1, 60);
          const taken = await office.takeText(shop, journal.batch(chain, sent, count));
          if (taken.kind !== 'kept') throw new Error(taken.kind);
          ({ chain, seq: sent } = taken.place);
        }
        const { payments, open } = till.expected();
        const rows = await on
          .database()
          .query(
            'SELECT payment_id, reference, amount_minor, status, batch_number FROM payments WHERE shop_id = $1',
            [shop.shopId],
          );
        const expected = payments.map((payment) => ({
          payment_id: payment.sale.operationId,
          reference: payment.sale.reference,
          amount_minor: payment.sale.amountMinor,
          status: payment.status,
          batch_number: payment.batchNumber,
        }));
        expect(rows.toSorted(byReference)).toEqual(expected.toSorted(byReference));
        const stillOpen = await on
          .database()
          .query('SELECT operation_id FROM open_operations JOIN chains USING (chain) WHERE shop_id = $1', [
            shop.shopId,
          ]);
        expect(stillOpen.map((row) => row['operation_id'])).toEqual(open);
        expect(await office.findings()).toEqual([]);
      }
    });

    test('every event is kept once, in order, with its own text', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay } = tillAt();
      for (let i = 0; i < 20; i += 1) pay(`R-${i}`);
      const chain = await office.send(shop, journal, 7);
      expect(await office.kept(chain)).toEqual(
        journal.lines.map(({ seq, hash }) => ({ seq, hash, branch: chain })),
      );
    });

    test('a text with half of a character and with NUL in it does not hold up the others', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, add, chance } = tillAt();
      const started = sale({ operationId: chance.uuid(), reference: 'R\0-\ud800' });
      add(started, ended(started, 'declined', { reason: 'a\nb\0' }));
      await office.send(shop, journal);
      const { payments } = await office.search.payments(searchFor({ shopId: shop.shopId }));
      expect(payments.map(({ reference, reason }) => ({ reference, reason }))).toEqual([
        { reference: 'R\uFFFD-\uFFFD', reason: 'a\nb\uFFFD' },
      ]);
      const [payment] = payments;
      const found = await office.search.payment(payment?.payment_id ?? '');
      expect(found?.events.map(({ event }) => event)).toEqual(
        journal.lines.slice(1).map(({ event }) => event),
      );
    });

    test('a text with what COPY or a reader of lines would mistake is kept as it is', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, add, chance } = tillAt();
      const reference = '\\N\\.\t\u2028 "a"';
      const started = sale({ operationId: chance.uuid(), reference });
      add(started, ended(started, 'declined', { reason: '\\.\r\n\t\\n\u2029😀' }));
      await office.send(shop, journal);
      const { payments } = await office.search.payments(searchFor({ shopId: shop.shopId }));
      expect(payments).toMatchObject([{ reference, reason: '\\.\r\n\t\\n\u2029😀' }]);
      const found = await office.search.payment(payments[0]?.payment_id ?? '');
      expect(found?.events.map(({ event }) => event)).toEqual(
        journal.lines.slice(1).map(({ event }) => event),
      );
    });

    test('a clock that is decades off costs a payment its day, not its place', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay } = tillAt(Date.UTC(1999, 0, 1));
      pay('old');
      await office.send(shop, journal);
      const { payments } = await office.search.payments(searchFor({ reference: 'old' }));
      expect(payments).toMatchObject([{ reference: 'old', status: 'approved' }]);
    });
  });

  describe('a till whose clock begins anew', () => {
    test('is found by shop, amount and status, page by page, behind those whose clocks are right', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const starts = [0, Date.UTC(2000, 0, 1), Date.UTC(2026, 10, 2, 9)];
      for (const [number, start] of starts.entries()) {
        const { journal, pay } = tillAt(start, number + 1);
        pay(`R-${number}`);
        await office.send({ ...shop, terminal: `till-${number}` }, journal);
      }
      for (const asked of [
        { shopId: shop.shopId },
        { amountMinor: 1200 },
        { shopId: shop.shopId, status: 'approved' },
        { status: 'approved', from: '1969-01-01T00:00:00Z' },
      ]) {
        const found: string[] = [];
        let before: string | undefined;
        for (let page = 0; page < 5; page += 1) {
          const { payments, next } = await office.search.payments(
            searchFor({ ...asked, limit: 1, ...(before === undefined ? {} : { before }) }),
          );
          found.push(...payments.map(({ reference }) => reference));
          if (next === null) break;
          before = next;
        }
        expect(found).toEqual(['R-2', 'R-1', 'R-0']);
      }
    });
  });

  describe('what stands on a receipt', () => {
    test('is found whether its approval code was typed in small letters or large ones', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, add, chance } = tillAt();
      const started = sale({ operationId: chance.uuid(), reference: 'R-1' });
      const told = record({ approvalCode: 'AB12cd', maskedCardNumber: '############0005' });
      add(started, ended(started, 'approved', { result: told }));
      await office.send(shop, journal);
      for (const approvalCode of ['ab12cd', 'AB12CD', 'AB12cd']) {
        for (const asked of [{ cardDigits: '0005' }, { shopId: shop.shopId }, { reference: 'R-1' }]) {
          const { payments } = await office.search.payments(searchFor({ ...asked, approvalCode }));
          expect(payments.map(({ reference }) => reference)).toEqual(['R-1']);
        }
      }
    });
  });

  describe('sent again', () => {
    test('a batch whose answer was lost changes nothing, whole or in part, the first one too', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay } = tillAt();
      for (let i = 0; i < 5; i += 1) pay(`R-${i}`);
      const first = await office.takeText(shop, journal.batch(null, 0, 4));
      const again = await office.takeText(shop, journal.batch(null, 0, 8));
      if (first.kind !== 'kept' || again.kind !== 'kept') throw new Error('refused');
      expect(again.place).toEqual({ chain: first.place.chain, ...journal.placeAt(8) });
      expect(again.newEvents).toBe(4);
      const part = await office.takeText(shop, journal.batch(again.place.chain, 2, 20));
      expect(part).toMatchObject({ kind: 'kept', newEvents: journal.lines.length - 8 });
      expect(await office.kept(again.place.chain)).toHaveLength(journal.lines.length);
      expect(await office.findings()).toEqual([]);
    });

    test('two that send the same at the same moment leave it there once', async () => {
      if (on.server === null) return;
      const office = await officeOn(on.database(), 1);
      const other = await officeOn(on.second(), 2);
      const shop = await office.join('Berlin');
      const { journal, pay } = tillAt();
      for (let i = 0; i < 30; i += 1) pay(`R-${i}`);
      const all = await Promise.all(
        [office, other, office, other].map((one) => one.takeText(shop, journal.batch(null, 0))),
      );
      expect(all.map(({ kind }) => kind)).toEqual(['kept', 'kept', 'kept', 'kept']);
      const [first] = all;
      if (first?.kind !== 'kept') throw new Error('refused');
      expect(await office.kept(first.place.chain)).toHaveLength(journal.lines.length);
      const chains = await on.database().query('SELECT chain FROM chains');
      expect(chains).toHaveLength(1);
    });

    test('a batch that comes before its predecessor is refused, and nothing of it is kept', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay } = tillAt();
      for (let i = 0; i < 5; i += 1) pay(`R-${i}`);
      const first = await office.takeText(shop, journal.batch(null, 0, 3));
      if (first.kind !== 'kept') throw new Error('refused');
      const { chain } = first.place;
      expect(await office.takeText(shop, journal.batch(chain, 6))).toEqual({ kind: 'place_unknown' });
      expect(await office.kept(chain)).toHaveLength(3);
    });

    test('another shop does not reach into this one’s journal', async () => {
      const office = await officeOn(on.database());
      const berlin = await office.join('Berlin');
      const potsdam = await office.join('Potsdam');
      const { journal, pay } = tillAt();
      pay('R-1');
      const chain = await office.send(berlin, journal);
      pay('R-2');
      expect(await office.takeText(potsdam, journal.batch(chain, 3))).toEqual({ kind: 'place_unknown' });
      expect(await office.ingest.heads(potsdam)).toEqual([]);
    });
  });

  describe('what cannot be right', () => {
    test('a forged event is named, what comes before it is kept, and nothing behind it', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay } = tillAt();
      for (let i = 0; i < 5; i += 1) pay(`R-${i}`);
      const lines = journal.lines.map((line) =>
        line.seq === 6 ? { ...line, event: { ...line.event, amountMinor: 1 } } : line,
      );
      const taken = await office.takeText(shop, textOf({ chain: null, after: chainStart }, lines));
      expect(taken).toMatchObject({ kind: 'chain_broken', seq: 6 });
      const [head] = await office.ingest.heads(shop);
      expect(head).toMatchObject(journal.placeAt(5));
      expect(await office.findings()).toMatchObject([{ kind: 'chain_broken', seq: 6 }]);
    });

    test('an event that is missing is named', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay } = tillAt();
      pay('R-1');
      const lines = journal.lines.filter(({ seq }) => seq !== 2);
      const taken = await office.takeText(shop, textOf({ chain: null, after: chainStart }, lines));
      expect(taken).toMatchObject({
        kind: 'chain_broken',
        seq: 2,
        message: expect.stringContaining('missing'),
      });
    });

    test('a journal that begins at a hash of its own is refused, with and without a chain', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const own = 'a'.repeat(64);
      const { journal, pay } = tillAt();
      pay('R-1');
      const after = { seq: 0, hash: own };
      const forged = new ShopJournal();
      forged.head = () => after;
      const first = forged.add({ type: 'journal_opened', version: '0.1.0' }, office.clock.now());
      expect(await office.takeText(shop, textOf({ chain: null, after }, [first]))).toEqual({
        kind: 'place_unknown',
      });
      expect(await office.ingest.heads(shop)).toEqual([]);
      const chain = await office.send(shop, journal);
      expect(await office.takeText(shop, textOf({ chain, after }, [first]))).toEqual({
        kind: 'place_unknown',
      });
      expect(await office.ingest.heads(shop)).toHaveLength(1);
    });

    test('a chain begins with an event: none is made for nothing, nor for one that does not fit', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal } = tillAt();
      const head = { chain: null, after: chainStart };
      expect(await office.takeText(shop, textOf(head, []))).toEqual({ kind: 'place_unknown' });
      const forged = journal.lines.map((line) => ({ ...line, hash: 'a'.repeat(64) }));
      const sent = textOf(head, forged);
      expect(await office.takeText(shop, sent)).toMatchObject({ kind: 'chain_broken', seq: 1 });
      expect(await office.takeText(shop, sent)).toMatchObject({ kind: 'chain_broken', seq: 1 });
      expect(await office.ingest.heads(shop)).toEqual([]);
      expect(await office.findings()).toMatchObject([{ kind: 'chain_broken', seq: 1 }]);
    });

    test('a kind of event that a newer bridge has is kept, as is one that fits nothing, and both are told of', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, add, pay } = tillAt();
      add({ type: 'a_thing_of_tomorrow', what: 'ever' } as unknown as JournalEvent);
      pay('R-1');
      add(ended({ operationId: '018f0000-0000-7000-8000-000000000000' }, 'approved'));
      pay('R-2');
      const chain = await office.send(shop, journal);
      expect(await office.kept(chain)).toHaveLength(journal.lines.length);
      expect(await office.findings()).toMatchObject([
        { kind: 'newer_bridge', seq: 2 },
        { kind: 'not_understood', seq: 5 },
      ]);
      const { payments } = await office.search.payments(searchFor({ shopId: shop.shopId }));
      expect(payments.map(({ reference }) => reference)).toEqual(['R-2', 'R-1']);
    });

    test.each(['0000-06-01T00:00:00.000Z', '0999-12-31T23:59:59.999Z', '+010000-01-01T00:00:00.000Z'])(
      'what a clock of another age has written is kept and told of, and holds up nobody: %s',
      async (at) => {
        const office = await officeOn(on.database());
        const shop = await office.join('Berlin');
        const honest = tillAt();
        honest.pay('R-1');
        await office.send(shop, honest.journal);
        const other = await office.join('Hamburg');
        const paid = tillAt(Date.UTC(2026, 10, 3), 8).pay('R-2', null);
        const old = tillAt(Date.UTC(2026, 10, 3), 9);
        old.journal.add(paid, Date.parse(at));
        old.journal.add(ended(paid, 'approved'), Date.parse(at));
        old.pay('R-3');
        const chain = await office.send(other, old.journal);
        expect(await office.kept(chain)).toHaveLength(old.journal.lines.length);
        expect(await office.findings()).toMatchObject([{ kind: 'not_understood' }]);
        const { payments } = await office.search.payments(searchFor({}));
        expect(payments.map(({ reference }) => reference)).toEqual(['R-3', 'R-1']);
      },
    );
  });

  describe('a journal that goes on otherwise', () => {
    test('an older copy that was put back is told at once, and its own way is a branch', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay } = tillAt();
      pay('R-1');
      const copy = tillAt(Date.UTC(2026, 10, 3), 8);
      const old = journal.copy();
      pay('lost');
      await office.send(shop, journal);
      // The bridge has nothing new yet; it asks where it stands.
      await office.send(shop, old);
      expect(await office.findings()).toMatchObject([{ kind: 'journal_behind', seq: 3 }]);
      const again = sale({ operationId: copy.chance.uuid(), reference: 'after' });
      old.add(again, Date.UTC(2026, 10, 3));
      old.add(ended(again, 'approved'), Date.UTC(2026, 10, 3));
      const branch = await office.send(shop, old);
      expect((await office.findings()).map(({ kind }) => kind).toSorted()).toEqual([
        'journal_behind',
        'journal_branched',
      ]);
      expect(await office.kept(branch)).toMatchObject([{ seq: 4 }, { seq: 5 }]);
      const { payments } = await office.search.payments(searchFor({ shopId: shop.shopId }));
      expect(payments.map(({ reference, not_in_journal }) => ({ reference, not_in_journal }))).toEqual([
        { reference: 'after', not_in_journal: false },
        { reference: 'lost', not_in_journal: true },
        { reference: 'R-1', not_in_journal: false },
      ]);
      const lost = payments.find(({ reference }) => reference === 'lost');
      const found = await office.search.payment(lost?.payment_id ?? '');
      expect(found?.events).toHaveLength(2);
    });

    test('a payment of a way that the journal goes no more is called lost, and one of the common part is not', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay, chance } = tillAt();
      pay('common');
      const image = journal.copy();
      const goOn = async (from: ShopJournal, reference: string) => {
        office.clock.jump(1_000);
        const started = sale({ operationId: chance.uuid(), reference });
        for (const event of [started, ended(started, 'approved')]) from.add(event, office.clock.now());
        await office.send(shop, from);
        return started.operationId;
      };
      const lost = async () => {
        const { payments } = await office.search.payments(searchFor({ shopId: shop.shopId }));
        return payments
          .filter(({ not_in_journal }) => not_in_journal)
          .map(({ reference }) => reference)
          .toSorted();
      };
      await goOn(journal, 'one');
      expect(await lost()).toEqual([]);
      const [two, three] = [image.copy(), image.copy()];
      const abandoned = await goOn(two, 'two');
      const copyOfTwo = two.copy();
      expect(await lost()).toEqual(['one']);
      await goOn(three, 'three');
      expect(await lost()).toEqual(['one', 'two']);
      const found = await office.search.payment(abandoned);
      expect(found?.payment.not_in_journal).toBe(true);
      expect(found?.events.map(({ in_journal }) => in_journal)).toEqual([false, false]);
      // It grows, and goes the same way still.
      await goOn(three, 'three again');
      expect(await lost()).toEqual(['one', 'two']);
      // A copy of what was abandoned, and in the end the first way once more.
      await goOn(copyOfTwo, 'of two');
      expect(await lost()).toEqual(['one', 'three', 'three again']);
      await goOn(journal, 'one again');
      expect(await lost()).toEqual(['of two', 'three', 'three again', 'two']);
    });

    test('which way a journal goes is found out of what an older office has written, and put right behind one', async () => {
      const database = on.database();
      const office = await officeOn(database);
      const shop = await office.join('Berlin');
      const { journal, pay, chance } = tillAt();
      pay('common');
      const goOn = async (from: ShopJournal) => {
        office.clock.jump(1_000);
        from.add(sale({ operationId: chance.uuid(), reference: 'R' }), office.clock.now());
        await office.send(shop, from);
        return from;
      };
      const ways = () => database.query('SELECT chain, in_journal_to FROM chains ORDER BY chain');
      const image = journal.copy();
      await goOn(journal);
      const two = await goOn(image.copy());
      const short = two.copy();
      await goOn(two);
      await goOn(image.copy());
      const last = await goOn(short);
      expect(await ways()).toMatchObject(
        [3, 4, 0, null].map((in_journal_to, index) => ({ chain: index + 1, in_journal_to })),
      );
      const known = await ways();
      const [view] = await database.query<{ is: string }>(
        `SELECT pg_get_viewdef('open_discrepancies') AS is`,
      );
      await database.run('ALTER TABLE chains DROP COLUMN in_journal_to CASCADE');
      await database.run(presentChains);
      await database.run(`CREATE VIEW open_discrepancies AS ${view?.is}`);
      expect(await ways()).toEqual(known);
      // One that does not know the column, beside this one.
      await database.run('UPDATE chains SET in_journal_to = NULL');
      await goOn(last);
      expect(await ways()).toEqual(known);
    });

    test('two tills of a shop that have only their name in common do not lose anything by each other', async () => {
      const office = await officeOn(on.database());
      for (const seed of [1, 2]) {
        office.clock.jump(1_000);
        const { journal, pay } = tillAt(Date.UTC(2026, 10, 2, 8 + seed), seed);
        pay(`R-${seed}`);
        await office.send(await office.join('Berlin'), journal);
      }
      const { payments } = await office.search.payments(searchFor({}));
      expect(payments).toMatchObject([{ not_in_journal: false }, { not_in_journal: false }]);
      expect(await office.findings()).toEqual([]);
    });

    test('one that its bridge begins anew is told, with what is lost by it', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const kinds = async () => (await office.findings()).map(({ kind }) => kind);
      const doubts = async () => (await office.overview.open(10)).doubts.map(({ reference }) => reference);
      const lost = tillAt(Date.UTC(2026, 10, 2, 8), 1);
      lost.pay('R-1');
      lost.add(inDoubt(lost.pay('R-2', null)));
      const lostChain = await office.send(shop, lost.journal);
      expect(await doubts()).toEqual(['R-2']);

      office.clock.jump(60_000);
      const anew = tillAt(Date.UTC(2026, 10, 2, 9), 2);
      // The shop does not know any more that it has charged this one.
      anew.pay('R-1');
      const chain = await office.send(shop, anew.journal, 2);
      expect(chain).not.toBe(lostChain);
      expect(await office.findings()).toMatchObject([
        {
          kind: 'journal_branched',
          seq: 1,
          message: expect.stringMatching(
            /from event 1 on\. 5 events .* it was deleted or repaired, and begins anew\./,
          ),
        },
        { kind: 'operations_lost', message: expect.stringContaining(': R-2. ') },
      ]);
      expect(await doubts()).toEqual([]);
      const { payments } = await office.search.payments(searchFor({ shopId: shop.shopId }));
      expect(payments.map(({ reference, not_in_journal }) => [reference, not_in_journal])).toEqual([
        ['R-1', false],
        ['R-2', true],
        ['R-1', true],
      ]);

      // Its first batch sent again, as when the answer was lost, and the next one.
      expect(await office.takeText(shop, anew.journal.batch(null, 0))).toMatchObject({
        kind: 'kept',
        newEvents: 0,
      });
      anew.pay('R-3');
      expect(await office.send(shop, anew.journal)).toBe(chain);
      expect(await kinds()).toEqual(['journal_branched', 'operations_lost']);

      // The old disk is found, and put back.
      office.clock.jump(60_000);
      lost.pay('R-4');
      expect(await office.send(shop, lost.journal)).toBe(lostChain);
      expect(await kinds()).toContain('two_places');
      expect(await doubts()).toEqual(['R-2']);
    });

    test('one that was repaired says so, and what it has kept behind the gap is counted once', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay } = tillAt();
      for (const reference of ['R-1', 'lost', 'R-3']) pay(reference);
      await office.send(shop, journal);
      // As the repair writes it: what could be read, by new numbers, then who has done it, and what may be missing.
      const repaired = journal.copy(3);
      for (const { event, at } of journal.lines.slice(5)) repaired.add(event, Date.parse(at));
      const later = Date.UTC(2026, 10, 3);
      const [by, reason] = ['Ada', 'the disk was damaged'];
      repaired.add(
        { type: 'journal_repaired', by, reason, setAside: 'journal.damaged', eventsKept: 5 },
        later,
      );
      const nothing = { operationId: null, references: [], amountMinor: null, currency: null, record: null };
      const discrepancyId = '018f0000-0000-7000-8000-000000000001';
      const loss = { kind: 'journal_loss' as const, message: '2 events of it are lost.', ...nothing };
      repaired.add({ type: 'discrepancy_found', discrepancyId, ...loss }, later);
      const branch = await office.send(shop, repaired);
      expect(await office.findings()).toMatchObject([
        { kind: 'journal_branched', seq: 4, message: expect.stringContaining('it was repaired') },
      ]);
      expect(await office.kept(branch)).toMatchObject([{ seq: 4 }, { seq: 5 }, { seq: 6 }, { seq: 7 }]);
      const decisions = await on.database().query('SELECT kind, decided_by, reason FROM decisions');
      expect(decisions).toEqual([{ kind: 'repair', decided_by: by, reason }]);
      expect((await office.overview.open(10)).discrepancies).toMatchObject([{ message: loss.message }]);
      const { payments } = await office.search.payments(searchFor({ shopId: shop.shopId }));
      expect(payments.map(({ reference, not_in_journal }) => ({ reference, not_in_journal }))).toEqual([
        { reference: 'R-3', not_in_journal: false },
        { reference: 'lost', not_in_journal: true },
        { reference: 'R-1', not_in_journal: false },
      ]);
      expect(await office.send(shop, repaired)).toBe(branch);
      expect(await office.findings()).toHaveLength(1);
    });

    test('an operation that was open where it branches ends on the branch', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay, add } = tillAt();
      const open = pay('R-1', null);
      add(inDoubt(open, 'The line was lost.'));
      const old = journal.copy();
      add(ended(open, 'failed'));
      pay('R-2');
      await office.send(shop, journal);
      expect((await office.overview.open(10)).doubts).toEqual([]);
      old.add(resultOf(open, record({ receiptNumber: '0007' })), Date.UTC(2026, 10, 3));
      const branch = await office.send(shop, old);
      expect((await office.overview.open(10)).doubts).toMatchObject([{ reference: 'R-1' }]);
      old.add(
        ended(open, 'approved', { result: record({ receiptNumber: '0007', amountMinor: 1_300 }) }),
        Date.UTC(2026, 10, 3),
      );
      expect(await office.send(shop, old)).toBe(branch);
      expect((await office.overview.open(10)).doubts).toEqual([]);
      const { payments } = await office.search.payments(searchFor({ reference: 'R-1' }));
      expect(payments).toMatchObject([{ status: 'approved', taken_minor: 1_300, not_in_journal: false }]);
    });

    test('an operation that an abandoned way has open counts no more, whatever the journal’s own way says of it', async () => {
      const office = await officeOn(on.database());
      const shop = { ...(await office.join('Berlin')), simulated: false };
      const { journal, pay, add, chance } = tillAt();
      const states = createShopStates(on.database(), { clock: office.clock, version: '0.1.0' });
      const told = async () => {
        const { doubts } = await office.overview.open(10);
        const numbers = await readDatabase(on.database(), office.clock.now());
        const [summary] = await states.shops();
        expect([numbers.open.doubt, summary?.inDoubt]).toEqual([doubts.length, doubts.length]);
        return doubts.map(({ reference }) => reference);
      };
      const close = batch({ operationId: chance.uuid() });
      const open = pay('R-1', null);
      add(inDoubt(open), close, inDoubt(close));
      const old = journal.copy();
      await office.send(shop, journal);
      expect(await told()).toEqual(['R-1', null]);
      const goOn = async (...events: JournalEvent[]) => {
        office.clock.jump(1_000);
        for (const event of events) old.add(event, office.clock.now());
        await office.send(shop, old);
      };
      pay('R-2');
      await office.send(shop, journal);
      await goOn({ type: 'journal_opened', version: '0.1.0' });
      expect(await told()).toEqual(['R-1', null]);
      await goOn(ended(open, 'approved'), ended(close, 'not_closed'));
      expect(await told()).toEqual([]);
      expect(await office.overview.batches(shop.shopId, 10)).toMatchObject([{ in_doubt: false }]);
      expect(await eventDaysThatStay(on.database(), '2027-01-01')).toEqual(new Map());
      expect((await office.findings()).map(({ kind }) => kind)).toEqual(['journal_branched']);
    });

    test('one that only the lost part of the journal has is told once, and is in doubt only if the journal has it again', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay, add } = tillAt();
      const doubts = async () => (await office.overview.open(10)).doubts.map(({ reference }) => reference);
      const lost = async () =>
        (await office.findings())
          .filter(({ kind }) => kind === 'operations_lost')
          .map(({ message }) => message);
      const goOn = async (from: ShopJournal) => {
        office.clock.jump(1_000);
        from.add({ type: 'journal_opened', version: '0.1.0' }, office.clock.now());
        await office.send(shop, from);
      };
      pay('R-0');
      const [two, three] = [journal.copy(), journal.copy()];
      add(inDoubt(pay('R-1', null)));
      await office.send(shop, journal);
      expect(await doubts()).toEqual(['R-1']);
      for (const from of [two, two, three, three]) {
        await goOn(from);
        expect(await doubts()).toEqual([]);
        expect(await lost()).toEqual([expect.stringContaining(': R-1. ')]);
      }
      await goOn(journal);
      expect(await doubts()).toEqual(['R-1']);
    });

    test('a payment is in doubt for whoever asks, when its operation is in doubt again', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay, add, chance } = tillAt();
      const [open, paid, begun] = [pay('R-1', null), pay('R-2'), pay('R-3', null)];
      const reversal = voidOf(paid, { operationId: chance.uuid() });
      add(inDoubt(open, 'The line was lost.'), reversal);
      const old = journal.copy();
      add(ended(open, 'declined', { resolvedBy: { name: 'Ada', reason: 'seen' } }));
      add(ended(reversal, 'voided'), ended(begun, 'approved'));
      await office.send(shop, journal);
      const known = async () => {
        const { payments } = await office.search.payments(searchFor({ shopId: shop.shopId }));
        const told = payments.map((payment) => [payment.reference, payment.status, payment.not_in_journal]);
        return told.toReversed();
      };
      expect(await known()).toEqual([
        ['R-1', 'declined', false],
        ['R-2', 'voided', false],
        ['R-3', 'approved', false],
      ]);
      old.add({ type: 'journal_opened', version: '0.1.0' }, Date.UTC(2026, 10, 3));
      await office.send(shop, old);
      expect(await known()).toEqual([
        ['R-1', 'unknown', false],
        ['R-2', 'voiding', false],
        ['R-3', 'in_progress', false],
      ]);
      expect((await office.overview.open(10)).doubts).toMatchObject([{ reference: 'R-1' }]);
      const found = await office.search.payment(open.operationId);
      expect(found?.payment).toMatchObject({
        status: 'unknown',
        reason: 'The line was lost.',
        completed_at: null,
        decided_by: null,
      });
      const reversed = await office.search.payment(paid.operationId);
      expect(reversed?.payment.completed_at).not.toBeNull();
    });

    test('two computers that go on with one journal are told apart, and of', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay, chance } = tillAt();
      pay('R-1');
      await office.send(shop, journal);
      const clone = journal.copy();
      pay('here');
      const here = await office.send(shop, journal);
      office.clock.jump(1_000);
      const there = sale({ operationId: chance.uuid(), reference: 'there' });
      clone.add(there, Date.UTC(2026, 10, 3));
      const branch = await office.send(shop, clone);
      expect(branch).not.toBe(here);
      office.clock.jump(1_000);
      pay('here again');
      expect(await office.send(shop, journal)).toBe(here);
      clone.add(ended(there, 'approved'), Date.UTC(2026, 10, 3));
      expect(await office.send(shop, clone)).toBe(branch);
      expect((await office.findings()).map(({ kind }) => kind).toSorted()).toEqual([
        'journal_branched',
        'two_places',
      ]);
      const { payments } = await office.search.payments(searchFor({ shopId: shop.shopId }));
      expect(payments.map(({ reference }) => reference).toSorted()).toEqual([
        'R-1',
        'here',
        'here again',
        'there',
      ]);
    });

    /** What is open of the journals, after which it is acknowledged. */
    const openFindings = async (office: Awaited<ReturnType<typeof officeOn>>) => {
      const { findings } = await office.overview.open(10);
      for (const { finding_id } of findings) {
        const at = new Date(office.clock.now()).toISOString();
        await acknowledge(on.database(), finding_id, { by: 'Ada', reason: 'seen', at });
      }
      return findings.map(({ kind }) => kind).toSorted();
    };

    test('a copy that is put back each day is told each day', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay, chance } = tillAt();
      pay('R-1');
      const image = journal.copy();
      pay('R-2');
      await office.send(shop, journal);
      for (const day of [3, 4, 5]) {
        office.clock.jump(1_000);
        const restored = image.copy();
        // It has nothing new, and asks where it stands: again and again is once.
        await office.send(shop, restored);
        expect(await openFindings(office)).toEqual(['journal_behind']);
        await office.send(shop, restored);
        expect(await openFindings(office)).toEqual([]);
        office.clock.jump(1_000);
        const paid = sale({ operationId: chance.uuid(), reference: `day ${day}` });
        restored.add(paid, Date.UTC(2026, 10, day));
        await office.send(shop, restored);
        expect(await openFindings(office)).toEqual(['journal_branched']);
        restored.add(ended(paid, 'approved'), Date.UTC(2026, 10, day));
        await office.send(shop, restored);
        expect(await openFindings(office)).toEqual([]);
      }
    });

    test('a journal that goes on where the office has left a chain behind is told, each time', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay, chance } = tillAt();
      const image = journal.copy();
      const goOn = async (from: ShopJournal) => {
        office.clock.jump(1_000);
        from.add(
          sale({ operationId: chance.uuid(), reference: `R-${from.lines.length}` }),
          office.clock.now(),
        );
        await office.send(shop, from);
        return await openFindings(office);
      };
      pay('R-1');
      expect(await goOn(journal)).toEqual([]);
      const [one, two] = [image.copy(), image.copy()];
      expect(await goOn(one)).toEqual(['journal_branched']);
      expect(await goOn(two)).toEqual(['journal_branched']);
      // None of these is behind: the office has a chain that ends there.
      expect(await goOn(one)).toEqual(['two_places']);
      expect(await goOn(one)).toEqual([]);
      expect(await goOn(journal)).toEqual(['two_places']);
      expect(await goOn(two)).toEqual(['two_places']);
      expect(await goOn(two)).toEqual([]);
    });

    test('a branch whose answer was lost is the same branch when it is sent again', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay, chance } = tillAt();
      pay('R-1');
      const old = journal.copy();
      pay('lost');
      const chain = await office.send(shop, journal);
      const next = sale({ operationId: chance.uuid(), reference: 'next' });
      old.add(next, Date.UTC(2026, 10, 3));
      const first = await office.takeText(shop, old.batch(chain, 3));
      old.add(ended(next, 'approved'), Date.UTC(2026, 10, 3));
      const again = await office.takeText(shop, old.batch(chain, 3));
      if (first.kind !== 'kept' || again.kind !== 'kept') throw new Error('refused');
      expect(again.place.chain).toBe(first.place.chain);
      expect(await office.ingest.heads(shop)).toHaveLength(2);
      const { payments } = await office.search.payments(searchFor({ reference: 'next' }));
      expect(payments).toMatchObject([{ status: 'approved' }]);
    });

    test('a new computer with the shop’s journal goes on with it, and that is told', async () => {
      const office = await officeOn(on.database());
      const before = await office.join('Berlin');
      const { journal, pay } = tillAt();
      pay('R-1');
      const chain = await office.send(before, journal);
      const after = await office.join('Berlin');
      pay('R-2');
      expect(await office.send(after, journal)).toBe(chain);
      expect(await office.findings()).toMatchObject([{ kind: 'other_bridge', seq: 4 }]);
    });

    test('a journal that is sent for another shop as well counts its payments once', async () => {
      const office = await officeOn(on.database());
      const berlin = await office.join('Berlin');
      const potsdam = await office.join('Potsdam');
      const { journal, pay } = tillAt();
      pay('R-1');
      await office.send(berlin, journal);
      await office.send(potsdam, journal);
      expect(await office.findings()).toMatchObject([{ kind: 'payments_elsewhere' }]);
      const { payments } = await office.search.payments(searchFor({ reference: 'R-1' }));
      expect(payments).toMatchObject([{ shop: 'Berlin' }]);
    });
  });

  describe('a payment with all that happened to it', () => {
    test('its void of another day is in its timeline', async () => {
      const office = await officeOn(on.database());
      const shop = await office.join('Berlin');
      const { journal, pay, add, chance } = tillAt();
      const paid = pay('R-1');
      await office.send(shop, journal);
      office.clock.jump(3 * 24 * 60 * 60_000);
      const reversal = voidOf(paid, { operationId: chance.uuid() });
      add(reversal, ended(reversal, 'voided'));
      await office.send(shop, journal);
      const found = await office.search.payment(paid.operationId);
      expect(found?.payment).toMatchObject({ status: 'voided', shop: 'Berlin' });
      expect(found?.events.map(({ event }) => event['type'])).toEqual([
        'operation_started',
        'operation_ended',
        'operation_started',
        'operation_ended',
      ]);
      expect(new Set(found?.events.map(({ received_on }) => received_on)).size).toBe(2);
    });
  });
});

function byReference(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

function searchFor(asked: object) {
  return { simulated: true, limit: 50, ...asked };
}
