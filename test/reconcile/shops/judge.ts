/** What was said of a shop's money, beside what is true of it. */
import { readRules, reconcile, type Decision, type ReceivableResult } from '../../../src/reconcile/index.ts';
import type { Mistake, Payout, Shop } from './world.ts';

export interface Judgement {
  batchId: string;
  /** `right` and `wrong` of what was said; `unclear` where nothing was. */
  kind: 'right' | 'wrong' | 'unclear';
  /** What was said: the state, and by which evidence. */
  said: string;
  mistake: Mistake;
  text: string;
}

/** Looks at the shop at the end of `today`: what was posted later is not there yet. */
export function judge(shop: Shop, today: string): Judgement[] {
  const read = readRules(shop.rules);
  if (!read.ok) throw new Error(`seed ${shop.seed}: ${read.errors.join('; ')}`);
  const entries = shop.entries.filter(({ date }) => date <= today);
  const decisions = shop.decisions.filter(({ at }) => at.slice(0, 10) <= today);
  // Some of what people have decided long ago is not looked at any more; the entries still are.
  const isOld = ({ at }: Decision) => Date.parse(today) - Date.parse(at) > forgottenMs;
  const decided = new Set(decisions.filter(isOld).map(({ batchId, acquirer }) => `${batchId} ${acquirer}`));
  const partsOf = Map.groupBy(
    shop.payouts.flatMap(({ acquirer, batchIds }) => batchIds.map((id) => ({ id, acquirer }))),
    ({ id }) => id,
  );
  const old = new Set(
    [...partsOf].flatMap(([id, parts]) =>
      parts.every(({ acquirer }) => decided.has(`${id} ${acquirer}`)) ? [id] : [],
    ),
  );
  const batches = shop.batches.filter(({ id, closedAt }) => closedAt.slice(0, 10) <= today && !old.has(id));
  const known = [{ account: 'giro', from: '2024-01-01', until: today }];
  const result = reconcile({ batches, entries, known, decisions, today }, read.rules);
  const posted = new Map(entries.map(({ id, amountMinor }) => [id, amountMinor]));
  const payoutOf = new Map(
    shop.payouts.flatMap((payout) =>
      payout.batchIds.map((id) => [`${id} ${payout.acquirer}`, payout] as const),
    ),
  );
  const silent = new Set(shop.batches.filter(({ totals }) => totals.length === 0).map(({ id }) => id));
  return result.batches.flatMap(({ parts }) =>
    parts.map((part) => {
      const payout = payoutOf.get(`${part.batchId} ${part.acquirer}`);
      return judgementOf(part, payout, posted, { today, sameAs: shop.sameAs, silent });
    }),
  );
}

/** How long after a decision its batch is not looked at any more. */
const forgottenMs = 20 * 86_400_000;

function judgementOf(
  part: ReceivableResult,
  payout: Payout | undefined,
  posted: ReadonlyMap<string, number>,
  { today, sameAs, silent }: { today: string; sameAs: Shop['sameAs']; silent: ReadonlySet<string> },
): Judgement {
  const { batchId, state, match, reason } = part;
  if (payout === undefined) throw new Error(`${batchId} is owed by nobody`);
  const money = payout.entryIds.filter((id) => posted.has(id)).toSorted();
  const arrived = money.reduce((sum, id) => sum + (posted.get(id) ?? 0), 0);
  const { mistake } = payout;
  const said = match === null ? [state, reason].filter(Boolean).join(': ') : `${state} by ${match.evidence}`;
  const text =
    `${batchId} (${part.acquirer}): said ${said} ${match?.entryIds.join(',') ?? ''}, ` +
    `true: ${money.join(',') || 'nothing'} (${arrived} of ${payout.expectedMinor}), ${mistake}`;
  const judged = (kind: Judgement['kind']): Judgement => ({ batchId, kind, said, mistake, text });
  if (state === 'unclear') return judged('unclear');
  // Who waits for the last day must not say before it that something is missing, nor wait behind it.
  const isDue = payout.dueBy.every((day) => today > day);
  const isDueAlone = today > (payout.dueBy[payout.batchIds.indexOf(batchId)] ?? '');
  if (state === 'late') return judged(money.length === 0 && isDueAlone ? 'right' : 'wrong');
  if (state === 'waiting') {
    if (isDueAlone && money.length === 0) return judged('wrong');
    return judged(money.length === 0 ? 'right' : 'unclear');
  }
  if (state === 'short' && match?.decision === null && !isDue) return judged('wrong');
  const isSame =
    same(match?.entryIds.map((id) => sameAs.get(id) ?? id) ?? [], money) &&
    same(match?.batchIds ?? [], payout.batchIds);
  // Where the terminal does not tell what the fee needs, a person's word is what should come.
  if (match?.decision && match.expectedMinor !== payout.expectedMinor)
    return judged(isSame && payout.batchIds.some((id) => silent.has(id)) ? 'right' : 'wrong');
  const isTrue =
    isSame &&
    Math.sign(arrived - payout.expectedMinor) === { arrived: 0, short: -1, over: 1 }[state] &&
    match?.expectedMinor === payout.expectedMinor;
  return judged(isTrue ? 'right' : 'wrong');
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());
}
