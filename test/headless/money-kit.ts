/** For tests of where the money is: rules, closed batches and entries. */
import { emptyRecord } from '../../src/contract/terminal.ts';
import { oneAcquirer } from '../reconcile/shop-values.ts';
import { openTestJournal } from './seed-journal.ts';

export const acmeRules = { timeZone: 'Europe/Berlin', acquirers: [oneAcquirer] };

/** Batches of the test journal's day: 3 June 2024. */
export function closeBatch(folder: string, operationId: string, number: string, totalMinor: number): void {
  const journal = openTestJournal(folder);
  const terminal = { protocol: 'ecr-edc', terminalId: `T${number}` } as const;
  const totals = { count: 4, totalMinor };
  const base = { operationId, terminal, baseline: { kind: 'empty' }, simulated: false } as const;
  journal.append(
    {
      type: 'operation_started',
      kind: 'batch_close',
      ...base,
      currency: 'EUR',
      batchEpoch: 0,
      expected: totals,
    },
    {
      type: 'operation_ended',
      operationId,
      outcome: 'closed',
      reason: 'The day is closed.',
      result: {
        ...emptyRecord(),
        kind: 'batch_close',
        approved: true,
        batchNumber: number,
        merchantId: 'M1',
      },
      evidence: null,
      receiptLines: [],
      resolvedBy: null,
      batch: {
        batchNumber: number,
        ...totals,
        currency: 'EUR',
        reconciled: true,
        differences: [],
        totals: [],
      },
      settled: [],
    },
  );
  journal.close();
}

/** As the service gives it, on the account of `acmeRules`. */
export function transaction(
  id: string,
  day: string,
  credit: string,
  remark: string,
  more = {},
): Record<string, unknown> {
  return {
    id,
    create_time: day,
    update_time: day,
    token: `t-${id}`,
    etag: '"e"',
    debit_credit_indicator: 'credit',
    currency_code: 'EUR',
    amount: credit,
    debit_amount: '0.00',
    credit_amount: credit,
    pending: false,
    transaction_code: 'NTRF',
    balance: '0.00',
    post_time: day,
    value_time: day,
    account_id: 'giro',
    balance_id: 'b',
    customer_id: 'c',
    foreign_currency_code: '',
    foreign_amount: '',
    remark,
    type: 'incoming-transfer',
    detail: {},
    external_account: {
      type: 'bank-account',
      detail: { bank_identifier_code: '', bank_account_number: 'DE1', bank_account_name: 'Acme AG' },
    },
    ...more,
  };
}
