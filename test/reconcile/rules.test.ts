/** What the rules take, and what they say of what they do not take. */
import { describe, expect, it } from 'vitest';
import { readRules } from '../../src/reconcile/index.ts';
import { batch, oneAcquirer, partsOf, rulesOf } from './shop-values.ts';

const errorsOf = (acquirer: Record<string, unknown>, more = {}) => {
  const read = readRules({ timeZone: 'UTC', acquirers: [{ ...oneAcquirer, ...acquirer }], ...more });
  return read.ok ? [] : read.errors;
};

describe('rules', () => {
  it('take a fee for each payment in whole minor units', () => {
    expect(errorsOf({ fee: { fixed: '0.08' } })).toEqual([]);
    expect(errorsOf({ fee: { fixed: '0.0800' } })).toEqual([]);
    expect(errorsOf({ fee: { fixed: '0.085', schemes: { visa: { fixed: '0.001' } } } })).toEqual([
      'acquirers[0].fee.fixed: has more decimals than EUR: the fee of one payment must be whole in its smallest unit',
      'acquirers[0].fee.schemes.visa.fixed: has more decimals than EUR: the fee of one payment must be whole in its smallest unit',
    ]);
  });

  it('must say which days banks are closed outside the euro', () => {
    expect(errorsOf({})).toEqual([]);
    expect(errorsOf({ currency: 'HKD' })).toEqual([
      'holidays.calendar: must be said where a currency is not EUR: "none", and the closing days of its banks as "days"',
    ]);
    expect(errorsOf({ currency: 'HKD' }, { holidays: { calendar: 'none' } })).toEqual([]);
  });
});

describe('a scheme', () => {
  const apart = rulesOf([
    { ...oneAcquirer, fee: { percent: '1', schemes: { visa: { percent: '2' } } } },
    { ...oneAcquirer, name: 'Amex', schemes: ['amex'], entries: { sender: ['AMEX'] } },
  ]);
  const feesOf = (scheme: string) =>
    partsOf(
      { batches: [batch(1, 2, 10_000, { totals: [{ scheme, count: 1, totalMinor: 10_000 }] })] },
      apart,
    )['b1']?.map(({ acquirer, feeMinor }) => [acquirer, feeMinor]);

  it('is the same in capital letters', () => {
    expect(feesOf('AMEX')).toEqual([['Amex', 100]]);
    expect(feesOf('Visa')).toEqual([['Acme', 200]]);
  });

  it.each(['constructor', 'toString', '__proto__'])('may have any name: %s', (scheme) =>
    expect(feesOf(scheme)).toEqual([['Acme', 100]]),
  );
});
