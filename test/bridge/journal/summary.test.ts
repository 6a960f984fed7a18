import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createKnownEnds } from '../../../src/bridge/journal/known-ends.ts';
import { prepareQueries } from '../../../src/bridge/journal/query-sql.ts';
import { everyPosition } from '../../../src/bridge/journal/span-positions.ts';
import { maxSummaryEnds, summaryOf } from '../../../src/bridge/journal/summary.ts';
import type { Currency } from '../../../src/contract/money.ts';
import { fillJournal } from '../../support/fill-journal.ts';
import { daySummarySchema } from '../../../src/contract/console/index.ts';
import type { OperationTimes } from '../../../src/contract/journal-events.ts';
import type { OperationOutcome } from '../../../src/contract/operation.ts';
import { emptyRecord } from '../../../src/contract/terminal.ts';
import { finished } from '../../support/parts.ts';
import { batch, closed, ended, inDoubt, sale, voidOf } from './sample-events.ts';
import { dataFolder, newJournal, open, options } from './folder.ts';

/** A journal whose clock stands where the test sets it: `at` takes the time of 2031-05-06 in UTC. */
function journalWithClock() {
  let now = 0;
  const journal = open(dataFolder(), { ...options('').clock, now: () => now });
  return {
    journal,
    at(time: string) {
      now = Date.parse(`2031-05-06T${time}Z`);
      return journal;
    },
  };
}

const span = { from: '2031-05-06T10:30:00Z', until: '2031-05-06T13:00:00Z' };

it('tells how many payments of a span there are, what became of them, hour by hour, and how long they took', () => {
  const { journal, at } = journalWithClock();
  const bothTimes = { times: { answerMs: 12, cardMs: 3_400 } };
  const pay = (
    time: string,
    outcome: OperationOutcome,
    amountMinor: number,
    end = time,
    times: { times?: OperationTimes } = {},
  ) => {
    const started = sale({ amountMinor });
    at(time).append(started);
    at(end).append(ended(started, outcome, times));
    return started;
  };
  pay('10:29:59.999', 'approved', 1);
  const voided = pay('10:30:00', 'approved', 10, '10:30:05.250', bothTimes);
  const settled = pay('11:29:59.999', 'approved', 100, '11:30:01');
  pay('11:30:00', 'declined', 1_000, '11:30:03', { times: { answerMs: 9 } });
  pay('12:59:59.999', 'approved', 10_000, '13:00:04');
  pay('13:00:00', 'approved', 2);
  // The clock was set back: created after, but dated before; and it ended before it began.
  pay('12:45:00', 'approved', 100_000, '12:44:00');
  const doubtful = sale({ amountMinor: 5 });
  const foreign = sale({ currency: 'CHF', amountMinor: 7 });
  at('12:50:00').append(doubtful, inDoubt(doubtful), foreign, ended(foreign, 'approved'));
  const reversal = voidOf(voided);
  const close = batch();
  journal.append(reversal, ended(reversal, 'voided'), close, closed(close, [settled.operationId]));

  const summary = finished(journal.summary(span, 'EUR'));
  expect(daySummarySchema.parse(summary)).toEqual(summary);
  expect(summary).toEqual({
    currency: 'EUR',
    count: 6,
    approved: 4,
    decided: 5,
    sumMinor: 110_100,
    hours: [
      { from: '2031-05-06T10:30:00.000Z', count: 2, approved: 2, sumMinor: 100 },
      { from: '2031-05-06T11:30:00.000Z', count: 1, approved: 0, sumMinor: 0 },
      { from: '2031-05-06T12:30:00.000Z', count: 3, approved: 2, sumMinor: 110_000 },
    ],
    schemes: [{ scheme: null, count: 3, sumMinor: 110_100 }],
    statuses: [
      { status: 'approved', count: 2, sumMinor: 110_000 },
      { status: 'declined', count: 1, sumMinor: 1_000 },
      { status: 'unknown', count: 1, sumMinor: 5 },
      { status: 'voided', count: 1, sumMinor: 10 },
      { status: 'settled', count: 1, sumMinor: 100 },
    ],
    // One that a person or recovery ended has no times of the terminal.
    responseTimes: [
      { at: '2031-05-06T10:30:00.000Z', answerMs: 12, cardMs: 3_400 },
      { at: '2031-05-06T11:30:00.000Z', answerMs: 9, cardMs: null },
    ],
  });
  expect(finished(journal.summary(span, 'CHF'))).toMatchObject({
    currency: 'CHF',
    count: 1,
    sumMinor: 7,
  });
  expect(journal.currencies(span).toSorted()).toEqual(['CHF', 'EUR']);
  expect(journal.currencies({ ...span, from: '2031-05-06T12:59:00Z' })).toEqual(['EUR']);
  expect(journal.currencies({ from: span.until, until: '2031-05-07T00:00:00Z' })).toEqual(['EUR']);
  expect(journal.currencies({ from: '2031-05-08T00:00:00Z', until: '2031-05-09T00:00:00Z' })).toEqual([]);
});

