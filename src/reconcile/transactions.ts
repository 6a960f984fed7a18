/** Entries of an account, from the remote service's list of transactions. */
import { currencySchema } from '../contract/money.ts';
import { minorOf } from './amounts.ts';
import { dateOf, localTime } from './banking-days.ts';
import type { AccountEntry } from './types.ts';

/** What is used of a transaction; each is text, as the interface's document shows it (`GET /transactions`, deprecated). */
interface Transaction {
  id: string;
  account_id: string;
  currency_code: string;
  debit_credit_indicator: string;
  amount: string;
  debit_amount: string;
  credit_amount: string;
  pending: boolean;
  post_time: string;
  remark: string;
  transaction_code: string;
  /** Of a bank account: whose it is, and its number. */
  external_account: { detail: object };
}

type TransactionReading =
  | { kind: 'entry'; entry: AccountEntry }
  /** Not posted yet, or in a currency that no terminal has. */
  | { kind: 'left-out' }
  /** Then nobody knows all entries of the account. */
  | { kind: 'unreadable'; message: string };

/** `timeZone`: where the shop is; the day of posting is told by its clock. */
export function transactionReader(timeZone: string): (transaction: Transaction) => TransactionReading {
  const local = localTime(timeZone);
  return (transaction) => {
    const { id, account_id, currency_code, pending, post_time, remark, transaction_code } = transaction;
    const currency = currencySchema.safeParse(currency_code);
    if (pending || !currency.success) return { kind: 'left-out' };
    const unreadable = (what: string): TransactionReading => ({
      kind: 'unreadable',
      message: `Transaction ${id} has ${what} that cannot be read.`,
    });
    const posted = Date.parse(post_time);
    if (Number.isNaN(posted)) return unreadable('a time of posting');
    const sum = (text: string) => minorOf(text === '' ? '0' : text, currency.data);
    const [amount, debit, credit] = [
      transaction.amount,
      transaction.debit_amount,
      transaction.credit_amount,
    ].map(sum);
    if (amount == null || debit == null || credit == null) return unreadable('an amount');
    const { detail } = transaction.external_account;
    const sender = ['bank_account_name', 'bank_account_number'].flatMap((name) => {
      const text: unknown = Object.entries(detail).find(([key]) => key === name)?.[1];
      return typeof text === 'string' && text !== '' ? [text] : [];
    });
    const isDebit = transaction.debit_credit_indicator === 'debit';
    // Who tells one amount only says by the indicator which it is.
    const amountMinor = debit === 0 && credit === 0 ? Math.abs(amount) * (isDebit ? -1 : 1) : credit - debit;
    if (debit < 0 || credit < 0 || (amountMinor !== 0 && amountMinor < 0 !== isDebit))
      return unreadable('whether it is a debit or a credit');
    return {
      kind: 'entry',
      entry: {
        id,
        account: account_id,
        date: dateOf(local(posted).day),
        currency: currency.data,
        amountMinor: amountMinor === 0 ? 0 : amountMinor,
        remark,
        sender: sender.join(' '),
        code: transaction_code,
      },
    };
  };
}
