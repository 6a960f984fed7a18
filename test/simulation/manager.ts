/** The person who decides what the bridge cannot, rightly or wrongly, and who acknowledges what it has found. */
import type { InDoubtView } from '../../src/bridge/payments/index.ts';
import type { Resolution } from '../../src/contract/operation.ts';
import type { Random } from '../support/random.ts';
import { unlessKilled } from './killed.ts';
import type { Shop } from './shop.ts';
import { happened } from './truth.ts';

export interface Manager {
  /** Decides whatever is in doubt now, also what the bridge may still find out. */
  decideNow(right: boolean, unreachable: boolean): void;
  /** Nothing is put off and nothing decided wrongly any more. */
  beThorough(): void;
  end(): void;
}

const words = {
  sale: { yes: 'charged', no: 'not-charged' },
  void: { yes: 'voided', no: 'not-voided' },
  batch_close: { yes: 'closed', no: 'not-closed' },
} as const satisfies Record<string, { yes: Resolution; no: Resolution }>;

const lookEveryMs = 3_000;

/** The bridge has said that another terminal is there than the one that was paid at. */
function isElsewhere({ otherTerminal, facts }: InDoubtView): boolean {
  const found = facts.findLast(({ event }) => event.type === 'evidence_found')?.event;
  const saidSo = found?.type === 'evidence_found' && found.otherTerminal !== undefined;
  return otherTerminal !== undefined || saidSo;
}

export function createManager(shop: Shop, random: Random): Manager {
  const { world, plan } = shop;
  const firstSeen = new Map<string, number>();
  let { decidesAfterMs, acknowledgesAfterMs, wrong } = plan.manager;
  let ended = false;
  world.after(lookEveryMs, look);

  function look(): void {
    if (ended) return;
    world.after(lookEveryMs, look);
    unlessKilled(lookAtAll);
  }

  function lookAtAll(): void {
    const { process } = shop;
    if (!shop.attention || process === null || process.clock.halted || process.payments === null) return;
    let left = false;
    for (const doubt of process.payments.operationsInDoubt()) {
      left = true;
      if (!doubt.needsDecision) continue;
      if (waited(doubt.operationId) < decidesAfterMs) continue;
      // Nobody can wait for what the terminal would say that was there before.
      decide(doubt.operationId, !random.chance(wrong), isElsewhere(doubt));
    }
    for (const { discrepancyId } of process.payments.discrepancies()) {
      left = true;
      if (waited(discrepancyId) < acknowledgesAfterMs) continue;
      process.payments.acknowledge({ discrepancyId, by: 'Manager', reason: 'Looked into.' });
      shop.count('acknowledged');
    }
    shop.attention = left;
  }

  function waited(id: string): number {
    const since = firstSeen.get(id) ?? world.elapsed();
    firstSeen.set(id, since);
    return world.elapsed() - since;
  }

  function decide(operationId: string, right: boolean, unreachable: boolean): void {
    const payments = shop.process?.payments ?? null;
    const started = shop.started(operationId);
    if (payments === null || started === null) return;
    const truth = happened(shop, operationId);
    const { yes, no } = words[started.kind];
    const resolution = truth === right ? yes : no;
    const atWork = shop.atWork();
    const tooEarly = atWork || shop.terminal.mayStillBePaid === true;
    const ledgerBytes = shop.ledgerBytes();
    const { journalSeq } = shop;
    shop.trace(
      () => `manager: decides ${started.reference ?? 'the batch'} ${resolution}${right ? '' : ', wrongly'}`,
    );
    let taken = false;
    try {
      const answer = payments.resolve({
        operationId,
        resolution,
        by: 'Manager',
        reason: 'Looked at the terminal.',
        ...(unreachable ? { terminalUnreachable: true } : {}),
      });
      // Refused by a disk that kept it all the same.
      const onDisk = shop.disk.trouble === 'failing_after_commit';
      taken = answer.ok || (onDisk && answer.refusal.code === 'journal_unavailable');
      shop.count(
        `decision ${resolution} ${right ? 'rightly' : 'wrongly'} ${answer.ok ? 'taken' : 'refused'}`,
      );
      if (!answer.ok) shop.trace(() => `manager: refused: ${answer.refusal.message}`);
    } finally {
      // Also where the bridge is killed in the middle of it.
      shop.note({
        kind: 'decision',
        operationId,
        reference: started.reference,
        resolution,
        right,
        terminalUnreachable: unreachable,
        terminalAtWork: atWork,
        tooEarly,
        taken,
        ledgerBytes,
        journalSeq,
      });
    }
  }

  return {
    decideNow(right, unreachable) {
      const { process } = shop;
      if (process === null || process.clock.halted || process.payments === null) return;
      const doubts = process.payments.operationsInDoubt();
      unlessKilled(() => {
        for (const { operationId } of doubts) decide(operationId, right, unreachable);
      });
    },
    beThorough() {
      decidesAfterMs = 0;
      acknowledgesAfterMs = 0;
      wrong = 0;
      shop.attention = true;
    },
    end() {
      ended = true;
    },
  };
}
