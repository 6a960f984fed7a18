/** What was said of a shop's money, beside what is true of it. */
import { readRules, reconcile, type ReceivableResult } from '../../../src/reconcile/index.ts';
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
  const old = new Set(
    decisions
      .filter(({ at }) => Date.parse(today) - Date.parse(at) > forgottenMs)
      .map(({ batchId }) => batchId),
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
  return result.batches.flatMap(({ parts }) =>
    parts.map((part) => {
      const payout = payoutOf.get(`${part.batchId} ${part.acquirer}`);
      return judgementOf(part, payout, posted, { today, sameAs: shop.sameAs });
    }),
  );
}

/** How long after a decision its batch is not looked at any more. */
const forgottenMs = 20 * 86_400_000;

function judgementOf(
  part: ReceivableResult,
  payout: Payout | undefined,
  posted: ReadonlyMap<string, number>,
  { today, sameAs }: { today: string; sameAs: Shop['sameAs'] },
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
  const isDue = today > payout.dueBy;
  if (state === 'late') return judged(money.length === 0 && isDue ? 'right' : 'wrong');
  if (state === 'waiting') {
    if (batchIsDue(part, today)) return judged('wrong');
    return judged(money.length === 0 ? 'right' : 'unclear');
  }
  if (state === 'short' && match?.decision === null && !isDue) return judged('wrong');
  const isTrue =
    same(match?.entryIds.map((id) => sameAs.get(id) ?? id) ?? [], money) &&
    same(match?.batchIds ?? [], payout.batchIds) &&
    Math.sign(arrived - payout.expectedMinor) === { arrived: 0, short: -1, over: 1 }[state] &&
    match?.expectedMinor === payout.expectedMinor;
  return judged(isTrue ? 'right' : 'wrong');
}

/** Each batch has its own last day, also where several are paid in one. */
function batchIsDue({ dueBy }: ReceivableResult, today: string): boolean {
  return dueBy !== null && today > dueBy;
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());
}
