/** Quotes and trades. Prices are fixed, so that the same request always gets the same answer. */
import { fractionOf, minorOf, placesOf, readAmount, writeAmount } from '../money.ts';
import { RequestError, unusable, wrongField } from '../request-error.ts';
import { newFields } from '../samples.ts';
import type { Fields, StoredRecord } from '../store/records.ts';
import { recordSchemaOf, textOf, type SandboxContext } from '../sandbox-context.ts';
import { isUsable } from './accounts.ts';
import { fundsOf, move } from './books.ts';
import { done, fails, type FamilyRules } from './rules.ts';

/** What one unit is worth in euros. */
const prices: Partial<Record<string, string>> = {
  EUR: '1',
  USD: '0.8',
  GBP: '1.25',
  CHF: '1',
  JPY: '0.005',
  USDC: '0.8',
  USDT: '0.8',
  BTC: '50000',
  ETH: '2500',
};

const quoteLifeMs = 60_000;
/** How long a trade can be cancelled. */
export const settlementMs = 10_000;

const ratePlaces = 12;

/** How much `buy` one unit of `sell` gives, cut to 12 places. Null: there is no price. */
function rateOf(sell: string, buy: string): string | null {
  const [from, to] = [prices[sell], prices[buy]];
  if (from === undefined || to === undefined) return null;
  const [a, b] = [fractionOf(from), fractionOf(to)];
  const scaled = (a.numerator * b.denominator * 10n ** BigInt(ratePlaces)) / (a.denominator * b.numerator);
  const digits = scaled.toString().padStart(ratePlaces + 1, '0');
  const text = `${digits.slice(0, -ratePlaces)}.${digits.slice(-ratePlaces)}`;
  return text.replace(/\.?0+$/, '');
}

/**
 * Both sides in minor units. Of the side that is not fixed, what is paid is rounded up and what comes is rounded down, so
 * that no row of trades makes money out of nothing.
 */
export function sidesOf(request: Fields): { sellMinor: bigint; buyMinor: bigint; rate: string } {
  const sell = textOf(request, 'sell_currency_code');
  const buy = textOf(request, 'buy_currency_code');
  if (sell === buy) throw wrongField('buy_currency_code', 'must be another currency than sell_currency_code');
  const rate = rateOf(sell, buy);
  if (rate === null) throw unusable('buy_currency_code', `the sandbox has no price for ${sell} in ${buy}`);
  const fixedSell = request['fixed_side'] === 'sell';
  const read = readAmount(textOf(request, 'amount'), fixedSell ? sell : buy);
  if (!read.ok) throw wrongField('amount', read.why);
  const { numerator, denominator } = fractionOf(rate);
  const sellUnit = 10n ** BigInt(placesOf(sell) ?? 0);
  const buyUnit = 10n ** BigInt(placesOf(buy) ?? 0);
  const other = fixedSell
    ? (read.minor * numerator * buyUnit) / (denominator * sellUnit)
    : dividedUp(read.minor * denominator * sellUnit, numerator * buyUnit);
  if (other === 0n) throw wrongField('amount', 'is so small that the other side would be nothing');
  const otherCode = fixedSell ? buy : sell;
  const fits = readAmount(writeAmount(other, otherCode), otherCode);
  if (!fits.ok) throw wrongField('amount', `is so large that of its other side ${fits.why}`);
  return fixedSell
    ? { sellMinor: read.minor, buyMinor: other, rate }
    : { sellMinor: other, buyMinor: read.minor, rate };
}

function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

export const exchangeRules: FamilyRules = {
  'quote-creation-intent': {
    check: (_world, request) => void sidesOf(request),
    complete(context, intent) {
      const { sellMinor, buyMinor, rate } = sidesOf(intent);
      const quote = context.records.insert(
        'quote',
        newFields(recordSchemaOf(context.catalogue, 'quote'), {
          ...intent,
          sell_amount: writeAmount(sellMinor, textOf(intent, 'sell_currency_code')),
          buy_amount: writeAmount(buyMinor, textOf(intent, 'buy_currency_code')),
          rate,
          status: 'open',
          expire_time: context.time(quoteLifeMs),
        }),
      );
      context.due('quote', quote.id, quoteLifeMs);
      return done({ quote_id: quote.id });
    },
  },
  'trade-creation-intent': { complete: openTrade },
  'trade-cancellation-intent': {
    complete(context, intent) {
      const trade = context.records.get('trade', textOf(intent, 'trade_id'));
      if (trade?.['status'] !== 'pending') return fails('trade-not-cancellable');
      const { sellAccount, sellMinor, sellCode } = partsOf(context, trade);
      const back = {
        from: 'trades',
        to: { account: sellAccount },
        minor: sellMinor,
        currencyCode: sellCode,
      } as const;
      move(context, [back], { type: 'trade', detail: { trade_id: trade.id } });
      context.records.update('trade', trade.id, { status: 'cancelled', cancel_time: context.time() });
      return done({});
    },
  },
};

