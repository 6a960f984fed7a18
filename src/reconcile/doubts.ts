/** Amounts that may be a coincidence, because another receivable, which has nothing, could have had its money by them. */
import type { Claims } from './claims.ts';
import { unclear } from './findings.ts';
import type { OpenReceivable } from './receivables.ts';
import { within } from './lists.ts';

/** In minor units: below that there are so few amounts that a part of one batch's money now and then is another's whole. */
const fewAmounts = 20_000;

/** Makes those unclear that are doubted. `receivables` in the order of closing, those that are decided left out. */
export function doubt(
  claims: Claims,
  receivables: readonly OpenReceivable[],
  isUnmatched: (receivable: OpenReceivable, entryId: string) => boolean,
): void {
  doubtNeighbours(claims, receivables);
  doubtTwins(claims, receivables, isUnmatched);
}

/**
 * A part of one batch's money can be another's whole: where there is a credit of the right time, too, that fits nothing, or
 * the amount is a small one.
 */
function doubtNeighbours(
  { findings, readings, orphans, differences }: Claims,
  all: readonly OpenReceivable[],
): void {
  const hasSomething = new Set(differences.flatMap(({ group }) => group.receivables));
  const unpaid = Map.groupBy(
    all.filter(
      (each) => each.expectedMinor !== 0 && findings.get(each)?.kind !== 'match' && !hasSomething.has(each),
    ),
    ({ acquirer }) => acquirer,
  );
  const doubted = [...readings].flatMap(([receivable, { of, run }]) => {
    if (findings.get(receivable)?.kind !== 'match' || of.naming.kind !== 'none') return [];
    const missing = within(
      unpaid.get(receivable.acquirer) ?? [],
      ({ lastDayByAmount }) => lastDayByAmount,
      of.day,
      Infinity,
      ({ closeDay }) => closeDay > of.day,
    );
    if (missing.length === 0) return [];
    const from = Math.min(...run.map(({ closeDay }) => closeDay));
    const until = Math.max(...run.map(({ dueDay }) => dueDay));
    const rivals = within(orphans, ({ day }) => day, from, until).filter(
      ({ entry, day, acquirers }) =>
        run.some(
          ({ rule, closeDay, dueDay }) =>
            rule !== null && acquirers.includes(rule) && closeDay <= day && day <= dueDay,
        ) && Math.sign(entry.amountMinor) === Math.sign(of.entry.amountMinor),
    );
    const isSmall = Math.abs(of.entry.amountMinor) < fewAmounts;
    const isDoubted =
      rivals.length > 0 || (isSmall && missing.some(({ expectedDay }) => expectedDay <= of.day));
    return isDoubted ? [[receivable, [of.entry, ...rivals.map(({ entry }) => entry)]] as const] : [];
  });
  for (const [receivable, entries] of doubted) findings.set(receivable, unclear('several-readings', entries));
}

/** The same sum is owed for another batch, however old, that has nothing. Whoever is doubted may have nothing either. */
function doubtTwins(
  { findings, readings }: Claims,
  all: readonly OpenReceivable[],
  isUnmatched: (receivable: OpenReceivable, entryId: string) => boolean,
): void {
  const bySum = Map.groupBy(all, ({ acquirer, expectedMinor }) => `${acquirer} ${expectedMinor}`);
  const isPaid = (receivable: OpenReceivable) => findings.get(receivable)?.kind === 'match';
  for (let found = true; found;) {
    found = false;
    for (const [receivable, { of, run }] of readings) {
      if (!isPaid(receivable)) continue;
      const tolerance = receivable.rule?.fee.tolerance ?? 0;
      const sums = Array.from(
        { length: 2 * tolerance + 1 },
        (_, at) => of.entry.amountMinor - tolerance + at,
      );
      const twin = sums
        .flatMap((sum) => bySum.get(`${receivable.acquirer} ${sum}`) ?? [])
        .find(
          (each) =>
            each.closeDay <= of.day &&
            !run.includes(each) &&
            !isPaid(each) &&
            !isUnmatched(each, of.entry.id),
        );
      if (twin === undefined) continue;
      findings.set(receivable, unclear('several-readings', [of.entry]));
      found = true;
    }
  }
}
