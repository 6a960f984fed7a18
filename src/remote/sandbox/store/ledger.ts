/**
 * Double entry: an entry is a set of postings that sums to zero in each currency, or it is refused as a bug.
 *
 *     outside:EUR   -100.00  ──►  +100.00  account
 *
 * Accounts of the customer and clearing accounts are ledger accounts by their id; the others have a name. What leaves
 * or enters the sandbox is on "outside", so that the whole sums to zero too.
 */
import type { Chance } from '../../../base/chance.ts';
import type { Database } from './database.ts';

export interface Posting {
  /** The id of an account, or `internal(…)`. */
  ledgerAccount: string;
  currencyCode: string;
  /** In minor units; above zero: the account gets it. */
  minor: bigint;
}

export interface Ledger {
  /** Gives the id of the entry. Throws when the postings do not sum to zero. */
  post(postings: readonly Posting[]): string;
  /** In minor units. */
  balance(ledgerAccount: string, currencyCode: string): bigint;
  /** Every posting anew, for proof: the sum per currency, and the sum per account and currency. */
  recount(): { byCurrency: Map<string, bigint>; byAccount: Map<string, bigint> };
}

export type InternalAccount = 'outside' | 'market' | 'trades' | 'discounts';

export function internal(name: InternalAccount): string {
  return `internal:${name}`;
}

export function createLedger(
  { sql }: Database,
  { time: nowTime, chance }: { time: () => string; chance: Chance },
): Ledger {
  const insert = sql.prepare(
    'INSERT INTO posting (entry_id, ledger_account, currency_code, amount, post_time) VALUES (?, ?, ?, ?, ?)',
  );
  const select = sql.prepare(
    'SELECT amount FROM ledger_balance WHERE ledger_account = ? AND currency_code = ?',
  );
  const set = sql.prepare(
    'INSERT INTO ledger_balance (ledger_account, currency_code, amount) VALUES (?, ?, ?) ' +
      'ON CONFLICT DO UPDATE SET amount = excluded.amount',
  );
  const every = sql.prepare('SELECT ledger_account, currency_code, amount FROM posting');

  const balance = (ledgerAccount: string, currencyCode: string): bigint =>
    BigInt(String(select.get(ledgerAccount, currencyCode)?.['amount'] ?? '0'));

  return {
    post(postings) {
      const sums = new Map<string, bigint>();
      for (const { currencyCode, minor } of postings) add(sums, currencyCode, minor);
      for (const [currencyCode, sum] of sums) {
        if (sum !== 0n) throw new Error(`the postings in ${currencyCode} sum to ${sum}, not to zero`);
      }
      const entryId = chance.uuid();
      const time = nowTime();
      for (const { ledgerAccount, currencyCode, minor } of postings) {
        insert.run(entryId, ledgerAccount, currencyCode, minor.toString(), time);
        const sum = balance(ledgerAccount, currencyCode) + minor;
        set.run(ledgerAccount, currencyCode, sum.toString());
      }
      return entryId;
    },
    balance,
    recount() {
      const byCurrency = new Map<string, bigint>();
      const byAccount = new Map<string, bigint>();
      for (const row of every.iterate()) {
        const minor = BigInt(String(row['amount']));
        const currencyCode = String(row['currency_code']);
        add(byCurrency, currencyCode, minor);
        add(byAccount, `${String(row['ledger_account'])} ${currencyCode}`, minor);
      }
      return { byCurrency, byAccount };
    },
  };
}

function add(sums: Map<string, bigint>, key: string, minor: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + minor);
}