it('has empty hours for a span without payments, 48 at most, and none for an empty span', () => {
  const journal = newJournal();
  const nothing = { count: 0, approved: 0, decided: 0, sumMinor: 0, schemes: [], responseTimes: [] };
  const day = { from: '2031-05-06T22:00:00Z', until: '2031-05-07T21:00:00Z' };
  const summary = finished(journal.summary(day, 'EUR'));
  expect(summary).toMatchObject(nothing);
  expect(summary.hours).toHaveLength(23);
  const year = finished(
    journal.summary({ from: '2031-01-01T00:00:00Z', until: '2032-01-01T00:00:00Z' }, 'EUR'),
  );
  expect(year.hours.map((hour) => hour.from).at(-1)).toBe('2031-01-02T23:00:00.000Z');
  expect(year.hours).toHaveLength(48);
  expect(finished(journal.summary({ from: day.until, until: day.from }, 'EUR'))).toMatchObject({
    ...nothing,
    hours: [],
  });
});

it('has the response times of the newest 500, the oldest first', () => {
  const { journal, at } = journalWithClock();
  at('11:00:00');
  for (let i = 0; i < 501; i += 1) {
    const started = sale();
    at(new Date(Date.UTC(2031, 4, 6, 11) + i * 1_000).toISOString().slice(11, -1)).append(
      started,
      ended(started, 'declined', { times: { answerMs: i } }),
    );
  }
  const { responseTimes, decided } = finished(journal.summary(span, 'EUR'));
  expect(decided).toBe(501);
  expect(responseTimes).toHaveLength(500);
  expect([responseTimes[0]?.at, responseTimes.at(-1)?.at]).toEqual([
    '2031-05-06T11:00:01.000Z',
    '2031-05-06T11:08:20.000Z',
  ]);
});

/** Pays at noon; gives the sale. */
function payer(journal: ReturnType<typeof journalWithClock>) {
  return (
    amountMinor: number,
    takenMinor: number,
    cardScheme: string | null,
    schemeGroup: string | null = null,
  ) => {
    const started = sale({ amountMinor });
    const result = {
      ...emptyRecord(),
      kind: 'payment' as const,
      amountMinor: takenMinor,
      cardScheme,
      schemeGroup,
    };
    journal.at('12:00:00').append(started, ended(started, 'approved', { result }));
    return started;
  };
}

it('adds up what was taken, not what was asked for, and by the card’s scheme, the largest sum first', () => {
  const clock = journalWithClock();
  const pay = payer(clock);
  pay(1_000, 1_200, 'Visa');
  pay(500, 500, ' Visa ');
  pay(4_000, 4_000, null, 'girocard');
  pay(9_000, 9_000, null);
  pay(9_000, 9_000, ' ');
  const voided = pay(50_000, 50_000, 'Visa');
  const reversal = voidOf(voided);
  clock.journal.append(reversal, ended(reversal, 'voided'));
  const declined = sale({ amountMinor: 70 });
  clock.journal.append(
    declined,
    ended(declined, 'declined', { result: { ...emptyRecord(), cardScheme: 'Visa' } }),
  );

  const expected = {
    count: 7,
    sumMinor: 23_700,
    schemes: [
      { scheme: 'girocard', count: 1, sumMinor: 4_000 },
      { scheme: 'Visa', count: 2, sumMinor: 1_700 },
      { scheme: null, count: 2, sumMinor: 18_000 },
    ],
  };
  expect(finished(clock.journal.summary(span, 'EUR'))).toMatchObject(expected);
  // Again, from what is known by now; and what was voided meanwhile counts no more.
  const other = pay(1, 1, 'Visa');
  expect(finished(clock.journal.summary(span, 'EUR')).schemes[1]).toEqual({
    scheme: 'Visa',
    count: 3,
    sumMinor: 1_701,
  });
  const void2 = voidOf(other);
  clock.journal.append(void2, ended(void2, 'voided'));
  expect(finished(clock.journal.summary(span, 'EUR'))).toMatchObject({ ...expected, count: 8 });
});

