import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latestVersion, catalogue, type ApiVersion } from '../../../src/remote/library/client.ts';
import { createExecutor, type Executor } from '../../../src/remote/sandbox/executor.ts';
import { minorOf, readAmount, writeAmount } from '../../../src/remote/sandbox/money.ts';
import { addReferenceData } from '../../../src/remote/sandbox/seed.ts';
import { divide } from '../../../src/remote/sandbox/rules/clearing.ts';
import { addDemonstration } from '../../../src/remote/sandbox/seed.ts';
import { openDatabase } from '../../../src/remote/sandbox/store/database.ts';
import { createLedger } from '../../../src/remote/sandbox/store/ledger.ts';
import { textOf } from '../../../src/remote/sandbox/sandbox-context.ts';
import { seededChance } from '../../support/random.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

interface Bench {
  executor: Executor;
  /** Carries out one operation; gives the answer, or null when it was refused. */
  run(
    version: ApiVersion,
    resource: string,
    action: string,
    id: string | null,
    body: unknown,
  ): Record<string, unknown> | null;
  skip(ms: number): void;
}

function createBench(): Bench {
  const clock = createVirtualClock({ startsAt: Date.UTC(2026, 2, 26) });
  const executor = createExecutor({
    catalogue,
    database: openDatabase(null),
    clock,
    chance: seededChance(clock),
    onChange: () => {},
  });
  addReferenceData(executor);
  addDemonstration(executor);
  return {
    executor,
    skip: (ms) => clock.jump(ms),
    run(version, resource, action, id, body) {
      const operation = catalogue.findOperation(version, resource, action);
      if (operation === null) throw new Error(`no ${resource} ${action}`);
      const result = executor.execute(operation, { id, query: new URLSearchParams(), body, ifMatch: '*' });
      return result.ok ? (result.body as Record<string, unknown>) : null;
    },
  };
}

/** A whole number from `bits`, below `below`. */
const pick = (bits: number, below: number) => bits % below;

const kinds = ['in', 'out', 'internal', 'quote', 'trade', 'cancel', 'clearing', 'wait', 'advance'] as const;
const operation = fc.record({
  kind: fc.constantFrom(...kinds),
  a: fc.nat(1_000),
  b: fc.nat(1_000),
  cents: fc.integer({ min: 1, max: 5_000_000 }),
  rates: fc.array(fc.constantFrom('0', '0.015', '0.333333', '0.5', '1'), { maxLength: 3 }),
});
type RandomOperation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

function act(bench: Bench, { kind, a, b, cents, rates }: RandomOperation): string {
  const { run, executor } = bench;
  const { records } = executor.context;
  const accounts = records.all('account');
  const one = accounts[pick(a, accounts.length)]!;
  const other = accounts[pick(b, accounts.length)]!;
  const money = { currency_code: one['currency_code'], amount: (cents / 100).toFixed(2) };
  const intent = (resource: string, body: unknown) => {
    const created = run(latestVersion, resource, 'create', null, body);
    const confirmed = created && run(latestVersion, resource, 'confirm', String(created['id']), undefined);
    const result = confirmed?.['result'];
    return typeof result === 'string' ? result : 'refused';
  };
  if (kind === 'in') {
    run(latestVersion, 'simulator-incoming-transfer', 'create', null, {
      account_id: one.id,
      ...money,
      reference: a % 3 === 0 ? 'sandbox:clearing' : 'in',
    });
  } else if (kind === 'out') {
    const beneficiary_account_id = records.first('beneficiary-account')?.id;
    return intent('outgoing-transfer-creation-intent', {
      account_id: one.id,
      beneficiary_account_id,
      ...money,
    });
  } else if (kind === 'internal') {
    return intent('internal-transfer-creation-intent', {
      source_account_id: one.id,
      destination_account_id: other.id,
      ...money,
    });
  } else if (kind === 'quote') {
    return intent('quote-creation-intent', {
      sell_currency_code: one['currency_code'],
      buy_currency_code: one['currency_code'] === 'EUR' ? 'USD' : 'EUR',
      fixed_side: a % 2 === 0 ? 'sell' : 'buy',
      amount: money.amount,
    });
  } else if (kind === 'trade') {
    const quotes = records.list('quote', { after: null, count: 50, where: { status: 'open' } });
    const quote = quotes[pick(b, Math.max(1, quotes.length))];
    if (quote === undefined) return 'refused';
    const inCurrency = (code: unknown) => accounts.filter((account) => account['currency_code'] === code);
    const [sell, buy] = [inCurrency(quote['sell_currency_code']), inCurrency(quote['buy_currency_code'])];
    return intent('trade-creation-intent', {
      quote_id: quote.id,
      sell_account_id: sell[pick(a, sell.length)]?.id,
      buy_account_id: buy[pick(b, buy.length)]?.id,
    });
  } else if (kind === 'cancel') {
    const trade = records.list('trade', { after: null, count: 1, where: { status: 'pending' } })[0];
    return trade === undefined ? 'refused' : intent('trade-cancellation-intent', { trade_id: trade.id });
  } else if (kind === 'clearing') {
    return executeClearing(bench, a, b, rates);
  } else if (kind === 'wait') {
    bench.skip(a * 10);
  } else {
    const trade = records.first('trade', { status: 'pending' });
    if (trade !== null) executor.advance('trade', trade.id);
  }
  return kind;
}

