/** Money on accounts: each movement is a ledger entry, a transaction and a new balance, in one go. */
import { newFields } from '../samples.ts';
import { writeAmount } from '../money.ts';
import { internal, type InternalAccount, type Posting } from '../store/ledger.ts';
import type { Fields, StoredRecord } from '../store/records.ts';
import { recordSchemaOf, textOf, type SandboxContext } from '../sandbox-context.ts';

export interface Movement {
  from: Party;
  to: Party;
  minor: bigint;
  currencyCode: string;
}
/** An account of the customer, a clearing account, or one of the ledger's own. */
type Party = { account: StoredRecord } | { clearingAccount: StoredRecord } | InternalAccount;

/** What the transactions of a movement say of it. */
export interface Story {
  type: string;
  remark?: string | null;
  detail?: Fields;
  externalAccount?: unknown;
  foreignCurrencyCode?: string;
  foreignAmount?: string;
  /** Left out: now. */
  time?: string;
}

/** Gives the transactions of the customer's accounts, by account id. All movements are one entry. */
export function move(
  context: SandboxContext,
  movements: readonly Movement[],
  story: Story,
): Map<string, StoredRecord> {
  const postings = movements.flatMap(({ from, to, minor, currencyCode }): Posting[] => [
    { ledgerAccount: ledgerAccountOf(from), currencyCode, minor: -minor },
    { ledgerAccount: ledgerAccountOf(to), currencyCode, minor },
  ]);
  context.ledger.post(postings);
  const transactions = new Map<string, StoredRecord>();
  for (const { from, to, minor, currencyCode } of movements) {
    for (const [party, signed] of [
      [from, -minor],
      [to, minor],
    ] as const) {
      if (typeof party === 'string' || minor === 0n) continue;
      if ('clearingAccount' in party) {
        showClearingBalance(context, party.clearingAccount);
      } else {
        transactions.set(
          party.account.id,
          writeTransaction(context, party.account, signed, currencyCode, story),
        );
      }
    }
  }
  return transactions;
}

function ledgerAccountOf(party: Party): string {
  if (typeof party === 'string') return internal(party);
  return 'account' in party ? party.account.id : party.clearingAccount.id;
}

export function fundsOf(context: SandboxContext, account: StoredRecord): bigint {
  return context.ledger.balance(account.id, textOf(account, 'currency_code'));
}

function writeTransaction(
  context: SandboxContext,
  account: StoredRecord,
  signed: bigint,
  currencyCode: string,
  story: Story,
): StoredRecord {
  const balance = showBalance(context, account);
  const amount = writeAmount(signed < 0n ? -signed : signed, currencyCode);
  const time = story.time ?? context.time();
  const schema = recordSchemaOf(context.catalogue, 'transaction');
  return context.records.insert(
    'transaction',
    newFields(schema, {
      customer_id: context.customerId,
      account_id: account.id,
      balance_id: balance.id,
      type: story.type,
      debit_credit_indicator: signed < 0n ? 'debit' : 'credit',
      currency_code: currencyCode,
      amount,
      debit_amount: signed < 0n ? amount : null,
      credit_amount: signed < 0n ? null : amount,
      balance: balance['amount'],
      pending: false,
      transaction_code: story.type.toUpperCase(),
      post_time: time,
      value_time: time,
      remark: story.remark ?? null,
      detail: story.detail ?? {},
      external_account: story.externalAccount ?? null,
      foreign_currency_code: story.foreignCurrencyCode ?? null,
      foreign_amount: story.foreignAmount ?? null,
    }),
  );
}

/** Brings the account's balance record up to the ledger; makes it with the first one. */
export function showBalance(context: SandboxContext, account: StoredRecord): StoredRecord {
  const currencyCode = textOf(account, 'currency_code');
  const amount = writeAmount(fundsOf(context, account), currencyCode);
  const fields = {
    customer_id: context.customerId,
    account_id: account.id,
    currency_code: currencyCode,
    amount,
    available_amount: amount,
    pending_amount: writeAmount(0n, currencyCode),
    as_of_time: context.time(),
  };
  const before = context.records.first('balance', { account_id: account.id });
  return before === null
    ? context.records.insert('balance', fields)
    : context.records.update('balance', before.id, fields);
}

function showClearingBalance(context: SandboxContext, account: StoredRecord): void {
  const currencyCode = textOf(account, 'currency_code');
  const balance = writeAmount(fundsOf(context, account), currencyCode);
  context.records.update('clearing-account', account.id, { balance });
}
