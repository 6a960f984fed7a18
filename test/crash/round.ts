/** One round: an action, the kills, the restarts, and what a POS does then until everything is decided. */
import { pause, systemClock } from '../../src/base/clock.ts';
import type { LedgerLine } from '../support/ledger.ts';
import type { Till, TillAnswer } from '../support/till.ts';
import { compareSale } from './books.ts';
import {
  isOfCrash,
  isOfEmptyTerminal,
  isOfProtocol,
  needingPerson,
  resolveByLedger,
  type Doubt,
} from './doubts.ts';
import { strike } from './moments.ts';
import type { Plan } from './plan.ts';
import { isOpen, isPassing, type Pos, type Sale } from './pos.ts';
import type { ProtocolCase } from '../support/protocol-cases.ts';
import type { Shop, ShopBooks } from './shop.ts';
import { waitFor } from '../support/real-time.ts';

export interface RoundResult {
  /** What was done, as it came about. */
  action: 'sale' | 'cancelled_sale' | 'void' | 'batch' | 'nothing';
  words: string;
  kills: { bridge: number; simulator: number };
  /** What was left to a person because nobody could tell. */
  leftToPerson: number;
  /** What was left to a person without such a reason, with the facts. */
  doubts: string[];
  mismatches: string[];
  /** From the moment that both sides were started again until the bridge was ready and had decided everything. */
  recoveryMs: number;
}

/** Nothing is waited for longer than this: some terminals are given three minutes, and then another three, before a person is asked. */
const stuckMs = 600_000;
const waitS = 60;

export async function playRound(
  { shop, pos, protocol }: { shop: Shop; pos: Pos; protocol: ProtocolCase },
  plan: Plan,
): Promise<RoundResult> {
  const { ledger } = shop;
  const before = await shop.till();
  const target = chooseTarget(plan, pos);
  const act = actionOf(plan, target, pos);
  const complaintsBefore = pos.complaints.length;
  pos.told.length = 0;

  // Nobody waits for the answers: the connection may die with the bridge.
  const posted = act === null ? Promise.resolve() : act.begin(before);
  const words: string[] = [];
  const kills = { bridge: 0, simulator: 0 };
  for (const [index, { target: side, moment, downMs }] of plan.kills.entries()) {
    const sides = side === 'both' ? (['bridge', 'simulator'] as const) : [side];
    const when = await strike(moment, index === 0 ? 'action' : 'start', shop, () => {
      for (const each of sides) {
        if (!shop.alive(each)) continue;
        kills[each] += 1;
        shop.kill(each);
      }
    });
    words.push(`${side} ${when}`);
    for (const each of sides) await shop.gone(each);
    await pause(systemClock, downMs);
    for (const each of sides) shop.start(each);
  }
  const upAt = performance.now();
  const till = await shop.till();

  const doubts: Doubt[] = [];
  if (plan.repeats && plan.repeatsAtOnce) await act?.again(till);
  const [decided] = await Promise.all([
    act?.sale === undefined || isUnknownToBridge(act.sale) ? null : pos.query(till, act.sale, waitS),
    settle(shop, till, doubts),
  ]);
  const recoveryMs = Math.round(performance.now() - upAt);
  await posted;
  const mismatches: string[] = [];
  if (decided === 'gone') mismatches.push('the bridge did not answer a query');
  if (plan.repeats && act !== null) await insist(() => act.again(till), shop);
  await settle(shop, till, doubts);
  // The last sale has ended by now, also one that only the repeat began.
  for (const sale of pos.sales) {
    if (sale === act?.sale || sale.status === 'approved' || isOpen(sale)) await pos.query(till, sale);
  }
  if (act?.sale !== undefined) mismatches.push(...compareSale(act.sale, ledger()));
  mismatches.push(...pos.complaints.slice(complaintsBefore), ...shop.ownEnds().splice(0));

  const unexplained = doubts.filter((doubt) => !isExplained(doubt, protocol, ledger()));
  const outcome = act?.sale === undefined ? '' : ` → ${act.sale.status ?? 'never known'}`;
  return {
    action: act?.kind ?? 'nothing',
    words:
      `${act?.words ?? 'nothing'}; killed: ${words.join('; then ')}; told: ${pos.told.join(', ')}${outcome}; ` +
      `ledger: ${tail(ledger())}; ${recoveryMs} ms`,
    kills,
    leftToPerson: doubts.length - unexplained.length,
    doubts: unexplained.map(({ words: doubt }) => doubt),
    mismatches,
    recoveryMs,
  };
}

function isExplained(doubt: Doubt, protocol: ProtocolCase, ledger: LedgerLine[]): boolean {
  if (isOfProtocol(doubt, protocol) || isOfCrash(doubt, protocol)) return true;
  if (isOfEmptyTerminal(doubt, protocol, ledger)) return true;
  // A terminal that was killed at the acknowledgement shows nothing of what it said, and may have taken it back.
  return protocol.reversesByItself && doubt.approved;
}