/** What is sold leaves the account at once, what is bought comes when the trade settles. */
function openTrade(context: SandboxContext, intent: StoredRecord) {
  const quote = context.records.get('quote', textOf(intent, 'quote_id'));
  if (quote === null || quote['status'] === 'used') return fails('quote-used');
  if (quote['status'] !== 'open') return fails('quote-expired');
  const sellAccount = context.records.get('account', textOf(intent, 'sell_account_id'));
  const buyAccount = context.records.get('account', textOf(intent, 'buy_account_id'));
  if (!isUsable(sellAccount) || !isUsable(buyAccount)) return fails('account-not-usable');
  const sellCode = textOf(quote, 'sell_currency_code');
  const fitting =
    sellAccount['currency_code'] === sellCode && buyAccount['currency_code'] === quote['buy_currency_code'];
  if (!fitting) return fails('currency-mismatch');
  const minor = minorOf(textOf(quote, 'sell_amount'), sellCode);
  if (fundsOf(context, sellAccount) < minor) return fails('insufficient-funds');
  const trade = context.records.insert(
    'trade',
    newFields(recordSchemaOf(context.catalogue, 'trade'), {
      ...quote,
      quote_id: quote.id,
      sell_account_id: sellAccount.id,
      buy_account_id: buyAccount.id,
      status: 'pending',
    }),
  );
  move(context, [{ from: { account: sellAccount }, to: 'trades', minor, currencyCode: sellCode }], {
    type: 'trade',
    detail: { trade_id: trade.id },
    foreignCurrencyCode: textOf(quote, 'buy_currency_code'),
    foreignAmount: textOf(quote, 'buy_amount'),
  });
  context.records.update('quote', quote.id, { status: 'used' });
  context.due('trade', trade.id, settlementMs);
  return done({ trade_id: trade.id });
}

export function settleTrade(context: SandboxContext, trade: StoredRecord): StoredRecord {
  if (trade['status'] !== 'pending') return trade;
  const { buyAccount, sellMinor, sellCode, buyMinor, buyCode } = partsOf(context, trade);
  move(
    context,
    [
      { from: 'trades', to: 'market', minor: sellMinor, currencyCode: sellCode },
      { from: 'market', to: { account: buyAccount }, minor: buyMinor, currencyCode: buyCode },
    ],
    {
      type: 'trade',
      detail: { trade_id: trade.id },
      foreignCurrencyCode: sellCode,
      foreignAmount: textOf(trade, 'sell_amount'),
    },
  );
  return context.records.update('trade', trade.id, { status: 'settled', settle_time: context.time() });
}

export function expireQuote(context: SandboxContext, quote: StoredRecord): StoredRecord {
  return quote['status'] === 'open'
    ? context.records.update('quote', quote.id, { status: 'expired' })
    : quote;
}

function partsOf(context: SandboxContext, trade: StoredRecord) {
  const sellCode = textOf(trade, 'sell_currency_code');
  const buyCode = textOf(trade, 'buy_currency_code');
  const account = (field: string): StoredRecord => {
    const found = context.records.get('account', textOf(trade, field));
    if (found === null) throw new RequestError('state_conflict', 'An account of the trade is gone.');
    return found;
  };
  return {
    sellAccount: account('sell_account_id'),
    buyAccount: account('buy_account_id'),
    sellCode,
    buyCode,
    sellMinor: minorOf(textOf(trade, 'sell_amount'), sellCode),
    buyMinor: minorOf(textOf(trade, 'buy_amount'), buyCode),
  };
}
