/**
 * Payments in the order of their amounts. The journal has no index of them, so all that fit are looked at first: in parts
 * of some milliseconds, between which a till has its turn.
 */
import type { JournalReading } from '../../bridge/bridge.ts';
import { amountOf, type PaymentAmount, type PaymentPage } from '../../bridge/journal/index.ts';
import { maxSortedDays, orderOfPayments, type PaymentFilter } from '../../contract/console/index.ts';
import { inParts } from './in-parts.ts';

/** Said where `canSortByAmount` says no: beyond it, it would take too long beside a payment that runs. */
export const needsShorterSpan = `Payments can be sorted by amount within ${maxSortedDays} days at most. Choose a shorter period.`;

type AmountOrder = 'highest' | 'lowest';

interface Search {
  filter: PaymentFilter;
  order: AmountOrder;
}

/** All that fit, in their order. Whoever runs it gives way to others after each part. */
export function* sortedAmounts(
  journal: JournalReading,
  { filter, order }: Search,
): Generator<undefined, PaymentAmount[]> {
  const compare = orderOfPayments(order);
  /** In order, each longer than the next one, so that an amount is moved a few times only. */
  const runs: PaymentAmount[][] = [];
  const mergeLast = () => {
    const [one = [], other = []] = runs.splice(-2);
    runs.push(merged(one, other, compare));
  };
  let before: number | null = null;
  do {
    const page = journal.paymentAmounts({ ...filter, before });
    before = page.next;
    runs.push(page.amounts.toSorted(compare));
    yield;
    while (runs.length > 1 && (runs.at(-1)?.length ?? 0) >= (runs.at(-2)?.length ?? 0)) {
      mergeLast();
      yield;
    }
  } while (before !== null);
  while (runs.length > 1) {
    mergeLast();
    yield;
  }
  return runs[0] ?? [];
}

function merged(
  one: PaymentAmount[],
  other: PaymentAmount[],
  compare: (one: PaymentAmount, other: PaymentAmount) => number,
): PaymentAmount[] {
  const all: PaymentAmount[] = [];
  let at = 0;
  for (const amount of one) {
    for (let next = other[at]; next !== undefined && compare(next, amount) < 0; next = other[at]) {
      all.push(next);
      at += 1;
    }
    all.push(amount);
  }
  for (; at < other.length; at += 1) {
    const next = other[at];
    if (next !== undefined) all.push(next);
  }
  return all;
}

export interface PagesByAmount {
  /** `before`: the position with which the page before ended. Null: the bridge of this journal is gone. */
  page(
    journal: JournalReading,
    search: Search & { before: number | null; limit: number },
  ): Promise<PaymentPage | null>;
}

/** Of the latest pages that were given, so many are known to have ended with which amount. */
const maxEdges = 1_000;

/** Keeps the order of the latest search as long as nothing happens to the payments, so that a page costs a page. */
export function createPagesByAmount(isOpen: (journal: JournalReading) => boolean): PagesByAmount {
  let latest: { journal: JournalReading; key: string; amounts: Promise<PaymentAmount[] | null> } | null =
    null;
  /**
   * With what each page ended, as it was then. The terminal may take another amount for it before the next page is asked
   * for: going on from its new place would leave out all between the two.
   */
  const edges = new Map<number, PaymentAmount>();

  function keepEdge(edge: PaymentAmount): void {
    edges.delete(edge.position);
    edges.set(edge.position, edge);
    const [oldest] = edges.keys();
    if (edges.size > maxEdges && oldest !== undefined) edges.delete(oldest);
  }

  return {
    async page(journal, { filter, order, before, limit }) {
      if (latest?.journal !== journal) edges.clear();
      const key = JSON.stringify([filter, order, journal.lastSeq()]);
      if (latest?.journal !== journal || latest.key !== key)
        latest = {
          journal,
          key,
          amounts: inParts(sortedAmounts(journal, { filter, order }), () => isOpen(journal)),
        };
      const amounts = await latest.amounts;
      if (amounts === null) return null;
      const edge = before === null ? undefined : (edges.get(before) ?? amountNow(journal, before));
      const from = before === null ? 0 : placeAfter(amounts, edge, order);
      const shown = amounts.slice(from, from + limit);
      const payments = journal.paymentsAt(shown.map(({ position }) => position));
      const isMore = from + limit < amounts.length;
      const last = shown.at(-1);
      if (isMore && last !== undefined) keepEdge(last);
      return { payments, next: isMore ? (last?.position ?? null) : null };
    },
  };
}

function amountNow(journal: JournalReading, position: number): PaymentAmount | undefined {
  return journal.paymentsAt([position]).map(amountOf)[0];
}

/** Where the payments begin that come after `edge`, whether it is still among them or not. */
function placeAfter(amounts: PaymentAmount[], edge: PaymentAmount | undefined, order: AmountOrder): number {
  if (edge === undefined) return amounts.length;
  const compare = orderOfPayments(order);
  const after = amounts.findIndex((amount) => compare(amount, edge) > 0);
  return after < 0 ? amounts.length : after;
}
