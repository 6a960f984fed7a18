/** Amounts as the POS writes them. */
import assert from 'node:assert/strict';
import { currencySchema, formatAmount, parseAmount } from '../../../src/contract/money.ts';
import { amountPattern } from '../../../src/contract/request-forms.ts';
import { damaged } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

const decoder = new TextDecoder();
/** 9999999999.99 in a currency with three decimals. */
const largestMinor = 9_999_999_999_990;
const characters = Array.from('0123456789..,-+e \u0660\uff11') as [string, ...string[]];

export const amounts: FuzzTarget = {
  name: 'amounts',
  rule: 'an amount is refused in words, or is a whole number of minor units that reads back as it was written',
  seeds: () =>
    ['12.00', '0.01', '9999999999.99', '1200.00', '0.00', '1e3.00'].map((text) => Buffer.from(text)),
  triesInTests: 5_000,
  triesInChunk: 100_000,
  make: (random, corpus) => {
    if (random.chance(0.2)) return damaged(random, corpus);
    const digits = (count: number) => Array.from({ length: count }, () => random.integer(0, 9)).join('');
    const text = Array.from(`${digits(random.integer(1, 11))}.${digits(2)}`);
    if (random.chance(0.3)) text[random.integer(0, text.length)] = random.pick(characters);
    return Buffer.from(text.join(''));
  },
  open: () => ({
    play(input) {
      const text = decoder.decode(input);
      const outcomes = new Set<string>();
      for (const currency of currencySchema.options) {
        const parsed = parseAmount(text, currency);
        if (!parsed.ok) {
          assert.ok(parsed.message.length > 0 && parsed.message.length < 200);
          outcomes.add(amountPattern.test(text) ? 'refused: value' : 'refused: form');
          continue;
        }
        const { amountMinor } = parsed;
        assert.ok(Number.isSafeInteger(amountMinor) && amountMinor > 0 && amountMinor <= largestMinor);
        assert.equal(Number(formatAmount(amountMinor, currency)), Number(text));
        outcomes.add(`taken, ${text.length} characters`);
      }
      return [...outcomes].toSorted().join('; ');
    },
    close() {},
  }),
};