interface Act {
  kind: Exclude<RoundResult['action'], 'nothing'>;
  words: string;
  sale?: Sale;
  begin(till: Till): Promise<void>;
  /** Asks for the same again. */
  again(till: Till): Promise<TillAnswer | 'gone'>;
}

function chooseTarget({ action }: Plan, pos: Pos): Sale | null {
  if (action.kind !== 'void') return null;
  const approved = pos.sales.filter((sale) => sale.status === 'approved');
  if (action.which === 'last') return approved.at(-1) ?? null;
  return approved[Math.floor(action.which * approved.length)] ?? null;
}

function actionOf({ action }: Plan, target: Sale | null, pos: Pos): Act | null {
  switch (action.kind) {
    case 'nothing':
      return null;
    case 'batch':
      return {
        kind: 'batch',
        words: 'batch',
        begin: async (till) => void (await pos.batch(till, waitS)),
        again: (till) => pos.batch(till, waitS),
      };
    case 'void':
      if (target === null) return saleAct(pos, pos.ring('00'), { waitS: undefined, postedTwice: false });
      return {
        kind: 'void',
        words: `void of ${target.reference} (${target.amount})`,
        sale: target,
        begin: async (till) => void (await pos.void(till, target, waitS)),
        again: (till) => pos.void(till, target, waitS),
      };
    case 'sale':
      return saleAct(pos, pos.ring(action.scene), action);
    case 'cancelled_sale': {
      const sale = pos.ring('00');
      const { begin, again } = saleAct(pos, sale, { waitS: undefined, postedTwice: false });
      return {
        kind: 'cancelled_sale',
        words: `sale ${sale.reference} (${sale.amount}), cancelled after ${action.afterMs} ms`,
        sale,
        again,
        async begin(till) {
          const created = begin(till);
          await pause(systemClock, action.afterMs);
          await pos.cancel(till, sale);
          await created;
        },
      };
    }
  }
}

function saleAct(
  pos: Pos,
  sale: Sale,
  { waitS: saleWaitS, postedTwice }: { waitS: number | undefined; postedTwice: boolean },
): Act {
  return {
    kind: 'sale',
    words: `sale ${sale.reference} (${sale.amount}${postedTwice ? ', posted twice at once' : ''})`,
    sale,
    async begin(till) {
      const posts = Array.from({ length: postedTwice ? 2 : 1 }, () => pos.create(till, sale, saleWaitS));
      await Promise.all(posts);
    },
    again: (till) => pos.create(till, sale),
  };
}

/** Before the POS has heard anything of it, a query may rightly find nothing. */
function isUnknownToBridge(sale: Sale): boolean {
  return sale.transactionId === null;
}

function connectionIn(body: Record<string, unknown>): unknown {
  const { terminal } = body;
  return typeof terminal === 'object' && terminal !== null && 'connection' in terminal
    ? terminal.connection
    : null;
}

/** Asks until there is an answer that is more than "not now". */
async function insist(ask: () => Promise<TillAnswer | 'gone'>, shop: Shop): Promise<void> {
  let answer: TillAnswer | 'gone' = 'gone';
  await waitFor(
    async () => {
      answer = await ask();
      return answer !== 'gone' && !isPassing(answer);
    },
    'an answer other than "not now"',
    { limitMs: stuckMs, about: () => `${JSON.stringify(answer)}\n${shop.lastWords()}` },
  );
}

/** Waits until the bridge is at rest and ready, which takes a person where something stays in doubt; so long at most. */
export async function settle(shop: ShopBooks, till: Till, doubts: Doubt[], limitMs = stuckMs): Promise<void> {
  let nextLook = performance.now() + 3_000;
  let health: Awaited<ReturnType<Till['health']>> | null = null;
  const isReady = async () => {
    health = await till.health().catch(() => null);
    if (health?.status === 200 && connectionIn(health.body) === 'ready') return true;
    if (health !== null && health.body['in_doubt'] !== 0 && performance.now() > nextLook) {
      nextLook = performance.now() + 3_000;
      for (const doubt of await needingPerson(shop)) {
        doubts.push(doubt);
        await resolveByLedger(shop, doubt);
      }
    }
    return false;
  };
  await waitFor(isReady, 'a bridge that is ready', {
    limitMs,
    about: () => `${JSON.stringify(health?.body ?? 'no answer')}\n${shop.lastWords()}`,
  });
}

function tail(ledger: LedgerLine[]): string {
  const line = ledger.at(-1);
  return line === undefined
    ? 'empty'
    : `${ledger.length} lines, last ${line.event} ${line.amount ?? line.total}`;
}
