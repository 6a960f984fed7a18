/**
 * Clearing: an entry is money that waits on a clearing account. Its execution spreads it.
 *
 * The document shows that a transfer has a clearing account and discounts with rates, and no amounts. Assumed: the
 * entry's amount is divided equally over the transfers, a remainder of minor units going to the first ones; of each
 * part the discounts are taken one after the other, each of what the one before left, rounded down to minor units.
 */
import { fractionOf, minorOf, writeAmount } from '../money.ts';
import { unusable, wrongField } from '../request-error.ts';
import type { Fields, StoredRecord } from '../store/records.ts';
import { textOf, textOrNull, type SandboxContext } from '../sandbox-context.ts';
import { fundsOf, move, type Movement } from './books.ts';
import { done, fails, type FamilyRules } from './rules.ts';

interface Transfer {
  clearing_account_id: string;
  discounts: { rate: string }[];
}

export interface Part {
  clearingAccountId: string;
  /** What arrives, and what the discounts took, in minor units; together: the part. */
  minor: bigint;
  discountMinor: bigint;
}

/** Pure; the parts with their discounts sum to `minor`. */
export function divide(minor: bigint, transfers: readonly Transfer[]): Part[] {
  const count = BigInt(transfers.length);
  return transfers.map((transfer, index) => {
    const part = minor / count + (BigInt(index) < minor % count ? 1n : 0n);
    let rest = part;
    for (const { rate } of transfer.discounts) {
      const { numerator, denominator } = fractionOf(rate);
      rest -= (rest * numerator) / denominator;
    }
    return { clearingAccountId: transfer.clearing_account_id, minor: rest, discountMinor: part - rest };
  });
}

/** New money from outside, on the first clearing account in this currency. Throws RequestError when there is none. */
export function openClearingEntry(
  context: SandboxContext,
  currencyCode: string,
  minor: bigint,
): StoredRecord {
  const account = context.records.first('clearing-account', {
    currency_code: currencyCode,
    status: 'active',
  });
  if (account === null) throw unusable('currency_code', `there is no clearing account in ${currencyCode}`);
  move(context, [{ from: 'outside', to: { clearingAccount: account }, minor, currencyCode }], {
    type: 'clearing',
  });
  return context.records.insert('clearing-entry', {
    customer_id: context.customerId,
    clearing_account_id: account.id,
    currency_code: currencyCode,
    amount: writeAmount(minor, currencyCode),
    status: 'open',
    execute_time: null,
  });
}

export const clearingRules: FamilyRules = {
  'clearing-entry-execution-intent': {
    begin: () => ({ clearing_account_id: null, transfers: [] }),
    missing: (intent) =>
      transfersOf(intent).length === 0 ? 'The intent has no transfers yet; update them first.' : null,
    steps: {
      'update-transfers'(_context, _intent, request) {
        const transfers = transfersOf(request);
        if (transfers.length === 0) throw wrongField('transfers', 'must have at least one transfer');
        for (const [index, { discounts }] of transfers.entries()) {
          for (const [place, { rate }] of discounts.entries()) {
            const { numerator, denominator } = fractionOf(rate);
            if (numerator > denominator) {
              throw wrongField(
                `transfers.${index}.discounts.${place}.rate`,
                'must be a fraction of one, at most 1',
              );
            }
          }
        }
        return { transfers };
      },
    },
    complete(context, intent) {
      const entry = context.records.get('clearing-entry', textOf(intent, 'clearing_entry_id'));
      if (entry?.['status'] !== 'open') return fails('account-not-usable');
      const currencyCode = textOf(entry, 'currency_code');
      const sourceId =
        textOrNull(intent, 'clearing_account_id') ?? textOrNull(entry, 'clearing_account_id') ?? '';
      const source = context.records.get('clearing-account', sourceId);
      if (source?.['status'] !== 'active') return fails('account-not-usable');
      if (source['currency_code'] !== currencyCode) return fails('currency-mismatch');
      const minor = minorOf(textOf(entry, 'amount'), currencyCode);
      if (fundsOf(context, source) < minor) return fails('insufficient-funds');
      const movements: Movement[] = [];
      for (const part of divide(minor, transfersOf(intent))) {
        const target = context.records.get('clearing-account', part.clearingAccountId);
        if (target?.['status'] !== 'active') return fails('account-not-usable');
        if (target['currency_code'] !== currencyCode) return fails('currency-mismatch');
        const from = { clearingAccount: source };
        movements.push({ from, to: { clearingAccount: target }, minor: part.minor, currencyCode });
        movements.push({ from, to: 'discounts', minor: part.discountMinor, currencyCode });
      }
      move(context, movements, { type: 'clearing' });
      context.records.update('clearing-entry', entry.id, {
        status: 'executed',
        execute_time: context.time(),
      });
      return done({});
    },
  },
};

function transfersOf(fields: Fields): Transfer[] {
  return fields['transfers'] as Transfer[];
}
