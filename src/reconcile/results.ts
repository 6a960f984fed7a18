/** What is told of each receivable and batch. */
import { dayOf } from './banking-days.ts';
import type { BatchMoney, KnownSpan, MoneyState, Receivable, ReceivableResult } from './types.ts';

/** Without what only the search needs. */
export function shownOf({
  batchId,
  acquirer,
  schemes,
  closedOn,
  expectedOn,
  dueBy,
  ...sums
}: Receivable): Receivable {
  const { grossMinor, feeMinor, expectedMinor, toleranceMinor } = sums;
  return {
    batchId,
    acquirer,
    schemes,
    grossMinor,
    feeMinor,
    expectedMinor,
    toleranceMinor,
    closedOn,
    expectedOn,
    dueBy,
  };
}

/** The first of these that a part has is the batch's: nothing at all is worse than too little. */
const worstFirst: readonly MoneyState[] = ['late', 'short', 'unclear', 'over', 'waiting', 'arrived'];

export function batchMoney(results: readonly ReceivableResult[]): BatchMoney[] {
  return [...Map.groupBy(results, ({ batchId }) => batchId)].map(([batchId, parts]) => ({
    batchId,
    state: worstFirst.find((state) => parts.some((part) => part.state === state)) ?? 'unclear',
    needsPerson: parts.some(({ needsPerson }) => needsPerson),
    parts,
  }));
}

/** Whether each day of a span is in one that is known. */
export function knownSpans(
  known: readonly KnownSpan[],
): (account: string, from: number, until: number) => boolean {
  const spans = Map.groupBy(
    known
      .map(({ account, from, until }) => ({
        account,
        from: dayOf(from) ?? Infinity,
        until: dayOf(until) ?? -Infinity,
      }))
      .toSorted((one, other) => one.from - other.from),
    ({ account }) => account,
  );
  return (account, from, until) => {
    let covered = from - 1;
    for (const span of spans.get(account) ?? []) {
      if (span.from <= covered + 1) covered = Math.max(covered, span.until);
    }
    return covered >= until;
  };
}
