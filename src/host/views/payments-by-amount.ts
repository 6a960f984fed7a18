/**
 * Payments in the order of their amounts. The journal has no index of them, so all that fit are looked at first: in parts
 * of some milliseconds, between which a till has its turn.
 */
import { setImmediate } from 'node:timers/promises';
import type { JournalReading } from '../../bridge/bridge.ts';
import { amountOf, type PaymentAmount, type PaymentPage } from '../../bridge/journal/index.ts';
import { maxSortedDays, orderOfPayments, type PaymentFilter } from '../../contract/console/index.ts';

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

/** Keeps the order of the latest search as long as nothing happens to the payments, so that a page costs a page. */
export function createPagesByAmount(isOpen: (journal: JournalReading) => boolean): PagesByAmount {
  let latest: { journal: JournalReading; key: string; amounts: Promise<PaymentAmount[] | null> } | null =
    null;

  async function sort(journal: JournalReading, search: Search): Promise<PaymentAmount[] | null> {
    const sorting = sortedAmounts(journal, search);
    for (;;) {
      const part = sorting.next();
      if (part.done === true) return part.value;
      await setImmediate();
      if (!isOpen(journal)) return null;
    }
  }

  return {
    async page(journal, { filter, order, before, limit }) {
      const key = JSON.stringify([filter, order, journal.lastSeq()]);
      if (latest?.journal !== journal || latest.key !== key)
        latest = { journal, key, amounts: sort(journal, { filter, order }) };
      const amounts = await latest.amounts;
      if (amounts === null) return null;
      const from = before === null ? 0 : placeAfter(amounts, before, journal, order);
      const shown = amounts.slice(from, from + limit);
      const payments = journal.paymentsAt(shown.map(({ position }) => position));
      const isMore = from + limit < amounts.length;
      return { payments, next: isMore ? (shown.at(-1)?.position ?? null) : null };
    },
  };
}

/** Where the payments begin that come after the one at `position`, which may have changed and fit no more. */
function placeAfter(
  amounts: PaymentAmount[],
  position: number,
  journal: JournalReading,
  order: AmountOrder,
): number {
  const at = amounts.findIndex((amount) => amount.position === position);
  if (at >= 0) return at + 1;
  const compare = orderOfPayments(order);
  const [gone] = journal.paymentsAt([position]).map(amountOf);
  const after = gone === undefined ? -1 : amounts.findIndex((amount) => compare(amount, gone) > 0);
  return after < 0 ? amounts.length : after;
}
