/** The office's rules: whose shops are paid into which account, and what is said where that is not clear. */
import { describe, expect, test } from 'vitest';
import { merchantOfShop, readDepositRules } from '../../../src/office/deposits/rules.ts';
import { acme, chain } from './deposit-kit.ts';

const errorsOf = (...merchants: object[]) => {
  const read = readDepositRules(JSON.stringify({ merchants }), 'rules.json');
  return read.ok ? [] : read.errors;
};
const other = { ...acme, name: 'Bolt', account: 'DE02120300000000202051' };

describe('rules of the office', () => {
  test('are those of a shop, with merchants, shops and merchant ids', () => {
    const berlin = {
      ...chain,
      name: 'Berlin GmbH',
      shops: ['Berlin'],
      acquirers: [{ ...other, shops: ['Berlin'] }],
    };
    const read = readDepositRules(JSON.stringify({ merchants: [berlin, chain] }), 'rules.json');
    if (!read.ok) throw new Error(read.errors.join('\n'));
    const { merchants } = read.rules;
    expect(merchantOfShop(merchants, 'Berlin', false)?.name).toBe('Berlin GmbH');
    expect(merchantOfShop(merchants, 'Potsdam', false)?.name).toBe('Chain');
    expect(merchantOfShop(merchants, 'Berlin', true)).toBe(null);
  });

  test.each([
    ['no JSON', () => readDepositRules('{', 'rules.json')],
    ['no object', () => readDepositRules('[]', 'rules.json')],
    ['no list', () => readDepositRules('{"merchants": {}}', 'rules.json')],
  ])('that are %s are refused with a sentence that names the file', (_what, read) => {
    const reading = read();
    expect(reading.ok ? [] : reading.errors).toEqual([
      expect.stringMatching(/^rules\.json.* (must be|is not) /),
    ]);
  });

  test('name the place of what is wrong', () => {
    const { delay: _delay, ...noDelay } = acme;
    expect(errorsOf({ ...chain, timeZone: 'Berlin' })).toEqual([
      'rules.json: merchants[0].timeZone: must be a time zone, such as "Europe/Berlin"',
    ]);
    expect(errorsOf({ ...chain, acquirers: [noDelay] })).toEqual([
      expect.stringMatching(/^rules\.json: merchants\[0\]\.acquirers\[0\]\.delay: /),
    ]);
    expect(errorsOf({ ...chain, name: '' })).toEqual(['rules.json: merchants[0].name: must be a name']);
  });

  test('give nothing to two merchants', () => {
    expect(errorsOf(chain, { ...chain, acquirers: [other] })).toEqual([
      'rules.json: merchants[1].name: "Chain" is named twice',
      'rules.json: merchants[1]: "Chain" has all shops that are not named, too: name the shops of one of them',
    ]);
    const [one, two] = ['One', 'Two'].map((name) => ({ ...chain, name, shops: ['Berlin'] }));
    expect(errorsOf(one ?? {}, two ?? {})).toEqual([
      'rules.json: merchants[1].shops: "Berlin" is a shop of "One" already',
      expect.stringMatching(/acquirers\[0\]\.account: DE89370400440532013000 is an account of "One": /),
    ]);
    // Also where it is written with blanks, and where only one of them is simulated.
    const blank = { ...acme, account: 'de89 3704 0044 0532 0130 00' };
    expect(errorsOf(chain, { ...chain, name: 'Trial', simulated: true, acquirers: [blank] })).toHaveLength(1);
    expect(errorsOf(chain, { ...chain, name: 'Trial', simulated: true, acquirers: [other] })).toEqual([]);
  });

  test('have no acquirer that pays a shop of somebody else', () => {
    const acquirers = [{ ...acme, shops: ['Potsdam'] }];
    expect(errorsOf({ ...chain, shops: ['Berlin'], acquirers })).toEqual([
      'rules.json: merchants[0].acquirers[0].shops: "Potsdam" is no shop of "Chain"',
    ]);
  });
});
