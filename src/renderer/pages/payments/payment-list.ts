/** What the list of payments shows, out of the pages that were fetched and the changes that the host has sent since. */
import type { PaymentFilter, PaymentsResponse, PaymentView } from '../../../contract/console/index.ts';

/** A payment is new or has changed, and `fits` the filter or no longer does. */
export interface PaymentChange {
  payment: PaymentView;
  fits: boolean;
}

/**
 * The payments of all pages with what has changed since, newest first, each once. A single page stays in the host's own
 * order: a search may put what begins with its text first.
 */
export function listOf(pages: readonly PaymentsResponse[], changes: readonly PaymentChange[]): PaymentView[] {
  const [first] = pages;
  if (first !== undefined && pages.length === 1 && changes.length === 0) return first.payments;
  const next = pages.at(-1)?.next ?? null;
  const byPosition = new Map<number, PaymentView>();
  /** Of two views of the same payment the one that is as new or newer counts. */
  const isNewer = ({ position, updatedAt }: PaymentView) =>
    (byPosition.get(position)?.updatedAt ?? '') <= updatedAt;
  for (const payment of pages.flatMap(({ payments }) => payments)) {
    if (isNewer(payment)) byPosition.set(payment.position, payment);
  }
  for (const { payment, fits } of changes) {
    if (!isNewer(payment)) continue;
    // One that is older than what has been loaded comes with its own page.
    const isBehind = next !== null && payment.position < next && !byPosition.has(payment.position);
    if (!fits) byPosition.delete(payment.position);
    else if (!isBehind) byPosition.set(payment.position, payment);
  }
  return [...byPosition.values()].toSorted((one, other) => other.position - one.position);
}

/** Whether day and status fit; what a text fits, only the host knows. */
export function fitsWithoutText({ span, status }: PaymentFilter, payment: PaymentView): boolean {
  const started = Date.parse(payment.createdAt);
  return (
    (status === null || payment.status === status) &&
    (span === null || (started >= Date.parse(span.from) && started < Date.parse(span.until)))
  );
}
