/** Statements of one account put together: each entry once, the days that are known, and what contradicts itself. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf, dayOf } from '../../src/reconcile/index.ts';
import type { StatementEntry } from '../../src/statements/camt053.ts';
import { accountDays } from '../../src/statements/account-days.ts';
import type { Statement } from '../../src/statements/index.ts';

/** 2024-06-03, a Monday. */
const monday = dayOf('2024-06-03') ?? 0;
const isBankingDay = (day: number) => ![5, 6].includes((day - monday) % 7);

interface Booking {
  /** Days behind `monday`. */
  on: number;
  amount: number;
  reference?: string;
  remark?: string;
}

function statement(
  file: string,
  [from, until]: [number, number],
  bookings: readonly Booking[],
  { opening = 0, number = null }: { opening?: number; number?: number | null } = {},
): Statement {
  return {
    file,
    account: 'DE1',
    currency: 'EUR',
    number: number === null ? null : BigInt(number),
    from: monday + from,
    until: monday + until,
    openingMinor: opening,
    closingMinor: opening + bookings.reduce((sum, { amount }) => sum + amount, 0),
    pending: 0,
    entries: bookings.map(({ on, amount, reference = '', remark = 'ACME' }) => ({
      reference,
      day: monday + on,
      amountMinor: amount,
      code: '',
      parts: [{ reference, amountMinor: amount, remark, sender: '' }],
    })),
  };
}

function together(...statements: Statement[]) {
  const read = accountDays(statements, isBankingDay);
  if (!read.ok) return read.message;
  const [account] = read.accounts;
  return {
    entries: (account?.entries ?? []).map(({ date, amountMinor }) => [date, amountMinor]),
    ids: (account?.entries ?? []).map(({ id }) => id),
    known: [...(account?.known ?? [])].toSorted((one, other) => one - other).map(dateOf),
  };
}

