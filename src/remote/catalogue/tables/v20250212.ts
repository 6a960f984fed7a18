/** Version v20250212: virtual accounts and the reads beside. The deprecated list of transactions is taken to be of it. */
import { z } from 'zod';
import { reads, type AssumptionsBy, type Reads, type ResourceEntry } from '../entries.ts';
import { anyObject, text } from '../formats.ts';
import { assumed, openEnum, documented } from '../marks.ts';
import { externalAccountOf, recordShape } from '../shapes.ts';
import { treasury } from './treasury.ts';

const virtualAccount = z.object({
  ...recordShape,
  status: documented(openEnum(['pending'], ['active', 'closed'])),
  customer_id: documented(text),
  account_id: documented(text),
  external_account: documented(externalAccountOf('crypto-account')),
});

export const transaction = z.object({
  ...recordShape,
  debit_credit_indicator: documented(openEnum(['debit'], ['credit'])),
  currency_code: documented(text),
  amount: documented(text),
  debit_amount: documented(text),
  credit_amount: documented(text),
  pending: documented(z.boolean()),
  transaction_code: documented(text),
  balance: documented(text),
  post_time: documented(text),
  value_time: documented(text),
  account_id: documented(text),
  balance_id: documented(text),
  customer_id: documented(text),
  foreign_currency_code: documented(text),
  foreign_amount: documented(text),
  remark: documented(text),
  type: documented(
    openEnum(
      ['adjustment'],
      ['incoming-transfer', 'outgoing-transfer', 'internal-transfer', 'trade', 'fee', 'clearing'],
    ),
  ),
  detail: documented(anyObject),
  external_account: documented(externalAccountOf('bank-account')),
});

/** The document names these parameters, and shows neither their types nor their bounds. */
export const transactionFilters = {
  since_time: documented(text),
  until_time: documented(text),
  time_column: documented(openEnum([], ['post_time', 'value_time', 'create_time', 'update_time'])),
  account_id: documented(text),
  balance_id: documented(text),
  debit_credit_indicator: documented(text),
  pending: documented(z.boolean()),
};

const area = 'treasury';

/** A row that is only read, with a record that is given as a whole. */
export function readRow<
  Response extends z.ZodObject,
  Filters extends z.ZodRawShape,
  const Given extends AssumptionsBy<'retrieve' | 'list'>,
>(row: {
  area: ResourceEntry['area'];
  meaning: string;
  path?: string;
  record: Response;
  filters: Filters;
  assumptions: Given;
}): ResourceEntry<Response, Reads<Response, Filters, Given>> {
  return {
    area: row.area,
    meaning: row.meaning,
    path: row.path ?? null,
    record: row.record,
    operations: reads(row.record, row.filters, row.assumptions),
    yields: null,
  };
}

/** "Earlier versions" have these reads; which one, and where, is not said. */
export const unshownVersion = {
  retrieve: ['version', 'method', 'path', 'response', 'scope'],
  list: ['version', 'method', 'path', 'query', 'response', 'scope'],
} as const;

/** Account and balance: the same fields as in the latest version, assumed there. */
export const accountAndBalance = {
  account: readRow({
    area,
    meaning: treasury.account.meaning,
    record: treasury.account.record,
    filters: { currency_code: assumed(text) },
    assumptions: unshownVersion,
  }),
  balance: readRow({
    area,
    meaning: treasury.balance.meaning,
    record: treasury.balance.record,
    filters: { account_id: assumed(text) },
    assumptions: unshownVersion,
  }),
};

export const v20250212 = {
  ...accountAndBalance,
  transaction: readRow({
    area,
    meaning: treasury.transaction.meaning,
    record: transaction,
    filters: transactionFilters,
    assumptions: {
      list: ['version', 'scope'],
      retrieve: unshownVersion.retrieve,
    },
  }),
  'virtual-account': readRow({
    area,
    meaning: treasury['virtual-account'].meaning,
    record: virtualAccount,
    filters: { account_id: documented(text) },
    assumptions: { list: ['scope'], retrieve: ['path', 'scope'] },
  }),
};
