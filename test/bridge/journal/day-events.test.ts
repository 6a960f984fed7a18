import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { dayEvents } from '../../../src/bridge/journal/day-events.ts';
import { positionsOf } from '../../../src/bridge/journal/span-positions.ts';
import { prepareQueries } from '../../../src/bridge/journal/query-sql.ts';
import { journalFiles } from '../../../src/bridge/journal/index.ts';
import { dataFolder, open, options } from './folder.ts';
import { batch, closed, ended, inDoubt, sale, voidOf } from './sample-events.ts';

const day = { from: '2031-05-06T00:00:00Z', until: '2031-05-07T00:00:00Z' };
const byHand = { resolvedBy: { name: 'Kim', reason: 'outcome:"voided", "resolvedBy":{' } };

/** Days with what happens on every day, and one on which there was more. */
function filledFolder() {
  let now = Date.parse('2031-05-04T20:00:00Z');
  const folder = dataFolder();
  const journal = open(folder, { ...options('').clock, now: () => now });
  const ordinary = (count: number) => {
    for (let at = 0; at < count; at += 1) {
      const payment = sale();
      journal.append(payment, ended(payment, 'approved', { reason: '"resolvedBy":{' }));
      now += 60_000;
    }
  };
  ordinary(30);
  const before = sale();
  journal.append(before, inDoubt(before), ended(before, 'failed', byHand));
  now = Date.parse('2031-05-06T00:00:00Z');
  const doubtful = sale();
  journal.append(doubtful, inDoubt(doubtful));
  ordinary(40);
  const reversed = sale();
  const reversal = voidOf(reversed);
  journal.append(reversed, ended(reversed, 'approved'), reversal, ended(reversal, 'voided'));
  ordinary(40);
  const close = batch();
  journal.append(ended(doubtful, 'approved', byHand), close, closed(close, []));
  now = Date.parse('2031-05-07T00:00:00Z');
  const after = sale();
  journal.append(after, inDoubt(after));
  return { folder, journal, doubtful, reversal, close };
}

describe('what happened on a day', () => {
  it('is doubts, decisions, voids and closed batches, and nothing of what every payment has', () => {
    const { journal, doubtful, reversal, close } = filledFolder();
    const { events, next } = journal.dayEvents(day, null);
    expect(next).toBe(null);
    expect(
      events.map(({ event }) => [event.type, 'operationId' in event ? event.operationId : null]),
    ).toEqual([
      ['operation_in_doubt', doubtful.operationId],
      ['operation_ended', reversal.operationId],
      ['operation_ended', doubtful.operationId],
      ['operation_ended', close.operationId],
    ]);
  });

  it('comes in pages, each event once', () => {
    const { folder, journal } = filledFolder();
    const database = new DatabaseSync(journalFiles(folder).main, { readOnly: true });
    const statement = prepareQueries(database);
    const wanted = journal.dayEvents(day, null).events;
    for (const lookEvents of [1, 7, 50]) {
      const found = [];
      for (let from: number | null = null; ;) {
        const page = dayEvents(statement, positionsOf(statement, day), { span: day, from, lookEvents });
        found.push(...page.events);
        if (page.next === null) break;
        from = page.next;
      }
      expect(found).toEqual(wanted);
    }
    database.close();
  });

  it('begins and ends at any moment', () => {
    const { journal } = filledFolder();
    const all = journal.eventsAfter(0, 1_000);
    const notable = journal.dayEvents({ from: '2001-01-01T00:00:00Z', until: '2041-01-01T00:00:00Z' }, null);
    expect(notable.events).toHaveLength(7);
    for (const { at: from } of all) {
      for (const until of [day.from, day.until, '2031-05-06T00:40:00.000Z']) {
        const wanted = notable.events.filter(({ at }) => at >= from && at < new Date(until).toISOString());
        expect(journal.dayEvents({ from, until }, null).events).toEqual(wanted);
      }
    }
  });

  it.each(['2001-01-01T00:00:00Z', '2099-01-01T00:00:00Z'])(
    'is found also where the clock said %s for a while before or after it',
    (wrong) => {
      let now = Date.parse('2031-05-05T20:00:00Z');
      const journal = open(dataFolder(), { ...options('').clock, now: () => now });
      const payments = (count: number) => {
        for (let at = 0; at < count; at += 1) {
          const payment = sale();
          journal.append(payment, ended(payment, 'approved'));
          now += 60_000;
        }
      };
      const clockIs = (time: string) => void (now = Date.parse(time));
      payments(4);
      clockIs(wrong);
      payments(4);
      clockIs('2031-05-06T09:00:00Z');
      payments(1);
      const doubtful = sale();
      journal.append(doubtful, inDoubt(doubtful));
      payments(1);
      clockIs(wrong);
      payments(20);
      clockIs('2031-05-07T09:00:00Z');
      payments(1);
      expect(journal.dayEvents(day, null).events).toMatchObject([
        { event: { type: 'operation_in_doubt', operationId: doubtful.operationId } },
      ]);
    },
  );

  it('is nothing on a day without events, before the first and after the last', () => {
    const { journal } = filledFolder();
    for (const [from, until] of [
      ['2031-05-05T12:00:00Z', '2031-05-05T13:00:00Z'],
      ['2001-01-01T00:00:00Z', '2001-01-02T00:00:00Z'],
      ['2041-01-01T00:00:00Z', '2041-01-02T00:00:00Z'],
      [day.until, day.from],
    ] as const)
      expect(journal.dayEvents({ from, until }, null)).toEqual({ events: [], next: null });
  });
});
