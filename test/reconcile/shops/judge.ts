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
  const batches = shop.batches.filter(({ closedAt }) => closedAt.slice(0, 10) <= today);
  const known = [{ account: 'giro', from: '2024-01-01', until: today }];
  const result = reconcile({ batches, entries, known, decisions: [], today }, read.rules);
  const posted = new Map(entries.map(({ id, amountMinor }) => [id, amountMinor]));
  const payoutOf = new Map(
    shop.payouts.flatMap((payout) =>
      payout.batchIds.map((id) => [`${id} ${payout.acquirer}`, payout] as const),
    ),
  );
  return result.batches.flatMap(({ parts }) =>
    parts.map((part) => judgementOf(part, payoutOf.get(`${part.batchId} ${part.acquirer}`), posted)),
  );
}

function judgementOf(
  part: ReceivableResult,
  payout: Payout | undefined,
  posted: ReadonlyMap<string, number>,
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
  if (state === 'waiting' || state === 'late') {
    if (money.length === 0) return judged('right');
    return judged(state === 'late' ? 'wrong' : 'unclear');
  }
  const isTrue =
    same(match?.entryIds ?? [], money) &&
    same(match?.batchIds ?? [], payout.batchIds) &&
    Math.sign(arrived - payout.expectedMinor) === { arrived: 0, short: -1, over: 1 }[state] &&
    match?.expectedMinor === payout.expectedMinor;
  return judged(isTrue ? 'right' : 'wrong');
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());
}