function executeClearing({ run, executor }: Bench, a: number, b: number, rates: string[]): string {
  const { records } = executor.context;
  const entry = records.first('clearing-entry', { status: 'open' });
  if (entry === null) return 'refused';
  const family = 'clearing-entry-execution-intent';
  const version = 'v20250225';
  const id = String(run(version, family, 'create', null, { clearing_entry_id: entry.id })?.['id']);
  const targets = records.all('clearing-account', { currency_code: textOf(entry, 'currency_code') });
  const transfers = Array.from({ length: 1 + (a % 3) }, (_unused, index) => ({
    clearing_account_id: targets[pick(b + index, targets.length)]?.id,
    discounts: rates.map((rate) => ({ rate })),
  }));
  run(version, family, 'update-transfers', id, { transfers });
  return String(run(version, family, 'confirm', id, undefined)?.['result']);
}

function expectBalanced({ context }: Executor): void {
  const { byCurrency, byAccount } = context.ledger.recount();
  expect([...byCurrency.keys()].sort()).toEqual(['EUR', 'USD']);
  for (const [currencyCode, sum] of byCurrency) expect(sum, currencyCode).toBe(0n);
  for (const balance of context.records.all('balance')) {
    const currencyCode = textOf(balance, 'currency_code');
    const sum = byAccount.get(`${textOf(balance, 'account_id')} ${currencyCode}`) ?? 0n;
    expect(balance['amount']).toBe(writeAmount(sum, currencyCode));
    expect(sum >= 0n).toBe(true);
  }
  for (const account of context.records.all('clearing-account')) {
    const currencyCode = textOf(account, 'currency_code');
    const sum = byAccount.get(`${account.id} ${currencyCode}`) ?? 0n;
    expect(account['balance']).toBe(writeAmount(sum, currencyCode));
  }
}

describe('postings', () => {
  it('sum to zero per currency, and balances are their sums, under 10,000 random operations', () => {
    const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    const operations = fc.sample(operation, { seed, numRuns: 10_000 });
    const bench = createBench();
    const outcomes = new Map<string, number>();
    for (const [index, random] of operations.entries()) {
      const outcome = `${random.kind} ${act(bench, random)}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (index % 1_000 === 999) expectBalanced(bench.executor);
    }
    // Otherwise it would have shown nothing: every kind that moves money did.
    for (const moved of ['out', 'internal', 'quote', 'trade', 'cancel', 'clearing']) {
      expect(outcomes.get(`${moved} succeeded`) ?? 0, `${moved}, TEST_SEED=${seed}`).toBeGreaterThan(10);
    }
    expect(outcomes.get('out failed') ?? 0).toBeGreaterThan(0);
  });

  it('that do not sum to zero are refused', () => {
    const ledger = createLedger(openDatabase(null), {
      time: () => '2026-03-26T08:00:00.000Z',
      chance: seededChance(createVirtualClock()),
    });
    const posting = (minor: bigint, currencyCode: string) => ({ ledgerAccount: 'a', currencyCode, minor });
    expect(() => ledger.post([posting(1n, 'EUR'), posting(-1n, 'USD')])).toThrow('not to zero');
    expect(ledger.recount().byCurrency.size).toBe(0);
  });
});

describe('amounts', () => {
  it('go to minor units and back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('EUR', 'JPY', 'KWD', 'BTC', 'ETH'),
        fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }),
        (currencyCode, minor) => {
          expect(minorOf(writeAmount(minor, currencyCode), currencyCode)).toBe(minor);
        },
      ),
    );
    expect(writeAmount(-5n, 'EUR')).toBe('-0.05');
    expect(readAmount('1.50', 'JPY')).toMatchObject({ ok: false });
    expect(readAmount('1.00', 'XXX')).toMatchObject({ ok: false });
    expect(readAmount('1000000000000', 'EUR')).toMatchObject({ ok: false });
  });

  it('divided over transfers with discounts, lose and gain nothing', () => {
    const rate = fc
      .integer({ min: 0, max: 1_000_000 })
      .map((millionths) => (millionths / 1_000_000).toFixed(6));
    const transfer = fc.record({
      clearing_account_id: fc.constant('c'),
      discounts: fc.array(fc.record({ rate }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.array(transfer, { minLength: 1, maxLength: 7 }),
        (minor, transfers) => {
          const parts = divide(minor, transfers);
          const sum = parts.reduce((total, part) => total + part.minor + part.discountMinor, 0n);
          expect(sum).toBe(minor);
          expect(parts.every((part) => part.minor >= 0n && part.discountMinor >= 0n)).toBe(true);
        },
      ),
    );
  });
});
