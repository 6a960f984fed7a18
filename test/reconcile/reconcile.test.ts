/** Which money is whose: each state, each evidence, and each way in which something could be two things. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  reconcile,
  type AccountEntry,
  type Decision,
  type ReceivableResult,
} from '../../src/reconcile/index.ts';
import { batchMoney } from '../../src/reconcile/results.ts';
import {
  batch,
  decide,
  entry,
  march,
  oneAcquirer,
  partsOf,
  rulesOf,
  told,
  wholeMarch,
} from './shop-values.ts';

// 2 March 2026 is a Monday.
const monday = 2;

describe('a batch', () => {
  it('arrives by its number and the exact amount', () => {
    expect(
      told({
        batches: [batch(1, monday, 10_000)],
        entries: [entry('e1', 3, 9_900, 'acme  pay Batch 001')],
      }),
    ).toEqual(['b1: arrived by number (certain) with e1']);
  });

  it('arrives by the amount minus the fee, which is rounded once', () => {
    expect(told({ batches: [batch(1, monday, 10_050)], entries: [entry('e1', 3, 9_949)] })).toEqual([
      'b1: arrived by net (high) with e1',
    ]);
    expect(told({ batches: [batch(1, monday, 10_050)], entries: [entry('e1', 3, 9_950)] })).toEqual([
      'b1: unclear unexplained-entries e1',
    ]);
  });

  it('arrives gross where the fee is billed apart', () => {
    const gross = rulesOf([{ ...oneAcquirer, payout: 'gross' }]);
    expect(told({ batches: [batch(1, monday, 10_000)], entries: [entry('e1', 3, 10_000)] }, gross)).toEqual([
      'b1: arrived by amount (high) with e1',
    ]);
  });

  it('is short, or over, by what the credits that name it come to', () => {
    const batches = [batch(1, monday, 10_000)];
    const short = entry('e1', 3, 5_000, 'ACME PAY BATCH 1');
    expect(told({ batches, entries: [short] })).toEqual(['b1: short by number (high) with e1']);
    expect(told({ batches, entries: [short, entry('e2', 4, 4_900, 'ACME PAY BATCH 1')] })).toEqual([
      'b1: arrived by number (certain) with e1 e2',
    ]);
    const twice = [3, 6].map((day) => entry(`e${day}`, day, 9_900, 'ACME PAY BATCH 1'));
    expect(told({ batches, entries: twice })).toEqual(['b1: over by number (high) with e3 e6']);
  });

  it('waits until the last day on which it may come, and is late after it', () => {
    // Three banking days after Thursday: Tuesday.
    const batches = [batch(1, 5, 10_000)];
    expect(told({ batches, today: march(10) })).toEqual(['b1: waiting']);
    expect(told({ batches, today: march(11) })).toEqual(['b1: late']);
    const holiday = rulesOf(undefined, { holidays: { days: [march(9)] } });
    expect(told({ batches, today: march(11) }, holiday)).toEqual(['b1: waiting']);
    expect(told({ batches, today: march(12) }, holiday)).toEqual(['b1: late']);
  });

  it('is not called late while not all entries of these days are known', () => {
    const known = [
      { account: 'giro', from: '2026-02-01', until: march(6) },
      { account: 'giro', from: march(9), until: march(31) },
    ];
    expect(told({ batches: [batch(1, 5, 10_000)], known })).toEqual(['b1: unclear account-not-known']);
    const without = { account: 'giro', from: march(7), until: march(8) };
    expect(told({ batches: [batch(1, 5, 10_000)], known: [...known, without] })).toEqual(['b1: late']);
  });

  it('arrived late is arrived, and says by how much', () => {
    const { b1: [part] = [] } = partsOf({
      batches: [batch(1, monday, 10_000)],
      entries: [entry('e1', 9, 9_900)],
    });
    expect(part).toMatchObject({ state: 'arrived', dueBy: march(5), match: { bankingDaysLate: 2 } });
  });

  it('that comes to nothing waits for nothing', () => {
    expect(told({ batches: [batch(1, monday, 0)] })).toEqual(['b1: arrived by nothing-due (certain) with']);
  });

  it('counts as of the next day from the cut-off on, by the shop’s clock', () => {
    const rules = rulesOf([{ ...oneAcquirer, cutOff: '22:00' }]);
    const at = (time: string) =>
      partsOf({ batches: [batch(1, monday, 1, { closedAt: time })] }, rules)['b1']?.[0]?.dueBy;
    expect(at('2026-03-02T20:59:00Z')).toBe(march(5));
    expect(at('2026-03-02T21:00:00Z')).toBe(march(6));
  });

  it('is not paid by what came before it, or in another currency', () => {
    const others: AccountEntry[] = [
      entry('before', 1, 9_900),
      { ...entry('dollars', 3, 9_900), currency: 'USD' },
    ];
    // One day before may be the same day by the bank's calendar.
    expect(told({ batches: [batch(1, 3, 10_000)], entries: others })).toEqual(['b1: late']);
  });

  it('may be what came exactly to another account', () => {
    const elsewhere = { ...entry('elsewhere', 3, 9_900), account: 'savings' };
    expect(told({ batches: [batch(1, monday, 10_000)], entries: [elsewhere] })).toEqual([
      'b1: unclear unexplained-entries elsewhere',
    ]);
  });
});

describe('one credit', () => {
  const together = rulesOf([{ ...oneAcquirer, combines: { batches: 3, terminals: true } }]);
  const batches = [
    batch(1, monday, 10_000),
    batch(2, monday, 20_000, { terminal: 'bar', terminalId: 'T2' }),
    batch(3, 3, 40_000),
  ];

  it('pays several batches of several terminals', () => {
    expect(told({ batches, entries: [entry('e1', 4, 29_700), entry('e2', 5, 39_600)] }, together)).toEqual([
      'b1: arrived by sum (fair) with e1',
      'b2: arrived by sum (fair) with e1',
      'b3: arrived by net (high) with e2',
    ]);
  });

  it('pays the batches that it names', () => {
    expect(told({ batches, entries: [entry('e1', 5, 49_500, 'ACME PAY BATCH 1 + 3')] }, together)).toEqual([
      'b1: arrived by number (certain) with e1',
      'b2: late',
      'b3: arrived by number (certain) with e1',
    ]);
  });

  it('that names a batch which comes to nothing pays the others that it names', () => {
    const withNothing = [batch(1, monday, 0), batch(2, monday, 20_000)];
    expect(told({ batches: withNothing, entries: [entry('e1', 3, 9_900, 'ACME PAY BATCH 1, 2')] })).toEqual([
      'b1: arrived by nothing-due (certain) with',
      'b2: short by number (high) with e1',
    ]);
  });

  it('that names a number of two terminals is told apart by the terminal, or by the amount', () => {
    const both = [
      batch(1, monday, 10_000),
      batch(1, monday, 20_000, { id: 'b2', terminal: 'bar', terminalId: 'T2' }),
    ];
    const rules = rulesOf([{ ...oneAcquirer, names: ['BATCH {batch} TID {terminal}', 'BATCH {batch}'] }]);
    expect(told({ batches: both, entries: [entry('e1', 3, 19_800, 'ACME PAY BATCH 1')] })).toEqual([
      'b1: late',
      'b2: arrived by number (certain) with e1',
    ]);
    expect(told({ batches: both, entries: [entry('e1', 3, 7, 'ACME PAY BATCH 1 TID T2')] }, rules)).toEqual([
      'b1: late',
      'b2: short by number (high) with e1',
    ]);
  });
});

describe('schemes that are paid apart', () => {
  const totals = [
    { scheme: 'visa', count: 4, totalMinor: 6_000 },
    { scheme: 'girocard', count: 5, totalMinor: 3_000 },
    { scheme: 'amex', count: 1, totalMinor: 1_000 },
  ];
  const rules = rulesOf([
    { ...oneAcquirer, fee: { percent: '1', fixed: '0.05', schemes: { girocard: { percent: '0.2' } } } },
    {
      ...oneAcquirer,
      name: 'Amex',
      schemes: ['amex'],
      entries: { sender: ['AMEX'] },
      fee: { percent: '2.5' },
    },
  ]);

  it('are a part of the batch each, with its own fee and money', () => {
    const amex = { ...entry('e2', 4, 975, 'whatever'), sender: 'Amex Ltd' };
    // 1 per cent of 60.00, 0.2 per cent of 30.00, and 4 times 0.05.
    const acme = entry('e1', 3, 9_000 - 60 - 6 - 20);
    expect(told({ batches: [batch(1, monday, 10_000, { totals })], entries: [acme, amex] }, rules)).toEqual([
      'b1: arrived by net (high) with e1',
      'b1: arrived by net (high) with e2',
    ]);
  });

  it('cannot be told without totals that add up', () => {
    expect(told({ batches: [batch(1, monday, 10_001, { totals })] }, rules)).toEqual([
      'b1: unclear no-totals',
      'b1: unclear no-totals',
    ]);
  });

  it('that nobody pays are told', () => {
    const only = rulesOf([{ ...oneAcquirer, schemes: ['visa', 'girocard'] }]);
    const { b1: parts = [] } = partsOf(
      { batches: [batch(1, monday, 10_000, { totals })], today: march(3) },
      only,
    );
    expect(
      parts.map(({ schemes, state, reason, needsPerson }) => ({ schemes, state, reason, needsPerson })),
    ).toEqual([
      { schemes: ['visa', 'girocard'], state: 'waiting', reason: null, needsPerson: false },
      { schemes: ['amex'], state: 'unclear', reason: 'no-acquirer', needsPerson: true },
    ]);
  });
});

describe('what can be read in two ways is unclear', () => {
  const twins = [batch(1, monday, 10_000), batch(2, 3, 10_000)];

  it('one credit for two batches of the same amount', () => {
    expect(told({ batches: twins, entries: [entry('e1', 4, 9_900)] })).toEqual([
      'b1: unclear several-readings e1',
      'b2: unclear several-readings e1',
    ]);
  });

  it('two credits for one batch', () => {
    const entries = [entry('e1', 3, 9_900), entry('e2', 4, 9_900)];
    expect(told({ batches: [batch(1, monday, 10_000)], entries })).toEqual([
      'b1: unclear several-readings e1 e2',
    ]);
  });

  it('a number that says one batch, and an amount that says another', () => {
    const batches = [batch(1, monday, 10_000), batch(2, monday, 20_000)];
    expect(told({ batches, entries: [entry('e1', 3, 19_800, 'ACME PAY BATCH 1')] })).toEqual([
      'b1: unclear remark-contradicts e1',
      'b2: unclear remark-contradicts e1',
    ]);
    expect(told({ batches, entries: [entry('e1', 3, 19_800, 'ACME PAY BATCH 77')] })).toEqual([
      'b1: unclear unexplained-entries e1',
      'b2: unclear remark-contradicts e1',
    ]);
  });

  it('a batch that is paid short, and a credit of exactly what is missing', () => {
    const short = entry('e1', 3, 9_000, 'ACME PAY BATCH 1');
    const batches = [batch(1, monday, 10_000)];
    expect(told({ batches, entries: [short, entry('e2', 4, 900)] })).toEqual([
      'b1: unclear remark-contradicts e1 e2',
    ]);
  });

  it('too much for the batch that is named, by exactly what another one is', () => {
    const batches = [batch(1, monday, 10_000), batch(2, monday, 20_000)];
    expect(told({ batches, entries: [entry('e1', 3, 29_700, 'ACME PAY BATCH 1')] })).toEqual([
      'b1: unclear remark-contradicts e1',
      'b2: unclear unexplained-entries e1',
    ]);
  });

  it('money that came and went back', () => {
    const entries = [entry('e1', 3, 9_900), entry('e2', 5, -9_900)];
    const batches = [batch(1, monday, 10_000)];
    expect(told({ batches, entries })).toEqual(['b1: unclear taken-back e1 e2']);
    const named = entries.map((each) => ({ ...each, remark: 'ACME PAY BATCH 1' }));
    expect(told({ batches, entries: named })).toEqual(['b1: short by number (high) with e1 e2']);
  });

  it('an amount that fits, where another batch has nothing and a credit of these days fits nothing', () => {
    const batches = [batch(1, monday, 100_000), batch(2, 3, 200_000)];
    const entries = [entry('e1', 4, 99_000), entry('e2', 4, 5_000)];
    expect(told({ batches, entries })).toEqual([
      'b1: unclear several-readings e1 e2',
      'b2: unclear unexplained-entries e1 e2',
    ]);
  });

  it('a small amount that fits, where another batch that should have come has nothing', () => {
    const batches = [batch(1, monday, 10_000), batch(2, 3, 200_000)];
    const entries = [entry('e1', 4, 9_900)];
    expect(told({ batches, entries })).toEqual([
      'b1: unclear several-readings e1',
      'b2: unclear unexplained-entries e1',
    ]);
    expect(told({ batches: batches.slice(0, 1), entries })).toEqual(['b1: arrived by net (high) with e1']);
  });

  it('nothing that fits, and an exact amount from somebody whom the rules do not know', () => {
    expect(
      told({ batches: [batch(1, monday, 10_000)], entries: [entry('e1', 3, 9_900, 'NEW NAME')] }),
    ).toEqual(['b1: unclear unexplained-entries e1']);
  });
});

describe('one more credit', () => {
  it('for one of two that were paid together leaves the other one unclear, and not late', () => {
    const together = rulesOf([{ ...oneAcquirer, combines: { batches: 3 } }]);
    const batches = [batch(1, monday, 10_000), batch(2, 3, 20_000)];
    const both = entry('e1', 4, 29_700);
    expect(told({ batches, entries: [both] }, together)).toEqual([
      'b1: arrived by sum (fair) with e1',
      'b2: arrived by sum (fair) with e1',
    ]);
    expect(told({ batches, entries: [both, entry('e2', 5, 19_800, 'ACME PAY BATCH 2')] }, together)).toEqual([
      'b1: unclear several-readings e1',
      'b2: arrived by number (certain) with e2',
    ]);
  });
});

describe('a person', () => {
  const decision = decide();
  const given = {
    batches: [batch(1, monday, 100_000), batch(2, 3, 100_000)],
    entries: [entry('e1', 4, 99_000), entry('e2', 5, 88_000)],
  };

  it('says whose a credit is, and the rest follows', () => {
    expect(told({ ...given, decisions: [decision] })).toEqual([
      'b1: arrived by person (person) with e1',
      'b2: unclear unexplained-entries e2',
    ]);
  });

  it('who has looked at a short one is not called again', () => {
    const { b1: [part] = [] } = partsOf({ ...given, decisions: [{ ...decision, entryIds: ['e2'] }] });
    expect(part).toMatchObject({ state: 'short', needsPerson: false });
  });

  it('takes a match back', () => {
    const unmatch: Decision = { ...decision, kind: 'unmatch', at: '2026-03-21T10:00:00Z' };
    const decisions = [unmatch, decision];
    expect(told({ ...given, entries: given.entries.slice(0, 1), decisions })).toEqual([
      'b1: late',
      'b2: arrived by net (high) with e1',
    ]);
  });

  it('cannot give one credit to two batches in two decisions, nor one that is not there', () => {
    const other: Decision = { ...decision, batchId: 'b2', entryIds: ['e1', 'e2'] };
    expect(told({ ...given, decisions: [decision, other] })).toEqual([
      'b1: unclear decision-unusable e1',
      'b2: unclear decision-unusable e1 e2',
    ]);
    expect(told({ ...given, decisions: [{ ...decision, entryIds: ['gone'] }] })[0]).toBe(
      'b1: unclear decision-unusable',
    );
  });
});

it('names credits of the acquirer that are nobody’s, and those only', () => {
  const { unexplained } = reconcile(
    {
      batches: [batch(1, monday, 10_000)],
      entries: [entry('e1', 3, 9_900), entry('bonus', 4, 77), entry('rent', 4, 50_000, 'RENT')],
      known: wholeMarch,
      decisions: [],
      today: march(31),
    },
    rulesOf(),
  );
  expect(unexplained.map(({ id }) => id)).toEqual(['bonus']);
});

describe('whatever comes', () => {
  /** Few amounts and numbers, so that everything collides. */
  const amounts = fc.constantFrom(0, 100, 200, 300, 400, -100);
  const shop = fc.record({
    batches: fc.array(
      fc.record({
        day: fc.integer({ min: 1, max: 12 }),
        total: amounts,
        number: fc.integer({ min: 1, max: 4 }),
        bar: fc.boolean(),
      }),
      { maxLength: 7 },
    ),
    entries: fc.array(
      fc.record({
        day: fc.integer({ min: 1, max: 20 }),
        minor: fc.constantFrom(100, 200, 300, 400, 500, 600, -100, -300),
        remark: fc.constantFrom(
          'ACME PAY',
          'ACME PAY BATCH 1',
          'ACME PAY BATCH 2',
          'ACME PAY BATCH 1, 3',
          'ACME PAY BATCH 1-3',
          'ACME PAY BATCH 2 TID T2',
          'OTHER',
        ),
      }),
      { maxLength: 9 },
    ),
    longest: fc.integer({ min: 1, max: 3 }),
    terminals: fc.boolean(),
    today: fc.integer({ min: 1, max: 31 }),
  });
  const inputOf = ({
    batches,
    entries,
    longest,
    terminals,
    today,
  }: typeof shop extends fc.Arbitrary<infer T> ? T : never) => ({
    input: {
      batches: batches.map(({ day, total, number, bar }, at) =>
        batch(number, day, total, { id: `b${at}`, ...(bar ? { terminal: 'bar', terminalId: 'T2' } : {}) }),
      ),
      entries: entries.map(({ day, minor, remark }, at) => entry(`e${at}`, day, minor, remark)),
      known: wholeMarch,
      decisions: [],
      today: march(today),
    },
    rules: rulesOf([
      {
        ...oneAcquirer,
        names: ['BATCH {batch} TID {terminal}', 'BATCH {batch}'],
        payout: 'gross',
        combines: { batches: longest, terminals },
      },
    ]),
  });

  it('takes no credit twice, and no match says what it does not come to', () => {
    fc.assert(
      fc.property(shop, (each) => {
        const { input, rules } = inputOf(each);
        const result = reconcile(input, rules);
        const matches = new Map(
          result.batches
            .flatMap(({ parts }) => parts.flatMap(({ match }) => match ?? []))
            .map((match) => [JSON.stringify(match.batchIds), match]),
        );
        const taken = [...matches.values()].flatMap(({ entryIds }) => entryIds);
        expect(new Set(taken).size).toBe(taken.length);
        for (const { state, match } of result.batches.flatMap(({ parts }) => parts)) {
          expect(match === null).toBe(['waiting', 'late', 'unclear'].includes(state));
          if (match === null) continue;
          const sum = match.entryIds.reduce(
            (all, id) => all + (input.entries.find((one) => one.id === id)?.amountMinor ?? NaN),
            0,
          );
          expect(match.arrivedMinor).toBe(sum);
          expect(Math.sign(sum - match.expectedMinor)).toBe(
            { arrived: 0, short: -1, over: 1 }[state as 'arrived'],
          );
        }
        const explained = new Set(taken);
        for (const { id } of result.unexplained) expect(explained.has(id)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it('comes out the same in any order', () => {
    fc.assert(
      fc.property(
        shop.chain((each) => {
          const { input, rules } = inputOf(each);
          return fc.record({
            input: fc.constant(input),
            rules: fc.constant(rules),
            batches: fc.shuffledSubarray(input.batches, { minLength: input.batches.length }),
            entries: fc.shuffledSubarray(input.entries, { minLength: input.entries.length }),
          });
        }),
        ({ input, rules, batches, entries }) => {
          expect(reconcile({ ...input, batches, entries }, rules)).toEqual(reconcile(input, rules));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never makes a batch wait, or late, that had arrived before one more credit came', () => {
    fc.assert(
      fc.property(shop, fc.nat(), (each, which) => {
        const { input, rules } = inputOf(each);
        const credits = input.entries.filter(({ amountMinor }) => amountMinor > 0);
        const last = credits[which % Math.max(1, credits.length)];
        const before = reconcile({ ...input, entries: input.entries.filter((one) => one !== last) }, rules);
        const after = new Map(reconcile(input, rules).batches.map((one) => [one.batchId, one.state]));
        const lost = before.batches.filter(
          ({ batchId, state }) =>
            state === 'arrived' && ['waiting', 'late', 'short'].includes(after.get(batchId) ?? ''),
        );
        expect(lost).toEqual([]);
      }),
      { numRuns: 600 },
    );
  });
});

it('calls a batch by the worst of its parts: what has not come at all before what is short', () => {
  const part = (state: ReceivableResult['state']) => ({ batchId: 'b1', state }) as ReceivableResult;
  const stateOf = (...states: ReceivableResult['state'][]) => batchMoney(states.map(part))[0]?.state;
  expect(stateOf('short', 'late')).toBe('late');
  expect(stateOf('unclear', 'short')).toBe('short');
  expect(stateOf('arrived', 'waiting')).toBe('waiting');
});
