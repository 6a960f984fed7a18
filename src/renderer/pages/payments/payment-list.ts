/** What the list of payments shows, out of the pages that were fetched and the changes that the host has sent since. */
import {
  takenMinor,
  orderOfPayments,
  type PaymentFilter,
  type PaymentOrder,
  type PaymentsResponse,
  type PaymentView,
} from '../../../contract/console/index.ts';

/** A payment is new or has changed, and `fits` the filter or no longer does. */
export interface PaymentChange {
  payment: PaymentView;
  fits: boolean;
}

/**
 * The payments of all pages with what has changed since, in the order asked for, each once. A single page stays in the
 * host's own order: a search may put what begins with its text first.
 */
export function listOf(
  pages: readonly PaymentsResponse[],
  changes: readonly PaymentChange[],
  order: PaymentOrder = 'newest',
): PaymentView[] {
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
  const compare = comparePayments(order);
  const isBehind = behind(next, order, next === null ? undefined : byPosition.get(next));
  for (const { payment, fits } of changes) {
    if (!isNewer(payment)) continue;
    if (!fits) byPosition.delete(payment.position);
    // One that lies behind what has been loaded comes with its own page.
    else if (byPosition.has(payment.position) || !isBehind(payment))
      byPosition.set(payment.position, payment);
  }
  return [...byPosition.values()].toSorted(compare);
}

function comparePayments(order: PaymentOrder): (one: PaymentView, other: PaymentView) => number {
  const compare = orderOfPayments(order);
  const placeOf = (payment: PaymentView) => ({ ...payment, minor: takenMinor(payment) });
  return (one, other) => compare(placeOf(one), placeOf(other));
}

/** `next` is where the pages go on, and `last` the payment there, if it is one. */
function behind(
  next: number | null,
  order: PaymentOrder,
  last: PaymentView | undefined,
): (payment: PaymentView) => boolean {
  if (next === null) return () => false;
  if (order === 'newest') return ({ position }) => position < next;
  if (order === 'oldest') return ({ position }) => position > next;
  const compare = comparePayments(order);
  return (payment) => last === undefined || compare(payment, last) > 0;
}

/** Whether time, status and amount fit; what a text fits, only the host knows. */
export function fitsWithoutText({ span, status, amount }: PaymentFilter, payment: PaymentView): boolean {
  const minor = takenMinor(payment);
  return (
    (status === null || payment.status === status) &&
    isWithin(span, payment) &&
    (amount === undefined ||
      (payment.currency === amount.currency &&
        minor >= (amount.fromMinor ?? 0) &&
        minor <= (amount.toMinor ?? Infinity)))
  );
}

export function isWithin(span: PaymentFilter['span'], { createdAt }: PaymentView): boolean {
  const started = Date.parse(createdAt);
  return span === null || (started >= Date.parse(span.from) && started < Date.parse(span.until));
}
