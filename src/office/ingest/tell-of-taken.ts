/** What has to be told of events that were just taken: findings, for people. */
import * as messages from '../finding-messages.ts';
import type { FindingKind } from '../findings.ts';
import type { Queries } from '../database/database.ts';
import type { Chain, Piece } from './chains.ts';
import type { OpenDiscrepancy } from './open-discrepancies.ts';
import { inDoubtOnlyIn } from './open-operations.ts';
import type { SentEvent } from './read-batch.ts';
import type { Unread } from './unread.ts';

export interface Found {
  kind: FindingKind;
  chain: number | null;
  seq: number;
  message: string;
  again?: string;
}

type Tell = (found: Found) => Promise<unknown>;

/** Once for all shops: it is the office that is to be updated. */
export async function tellOfNewer(
  { chain }: Chain,
  unread: readonly Unread[],
  isNew: readonly string[],
  tell: Tell,
): Promise<void> {
  if (isNew.length === 0) return;
  const seq = unread.find(({ what }) => isNew.includes(what))?.firstSeq ?? 0;
  await tell({
    kind: 'newer_bridge',
    chain,
    seq,
    message: messages.newerBridge(seq, isNew),
  });
}

/**
 * The journal went on with `left`, and has this history now. What is in doubt in the former alone is in nobody’s hands any
 * more, so it is told here and is no doubt that stands for good. A chain that has not grown since has lost nothing more.
 */
export async function tellOfLostOperations(
  queries: Queries,
  left: Chain,
  history: readonly Piece[],
  tell: Tell,
): Promise<void> {
  const names = await inDoubtOnlyIn(queries, left.chain, history);
  if (names.length === 0) return;
  await tell({
    kind: 'operations_lost',
    chain: left.chain,
    seq: left.head_seq,
    message: messages.operationsLost(names),
  });
}

/** What nobody had acknowledged, each by itself: once, and again when the journal had it again before it was lost again. */
export async function tellOfLostDiscrepancies(
  left: Chain,
  lost: readonly OpenDiscrepancy[],
  tell: Tell,
): Promise<void> {
  for (const { chain, seq, message } of lost) {
    const again = left.grown_at;
    await tell({ kind: 'discrepancy_lost', chain, seq, message: messages.discrepancyLost(message), again });
  }
}

interface Taken {
  events: readonly SentEvent[];
  notUnderstood: readonly { seq: number; type: string }[];
  /** How many of its payments are known from another journal. */
  knownElsewhere: number;
  /** Where the journal has gone on otherwise since this chain grew last; null: it has not. */
  fork: { chain: number; seq: number } | null;
  at: string;
}

/** Who sends, where else it is known, what nobody can read. */
export async function tellOfTaken(
  sender: { bridgeId: string },
  chain: Chain,
  { events, notUnderstood, knownElsewhere, fork, at }: Taken,
  tell: Tell,
): Promise<void> {
  const seq = events[0]?.seq ?? 0;
  const about = { chain: chain.chain };
  if (chain.bridge_id !== sender.bridgeId) {
    await tell({
      ...about,
      kind: 'other_bridge',
      seq,
      message: messages.otherBridge(seq),
    });
  }
  if (fork !== null) {
    await tell({
      ...fork,
      kind: 'two_places',
      message: messages.twoPlaces(fork.seq),
      again: at,
    });
  }
  if (knownElsewhere > 0) {
    await tell({
      ...about,
      kind: 'payments_elsewhere',
      seq,
      message: messages.paymentsElsewhere(seq, knownElsewhere),
    });
  }
  const [first] = notUnderstood;
  if (first !== undefined) {
    await tell({
      ...about,
      kind: 'not_understood',
      seq: first.seq,
      message: messages.notUnderstood(first.seq, first.type, notUnderstood.length - 1),
    });
  }
}
