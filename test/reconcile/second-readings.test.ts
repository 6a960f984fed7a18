/** Money that could be another batch's, or gone again, is not called arrived. */
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/reconcile/index.ts';
import { batch, entry, march, oneAcquirer, rulesOf, told, wholeMarch } from './shop-values.ts';

const first = batch(1, 2, 10_000);
const bar = { terminal: 'bar', terminalId: 'T2' };
const rates = rulesOf([{ ...oneAcquirer, fee: { percent: '1', schemes: { girocard: { percent: '0.2' } } } }]);
const amexApart = rulesOf([
  oneAcquirer,
  { ...oneAcquirer, name: 'Amex', schemes: ['amex'], entries: { sender: ['AMEX'] } },
]);

describe('a remark', () => {
  it.each([
    [['BATCH {batch} TID {terminal}', 'BATCH {batch}']],
    [['BATCH {batch}', 'BATCH {batch} TID {terminal}']],
  ])(
    'that names a terminal gives nothing to another one, whatever the general template says: %j',
    (names) => {
      const batches = [first, batch(1, 2, 20_000, { id: 'b2', ...bar })];
      const entries = [entry('e1', 3, 9_900, 'ACME PAY BATCH 1 TID T2')];
      expect(told({ batches, entries }, rulesOf([{ ...oneAcquirer, names }]))).toEqual([
        'b1: unclear remark-contradicts e1',
        'b2: unclear remark-contradicts e1',
      ]);
    },
  );

  it('that names a terminal ties nothing to one that has not told its id; the amount may', () => {
    const rules = rulesOf([{ ...oneAcquirer, names: ['BATCH {batch} TID {terminal}'] }]);
    const of = (minor: number) =>
      told(
        {
          batches: [batch(1, 2, 10_000, { terminalId: null })],
          entries: [entry('e1', 3, minor, 'ACME PAY BATCH 1 TID T9')],
        },
        rules,
      );
    expect(of(9_000)).toEqual(['b1: unclear unexplained-entries e1']);
    expect(of(9_900)).toEqual(['b1: arrived by number (certain) with e1']);
  });

  it('that names several batches is not satisfied by some of them', () => {
    const batches = [first, batch(1, 2, 20_000, { id: 'b1bar', ...bar }), batch(2, 3, 30_000)];
    const part = told({ batches, entries: [entry('e1', 4, 9_900, 'ACME PAY BATCH 1, 2')] });
    expect(part.filter((words) => words.includes('arrived'))).toEqual([]);
    const both = rulesOf([{ ...oneAcquirer, combines: { batches: 3, terminals: true } }]);
    const all = told({ batches, entries: [entry('e1', 4, 39_600, 'ACME PAY BATCH 1, 2')] }, both);
    expect(all).toEqual([
      'b1: arrived by number (certain) with e1',
      'b1bar: late',
      'b2: arrived by number (certain) with e1',
    ]);
  });
});

describe('an amount', () => {
  it('is not believed while an older batch of the same amount has nothing, however old', () => {
    const batches = [first, batch(2, 19, 10_000)];
    expect(told({ batches, entries: [entry('e1', 23, 9_900)], today: march(23) })).toEqual([
      'b1: unclear unexplained-entries e1',
      'b2: unclear several-readings e1',
    ]);
    const paid = [entry('e0', 3, 9_900), entry('e1', 23, 9_900)];
    expect(told({ batches, entries: paid, today: march(23) })).toEqual([
      'b1: arrived by net (high) with e0',
      'b2: arrived by net (high) with e1',
    ]);
  });

  it('is not believed beside a batch whose fee nobody can tell', () => {
    const known = batch(1, 2, 100_000, { totals: [{ scheme: 'visa', count: 10, totalMinor: 100_000 }] });
    const entries = [entry('e1', 3, 99_000)];
    expect(told({ batches: [known, batch(2, 2, 100_000)], entries }, rates)).toEqual([
      'b1: unclear several-readings e1',
      'b2: unclear fee-unknown e1',
    ]);
    // At the highest fee more than that would remain.
    expect(told({ batches: [known, batch(2, 2, 120_000)], entries }, rates)).toEqual([
      'b1: arrived by net (high) with e1',
      'b2: unclear fee-unknown',
    ]);
  });

  it('may be that of two days of one terminal, where those of all terminals come together', () => {
    const at = (hour: number, day: number) => ({ closedAt: `${march(day)}T${hour}:00:00Z` });
    const batches = [
      batch(1, 2, 10_000, at(18, 2)),
      batch(2, 2, 20_001, { ...bar, ...at(19, 2) }),
      batch(3, 3, 10_000, at(18, 3)),
    ];
    const together = rulesOf([{ ...oneAcquirer, combines: { batches: 4, terminals: true } }]);
    expect(told({ batches, entries: [entry('e1', 4, 19_800), entry('e2', 4, 19_801)] }, together)).toEqual([
      'b1: arrived by sum (fair) with e1',
      'b2: arrived by net (high) with e2',
      'b3: arrived by sum (fair) with e1',
    ]);
  });

  it('may be that of two batches, and one between them was paid by its name', () => {
    const batches = [first, batch(2, 3, 5_000), batch(3, 4, 10_000), batch(4, 4, 20_000, bar)];
    const entries = [entry('e1', 5, 4_950, 'ACME PAY BATCH 2'), entry('e2', 5, 19_800)];
    expect(told({ batches, entries }, rulesOf([{ ...oneAcquirer, combines: { batches: 3 } }]))).toEqual([
      'b1: unclear several-readings e2',
      'b2: arrived by number (certain) with e1',
      'b3: unclear several-readings e2',
      'b4: unclear several-readings e2',
    ]);
  });

  it('that two sources tell under two ids is not another batch’s', () => {
    const batches = [first, batch(2, 3, 10_000)];
    const entries = [entry('e1', 4, 9_900, 'ACME PAY BATCH 1'), entry('again', 4, 9_900, 'ACME PAY')];
    expect(told({ batches, entries })).toEqual([
      'b1: arrived by number (certain) with e1',
      'b2: unclear several-readings again',
    ]);
    const named = [entry('e1', 4, 9_900, 'ACME PAY BATCH 1'), entry('again', 5, 9_900, 'ACME PAY BATCH 1')];
    expect(told({ batches: [first], entries: named })).toEqual(['b1: unclear several-readings again e1']);
  });
});

