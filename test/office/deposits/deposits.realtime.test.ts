/** Where the money of the closed batches of all shops is: from journals and statements to what is listed. */
import { describe, expect, test } from 'vitest';
import type { Database } from '../../../src/office/database/database.ts';
import { onBothEngines } from '../support/databases.ts';
import { ShopJournal } from '../support/shop.ts';
import { acme, chain, chainOn, closeEvents, dayMs, rulesOf } from './deposit-kit.ts';
import { searchHere } from './search-here.ts';
import { statementFile } from './statement.ts';

const paid = (minor: number, remark: string) => ({ minor, remark: `ACME ${remark}` });
const otherAccount = 'DE02120300000000202051';

/** A batch whose money is late, and an entry that nobody can explain. */
async function withGift(database: Database) {
  const office = await chainOn(database);
  const berlin = await office.shop('Berlin');
  const batchId = await berlin.close({ number: '1', totalMinor: 100_000 });
  await office.addDays('2026-11-08', '2026-11-13', { '2026-11-11': [paid(500, 'a gift')] });
  office.clock.jump(4 * dayMs);
  await office.look();
  return { office, batchId };
}

onBothEngines((on) => {
  describe('the money of a batch', () => {
    test('arrives, is late, or is waited for; of several shops in one account', async () => {
      const office = await chainOn(on.database());
      const berlin = await office.shop('Berlin');
      const potsdam = await office.shop('Potsdam');
      await berlin.close({ number: '000001', totalMinor: 100_000, terminalId: '52500041' });
      await potsdam.close({ number: '000001', totalMinor: 50_000, terminalId: '52500042' });
      office.clock.jump(4 * dayMs);
      await berlin.close({ number: '000002', totalMinor: 70_000 });
      await office.addDays('2026-11-08', '2026-11-13', {
        '2026-11-10': [paid(99_000, 'BATCH 1 TID 52500041'), paid(12_345, 'who knows')],
      });
      expect(await office.look()).toEqual(['looked']);
      expect(await office.said()).toEqual([
        'Potsdam 000001: unclear unexplained-entries !',
        'Berlin 000002: waiting',
        'Berlin 000001: arrived',
      ]);
      const { deposits, entries, sums, accounts } = await office.list();
      expect(deposits.at(-1)).toMatchObject({
        shop: 'Berlin',
        closed_on: '2026-11-09',
        gross_minor: 100_000,
        fee_minor: 1_000,
        expected_minor: 99_000,
        arrived_minor: 99_000,
        arrived_on: '2026-11-10',
        due_by: '2026-11-12',
        evidence: 'number',
      });
      expect(entries.map(({ remark, unexplained }) => [remark, unexplained])).toEqual([
        ['ACME who knows', true],
      ]);
      expect(sums).toContainEqual({ state: 'waiting', currency: 'EUR', count: 1, expected_minor: 69_300 });
      expect(accounts).toMatchObject([{ merchant: 'Chain', from: '2026-11-08', until: '2026-11-13' }]);
      expect(await office.said({ shop: 'Potsdam', late: true })).toHaveLength(1);
    });

    test('is not looked for again while nothing has changed, and is with another day or another close', async () => {
      const office = await chainOn(on.database());
      const berlin = await office.shop('Berlin');
      await berlin.close({ number: '1', totalMinor: 100_000 });
      await office.addDays('2026-11-08', '2026-11-13');
      expect([await office.look(), await office.look()]).toEqual([['looked'], ['same']]);
      await berlin.close({ number: '2', totalMinor: 50_000 });
      expect(await office.look()).toEqual(['looked']);
      const before = (await office.list()).deposits.map(({ since }) => since);
      office.clock.jump(4 * dayMs);
      expect(await office.look()).toEqual(['looked']);
      expect(await office.said()).toEqual(['Berlin 1: late !', 'Berlin 2: late !']);
      const after = (await office.list()).deposits.map(({ since }) => since);
      expect(after).not.toEqual(before);
      office.clock.jump(dayMs);
      await office.look();
      // How long it has been so is not forgotten.
      expect((await office.list()).deposits.map(({ since }) => since)).toEqual(after);
    });

    test('from before the first statement of its account is nobody’s question', async () => {
      const office = await chainOn(on.database());
      const berlin = await office.shop('Berlin');
      await berlin.close({ number: '1', totalMinor: 100_000 });
      office.clock.jump(20 * dayMs);
      expect(await office.look()).toEqual(['looked']);
      expect(await office.said()).toEqual([]);
      expect((await office.list()).accounts).toMatchObject([{ from: null, until: null }]);
      await office.addDays('2026-11-11', '2026-11-20');
      await office.look();
      expect(await office.said()).toEqual([]);
    });

    test('of a till whose clock is wrong is unclear, counts from its arrival, and is a person’s', async () => {
      const office = await chainOn(on.database());
      const berlin = await office.shop('Berlin');
      const closeAt = async (number: string, totalMinor: number, at: number) => {
        const id = office.chance.uuid();
        for (const event of closeEvents(id, { number, totalMinor })) berlin.journal.add(event, at);
        await office.office.send(berlin, berlin.journal);
        return id;
      };
      await office.addDays('2026-10-01', '2026-11-13', {
        '2026-11-10': [paid(99_000, 'BATCH 1 TID 52500041')],
        '2026-10-12': [paid(29_700, 'BATCH 4 TID 52500041')],
      });
      const first = await closeAt('1', 100_000, Date.UTC(2020, 0, 1));
      await closeAt('2', 200_000, Date.UTC(2027, 10, 9));
      await closeAt('3', 0, Date.UTC(2020, 0, 2));
      // The bridge was offline for a month, and its clock is right.
      await closeAt('4', 30_000, Date.UTC(2026, 9, 9, 20));
      office.clock.jump(4 * dayMs);
      await office.look();
      const { deposits, entries } = await office.list();
      expect((await office.said()).toSorted()).toEqual([
        'Berlin 1: unclear clock-wrong !',
        'Berlin 2: unclear clock-wrong !',
        'Berlin 3: arrived',
        'Berlin 4: arrived',
      ]);
      const { closed_on, due_by, past_due, possible_ids } =
        deposits.find(({ batch_number }) => batch_number === '1') ?? {};
      expect({ closed_on, due_by, past_due }).toEqual({
        closed_on: '2026-11-09',
        due_by: '2026-11-12',
        past_due: true,
      });
      expect(possible_ids).toEqual(entries.map(({ entry_id }) => entry_id));
      const word = { by: 'Grace', reason: 'It says so.' };
      const entryIds = possible_ids ?? [];
      expect(await office.settle({ batchIds: [first], acquirer: 'Acme', entryIds, ...word })).toMatchObject({
        ok: true,
      });
      await office.look();
      expect(await office.said({ late: true })).toEqual(['Berlin 2: unclear clock-wrong !']);
    });

    test('of simulated terminals and of real ones never meets', async () => {
      const trial = {
        ...chain,
        name: 'Trial',
        simulated: true,
        acquirers: [{ ...acme, account: otherAccount }],
      };
      const office = await chainOn(on.database(), rulesOf(chain, trial));
      const real = await office.shop('Berlin');
      const simulated = await office.shop('Berlin', { simulated: true });
      await real.close({ number: '1', totalMinor: 100_000 });
      await simulated.close({ number: '1', totalMinor: 100_000 });
      await office.addDays('2026-11-08', '2026-11-13', {
        '2026-11-10': [paid(99_000, 'BATCH 1 TID 52500041')],
      });
      await office.addDays('2026-11-08', '2026-11-13', {}, otherAccount);
      office.clock.jump(4 * dayMs);
      expect(await office.look()).toEqual(['looked', 'looked']);
      expect(await office.said()).toEqual(['Berlin 1: arrived']);
      expect(await office.said({ simulated: true })).toEqual(['Berlin 1: late !']);
    });

    test('of a journal that was copied to another shop is looked for once', async () => {
      const office = await chainOn(on.database());
      const berlin = await office.shop('Berlin');
      await berlin.close({ number: '1', totalMinor: 100_000 });
      const copy = await office.shop('Potsdam');
      await office.office.send(copy, new ShopJournal(berlin.journal.lines));
      await office.addDays('2026-11-08', '2026-11-13');
      await office.look();
      expect(await office.said()).toEqual(['Berlin 1: waiting']);
    });

    test('goes by the merchant’s id where the rules do', async () => {
      const bolt = { ...acme, name: 'Bolt', merchantIds: ['M2'], account: otherAccount };
      const rules = rulesOf({ ...chain, acquirers: [{ ...acme, merchantIds: ['M1'] }, bolt] });
      const office = await chainOn(on.database(), rules);
      const berlin = await office.shop('Berlin');
      await berlin.close({ number: '1', totalMinor: 100_000, merchantId: 'M1' });
      await berlin.close({ number: '2', totalMinor: 200_000, merchantId: 'M2' });
      await office.addDays('2026-11-08', '2026-11-10');
      await office.addDays('2026-11-08', '2026-11-10', {}, otherAccount);
      await office.look();
      const { deposits } = await office.list();
      expect(
        deposits.map(({ batch_number, acquirer, account }) => [batch_number, acquirer, account]),
      ).toEqual([
        ['1', 'Acme', acme.account],
        ['2', 'Bolt', otherAccount],
      ]);
    });

    test('is what the rules of today say, also where an acquirer has another name now', async () => {
      const office = await chainOn(on.database());
      const berlin = await office.shop('Berlin');
      await berlin.close({ number: '1', totalMinor: 100_000 });
      await office.addDays('2026-11-08', '2026-11-10');
      await office.look();
      const renamed = rulesOf({
        ...chain,
        acquirers: [{ ...acme, name: 'Acme Ltd', fee: { percent: '2' } }],
      });
      expect(await office.look(renamed)).toEqual(['looked']);
      const { deposits } = await office.list();
      expect(deposits.map(({ acquirer, fee_minor }) => [acquirer, fee_minor])).toEqual([['Acme Ltd', 2_000]]);
    });
  });

  describe('a statement', () => {
    test('is kept once, whatever it is called, with who has handed it in', async () => {
      const office = await chainOn(on.database());
      const content = statementFile({ day: '2026-11-09', number: 1 });
      expect(await office.add('one.xml', content)).toMatchObject({ ok: true, value: { isNew: true } });
      expect(await office.add('two.xml', content)).toMatchObject({ ok: true, value: { isNew: false } });
      const rows = await on.database().query('SELECT name, handed_in_by FROM statement_files');
      expect(rows).toEqual([{ name: 'one.xml', handed_in_by: 'Ada' }]);
    });

    test('of an account that no rule names, or that is none, is refused with a sentence', async () => {
      const office = await chainOn(on.database());
      const strange = statementFile({ day: '2026-11-09', number: 1, account: otherAccount });
      expect(await office.add('one.xml', strange)).toEqual({
        ok: false,
        message: `one.xml belongs to the account ${otherAccount}. In the rules no acquirer pays to it.`,
      });
      expect(await office.add('two.xml', Buffer.from('<a/>'))).toMatchObject({ ok: false });
    });

    test('that contradicts another one is refused, unless it corrects it', async () => {
      const office = await chainOn(on.database());
      const berlin = await office.shop('Berlin');
      await berlin.close({ number: '1', totalMinor: 100_000 });
      await office.addDays('2026-11-08', '2026-11-13', {
        '2026-11-10': [paid(90_000, 'BATCH 1 TID 52500041')],
      });
      office.clock.jump(4 * dayMs);
      await office.look();
      expect(await office.said()).toEqual(['Berlin 1: short !']);
      const corrected = statementFile({
        day: '2026-11-10',
        number: 3,
        openingMinor: 100_000,
        bookings: [paid(99_000, 'BATCH 1 TID 52500041'), { minor: -9_000, remark: 'RENT' }],
      });
      const refused = await office.add('corrected.xml', corrected);
      expect(refused).toMatchObject({
        ok: false,
        message: expect.stringMatching(/contradict each other on 2026-11-10.*--corrects/) as string,
      });
      expect(await office.look()).toEqual(['same']);
      expect(await office.add('corrected.xml', corrected, true)).toMatchObject({
        ok: true,
        value: { isNew: true, replaced: 1 },
      });
      expect(await office.look()).toEqual(['looked']);
      expect(await office.said()).toEqual(['Berlin 1: arrived']);
    });

    test('that was corrected by mistake counts again when it is handed in again', async () => {
      const office = await chainOn(on.database());
      const berlin = await office.shop('Berlin');
      await berlin.close({ number: '1', totalMinor: 100_000 });
      await office.addDays('2026-11-08', '2026-11-09');
      const of = (minor: number) =>
        statementFile({
          day: '2026-11-10',
          number: 3,
          openingMinor: 100_000,
          bookings: [
            paid(minor, 'BATCH 1 TID 52500041'),
            ...[-50_000, 50_000 - minor].map((rent) => ({ minor: rent, remark: 'RENT' })),
          ],
        });
      const [right, wrong] = [of(99_000), of(90_000)];
      const next = (number: number) =>
        statementFile({ day: `2026-11-${number + 7}`, number, openingMinor: 100_000 });
      for (const number of [4, 5, 6]) await office.add(`${number}.xml`, next(number));
      office.clock.jump(4 * dayMs);
      const counting = async () => {
        await office.look();
        const rows = await on.database().query<{ name: string }>(
          `SELECT name FROM statements JOIN statement_files USING (file_id)
           WHERE until_day = '2026-11-10' AND replaced_by IS NULL`,
        );
        return [...rows.map(({ name }) => name), ...(await office.said())];
      };
      const ok = (value: object) => ({ ok: true, value });
      expect(await office.add('right.xml', right)).toMatchObject(ok({ isNew: true, replaced: 0 }));
      expect(await office.add('wrong.xml', wrong, true)).toMatchObject(ok({ isNew: true, replaced: 1 }));
      expect(await counting()).toEqual(['wrong.xml', 'Berlin 1: short !']);
      expect(await office.add('right.xml', right)).toMatchObject({
        ok: false,
        message: expect.stringMatching(/contradict each other on 2026-11-10.*--corrects/) as string,
      });
      expect(await counting()).toEqual(['wrong.xml', 'Berlin 1: short !']);
      office.clock.jump(1_000);
      expect(await office.add('right.xml', right, true)).toMatchObject(ok({ isNew: true, replaced: 1 }));
      expect(await counting()).toEqual(['right.xml', 'Berlin 1: arrived']);
      expect(await office.add('right.xml', right)).toMatchObject(ok({ isNew: false }));
      office.clock.jump(1_000);
      expect(await office.add('wrong.xml', wrong, true)).toMatchObject(ok({ isNew: true, replaced: 1 }));
      expect(await counting()).toEqual(['wrong.xml', 'Berlin 1: short !']);
    });
  });

  describe('what a person has settled', () => {
    test('stays settled, also when it is looked for again', async () => {
      const office = await chainOn(on.database());
      const berlin = await office.shop('Berlin');
      const batchId = await berlin.close({ number: '1', totalMinor: 100_000 });
      await office.addDays('2026-11-08', '2026-11-13');
      office.clock.jump(4 * dayMs);
      await office.look();
      expect(await office.said({ late: true })).toEqual(['Berlin 1: late !']);
      const word = { by: 'Grace', reason: 'Acme kept a chargeback.' };
      const settled = await office.settle({ batchIds: [batchId], acquirer: 'Acme', entryIds: [], ...word });
      expect(settled).toMatchObject({ ok: true, merchant: 'Chain' });
      expect(await office.said({ late: true })).toEqual([]);
      office.clock.jump(dayMs);
      expect(await office.look()).toEqual(['looked']);
      expect(await office.said()).toEqual(['Berlin 1: short']);
      const { deposits } = await office.list();
      expect(deposits).toMatchObject([{ decided_by: 'Grace', decided_reason: 'Acme kept a chargeback.' }]);
    });

    test('can give entries to batches, and be that an entry is nobody’s', async () => {
      const office = await chainOn(on.database());
      const berlin = await office.shop('Berlin');
      const batchId = await berlin.close({ number: '1', totalMinor: 100_000 });
      await office.addDays('2026-11-08', '2026-11-13', {
        '2026-11-10': [paid(98_500, 'less a terminal rent')],
        '2026-11-11': [paid(500, 'a gift')],
      });
      office.clock.jump(4 * dayMs);
      await office.look();
      const { entries } = await office.list();
      const [money, gift] = entries;
      expect(entries.map(({ remark }) => remark)).toEqual(['ACME less a terminal rent', 'ACME a gift']);
      const word = { by: 'Grace', reason: 'Acme wrote so.' };
      const gave = await office.settle({
        batchIds: [batchId],
        acquirer: 'Acme',
        entryIds: [money?.entry_id ?? ''],
        ...word,
      });
      expect(gave).toMatchObject({ ok: true });
      expect(
        await office.settle({ merchant: 'Chain', entryId: gift?.entry_id ?? '', ...word }),
      ).toMatchObject({
        ok: true,
      });
      await office.look();
      const after = await office.list();
      expect((await office.list({ late: true })).entries).toEqual([]);
      expect(after.entries).toMatchObject([{ unexplained: false, settled_by: 'Grace' }]);
      expect(after.deposits).toMatchObject([
        { state: 'short', arrived_minor: 98_500, needs_person: false, decided_by: 'Grace' },
      ]);
    });

    test('can be taken back, and is looked for anew then', async () => {
      const { office, batchId } = await withGift(on.database());
      const before = await office.list();
      const gift = before.entries[0]?.entry_id ?? '';
      expect(before.entries).toMatchObject([{ unexplained: true, settled_by: null }]);
      const word = { by: 'Grace', reason: 'Acme wrote so.' };
      const batch = { batchIds: [batchId], acquirer: 'Acme', entryIds: [gift] };
      expect(await office.settle({ ...batch, ...word })).toMatchObject({ ok: true });
      await office.look();
      expect(await office.said()).toEqual(['Berlin 1: short']);
      // It was said of the wrong batch.
      const back = { by: 'Ada', reason: 'It is no batch’s money.' };
      expect(await office.unsettle({ batchId, acquirer: 'Acme', ...back })).toMatchObject({
        ok: true,
        merchant: 'Chain',
      });
      expect((await office.list()).deposits).toMatchObject([{ decided_by: null, needs_person: true }]);
      expect(await office.look()).toEqual(['looked']);
      const since = ({ since: _since, ...rest }: { since: string }) => rest;
      const after = await office.list();
      expect(after.deposits.map(since)).toEqual(before.deposits.map(since));
      expect(after.entries.map(since)).toEqual(before.entries.map(since));
      // Nothing is left of it to be taken back, and it can be settled otherwise.
      expect(await office.unsettle({ batchId, acquirer: 'Acme', ...back })).toMatchObject({ ok: false });
      expect(await office.settle({ merchant: 'Chain', entryId: gift, ...back })).toMatchObject({ ok: true });
      await office.look();
      expect((await office.list()).entries).toMatchObject([
        { unexplained: false, settled_by: 'Ada', settled_reason: 'It is no batch’s money.' },
      ]);
      expect((await office.list({ late: true })).entries).toEqual([]);
      expect(await office.said()).toEqual(['Berlin 1: late !']);
      const kinds = await on
        .database()
        .query('SELECT kind, decided_by FROM deposit_decisions ORDER BY decision');
      expect(kinds.map(({ kind, decided_by }) => [kind, decided_by])).toEqual([
        ['match', 'Grace'],
        ['taken_back', 'Ada'],
        ['nobody', 'Ada'],
      ]);
    });

    test('of an entry can be taken back', async () => {
      const { office } = await withGift(on.database());
      const entryId = (await office.list()).entries[0]?.entry_id ?? '';
      const asked = { merchant: 'Chain', entryId, by: 'Grace', reason: 'So.' };
      expect(await office.unsettle(asked)).toMatchObject({ ok: false, error: 'not_found' });
      expect(await office.settle(asked)).toMatchObject({ ok: true });
      // A month and more later it is beside what is usually looked at.
      office.clock.jump(60 * dayMs);
      await office.look();
      expect((await office.list()).entries).toMatchObject([{ entry_id: entryId, settled_by: 'Grace' }]);
      expect(await office.unsettle(asked)).toMatchObject({ ok: true });
      expect((await office.list({ late: true })).entries).toMatchObject([
        { unexplained: true, settled_by: null },
      ]);
      await office.look();
      expect((await office.list({ late: true })).entries).toMatchObject([
        { unexplained: true, settled_by: null },
      ]);
      expect(await office.unsettle(asked)).toMatchObject({ ok: false });
    });

    test('together is taken back together', async () => {
      const rules = rulesOf({ ...chain, acquirers: [{ ...acme, names: [] }] });
      const office = await chainOn(on.database(), rules);
      const berlin = await office.shop('Berlin');
      const batchIds = [
        await berlin.close({ number: '1', totalMinor: 100_000 }),
        await berlin.close({ number: '2', totalMinor: 200_000 }),
      ];
      await office.addDays('2026-11-08', '2026-11-13', { '2026-11-11': [paid(297_000, 'all of it')] });
      office.clock.jump(4 * dayMs);
      await office.look();
      const entryIds = (await office.list()).entries.map(({ entry_id }) => entry_id);
      const word = { by: 'Grace', reason: 'Both in one.' };
      await office.settle({ batchIds, acquirer: 'Acme', entryIds, ...word });
      await office.look();
      expect(await office.said({ late: true })).toEqual([]);
      await office.unsettle({ batchId: batchIds[1] ?? '', acquirer: 'Acme', ...word });
      await office.look();
      expect(await office.said({ late: true })).toHaveLength(2);
    });

    test('while money is looked for is not written over, and holds from the next look on', async () => {
      const { office, batchId } = await withGift(on.database());
      office.clock.jump(dayMs);
      const entryId = (await office.list()).entries[0]?.entry_id ?? '';
      const word = { by: 'Grace', reason: 'Acme kept a chargeback.' };
      const settledMeanwhile: typeof searchHere = (signal) => {
        const search = searchHere(signal);
        return {
          ...search,
          async find(head) {
            const found = await search.find(head);
            await office.settle({ batchIds: [batchId], acquirer: 'Acme', entryIds: [], ...word });
            await office.settle({ merchant: 'Chain', entryId, ...word });
            return found;
          },
        };
      };
      expect(await office.look(undefined, undefined, settledMeanwhile)).toEqual(['looked']);
      expect(await office.said()).toEqual(['Berlin 1: unclear unexplained-entries']);
      expect(await office.list({ late: true })).toMatchObject({ deposits: [], entries: [] });
      expect(await office.look()).toEqual(['looked']);
      expect(await office.said()).toEqual(['Berlin 1: short']);
      expect((await office.list()).entries).toMatchObject([{ unexplained: false, settled_by: 'Grace' }]);
    });

    test('must be there', async () => {
      const office = await chainOn(on.database());
      const word = { by: 'Grace', reason: 'So.' };
      const batchIds = [office.chance.uuid()];
      expect(await office.settle({ batchIds, acquirer: 'Acme', entryIds: [], ...word })).toMatchObject({
        ok: false,
        error: 'not_found',
      });
      expect(await office.settle({ merchant: 'Chain', entryId: 'x', ...word })).toMatchObject({ ok: false });
    });
  });

  test('one process at a time looks', async () => {
    const office = await chainOn(on.database());
    const berlin = await office.shop('Berlin');
    await berlin.close({ number: '1', totalMinor: 100_000 });
    if (on.server === null) return;
    const second = on.second();
    await on.database().transaction(async (queries) => {
      await queries.query('SELECT pg_advisory_xact_lock(7411004)');
      expect(await office.look(undefined, second)).toEqual(['elsewhere']);
    });
    expect(await office.look(undefined, second)).toEqual(['looked']);
  });
});