describe('entries', () => {
  const week: Booking[] = [
    { on: 0, amount: 100, reference: 'a' },
    { on: 1, amount: 200 },
    { on: 1, amount: 200 },
    { on: 4, amount: -50 },
  ];

  it('count once, however many statements have them', () => {
    const whole = together(statement('week.xml', [0, 4], week));
    const again = together(
      statement('week.xml', [0, 4], week),
      statement('copy.xml', [0, 4], week),
      statement('start.xml', [0, 1], week.slice(0, 3)),
      statement('end.xml', [1, 4], week.slice(1), { opening: 100 }),
    );
    expect(whole).toMatchObject({ entries: { length: 4 } });
    expect(again).toEqual(whole);
    // Two that look the same are two.
    expect(new Set((whole as { ids: string[] }).ids).size).toBe(4);
  });

  it('of the parts of a day are all of them, also where they look the same', () => {
    const morning = statement('m.xml', [0, 0], [{ on: 0, amount: 100 }], { number: 7 });
    const noon = statement('n.xml', [0, 0], [{ on: 0, amount: 100 }], { number: 8, opening: 100 });
    const evening = statement('e.xml', [0, 0], [{ on: 0, amount: 5 }], { number: 9, opening: 200 });
    expect(together(evening, morning, noon)).toMatchObject({
      entries: [
        ['2024-06-03', 100],
        ['2024-06-03', 100],
        ['2024-06-03', 5],
      ],
    });
    const day = statement(
      'd.xml',
      [0, 0],
      [100, 100, 5].map((amount) => ({ on: 0, amount })),
    );
    expect(together(evening, morning, noon, day)).toMatchObject({ entries: { length: 3 } });
  });

  it('of the parts of a day count by the balances where the bank does not count', () => {
    const amounts = [100, 100, 5, 100];
    const parts = amounts.map((amount, place) =>
      statement(`${place}.xml`, [0, 0], [{ on: 0, amount }], {
        opening: amounts.slice(0, place).reduce((sum, each) => sum + each, 0),
      }),
    );
    const [first, second, third, fourth] = parts as [Statement, Statement, Statement, Statement];
    for (const order of [parts, parts.toReversed(), [third, first, fourth, second]]) {
      expect(together(...order)).toMatchObject({ entries: { length: 4 }, known: ['2024-06-03'] });
      expect(together(...order.map((each) => ({ ...each, number: 7n })))).toMatchObject({
        entries: { length: 4 },
      });
    }
    // The bank's count says that one is missing; no balance says where the other begins.
    expect(together({ ...first, number: 7n }, { ...second, number: 9n })).toMatch(
      /0\.xml and 1\.xml contradict/,
    );
    expect(together(first, fourth)).toMatch(/0\.xml and 3\.xml contradict/);
  });

  it('count once where the account ends a day as it began', () => {
    const sweep = [
      { on: 0, amount: 100 },
      { on: 0, amount: -100 },
    ];
    expect(together(statement('d.xml', [0, 0], sweep), statement('w.xml', [0, 4], sweep))).toMatchObject({
      entries: { length: 2 },
    });
    const other = statement('o.xml', [0, 1], [{ on: 0, amount: 100 }]);
    expect(together(statement('d.xml', [0, 0], sweep), other)).toMatch(
      /d\.xml and o\.xml contradict each other/,
    );
  });

  it('that two statements tell differently are refused', () => {
    // The bank's count says that one between them is missing, or that they are not of one series.
    const morning = statement('m.xml', [0, 0], [{ on: 0, amount: 100 }], { number: 7 });
    const evening = statement('e.xml', [0, 0], [{ on: 0, amount: 5 }], { number: 9, opening: 100 });
    expect(together(morning, evening)).toMatch(/m\.xml and e\.xml contradict each other/);
    const one = statement('one.xml', [0, 4], week);
    const other = statement('other.xml', [0, 4], week.with(1, { on: 1, amount: 201 }));
    expect(together(one, other)).toBe(
      'one.xml and other.xml contradict each other on 2024-06-04, account DE1. Download the statement from the bank ' +
        'again, keep that one and remove the other.',
    );
    const silent = statement('silent.xml', [-1, 5], []);
    expect(together(one, silent)).toMatch(/one\.xml and silent\.xml contradict each other/);
  });

  it('are refused where one statement says less of them, though the reference is the same', () => {
    const one = statement('one.xml', [0, 0], [{ on: 0, amount: 149, reference: 'a' }]);
    const [entry] = one.entries as [StatementEntry];
    const part = { reference: 'a', amountMinor: 149, remark: 'ACME', sender: '' };
    const tellings = [
      [{ ...part, remark: 'COLLECTIVE' }],
      [{ ...part, sender: 'Acme' }],
      [
        { ...part, amountMinor: 99 },
        { ...part, amountMinor: 50, remark: 'RENT' },
      ],
    ];
    for (const parts of tellings) {
      const other = { ...one, file: 'other.xml', entries: [{ ...entry, parts }] };
      expect(together(one, other)).toMatch(/one\.xml and other\.xml contradict each other/);
      expect(together(other, one)).toMatch(/other\.xml and one\.xml contradict each other/);
    }
  });

  it('have the same ids from whichever statement they come, in whatever order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ on: fc.integer({ min: 0, max: 9 }), amount: fc.integer({ min: 1, max: 4 }) }), {
          maxLength: 12,
        }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), { maxLength: 6 }),
        (bookings, spans) => {
          const inTurn = bookings.toSorted((one, other) => one.on - other.on);
          const cut = ([from, until]: [number, number], place: number) =>
            statement(
              `${place}.xml`,
              [from, until],
              inTurn.filter(({ on }) => from <= on && on <= until),
              { opening: inTurn.filter(({ on }) => on < from).reduce((sum, { amount }) => sum + amount, 0) },
            );
          const all = [[0, 9] as [number, number], ...spans]
            .filter(([from, until]) => from <= until)
            .map(cut);
          const alone = together(cut([0, 9], 0)) as { ids: string[] };
          for (const order of [all, all.toReversed()]) {
            const found = together(...order) as { ids: string[] };
            expect(found.ids.toSorted()).toEqual(alone.ids.toSorted());
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the days that are known', () => {
  const thursday: Booking[] = [{ on: 3, amount: 10 }];

  it('are those of the statements', () => {
    expect(
      together(statement('a.xml', [0, 1], []), statement('b.xml', [3, 3], thursday, { opening: 7 })),
    ).toMatchObject({ known: ['2024-06-03', '2024-06-04', '2024-06-06'] });
  });

  it('go on over what lies between two that the bank counts as following each other', () => {
    const first = statement('a.xml', [0, 0], [], { number: 4, opening: 9 });
    const next = statement('b.xml', [3, 3], thursday, { number: 5, opening: 9 });
    expect(together(first, next)).toMatchObject({
      known: ['2024-06-03', '2024-06-04', '2024-06-05', '2024-06-06'],
    });
    // Not where one is missing, where the balances do not meet, and not from one year to the next.
    expect(together(first, { ...next, number: 6n })).toMatchObject({ known: { length: 2 } });
    expect(together(first, { ...next, openingMinor: 8, closingMinor: 18 })).toMatchObject({
      known: { length: 2 },
    });
    const later = statement('c.xml', [363, 363], [], { number: 5, opening: 9 });
    expect(together(first, later)).toMatchObject({ known: { length: 2 } });
  });

  it('are not those at which two do not meet', () => {
    const first = statement('a.xml', [0, 2], [], { opening: 1_000 });
    const next = statement('b.xml', [3, 5], [], { opening: 1_099 });
    const known = ['2024-06-03', '2024-06-04', '2024-06-07', '2024-06-08'];
    for (const order of [
      [first, next],
      [next, first, { ...next, file: 'c.xml' }],
    ])
      expect(together(...order)).toMatchObject({ known });
    expect(together(first, { ...next, from: monday + 2 })).toMatchObject({
      known: ['2024-06-03', '2024-06-04', '2024-06-06', '2024-06-07', '2024-06-08'],
    });
    // Banks are closed between them.
    const friday = statement('a.xml', [3, 4], [], { opening: 1_000 });
    const nextMonday = statement('b.xml', [7, 8], [], { opening: 1_099 });
    expect(together(friday, nextMonday)).toMatchObject({ known: ['2024-06-06', '2024-06-11'] });
    // A third that tells of both.
    const whole = statement('w.xml', [1, 4], [{ on: 2, amount: 99 }], { opening: 1_000 });
    expect(together(first, next, whole)).toMatchObject({ known: { length: 6 } });
  });

  it('go on over days on which banks are closed', () => {
    const friday = statement('a.xml', [4, 4], []);
    expect(together(friday, statement('b.xml', [7, 7], []))).toMatchObject({
      known: ['2024-06-07', '2024-06-08', '2024-06-09', '2024-06-10'],
    });
    expect(together(friday, statement('b.xml', [8, 8], []))).toMatchObject({
      known: ['2024-06-07', '2024-06-11'],
    });
  });
});
