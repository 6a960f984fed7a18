/** What payments add up to: the parts that the host has counted, with what has changed since. */
import {
  takenMinor,
  type PaymentFilter,
  type PaymentTotals,
  type TakenSum,
} from '../../../contract/console/index.ts';
import { isTaken } from '../../../contract/operation.ts';
import { isWithin } from './payment-list.ts';
import type { HeardChange } from './use-payment-list.ts';

/** A part, and the number of the latest change when it was asked for. */
export interface CountedPart extends PaymentTotals {
  heard: number;
}

export interface Sum {
  count: number;
  /** By currency. */
  taken: TakenSum[];
}

/**
 * What the parts and the payments that came after them add up to. `isOutdated`: a payment that may have been counted has
 * changed since, so that they have to be counted once more.
 */
export function sumOf(
  parts: readonly CountedPart[],
  changes: readonly HeardChange[],
  { span }: PaymentFilter,
): Sum & { isOutdated: boolean } {
  const newest = Math.max(-1, ...parts.map((part) => part.newest ?? -1));
  const heard = parts[0]?.heard ?? 0;
  let count = parts.reduce((sum, part) => sum + part.count, 0);
  const sums = new Map<string, TakenSum>();
  const add = (sum: TakenSum) => {
    const before = sums.get(sum.currency) ?? { count: 0, sumMinor: 0 };
    sums.set(sum.currency, {
      currency: sum.currency,
      count: before.count + sum.count,
      sumMinor: before.sumMinor + sum.sumMinor,
    });
  };
  for (const part of parts) part.taken.forEach(add);
  let isOutdated = false;
  for (const { payment, fits, number } of changes) {
    if (!isWithin(span, payment)) continue;
    if (payment.position <= newest) {
      isOutdated ||= number > heard;
    } else if (fits) {
      count += 1;
      if (isTaken(payment.status))
        add({ currency: payment.currency, count: 1, sumMinor: takenMinor(payment) });
    }
  }
  const taken = [...sums.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
  return { count, taken, isOutdated };
}