it('money of a decision is not free when its batch is not looked at', () => {
  const decision: Decision = {
    kind: 'match',
    batchId: 'b0',
    acquirer: 'Acme',
    entryIds: ['e1'],
    by: 'Ada',
    reason: 'so it is',
    at: '2026-03-20T10:00:00Z',
  };
  const given = { batches: [batch(2, 3, 10_000)], entries: [entry('e1', 4, 9_900)] };
  expect(told(given)).toEqual(['b2: arrived by net (high) with e1']);
  expect(told({ ...given, decisions: [decision] })).toEqual(['b2: late']);
});

describe('money that went back', () => {
  it.each([
    ['under the bank’s own text', { remark: 'STORNO GUTSCHRIFT' }],
    ['from another account', { remark: 'RETURN', account: 'savings' }],
  ])('%s', (_, more) => {
    for (const remark of ['ACME PAY BATCH 1', 'ACME PAY']) {
      const back = { ...entry('e2', 4, -9_900), ...more };
      expect(told({ batches: [first], entries: [entry('e1', 3, 9_900, remark), back] })).toEqual([
        'b1: unclear taken-back e1 e2',
      ]);
    }
  });

  it('in another currency did not', () => {
    const back = { ...entry('e2', 4, -9_900, 'STORNO'), currency: 'USD' as const };
    expect(told({ batches: [first], entries: [entry('e1', 3, 9_900), back] })).toEqual([
      'b1: arrived by net (high) with e1',
    ]);
  });
});

describe('a batch that comes to zero', () => {
  it('is nothing due only if there was nothing in it', () => {
    const nothing = 'b1: arrived by nothing-due (certain) with';
    expect(told({ batches: [batch(1, 2, 0, { count: 0 })] }, amexApart)).toEqual([nothing, nothing]);
    expect(told({ batches: [batch(1, 2, 0, { count: 2 })] }, amexApart)).toEqual([
      'b1: unclear no-totals',
      'b1: unclear no-totals',
    ]);
    expect(told({ batches: [batch(1, 2, 0, { count: 2 })] }, rates)).toEqual(['b1: unclear fee-unknown']);
  });

  it('owes the fee of its payments', () => {
    const fixed = rulesOf([{ ...oneAcquirer, fee: { fixed: '0.10' } }]);
    const batches = [batch(1, 2, 0, { count: 2 })];
    expect(told({ batches, entries: [entry('e1', 3, -20)] }, fixed)).toEqual([
      'b1: arrived by net (high) with e1',
    ]);
  });
});

it('a number that begins again may mean the older batch, which has nothing', () => {
  const old = batch(1, 9, 10_000, { id: 'old', closedAt: '2026-01-12T20:00:00Z' });
  const known = [{ ...wholeMarch[0], account: 'giro', from: '2026-01-01', until: march(31) }];
  const of = (minor: number) =>
    told({
      batches: [old, batch(1, 9, 20_000)],
      entries: [entry('e1', 11, minor, 'ACME PAY BATCH 1')],
      known,
    });
  expect(of(9_900)).toEqual(['b1: unclear several-readings e1', 'old: unclear unexplained-entries e1']);
  expect(of(19_800)).toEqual(['b1: arrived by number (certain) with e1', 'old: late']);
});
