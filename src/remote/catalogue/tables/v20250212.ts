/** Version v20250212: virtual accounts and the reads beside. The deprecated list of transactions is taken to be of it. */
import { z } from 'zod';
import { reads, type Decision, type ResourceEntry } from '../entries.ts';
import { anyObject, text } from '../formats.ts';
import { decided, openWord, shown } from '../marks.ts';
import { externalAccountOf, recordShape } from '../shapes.ts';
import { treasury } from './treasury.ts';

const virtualAccount = z.object({
  ...recordShape,
  status: shown(openWord(['pending'], ['active', 'closed'])),
  customer_id: shown(text),
  account_id: shown(text),
  external_account: shown(externalAccountOf('crypto-account')),
});

export const transaction = z.object({
  ...recordShape,
  debit_credit_indicator: shown(openWord(['debit'], ['credit'])),
  currency_code: shown(text),
  amount: shown(text),
  debit_amount: shown(text),
  credit_amount: shown(text),
  pending: shown(z.boolean()),
  transaction_code: shown(text),
  balance: shown(text),
  post_time: shown(text),
  value_time: shown(text),
  account_id: shown(text),
  balance_id: shown(text),
  customer_id: shown(text),
  foreign_currency_code: shown(text),
  foreign_amount: shown(text),
  remark: shown(text),
  type: shown(
    openWord(
      ['adjustment'],
      ['incoming-transfer', 'outgoing-transfer', 'internal-transfer', 'trade', 'fee', 'clearing'],
    ),
  ),
  detail: shown(anyObject),
  external_account: shown(externalAccountOf('bank-account')),
});

/** The document names these parameters, and shows neither their types nor their bounds. */
export const transactionFilters = {
  since_time: shown(text),
  until_time: shown(text),
  time_column: shown(openWord([], ['post_time', 'value_time', 'create_time', 'update_time'])),
  account_id: shown(text),
  balance_id: shown(text),
  debit_credit_indicator: shown(text),
  pending: shown(z.boolean()),
};

const area = 'treasury';

/** A row that is only read, with a record that is given as a whole. */
export function readRow<Answer extends z.ZodObject, Filters extends z.ZodRawShape>(row: {
  area: ResourceEntry['area'];
  meaning: string;
  path?: string;
  record: Answer;
  filters: Filters;
  decisions?: { retrieve?: readonly Decision[]; list?: readonly Decision[] };
}): ResourceEntry<Answer, ReturnType<typeof reads<Answer, Filters>>> {
  return {
    area: row.area,
    meaning: row.meaning,
    path: row.path ?? null,
    record: row.record,
    operations: reads(row.record, row.filters, row.decisions),
    yields: null,
  };
}

/** "Earlier versions" have these reads; which one, and where, is not said. */
export const unshownVersion: { retrieve: readonly Decision[]; list: readonly Decision[] } = {
  retrieve: ['version', 'method', 'path', 'response', 'scope'],
  list: ['version', 'method', 'path', 'query', 'response', 'scope'],
};

/** Account and balance: the same fields as in the latest version, decided there. */
export const accountAndBalance = {
  account: readRow({
    area,
    meaning: treasury.account.meaning,
    record: treasury.account.record,
    filters: { currency_code: decided(text) },
    decisions: unshownVersion,
  }),
  balance: readRow({
    area,
    meaning: treasury.balance.meaning,
    record: treasury.balance.record,
    filters: { account_id: decided(text) },
    decisions: unshownVersion,
  }),
};

export const v20250212 = {
  ...accountAndBalance,
  transaction: readRow({
    area,
    meaning: treasury.transaction.meaning,
    record: transaction,
    filters: transactionFilters,
    decisions: {
      list: ['version', 'scope'],
      retrieve: unshownVersion.retrieve,
    },
  }),
  'virtual-account': readRow({
    area,
    meaning: treasury['virtual-account'].meaning,
    record: virtualAccount,
    filters: { account_id: shown(text) },
    decisions: { list: ['scope'], retrieve: ['path', 'scope'] },
  }),
};
