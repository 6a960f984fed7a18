/** The same records in the shapes of earlier versions. Where a version's schema knows fewer fields, they are left out. */
import type { ApiVersion } from '../catalogue/index.ts';
import { writeAmount } from './money.ts';
import type { Fields } from './store/records.ts';
import { textOf } from './sandbox-context.ts';

type View = (record: Fields) => Fields;

function nothing(record: Fields): string {
  return writeAmount(0n, textOf(record, 'currency_code'));
}

/** Earlier versions have text where the latest one has null, and always name an account outside. */
const transaction: View = (record) => ({
  ...record,
  debit_amount: record['debit_amount'] ?? nothing(record),
  credit_amount: record['credit_amount'] ?? nothing(record),
  foreign_currency_code: record['foreign_currency_code'] ?? '',
  foreign_amount: record['foreign_amount'] ?? '',
  remark: record['remark'] ?? '',
  external_account: record['external_account'] ?? {
    type: 'bank-account',
    detail: { bank_identifier_code: '', bank_account_number: '', bank_account_name: '' },
  },
});

const views: Partial<Record<ApiVersion, Partial<Record<string, View>>>> = {
  v20250225: { transaction },
  v20250212: { transaction },
};

export function viewOf(version: ApiVersion, resource: string, record: Fields): Fields {
  return views[version]?.[resource]?.(record) ?? record;
}
