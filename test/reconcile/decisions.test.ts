/** What people have decided: what it needs, what takes it back, and what speaks against it later. */
import { describe, expect, it } from 'vitest';
import type { ClosedBatch } from '../../src/reconcile/index.ts';
import { batch, decide, entry, march, oneAcquirer, partsOf, rulesOf, told } from './shop-values.ts';

const first = batch(1, 2, 10_000);
const paid = entry('e1', 3, 9_900);
const rates = rulesOf([{ ...oneAcquirer, fee: { percent: '1', schemes: { girocard: { percent: '0.2' } } } }]);

describe('a match', () => {
  it('says what has arrived where nobody can tell the fee', () => {
    const given = { batches: [first], decisions: [decide()] };
    expect(told({ ...given, entries: [entry('e1', 3, 9_930)] }, rates)).toEqual([
      'b1: arrived by person (person) with e1',
    ]);
    // More than the whole batch is more, whatever the fee.
    expect(told({ ...given, entries: [entry('e1', 3, 10_001)] }, rates)).toEqual([
      'b1: over by person (person) with e1',
    ]);
  });

  it('needs entries of the batch’s currency', () => {
    const yen = { ...paid, currency: 'JPY' as const };
    expect(told({ batches: [first], entries: [yen], decisions: [decide()] })).toEqual([
      'b1: unclear decision-unusable e1',
    ]);
  });

  it('by which nothing has come is about one batch only', () => {
    const batches = [first, batch(2, 3, -9_900)];
    const decisions = ['b1', 'b2'].map((batchId) => decide({ batchId, entryIds: [] }));
    const gross = rulesOf([{ ...oneAcquirer, payout: 'gross' }]);
    expect(told({ batches: [batch(1, 2, 9_900), ...batches.slice(1)], decisions }, gross)).toEqual([
      'b1: short by person (person) with',
      'b2: over by person (person) with',
    ]);
  });

  it('of several batches is one if one person has named them together, and two people contradict each other', () => {
    const batches = [first, batch(2, 3, 20_000)];
    const given = { batches, entries: [entry('e1', 4, 29_700)] };
    expect(told({ ...given, decisions: [decide(), decide({ batchId: 'b2' })] })).toEqual([
      'b1: arrived by person (person) with e1',
      'b2: arrived by person (person) with e1',
    ]);
    expect(told({ ...given, decisions: [decide(), decide({ batchId: 'b2', by: 'Bob' })] })).toEqual([
      'b1: unclear decision-unusable e1',
      'b2: unclear decision-unusable e1',
    ]);
    // One of the two is not looked at: nobody can say how much of it is the other's.
    expect(
      told({ batches: [first], entries: given.entries, decisions: [decide(), decide({ batchId: 'b2' })] }),
    ).toEqual(['b1: unclear decision-unusable e1']);
  });

  it('of several batches is unusable for the others when it is taken back for one of them', () => {
    const given = { batches: [first, batch(2, 3, 20_000)], entries: [entry('e1', 4, 29_700)] };
    const joint = [decide(), decide({ batchId: 'b2' })];
    const later = { by: 'Bob', at: '2026-03-21T10:00:00.000Z' };
    for (const taken of [decide({ ...later, kind: 'unmatch' }), decide({ ...later, entryIds: ['e2'] })])
      expect(told({ ...given, decisions: [...joint, taken] })).toContain('b2: unclear decision-unusable e1');
    const again = decide({ ...later, batchId: 'b2', at: '2026-03-22T10:00:00.000Z' });
    expect(told({ ...given, decisions: [...joint, decide({ ...later, kind: 'unmatch' }), again] })).toContain(
      'b2: over by person (person) with e1',
    );
  });

  it('rules its money out for other batches, also where its own is not looked at', () => {
    const ruledOut = (batches: ClosedBatch[]) =>
      partsOf({ batches, entries: [paid], decisions: [decide({ batchId: 'b2' })] })['b1']?.[0]?.ruledOut;
    const isOfAnother = [{ entryId: 'e1', why: 'of-another' }];
    expect(ruledOut([first, batch(2, 2, 10_000)])).toEqual(isOfAnother);
    expect(ruledOut([first])).toEqual(isOfAnother);
  });

  it('for an acquirer that the rules call otherwise now is said to be unusable', () => {
    const given = { batches: [first], entries: [paid], decisions: [decide({ acquirer: 'Old name' })] };
    expect(told(given)).toEqual(['b1: unclear decision-unusable e1']);
  });
});

describe('money that is taken back', () => {
  const given = { batches: [first], decisions: [decide()] };
  const back = (day: number) => ({
    ...paid,
    id: 'e2',
    amountMinor: -9_900,
    date: march(day),
    remark: 'RETURN',
  });

  it('after the decision calls a person again', () => {
    const { b1: [part] = [] } = partsOf({ ...given, entries: [paid, back(23)] });
    expect(part).toMatchObject({ state: 'unclear', reason: 'taken-back', needsPerson: true });
    // Who has looked at it since has said so.
    const again = [decide(), decide({ at: '2026-03-24T10:00:00Z' })];
    expect(told({ ...given, entries: [paid, back(23)], decisions: again })).toEqual([
      'b1: arrived by person (person) with e1',
    ]);
  });

  it('before it was known to the person', () => {
    expect(told({ ...given, entries: [paid, back(10)] })).toEqual(['b1: arrived by person (person) with e1']);
  });
});

describe('the later one', () => {
  it.each([
    ['by a fraction of a second', '2026-03-20T10:00:00Z', '2026-03-20T10:00:00.500Z'],
    ['by less than a millisecond', '2026-03-20T10:00:00.0001Z', '2026-03-20T10:00:00.0002Z'],
    ['by another clock', '2026-03-20T10:00:00+02:00', '2026-03-20T09:00:00Z'],
  ])('counts: %s', (_, before, after) => {
    const given = { batches: [first], entries: [paid] };
    const matched = told({
      ...given,
      decisions: [decide({ at: after }), decide({ kind: 'unmatch', at: before })],
    });
    expect(matched).toEqual(['b1: arrived by person (person) with e1']);
    const unmatched = told({
      ...given,
      decisions: [decide({ kind: 'unmatch', at: after }), decide({ at: before })],
    });
    expect(unmatched).toEqual(['b1: late']);
  });
});
