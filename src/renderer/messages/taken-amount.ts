import type { PaymentView } from '../../contract/console/index.ts';

/** What a payment is about, in minor units: what the terminal took (with a tip, say), else what was asked for. */
export function takenMinor({ approvedMinor, amountMinor }: PaymentView): number {
  return approvedMinor ?? amountMinor;
}
