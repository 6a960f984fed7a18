/** That money is short, over or late is said only where it cannot be otherwise. */
import { describe, expect, it } from 'vitest';
import { reconcile, ReconcileInputError } from '../../src/reconcile/index.ts';
import { batch, entry, march, oneAcquirer, partsOf, rulesOf, told, wholeMarch } from './shop-values.ts';

const first = batch(1, 2, 10_000);
const half = entry('e1', 3, 5_000, 'ACME PAY BATCH 1');
const gross = rulesOf([{ ...oneAcquirer, payout: 'gross' }]);
const reachesTo = (until: string) => [{ account: 'giro', from: '2026-02-01', until }];

describe('short', () => {
  it('is said after the last day on which the rest may come', () => {
    const given = { batches: [first], entries: [half] };
    expect(told({ ...given, today: march(5) })).toEqual(['b1: waiting e1']);
    expect(told({ ...given, today: march(6) })).toEqual(['b1: short by number (high) with e1']);
  });

  it('is said where all days until then are known', () => {
    const given = { batches: [first], entries: [half] };
    expect(told({ ...given, known: reachesTo(march(4)) })).toEqual(['b1: unclear account-not-known e1']);
    expect(told({ ...given, known: reachesTo(march(5)) })).toEqual(['b1: short by number (high) with e1']);
  });

  it.each([
    ['in parts without a name', [entry('e2', 4, 2_000), entry('e3', 5, 2_900)]],
    ['from somebody whom the rules do not know', [entry('e2', 4, 4_900, 'NEW NAME')]],
  ])('is not said while the rest may have come %s', (_, rest) => {
    expect(told({ batches: [first], entries: [half, ...rest] })[0]).toContain('b1: unclear');
  });

  it('is not said where a day of refunds may have been kept back', () => {
    const batches = [batch(4, 2, -3_000), batch(5, 3, 10_000)];
    expect(told({ batches, entries: [entry('e1', 4, 7_000, 'ACME PAY BATCH 5')] }, gross)).toEqual([
      'b4: unclear remark-contradicts e1',
      'b5: unclear remark-contradicts e1',
    ]);
    // Not all of it, and the rest from another payout.
    expect(told({ batches, entries: [entry('e1', 4, 8_000, 'ACME PAY BATCH 5')] }, gross)).toEqual([
      'b4: unclear several-readings',
      'b5: unclear several-readings e1',
    ]);
    expect(told({ batches, entries: [entry('e1', 4, 7_000)] }, gross)).toEqual([
      'b4: arrived by sum (fair) with e1',
      'b5: arrived by sum (fair) with e1',
    ]);
  });
});

describe('over', () => {
  const tooMuch = entry('e1', 3, 15_000, 'ACME PAY BATCH 1');

  it('is not said while another batch has nothing, whose money it may be', () => {
    const batches = [first, batch(2, 2, 20_000)];
    const paid = entry('e2', 4, 19_800, 'ACME PAY BATCH 2');
    expect(told({ batches, entries: [tooMuch] })[0]).toBe('b1: unclear several-readings e1');
    expect(told({ batches, entries: [tooMuch, paid] })[0]).toBe('b1: over by number (high) with e1');
  });

  it('is not said while the acquirer may have taken it back in parts', () => {
    const debits = [entry('e2', 5, -2_000), entry('e3', 5, -3_100)];
    expect(told({ batches: [first], entries: [tooMuch, ...debits] })[0]).toBe(
      'b1: unclear unexplained-entries e1 e2 e3',
    );
  });

  it('is not said where one of its credits is all of it, and another one has its name', () => {
    const whole = entry('e1', 3, 9_900, 'ACME PAY BATCH 1');
    expect(told({ batches: [first], entries: [whole, entry('e2', 9, 7_000, 'ACME PAY BATCH 1')] })).toEqual([
      'b1: unclear several-readings e1 e2',
    ]);
    expect(told({ batches: [first], entries: [whole, entry('e2', 9, 9_900, 'ACME PAY BATCH 1')] })).toEqual([
      'b1: over by number (high) with e1 e2',
    ]);
  });

  it('and short are not said of two whose amounts may have been exchanged', () => {
    const batches = [first, batch(2, 3, 12_000)];
    const entries = [entry('e1', 4, 11_870, 'ACME PAY BATCH 1'), entry('e2', 4, 9_890, 'ACME PAY BATCH 2')];
    expect(told({ batches, entries })).toEqual([
      'b1: unclear several-readings e1',
      'b2: unclear several-readings e2',
    ]);
  });
});

describe('late', () => {
  it('is not said of a batch that an entry names, however long after', () => {
    const known = reachesTo('2026-06-01');
    const named = { ...entry('e1', 3, 9_000, 'ACME PAY BATCH 1'), date: '2026-05-20' };
    expect(told({ batches: [first], entries: [named], today: '2026-06-01', known })).toEqual([
      'b1: unclear unexplained-entries e1',
    ]);
    expect(told({ batches: [first], today: '2026-06-01', known })).toEqual(['b1: late']);
  });

  it('is not said of what is to be given back: it is kept from some payout', () => {
    expect(told({ batches: [batch(4, 2, -3_000)] }, gross)).toEqual(['b4: unclear several-readings']);
  });

  it('is counted for each batch of a sum from its own day', () => {
    const together = rulesOf([{ ...oneAcquirer, combines: { batches: 3 } }]);
    const parts = partsOf(
      { batches: [first, batch(2, 9, 20_000)], entries: [entry('e1', 11, 29_700)] },
      together,
    );
    expect(parts['b1']?.[0]?.match?.bankingDaysLate).toBe(4);
    expect(parts['b2']?.[0]?.match?.bankingDaysLate).toBe(0);
  });
});

describe('what cannot be read', () => {
  const given = {
    batches: [first],
    entries: [entry('e1', 3, 9_900)],
    known: wholeMarch,
    decisions: [],
    today: march(31),
  };

  it.each([
    ['an entry’s day', { entries: [{ ...entry('e1', 3, 9_900), date: '2026-03-03T00:00:00Z' }] }],
    ['an entry’s amount', { entries: [entry('e1', 3, 99.5)] }],
    ['two entries of one id', { entries: [entry('e1', 3, 9_900), entry('e1', 3, 9_901)] }],
    ['when a batch was closed', { batches: [{ ...first, closedAt: 'yesterday' }] }],
    ['what is known of an account', { known: [{ account: 'giro', from: '2026-02-30', until: march(31) }] }],
    ['today', { today: '31.03.2026' }],
  ])('ends the run: %s', (_, wrong) => {
    expect(() => reconcile({ ...given, ...wrong }, rulesOf())).toThrow(ReconcileInputError);
    expect(() => reconcile(given, rulesOf())).not.toThrow();
  });
});