it('puts the smallest of too many schemes together with what has no name', () => {
  const clock = journalWithClock();
  const pay = payer(clock);
  for (let number = 1; number <= 25; number += 1) pay(number, number, `Scheme ${number} ${'x'.repeat(80)}`);
  pay(1_000, 1_000, null);
  const summary = finished(clock.journal.summary(span, 'EUR'));
  expect(daySummarySchema.parse(summary)).toEqual(summary);
  expect(summary.schemes).toHaveLength(20);
  expect(summary.schemes[0]).toMatchObject({ count: 1, sumMinor: 25 });
  expect(summary.schemes.at(-1)).toEqual({ scheme: null, count: 7, sumMinor: 1_000 + 1 + 2 + 3 + 4 + 5 + 6 });
  expect(summary.schemes.reduce((sum, { sumMinor }) => sum + sumMinor, 0)).toBe(summary.sumMinor);
});

describe('the sum of a busy day', () => {
  const everything = { from: '2020-01-01T00:00:00Z', until: '2040-01-01T00:00:00Z' };

  function counted<T>(steps: Generator<unknown, T>): { parts: number; sum: T } {
    for (let parts = 1; ; parts += 1) {
      const part = steps.next();
      if (part.done === true) return { parts, sum: part.value };
    }
  }

  it('is read in parts, of which each reads a few ends; and again without reading them', () => {
    const folder = dataFolder();
    const payments = 2 * maxSummaryEnds + 1;
    fillJournal(folder, payments);
    const journal = open(folder);
    const first = counted(journal.summary(everything, 'EUR'));
    expect(first).toMatchObject({ parts: 3, sum: { count: payments } });
    expect(counted(journal.summary(everything, 'EUR'))).toEqual({ ...first, parts: 1 });
  });

  it('looks at so many payments a part, whatever their currency', () => {
    const folder = dataFolder();
    fillJournal(folder, 21);
    const database = new DatabaseSync(join(folder, 'journal.sqlite'), { readOnly: true });
    const source = {
      statement: prepareQueries(database),
      ends: createKnownEnds(),
    };
    const inTens = (currency: Currency) =>
      counted(summaryOf(source, () => everyPosition, { span: everything, currency, maxRows: 10 }));
    expect(inTens('EUR')).toMatchObject({ parts: 3, sum: { count: 21 } });
    expect(inTens('CHF')).toMatchObject({ parts: 3, sum: { count: 0 } });
    database.close();
  });

  it('counts each payment once, though others come and change between two parts', () => {
    const clock = journalWithClock();
    const pay = payer(clock);
    const first = pay(1, 1, 'Visa');
    for (let i = 0; i < maxSummaryEnds; i += 1) pay(100, 100, 'Visa');
    const last = pay(10_000, 10_000, 'Visa');
    const parts = clock.journal.summary(span, 'EUR');
    parts.next();
    for (const each of [first, last]) {
      const reversal = voidOf(each);
      clock.journal.append(reversal, ended(reversal, 'voided'));
    }
    pay(1_000_000, 1_000_000, 'Visa');
    expect(finished(parts)).toMatchObject({
      count: maxSummaryEnds + 2,
      approved: maxSummaryEnds + 2,
      // The last one was looked at before it was voided, the first one after it.
      sumMinor: maxSummaryEnds * 100 + 10_000,
    });
  });
});

describe('the ends that are known', () => {
  const taken = (amountMinor: number) => ({ amountMinor, scheme: null, times: null });

  it('are the newest there is room for, so that a span that is too long is found as far as there is room', () => {
    const ends = createKnownEnds(10);
    const sumUp = (newest: number, oldest: number) => {
      let read = 0;
      for (let seq = newest; seq >= oldest; seq -= 1) {
        if (ends.get(seq) !== undefined) continue;
        read += 1;
        ends.keep(seq, taken(seq));
      }
      return read;
    };
    expect(sumUp(15, 1)).toBe(15);
    expect(sumUp(15, 1)).toBe(5);
    expect(sumUp(15, 6)).toBe(0);
    // A newer one takes the place of the oldest.
    expect(sumUp(16, 7)).toBe(1);
    expect(sumUp(16, 7)).toBe(0);
    expect(ends.get(16)).toEqual(taken(16));
    expect(ends.size).toBe(10);
  });
});
