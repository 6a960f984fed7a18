/** Who is told of what, how often, and what becomes of messages when processes and receivers die. */
import { describe, expect, test } from 'vitest';
import { DatabaseError, type Database } from '../../../src/office/database/database.ts';
import { giveUpAfterMs } from '../../../src/office/alarms/outbox.ts';
import { onBothEngines, type TestDatabase } from '../support/databases.ts';
import { alarmFile, alarmsOn, hourMs, minuteMs, secondMs, type SentMail } from './alarm-kit.ts';

const discrepancies = { name: 'Discrepancies', watch: 'discrepancy' };
const silent = { name: 'Silent', watch: 'silent', minutes: 5 };
const support = alarmFile(['support'], discrepancies);

function firstLines(mails: readonly SentMail[]): string[] {
  return mails.map(({ text }) => text.split('\n')[0] ?? '');
}

/** The connection of another process. PGlite has only one. */
function otherProcess(on: TestDatabase): Database {
  return on.server === null ? on.database() : on.second();
}

onBothEngines((on) => {
  describe('told is', () => {
    test('an alarm once, and its end once, with how long it lasted', async () => {
      const chain = await alarmsOn(on.database(), support);
      const acknowledge = await (await chain.live('Berlin')).discrepancy('Records are missing.');
      chain.start();
      await chain.clock.advance(45 * minuteMs);
      await acknowledge();
      await chain.clock.advance(45 * minuteMs);
      expect(chain.mails.map(({ text }) => text)).toEqual([
        '1 new. 1 alarm stands now.\n\n' +
          'New: Berlin (main): There is a discrepancy: Records are missing. Since 2026-11-03 12:00 UTC.',
        '1 over. All clear: no alarm stands now.\n\n' +
          'Over after 45 minutes: Berlin (main): There is a discrepancy: Records are missing.',
      ]);
    });

    test('the pages of a shop when an alarm begins, is told and ends, and at no other time', async () => {
      const chain = await alarmsOn(on.database(), support);
      const { shopId, discrepancy } = await chain.live('Berlin');
      await chain.live('Hamburg');
      const acknowledge = await discrepancy('one');
      chain.start();
      await chain.clock.advance(5 * minuteMs);
      // It stands, a message tells of it, and that was taken.
      expect(chain.news).toEqual([shopId, shopId, shopId]);
      await chain.clock.advance(hourMs);
      expect(chain.news).toHaveLength(3);
      await acknowledge();
      await chain.clock.advance(5 * minuteMs);
      expect(chain.news).toEqual(Array.from({ length: 6 }, () => shopId));
    });

    test('in one message what comes within the window, and in another what comes later', async () => {
      const chain = await alarmsOn(on.database(), support);
      const shop = await chain.live('Berlin');
      const alarms = chain.start();
      for (const message of ['one', 'two', 'three']) {
        await shop.discrepancy(message);
        alarms.wake();
        await chain.clock.advance(8 * secondMs);
      }
      await chain.clock.advance(5 * minuteMs);
      await shop.discrepancy('four');
      await chain.clock.advance(5 * minuteMs);
      expect(firstLines(chain.mails)).toEqual(['3 new. 3 alarms stand now.', '1 new. 4 alarms stand now.']);
    });

    test('nobody of what has come and gone between two messages', async () => {
      const chain = await alarmsOn(on.database(), support);
      const shop = await chain.live('Berlin');
      const alarms = chain.start();
      const acknowledge = await shop.discrepancy('one');
      alarms.wake();
      await chain.clock.advance(10 * secondMs);
      expect(await chain.standing()).toHaveLength(1);
      await acknowledge();
      await chain.clock.advance(5 * minuteMs);
      expect(chain.mails).toEqual([]);
    });

    test('each receiver of what its rules find', async () => {
      const file = alarmFile(
        ['support', 'owner'],
        { ...discrepancies, receivers: ['support'] },
        { ...discrepancies, name: 'Important', shops: ['Berlin'], receivers: ['owner'] },
      );
      const chain = await alarmsOn(on.database(), file);
      const ends = [
        await (await chain.live('Berlin')).discrepancy('one'),
        await (await chain.live('Hamburg')).discrepancy('two'),
      ];
      chain.start();
      await chain.clock.advance(5 * minuteMs);
      for (const end of ends) await end();
      await chain.clock.advance(5 * minuteMs);
      const told = chain.mails.map(({ receiver, text }) => `${receiver}: ${text.split('\n')[0]}`);
      expect(told.toSorted()).toEqual([
        'owner: 1 new. 1 alarm stands now.',
        'owner: 1 over. All clear: no alarm stands now.',
        'support: 2 new. 2 alarms stand now.',
        'support: 2 over. All clear: no alarm stands now.',
      ]);
    });

    test('a receiver that is new of what stands already', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], discrepancies));
      await (await chain.live('Berlin')).discrepancy('one');
      await chain.evaluate();
      chain.clock.jump(hourMs);
      chain.start({ content: support });
      await chain.clock.advance(minuteMs);
      expect(firstLines(chain.mails)).toEqual(['1 new. 1 alarm stands now.']);
    });

    test('that a thing is no longer watched, when its rule is taken out', async () => {
      const chain = await alarmsOn(on.database(), support);
      await (await chain.live('Berlin')).discrepancy('one');
      const before = chain.start();
      await chain.clock.advance(minuteMs);
      await before.close();
      chain.start({ content: alarmFile(['support'], silent) });
      await chain.clock.advance(minuteMs);
      expect(chain.mails.map(({ text }) => text.split('\n')[2])).toEqual([
        expect.stringMatching(/^New: /),
        expect.stringMatching(/^No longer watched, because the rule "Discrepancies" is gone: Berlin/),
      ]);
    });
  });

  describe('what comes and goes', () => {
    /** A bridge that is heard for a moment, each time that its silence has been an alarm for two minutes. */
    async function flapping(withinMinutes: number, minutes: number) {
      const again = { withinMinutes, atMostEveryMinutes: 30 };
      const chain = await alarmsOn(on.database(), { ...alarmFile(['support'], silent), again });
      const shop = await chain.live('Berlin');
      chain.start();
      for (let minute = 0, noticed = 0; minute < minutes; minute += 1) {
        noticed = (await chain.standing()).length > 0 ? noticed + 1 : 0;
        if (noticed > 2) await shop.heard();
        await chain.clock.advance(minuteMs);
      }
      return chain;
    }

    test('is told once in a while only, as something that came again, each time with its end', async () => {
      const { mails, database } = await flapping(60, 100);
      const raised = mails.filter(({ text }) => /^(New|Again)/m.test(text));
      const ended = mails.filter(({ text }) => text.includes('Over after'));
      expect(raised.length).toBeGreaterThanOrEqual(3);
      expect(raised.length).toBeLessThanOrEqual(4);
      expect(Math.abs(raised.length - ended.length)).toBeLessThanOrEqual(1);
      expect(raised.map(({ text }) => text.split('\n')[2]?.split(':')[0])).toEqual([
        'New',
        ...raised.slice(1).map(() => expect.stringMatching(/^Again, for the \d+(st|nd|rd|th) time$/)),
      ]);
      raised.forEach(({ sentAt }, at) => {
        expect(sentAt - (raised[at - 1]?.sentAt ?? -Infinity)).toBeGreaterThanOrEqual(30 * minuteMs);
      });
      expect(await database.query('SELECT FROM alarms')).toHaveLength(1);
    });

    test('is new each time where it comes back late', async () => {
      const { mails } = await flapping(0, 40);
      const raised = mails.filter(({ text }) => /^(New|Again)/m.test(text));
      expect(raised.length).toBeGreaterThan(3);
      expect(raised.every(({ text }) => text.includes('New: '))).toBe(true);
    });
  });

  describe('several processes', () => {
    test('tell each alarm once and its end once, whoever of them does it', async () => {
      const chain = await alarmsOn(on.database(), support);
      const shop = await chain.live('Berlin');
      const all = [chain.start(), chain.start({ database: otherProcess(on) })];
      all.push(chain.start({ database: otherProcess(on) }));
      const ends: (() => Promise<void>)[] = [];
      for (let count = 0; count < 6; count += 1) {
        ends.push(await shop.discrepancy(`number ${count}`));
        for (const one of all) one.wake();
        await chain.clock.advance(20 * secondMs);
      }
      for (const end of ends) {
        await end();
        for (const one of all) one.wake();
        await chain.clock.advance(20 * secondMs);
      }
      await chain.clock.advance(5 * minuteMs);
      const lines = chain.mails.flatMap(({ text }) => text.split('\n').slice(2));
      const told = lines.map((line) => `${line.split(/[ :]/)[0]} ${/number \d/.exec(line)?.[0]}`);
      const numbers = [0, 1, 2, 3, 4, 5];
      expect(told.toSorted()).toEqual([
        ...numbers.map((number) => `New number ${number}`),
        ...numbers.map((number) => `Over number ${number}`),
      ]);
      expect(new Set(chain.mails.map(({ id }) => id)).size).toBe(chain.mails.length);
    });

    test('that evaluate at the same moment decide once', async () => {
      const chain = await alarmsOn(on.database(), support);
      const shop = await chain.live('Berlin');
      const databases = [on.database(), otherProcess(on), otherProcess(on)];
      const all = () => Promise.all(databases.map((one) => chain.evaluate(support, 0, one)));
      await all();
      for (let count = 0; count < 8; count += 1) {
        const end = await shop.discrepancy(`number ${count}`);
        await all();
        chain.clock.jump(minuteMs);
        await all();
        await end();
        await all();
        chain.clock.jump(minuteMs);
        await all();
      }
      const messages = await chain.database.query<{ raised: number; cleared: number }>(
        `SELECT (content -> 'counts' ->> 'raised')::integer AS raised, (content -> 'counts' ->> 'cleared')::integer AS cleared
         FROM alarm_messages ORDER BY made_at, message_id`,
      );
      expect(messages.filter(({ raised }) => raised === 1)).toHaveLength(8);
      expect(messages.filter(({ cleared }) => cleared === 1)).toHaveLength(8);
      expect(messages).toHaveLength(16);
    });

    test('lose nothing when one dies between deciding and sending', async () => {
      const chain = await alarmsOn(on.database(), support);
      await (await chain.live('Berlin')).discrepancy('one');
      await chain.evaluate();
      chain.clock.jump(30 * secondMs);
      await chain.evaluate();
      expect(await chain.database.query("SELECT FROM alarm_messages WHERE state = 'waiting'")).toHaveLength(
        1,
      );
      chain.start({ database: otherProcess(on) });
      await chain.clock.advance(minuteMs);
      expect(firstLines(chain.mails)).toEqual(['1 new. 1 alarm stands now.']);
    });

    test('send a message again, with the same id, when one dies while it sends', async () => {
      const chain = await alarmsOn(on.database(), support);
      await (await chain.live('Berlin')).discrepancy('one');
      await chain.evaluate();
      chain.clock.jump(30 * secondMs);
      await chain.evaluate();
      const taken = await chain.outbox.take('support');
      chain.start({ database: otherProcess(on) });
      await chain.clock.advance(minuteMs);
      expect(chain.mails).toEqual([]);
      await chain.clock.advance(2 * minuteMs);
      expect(chain.mails.map(({ id }) => id)).toEqual([taken?.message.id]);
    });

    test('with other rules than one that was started later evaluate nothing, until that one is gone', async () => {
      const chain = await alarmsOn(on.database(), support);
      await (await chain.live('Berlin')).discrepancy('one');
      const old = alarmFile(['support'], silent);
      const now = chain.clock.now();
      expect(await chain.evaluate(old, now)).toEqual({ kind: 'evaluated', stands: [] });
      expect((await chain.evaluate(support, now + 1)).stands).toEqual(['Discrepancies: Berlin']);
      expect(await chain.evaluate(old, now)).toEqual({
        kind: 'other_rules',
        stands: ['Discrepancies: Berlin'],
      });
      chain.clock.jump(3 * minuteMs);
      expect(await chain.evaluate(old, now)).toEqual({ kind: 'evaluated', stands: [] });
      expect((await chain.evaluate(support, now + 1)).kind).toBe('evaluated');
    });

    test('that were started without the file keep nobody from telling', async () => {
      const chain = await alarmsOn(on.database(), support);
      await chain.evaluate();
      const later = chain.clock.now() + 1;
      expect((await chain.evaluate({}, later)).kind).toBe('other_rules');
      expect((await chain.evaluate()).kind).toBe('evaluated');
    });

    test('without the file evaluate while nobody else does, and no longer', async () => {
      const chain = await alarmsOn(on.database(), support);
      const before = chain.clock.now();
      const later = before + 1;
      await chain.evaluate(support, before);
      chain.clock.jump(3 * minuteMs);
      expect((await chain.evaluate({}, later)).kind).toBe('evaluated');
      chain.clock.jump(secondMs);
      expect((await chain.evaluate({}, later)).kind).toBe('evaluated');
      expect((await chain.evaluate(support, before)).kind).toBe('evaluated');
      expect((await chain.evaluate({}, later)).kind).toBe('other_rules');
    });

    test('that all tell nobody have the rules of the one that was started last', async () => {
      const chain = await alarmsOn(on.database(), alarmFile([], discrepancies));
      const later = chain.clock.now() + 1;
      await chain.evaluate();
      expect((await chain.evaluate(alarmFile([], silent), later)).kind).toBe('evaluated');
      expect((await chain.evaluate()).kind).toBe('other_rules');
    });

    test('leave it to the one that is at it', async () => {
      // PGlite has one connection, on which everything waits.
      if (on.server === null) return;
      const chain = await alarmsOn(on.database(), support);
      await otherProcess(on).transaction(async (queries) => {
        await queries.query('SELECT FROM alarm_turn FOR UPDATE');
        expect((await chain.evaluate()).kind).toBe('elsewhere');
      });
      expect((await chain.evaluate()).kind).toBe('evaluated');
    });
  });

  describe('a receiver that fails', () => {
    test('is tried again after pauses that grow, and gets everything in its order', async () => {
      const chain = await alarmsOn(on.database(), support);
      const shop = await chain.live('Berlin');
      let broken = true;
      chain.server.take = () => (broken ? Promise.reject(new Error('450 busy')) : Promise.resolve());
      const alarms = chain.start();
      const acknowledge = await shop.discrepancy('one');
      await chain.clock.advance(20 * minuteMs);
      await acknowledge();
      await chain.clock.advance(10 * minuteMs);
      const tries = chain.mails.map(({ sentAt }) => sentAt);
      const pauses = tries.slice(1).map((sentAt, at) => sentAt - (tries[at] ?? 0));
      expect(pauses.length).toBeGreaterThanOrEqual(4);
      expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
      expect(new Set(chain.mails.map(({ id }) => id)).size).toBe(1);
      expect((await alarms.list()).undelivered).toMatchObject([
        { receiver: 'support', state: 'waiting', answer: '450 busy', attempts: tries.length },
      ]);
      broken = false;
      chain.mails.length = 0;
      await chain.clock.advance(20 * minuteMs);
      expect(firstLines(chain.mails)).toEqual([
        '1 new. 1 alarm stands now.',
        '1 over. All clear: no alarm stands now.',
      ]);
      expect((await alarms.list()).undelivered).toEqual([]);
    });

    test('is given up for a message after a day, which is shown, and is told anew of what still stands', async () => {
      const chain = await alarmsOn(on.database(), support);
      const shop = await chain.live('Berlin');
      chain.server.take = () => Promise.reject(new Error('550 no such user'));
      const alarms = chain.start();
      const acknowledge = await shop.discrepancy('one');
      await shop.discrepancy('two');
      await chain.clock.advance(2 * minuteMs);
      chain.clock.jump(giveUpAfterMs - 5 * minuteMs);
      await chain.clock.advance(minuteMs);
      expect((await alarms.list()).undelivered).toMatchObject([{ state: 'waiting' }]);
      await acknowledge();
      chain.clock.jump(30 * minuteMs);
      await chain.clock.advance(minuteMs);
      const undelivered = async () =>
        (await alarms.list()).undelivered.map(({ state, counts, answer }) => ({
          state,
          raised: counts.raised,
          answer,
        }));
      const givenUp = { state: 'given_up', raised: 2, answer: '550 no such user' };
      const waiting = { state: 'waiting', raised: 1, answer: '550 no such user' };
      expect(await undelivered()).toEqual([waiting, givenUp]);
      expect((await alarms.list()).alarms).toMatchObject([{ told: [{ delivery: 'waiting' }] }]);
      // Nor is it told more often than once in a day.
      await chain.clock.advance(20 * minuteMs);
      expect(await undelivered()).toEqual([waiting, givenUp]);
      chain.server.take = () => Promise.resolve();
      chain.mails.length = 0;
      await chain.clock.advance(20 * minuteMs);
      expect(firstLines(chain.mails)).toEqual(['1 new. 1 alarm stands now.']);
      expect(chain.mails[0]?.text).toContain('two');
    });

    test('is not told of the end of what only a message told that was given up', async () => {
      const chain = await alarmsOn(on.database(), support);
      const acknowledge = await (await chain.live('Berlin')).discrepancy('one');
      await chain.evaluate();
      chain.clock.jump(minuteMs);
      await chain.evaluate();
      chain.clock.jump(giveUpAfterMs + 2 * hourMs);
      await chain.outbox.sweep();
      await acknowledge();
      chain.start();
      await chain.clock.advance(5 * minuteMs);
      expect(chain.mails).toEqual([]);
    });

    test('keeps no other one waiting', async () => {
      const chain = await alarmsOn(on.database(), alarmFile(['slow', 'support'], discrepancies));
      chain.server.take = ({ receiver }) => (receiver === 'slow' ? new Promise(() => {}) : Promise.resolve());
      const shop = await chain.live('Berlin');
      chain.start();
      await shop.discrepancy('one');
      await chain.clock.advance(2 * minuteMs);
      const [slow, other] = chain.mails;
      expect(other?.sentAt).toBe(slow?.sentAt);
      await shop.discrepancy('two');
      await chain.clock.advance(2 * minuteMs);
      expect(firstLines(chain.mails.filter(({ receiver }) => receiver === 'support'))).toEqual([
        '1 new. 1 alarm stands now.',
        '1 new. 2 alarms stand now.',
      ]);
    });

    test('that is no longer in the file leaves no message waiting for ever', async () => {
      const chain = await alarmsOn(on.database(), support);
      await (await chain.live('Berlin')).discrepancy('one');
      await chain.evaluate();
      chain.clock.jump(minuteMs);
      await chain.evaluate();
      const alarms = chain.start({ content: alarmFile(['owner'], discrepancies) });
      chain.clock.jump(giveUpAfterMs + 2 * hourMs);
      await chain.clock.advance(minuteMs);
      expect((await alarms.list()).undelivered).toMatchObject([{ receiver: 'support', state: 'given_up' }]);
    });
  });

  describe('evaluated is', () => {
    test('within seconds of a change, and not for each of many changes', async () => {
      const bare = on.database();
      let evaluations = 0;
      const counting: Database = {
        ...bare,
        transaction(work) {
          evaluations += 1;
          return bare.transaction(work);
        },
      };
      const chain = await alarmsOn(bare, alarmFile([], discrepancies));
      const shop = await chain.live('Berlin');
      const alarms = chain.start({ database: counting });
      await chain.clock.advance(10 * secondMs);
      await shop.discrepancy('one');
      alarms.wake();
      await chain.clock.advance(4 * secondMs);
      expect(await chain.standing()).toHaveLength(1);
      evaluations = 0;
      for (let count = 0; count < 60; count += 1) {
        alarms.wake();
        await chain.clock.advance(secondMs);
      }
      expect(evaluations).toBeGreaterThanOrEqual(15);
      expect(evaluations).toBeLessThanOrEqual(21);
    });

    test('again when the database is back, and nothing was told twice', async () => {
      const bare = on.database();
      const chain = await alarmsOn(bare, support);
      const shop = await chain.live('Berlin');
      let isAway = false;
      const asked = <T>(work: () => Promise<T>): Promise<T> =>
        isAway ? Promise.reject(new DatabaseError('It is away.', null, null)) : work();
      chain.start({
        database: {
          ...bare,
          query: (sql, values) => asked(() => bare.query(sql, values)),
          transaction: (work) => asked(() => bare.transaction(work)),
        },
      });
      await shop.discrepancy('one');
      await chain.clock.advance(2 * minuteMs);
      isAway = true;
      await shop.discrepancy('two');
      await chain.clock.advance(10 * minuteMs);
      isAway = false;
      await chain.clock.advance(2 * minuteMs);
      expect(firstLines(chain.mails)).toEqual(['1 new. 1 alarm stands now.', '1 new. 2 alarms stand now.']);
    });
  });

  test('what is over is forgotten after a month, with its messages', async () => {
    const chain = await alarmsOn(on.database(), support);
    const acknowledge = await (await chain.live('Berlin')).discrepancy('one');
    chain.start();
    await chain.clock.advance(2 * minuteMs);
    await acknowledge();
    await chain.clock.advance(2 * minuteMs);
    expect(await chain.database.query('SELECT FROM alarm_messages')).toHaveLength(2);
    chain.clock.jump(31 * 24 * hourMs);
    await chain.clock.advance(2 * minuteMs);
    for (const table of ['alarms', 'alarm_tellings', 'alarm_messages'])
      expect(await chain.database.query(`SELECT FROM ${table}`), table).toEqual([]);
  });

  test('a test message goes to one receiver at once, and says what came back', async () => {
    const chain = await alarmsOn(on.database(), alarmFile(['support', 'owner'], discrepancies));
    const alarms = chain.start();
    expect(await alarms.test('owner')).toEqual({ delivered: true, answer: 'It answered 250 queued' });
    chain.server.take = () => Promise.reject(new Error('535 wrong password'));
    expect(await alarms.test('support')).toEqual({ delivered: false, answer: '535 wrong password' });
    expect(await alarms.test('nobody')).toBeNull();
    expect(chain.mails.map(({ receiver }) => receiver)).toEqual(['owner', 'support']);
  });
});
