import { expect, it } from 'vitest';
import { sidesOf } from '../../../src/remote/sandbox/rules/exchange.ts';

const quote = (fixed_side: string, sell_currency_code: string, buy_currency_code: string, amount: string) =>
  sidesOf({ fixed_side, sell_currency_code, buy_currency_code, amount });

it.each([
  // 3 yen are worth 1.5 cents.
  ['buy', 'EUR', 'JPY', '3', 2n, 3n],
  ['sell', 'JPY', 'EUR', '3', 3n, 1n],
  ['buy', 'EUR', 'USD', '0.02', 2n, 2n],
  ['buy', 'EUR', 'USD', '1.25', 100n, 125n],
] as const)(
  'to %s at a fixed amount, %s to %s %s: never in favour of who asks',
  (side, sell, buy, amount, paid, got) => {
    expect(quote(side, sell, buy, amount)).toMatchObject({ sellMinor: paid, buyMinor: got });
  },
);
