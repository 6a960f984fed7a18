/** Several shops that are looked at together: whose batches one credit may pay, and which acquirer pays whom. */
import { describe, expect, it } from 'vitest';
import { readRules, type Rules } from '../../src/reconcile/index.ts';
import { batch, entry, oneAcquirer, partsOf, told } from './shop-values.ts';

// 2 March 2026 is a Monday.
const monday = 2;

function rulesOfShops(...acquirers: Record<string, unknown>[]): Rules {
  const read = readRules({ timeZone: 'Europe/Berlin', acquirers }, 'shops');
  if (!read.ok) throw new Error(read.errors.join('\n'));
  return read.rules;
}

/** Each shop calls its terminal "main", and counts its batches from 1. */
const berlin = (number: number, totalMinor: number, more = {}) =>
  batch(number, monday, totalMinor, { id: `berlin${number}`, shop: 'Berlin', terminalId: 'T1', ...more });
const potsdam = (number: number, totalMinor: number, more = {}) =>
  batch(number, monday, totalMinor, { id: `potsdam${number}`, shop: 'Potsdam', terminalId: 'T2', ...more });

describe('of several shops', () => {
  it('a credit pays batches of one terminal, unless the rules say more', () => {
    const batches = [berlin(1, 40_000), potsdam(1, 50_000)];
    const entries = [entry('e1', 3, 89_100)];
    const combining = (combines: object) => rulesOfShops({ ...oneAcquirer, combines });
    const nothing = ['berlin1: unclear unexplained-entries e1', 'potsdam1: unclear unexplained-entries e1'];
    expect(told({ batches, entries }, combining({ batches: 2 }))).toEqual(nothing);
    expect(told({ batches, entries }, combining({ batches: 2, terminals: true }))).toEqual(nothing);
    expect(told({ batches, entries }, combining({ batches: 2, shops: true }))).toEqual([
      'berlin1: arrived by sum (fair) with e1',
      'potsdam1: arrived by sum (fair) with e1',
    ]);
  });

  it('terminals of one shop are paid together where the rules say so', () => {
    const batches = [berlin(1, 40_000), berlin(2, 50_000, { terminal: 'bar' }), potsdam(1, 70_000)];
    const rules = rulesOfShops({ ...oneAcquirer, combines: { batches: 2, terminals: true } });
    expect(told({ batches, entries: [entry('e1', 3, 89_100)] }, rules).slice(0, 2)).toEqual([
      'berlin1: arrived by sum (fair) with e1',
      'berlin2: arrived by sum (fair) with e1',
    ]);
  });

  it.each([
    ['TID {terminal}', 'TID T2'],
    ['VU {merchant}', 'VU M2'],
  ])('a number is the batch of whom the remark names by %s', (template, named) => {
    const rules = rulesOfShops({ ...oneAcquirer, names: [`BATCH {batch} ${template}`] });
    const batches = [berlin(1, 40_000), potsdam(1, 40_000, { merchantId: 'M2' })];
    expect(told({ batches, entries: [entry('e1', 3, 39_600, `ACME PAY BATCH 1 ${named}`)] }, rules)).toEqual([
      'berlin1: late',
      'potsdam1: arrived by number (certain) with e1',
    ]);
  });

  it('the same amount in two shops is nobody’s for certain', () => {
    const batches = [berlin(1, 40_000), potsdam(1, 40_000)];
    expect(told({ batches, entries: [entry('e1', 3, 39_600)] }, rulesOfShops(oneAcquirer))).toEqual([
      'berlin1: unclear several-readings e1',
      'potsdam1: unclear several-readings e1',
    ]);
  });

  it('an acquirer pays the shops and the merchant ids that it names', () => {
    const rules = rulesOfShops(
      { ...oneAcquirer, shops: ['Berlin'] },
      { ...oneAcquirer, name: 'Bolt', shops: ['Potsdam'], merchantIds: ['M2'] },
    );
    const batches = [
      berlin(1, 40_000),
      potsdam(1, 50_000, { merchantId: 'M2' }),
      potsdam(2, 60_000, { merchantId: null }),
    ];
    const parts = partsOf({ batches }, rules);
    expect(Object.values(parts).map(([part]) => [part?.batchId, part?.acquirer, part?.reason])).toEqual([
      ['berlin1', 'Acme', null],
      ['potsdam1', 'Bolt', null],
      ['potsdam2', null, 'no-acquirer'],
    ]);
  });

  it('two acquirers of one shop and one merchant id have to be told apart', () => {
    const two = [oneAcquirer, { ...oneAcquirer, name: 'Bolt', shops: ['Potsdam'] }];
    expect(readRules({ timeZone: 'Europe/Berlin', acquirers: two }, 'shops')).toEqual({
      ok: false,
      errors: [
        'acquirers[1]: "Bolt" and "Acme" pay the same: say which schemes, terminals, shops or merchant ids each of them pays',
      ],
    });
  });

  it('rules of one shop have no word on others', () => {
    const one = (more: object) =>
      readRules({ timeZone: 'Europe/Berlin', acquirers: [{ ...oneAcquirer, ...more }] });
    expect(one({ shops: ['Berlin'] }).ok).toBe(false);
    expect(one({ combines: { shops: true } }).ok).toBe(false);
    expect(one({})).toMatchObject({ ok: true });
  });

  it('what is not explained is left out where nobody asks for it', () => {
    const given = { batches: [berlin(1, 40_000)], entries: [entry('e1', 3, 39_600), entry('e2', 3, 500)] };
    const of = (explain: boolean) => partsOf({ ...given, explain })['berlin1']?.[0];
    expect([of(true)?.ruledOut.length, of(false)?.ruledOut.length]).toEqual([1, 0]);
    expect(of(false)).toEqual({ ...of(true), ruledOut: [] });
  });
});
