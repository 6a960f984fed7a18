/** What each rule finds, and when it is over. */
import { describe, expect, test } from 'vitest';
import { ended } from '../../bridge/journal/sample-events.ts';
import { onBothEngines } from '../support/databases.ts';
import { textOf } from '../support/shop.ts';
import { createShopStates } from '../../../src/office/shop-states.ts';
import { evaluate } from '../../../src/office/alarms/evaluate.ts';
import { chainOn, dayMs } from '../deposits/deposit-kit.ts';
import { statementFile } from '../deposits/statement.ts';
import { alarmFile, alarmsOn, hourMs, minuteMs, settingsOf } from './alarm-kit.ts';

onBothEngines((on) => {
  describe('doubt', () => {
    const rule = { name: 'Doubts', watch: 'doubt', minutes: 10 };

    test('stands once it is old enough, until it is resolved', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const resolve = await (await chain.live('Berlin')).doubt('R-1');
      chain.clock.jump(10 * minuteMs - 1);
      expect((await chain.evaluate()).stands).toEqual([]);
      chain.clock.jump(1);
      expect((await chain.evaluate()).stands).toEqual(['Doubts: Berlin']);
      expect((await chain.evaluate()).stands).toEqual(['Doubts: Berlin']);
      await resolve();
      expect((await chain.evaluate()).stands).toEqual([]);
    });

    test('is over when the journal goes on from a copy that has its end', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const shop = await chain.live('Berlin');
      await shop.doubt('R-1');
      const copy = shop.journal.copy();
      await shop.discrepancy('Records are missing.');
      chain.clock.jump(10 * minuteMs);
      expect((await chain.evaluate()).stands).toEqual(['Doubts: Berlin']);
      const [open] = (await chain.office.overview.open(1)).doubts;
      copy.add(ended({ operationId: open?.operation_id ?? '' }, 'approved'), chain.clock.now());
      await chain.office.send(shop, copy);
      expect((await chain.evaluate()).stands).toEqual([]);
    });

    test('of a simulated terminal stands only where the rule says so', async () => {
      const file = alarmFile([], rule, { ...rule, name: 'Trials', simulated: true });
      const chain = await alarmsOn(on.database(), file);
      await (await chain.live('Berlin')).doubt('R-1');
      await (await chain.trial('Hamburg')).doubt('R-2');
      chain.clock.jump(10 * minuteMs);
      expect((await chain.evaluate()).stands).toEqual([
        'Doubts: Berlin',
        'Trials: Berlin',
        'Trials: Hamburg',
      ]);
    });

    test('of another shop than those that the rule names is left alone', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], { ...rule, shops: ['Hamburg', 'Köln'] }));
      await (await chain.live('Berlin')).doubt('R-1');
      await (await chain.live('Hamburg')).doubt('R-2');
      chain.clock.jump(10 * minuteMs);
      expect((await chain.evaluate()).stands).toEqual(['Doubts: Hamburg']);
    });

    test.each([
      ['an hour ahead', hourMs],
      ['an hour behind', -hourMs],
    ])('of a till whose clock is %s is as old as it is', async (_what, aheadMs) => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const shop = await chain.live('Berlin');
      shop.clockIsAhead(aheadMs);
      await shop.heard();
      await shop.doubt('R-1');
      chain.clock.jump(9 * minuteMs);
      expect((await chain.evaluate()).stands).toEqual([]);
      chain.clock.jump(minuteMs);
      expect((await chain.evaluate()).stands).toEqual(['Doubts: Berlin']);
    });

    test('said with a clock that was put right since is as old as it is, also in a copy of the journal', async () => {
      const discrepancies = { name: 'Discrepancies', watch: 'discrepancy', minutes: 10 };
      const chain = await alarmsOn(on.database(), alarmFile([], rule, discrepancies));
      const shop = await chain.live('Berlin');
      const both = ['Discrepancies: Berlin', 'Doubts: Berlin'];
      const lateTo = async () => {
        await shop.say({ type: 'terminal_lost', reason: 'The line was lost.' });
        return (await chain.evaluate()).stands;
      };
      shop.clockIsAhead(24 * hourMs);
      await shop.heard();
      await shop.discrepancy('Records are missing.');
      await shop.doubt('R-1');
      shop.clockIsAhead(0);
      await shop.heard();
      const copy = shop.journal.copy();
      chain.clock.jump(9 * minuteMs);
      expect(await lateTo()).toEqual([]);
      chain.clock.jump(minuteMs);
      expect(await lateTo()).toEqual(both);
      copy.add({ type: 'journal_opened', version: '0.1.0' }, chain.clock.now());
      await chain.office.send(shop, copy);
      expect((await chain.evaluate()).stands).toEqual(both);
    });

    test('said with the clock of another century holds nothing up', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const shop = await chain.live('Berlin');
      shop.clockIsAhead(200_000 * 365 * 24 * hourMs);
      await shop.heard();
      shop.clockIsAhead(-60 * 365 * 24 * hourMs);
      await shop.doubt('R-1');
      await (await chain.live('Hamburg')).doubt('R-2');
      chain.clock.jump(10 * minuteMs);
      expect((await chain.evaluate()).stands).toEqual(['Doubts: Berlin', 'Doubts: Hamburg']);
    });
  });

  describe('discrepancy', () => {
    test('stands from the first minute on, until somebody has acknowledged it', async () => {
      const chain = await alarmsOn(
        on.database(),
        alarmFile([], { name: 'Discrepancies', watch: 'discrepancy' }),
      );
      const acknowledge = await (await chain.live('Berlin')).discrepancy('Records are missing.');
      expect((await chain.evaluate()).stands).toEqual(['Discrepancies: Berlin']);
      await acknowledge();
      expect((await chain.evaluate()).stands).toEqual([]);
    });
  });

  describe('journal_lag', () => {
    const rule = { name: 'Lags', watch: 'journal_lag', minutes: 10 };

    test('is a journal that does not come in although its bridge is heard, until it has', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const shop = await chain.live('Berlin');
      const states = createShopStates(on.database(), { clock: chain.clock, version: '0.1.0' });
      const pay = (times = 1) => {
        for (let i = 0; i < times; i += 1)
          shop.journal.add({ type: 'journal_opened', version: '0.1.0' }, chain.clock.now());
      };
      const minutes = async (count: number, busy: boolean) => {
        for (let minute = 0; minute < count; minute += 1) {
          if (busy) pay();
          await shop.heard({ lastSeq: shop.journal.lines.length });
          chain.clock.jump(minuteMs);
        }
      };
      const found = async () => {
        const [summary] = await states.shops();
        return [(await chain.evaluate()).stands, summary?.state];
      };
      // It sends each of its events, a moment after each heartbeat.
      for (let minute = 0; minute < 15; minute += 1) {
        await minutes(1, true);
        await shop.say({ type: 'journal_opened', version: '0.1.0' });
      }
      expect(await found()).toEqual([[], 'ready']);
      // Nothing of it comes in any more, and it goes on.
      await minutes(9, true);
      expect(await found()).toEqual([[], 'ready']);
      await minutes(2, true);
      expect(await found()).toEqual([['Lags: Berlin'], 'journal_trouble']);
      await minutes(5, false);
      expect(await found()).toEqual([['Lags: Berlin'], 'journal_trouble']);
      await shop.say({ type: 'journal_opened', version: '0.1.0' });
      expect(await found()).toEqual([[], 'ready']);
      await minutes(15, false);
      expect(await found()).toEqual([[], 'ready']);
    });

    test('is none of a journal that was put back, or of another till, and none any more without the key', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const [shop, other] = [await chain.live('Berlin'), await chain.live('Berlin')];
      await shop.say({ type: 'journal_opened', version: '0.1.0' });
      await other.heard({ lastSeq: 1 });
      await shop.heard({ lastSeq: 7 });
      chain.clock.jump(10 * minuteMs);
      expect((await chain.evaluate()).stands).toEqual(['Lags: Berlin', 'Lags: Berlin']);
      await shop.heard({ lastSeq: 1 });
      expect((await chain.evaluate()).stands).toEqual(['Lags: Berlin']);
      await chain.office.bridges.revoke(other.bridgeId);
      expect((await chain.evaluate()).stands).toEqual([]);
    });

    test('stands while the bridge does not run, or does not say how far its journal is', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const shop = await chain.live('Berlin');
      await shop.heard({ lastSeq: 1 });
      chain.clock.jump(10 * minuteMs);
      await shop.heard();
      await shop.stopped();
      expect((await chain.evaluate()).stands).toEqual(['Lags: Berlin']);
      await shop.say({ type: 'journal_opened', version: '0.1.0' });
      expect((await chain.evaluate()).stands).toEqual([]);
      // What came in is not missing again when another computer goes on with the journal.
      await shop.stopped();
      const next = await chain.live('Berlin');
      shop.journal.add({ type: 'journal_opened', version: '0.1.0' }, chain.clock.now());
      await chain.office.send(next, shop.journal);
      expect((await chain.evaluate()).stands).toEqual([]);
    });

    test('is one of a new journal that does not come in, whatever the replaced computer has sent', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const old = await chain.live('Berlin');
      for (let i = 0; i < 15; i += 1) await old.say({ type: 'journal_opened', version: '0.1.0' });
      await chain.office.bridges.revoke(old.bridgeId);
      const shop = await chain.live('Berlin');
      for (let lastSeq = 1; lastSeq <= 20; lastSeq += 1) {
        await shop.heard({ lastSeq });
        expect((await chain.evaluate()).stands).toEqual(lastSeq <= 10 ? [] : ['Lags: Berlin']);
        chain.clock.jump(minuteMs);
      }
    });

    test('is none of a bridge that has joined anew with the journal that the office has', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const old = await chain.live('Berlin');
      await old.say({ type: 'journal_opened', version: '0.1.0' });
      await chain.office.bridges.revoke(old.bridgeId);
      const shop = await chain.live('Berlin');
      await shop.heard({ lastSeq: 1 });
      chain.clock.jump(10 * minuteMs);
      expect((await chain.evaluate()).stands).toEqual([]);
      await shop.heard({ lastSeq: 2 });
      chain.clock.jump(10 * minuteMs);
      expect((await chain.evaluate()).stands).toEqual(['Lags: Berlin']);
    });

    test('is no change of the bridge that all pages hear of', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const shop = await chain.live('Berlin');
      await shop.heard({ lastSeq: 1 });
      expect(await shop.heard({ lastSeq: 2 })).toBe(false);
    });
  });

  describe('silent', () => {
    const rule = { name: 'Silent', watch: 'silent', minutes: 10 };
    const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
    const hours = {
      default: { timeZone: 'Europe/Berlin', open: [{ days: workdays, from: '08:00', to: '20:00' }] },
    };

    test('is a bridge that is not heard, until it is', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const [berlin, hamburg] = [await chain.live('Berlin'), await chain.live('Hamburg')];
      await chain.evaluate();
      for (let minute = 0; minute < 15; minute += 1) {
        chain.clock.jump(minuteMs);
        await hamburg.heard();
        const { stands } = await chain.evaluate();
        expect(stands).toEqual(minute < 9 ? [] : ['Silent: Berlin']);
      }
      await berlin.heard();
      expect((await chain.evaluate()).stands).toEqual([]);
    });

    test('is nobody’s alarm out of hours, and no sooner than that long after opening', async () => {
      // 12:00 UTC is 13:00 in Berlin; by 06:00 UTC on the next day it is 07:00 there.
      const chain = await alarmsOn(on.database(), { ...alarmFile([], rule), hours });
      await (await chain.live('Berlin')).heard();
      chain.clock.jump(18 * hourMs);
      const standsAt: string[] = [];
      for (let minute = 0; minute < 120; minute += 1) {
        const { stands } = await chain.evaluate();
        if (stands.length > 0) standsAt.push(new Date(chain.clock.now()).toISOString());
        chain.clock.jump(minuteMs);
      }
      expect(standsAt[0]).toBe('2026-11-04T07:09:00.000Z');
    });

    test('is not over because the shop has closed', async () => {
      const chain = await alarmsOn(on.database(), { ...alarmFile([], rule), hours });
      const shop = await chain.live('Berlin');
      await chain.evaluate();
      for (let minute = 0; minute < 10; minute += 1) {
        chain.clock.jump(minuteMs);
        await chain.evaluate();
      }
      expect(await chain.standing()).toEqual(['Silent: Berlin']);
      chain.clock.jump(10 * hourMs);
      expect((await chain.evaluate()).stands).toEqual(['Silent: Berlin']);
      await shop.heard();
      expect((await chain.evaluate()).stands).toEqual([]);
    });

    test('are not all of them when it was the office that was away', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const shop = await chain.live('Berlin');
      await shop.heard();
      await chain.evaluate();
      chain.clock.jump(hourMs);
      const { stands } = await chain.evaluate();
      expect(stands).toEqual([]);
      for (let minute = 0; minute < 10; minute += 1) {
        expect((await chain.evaluate()).stands).toEqual([]);
        chain.clock.jump(minuteMs);
      }
      expect((await chain.evaluate()).stands).toEqual(['Silent: Berlin']);
    });

    test('is neither a bridge whose key was taken away nor one with simulated terminals only', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const [berlin, hamburg] = [await chain.live('Berlin'), await chain.trial('Hamburg')];
      await chain.evaluate();
      await hamburg.heard();
      await chain.office.bridges.revoke(berlin.bridgeId);
      for (let minute = 0; minute < 15; minute += 1) {
        chain.clock.jump(minuteMs);
        expect((await chain.evaluate()).stands).toEqual([]);
      }
    });
  });

  describe('journal', () => {
    const rule = { name: 'Journals', watch: 'journal' };

    test('stands while a bridge says that it cannot write', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const shop = await chain.live('Berlin');
      await shop.heard({ journalWritable: false, message: 'The disk is full.' });
      expect((await chain.evaluate()).stands).toEqual(['Journals: Berlin']);
      await shop.heard();
      expect((await chain.evaluate()).stands).toEqual([]);
    });

    test('stands where events do not fit their hashes, until that is acknowledged', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], rule));
      const shop = await chain.live('Berlin');
      shop.journal.add({ type: 'journal_opened', version: '0.1.0' }, chain.clock.now());
      const head = { chain: null, after: shop.journal.placeAt(0) };
      const changed = shop.journal.lines.map((line) => ({ ...line, hash: 'f'.repeat(64) }));
      expect(await chain.office.takeText(shop, textOf(head, changed))).toMatchObject({
        kind: 'chain_broken',
      });
      expect((await chain.evaluate()).stands).toEqual(['Journals: Berlin']);
      await chain.database.query('UPDATE findings SET acknowledged_at = now()');
      expect((await chain.evaluate()).stands).toEqual([]);
    });
  });

  describe('deposit', () => {
    const rule = { name: 'Deposits', watch: 'deposit' };

    async function watched() {
      const database = on.database();
      const money = await chainOn(database);
      const { clock, chance } = money;
      const settings = settingsOf(alarmFile([], rule));
      return {
        ...money,
        /** Looks for the money, and gives what stands then. */
        async alarms() {
          await money.look();
          await evaluate(database, { settings, clock, chance, startedAt: 0 });
          const rows = await database.query<{ message: string }>(
            'SELECT message FROM alarms WHERE cleared_at IS NULL ORDER BY message',
          );
          return rows.map(({ message }) => message);
        },
      };
    }

    test('stands while money is missing, and is over when it has come or somebody has settled it', async () => {
      const { alarms, ...money } = await watched();
      const berlin = await money.shop('Berlin');
      const first = await berlin.close({ number: '1', totalMinor: 100_000 });
      await berlin.close({ number: '2', totalMinor: 50_000 });
      const paid = { minor: 40_000, remark: 'ACME BATCH 2 TID 52500041' };
      await money.addDays('2026-11-08', '2026-11-16', { '2026-11-10': [paid] });
      expect(await alarms()).toEqual([]);
      money.clock.jump(4 * dayMs);
      expect(await alarms()).toEqual([
        'Of the money of the batch 2 of 2026-11-09 (495.00 EUR from Acme) only 400.00 EUR have come; it was due by 2026-11-12.',
        'The money of the batch 1 of 2026-11-09 (990.00 EUR from Acme) has not come; it was due by 2026-11-12.',
      ]);
      const word = { by: 'Grace', reason: 'Acme kept a chargeback.' };
      await money.settle({ batchIds: [first], acquirer: 'Acme', entryIds: [], ...word });
      expect(await alarms()).toHaveLength(1);
      const rest = { minor: 9_500, remark: 'ACME BATCH 2 TID 52500041' };
      const late = statementFile({ day: '2026-11-17', number: 10, openingMinor: 140_000, bookings: [rest] });
      expect(await money.add('late.xml', late)).toMatchObject({ ok: true });
      money.clock.jump(4 * dayMs);
      expect(await alarms()).toEqual([]);
    });

    test('stands while nobody can say whether the money has come', async () => {
      const { alarms, ...money } = await watched();
      const berlin = await money.shop('Berlin');
      const batchId = await berlin.close({ number: '1', totalMinor: 100_000 });
      await money.addDays('2026-11-08', '2026-11-13');
      money.clock.jump(4 * dayMs);
      const batch = 'the money of the batch 1 of 2026-11-09 (990.00 EUR from Acme)';
      const due = 'it was due by 2026-11-12';
      expect(await alarms()).toEqual([
        `The money of the batch 1 of 2026-11-09 (990.00 EUR from Acme) has not come; ${due}.`,
      ]);
      // Something else has come.
      money.clock.jump(dayMs);
      const gift = { minor: 5_000, remark: 'ACME ADJUSTMENT' };
      await money.add(
        'gift.xml',
        statementFile({ day: '2026-11-14', number: 7, openingMinor: 100_000, bookings: [gift] }),
      );
      expect(await alarms()).toEqual([`It is unclear whether ${batch} has come; ${due}.`]);
      const told = await on.database().query('SELECT times, cleared_at FROM alarms');
      expect(told).toEqual([{ times: 1, cleared_at: null }]);
      const word = { by: 'Grace', reason: 'Acme paid in cash.' };
      await money.settle({ batchIds: [batchId], acquirer: 'Acme', entryIds: [], ...word });
      expect(await alarms()).toEqual([]);
    });

    test('begins when the last day has passed, also where no statement comes in any more', async () => {
      const { alarms, ...money } = await watched();
      const berlin = await money.shop('Berlin');
      await money.addDays('2026-11-07', '2026-11-09');
      await berlin.close({ number: '1', totalMinor: 100_000 });
      money.clock.jump(3 * dayMs);
      expect(await alarms()).toEqual([]);
      money.clock.jump(dayMs);
      expect(await alarms()).toEqual([
        'It is unclear whether the money of the batch 1 of 2026-11-09 (990.00 EUR from Acme) has come; ' +
          'it was due by 2026-11-12: statements of the account are missing.',
      ]);
    });

    test('does not begin before the last day, also where a person is needed', async () => {
      const { alarms, ...money } = await watched();
      const berlin = await money.shop('Berlin');
      const batchId = await berlin.close({ number: '1', totalMinor: 100_000 });
      await money.addDays('2026-11-08', '2026-11-09');
      await money.look();
      const word = { by: 'Grace', reason: 'Acme paid in cash.' };
      await money.settle({ batchIds: [batchId], acquirer: 'Acme', entryIds: [], ...word });
      await money.unsettle({ batchId, acquirer: 'Acme', ...word });
      expect((await money.list()).deposits).toMatchObject([{ needs_person: true }]);
      expect(await alarms()).toEqual([]);
    });
  });
});
