import type { PaymentRow } from '../journal/index.ts';

/** The minor units that the terminal took; null where it took nothing, and while nobody knows. */
export function approvedMinor({ status, result, amountMinor }: PaymentRow): number | null {
  const wasTaken =
    status === 'approved' || status === 'settled' || status === 'voiding' || status === 'voided';
  return wasTaken ? (result?.amountMinor ?? amountMinor) : null;
}
