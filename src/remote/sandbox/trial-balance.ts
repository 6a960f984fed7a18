/** All accounts of the books at once: a test that moves money can see where each unit of it is. */
import { z } from 'zod';
import { writeAmount } from './money.ts';
import type { Ledger } from './store/ledger.ts';

export const trialBalanceSchema = z.array(
  z.object({
    currency_code: z.string(),
    total: z.string().meta({ description: 'Of all accounts. Every entry sums to zero, and so does this.' }),
    accounts: z.array(
      z.object({
        account: z.string().meta({
          description:
            'The id of an account or clearing account; "internal:…" is one of the books themselves.',
        }),
        balance: z.string(),
      }),
    ),
  }),
);

/** From every posting anew, and not from the balances that are kept; in the order of currencies and accounts. */
export function trialBalance(ledger: Ledger): z.output<typeof trialBalanceSchema> {
  const { byCurrency, byAccount } = ledger.recount();
  const rows = [...byAccount].map(([key, minor]) => {
    const [account = '', currencyCode = ''] = key.split(' ');
    return { currencyCode, account, balance: writeAmount(minor, currencyCode) };
  });
  return [...byCurrency]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currencyCode, total]) => ({
      currency_code: currencyCode,
      total: writeAmount(total, currencyCode),
      accounts: rows
        .filter((row) => row.currencyCode === currencyCode)
        .map(({ account, balance }) => ({ account, balance }))
        .sort((one, other) => (one.account < other.account ? -1 : 1)),
    }));
}
