/** What has to be told of events that were just taken: findings, for people. */
import type { Queries } from '../database/database.ts';
import * as messages from '../finding-messages.ts';
import type { FindingKind } from '../findings.ts';
import type { Chain } from './chains.ts';
import type { SentEvent } from './read-batch.ts';
import type { Unread } from './unread.ts';

export interface Found {
  kind: FindingKind;
  chain: number | null;
  seq: number;
  message: string;
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

interface Taken {
  events: readonly SentEvent[];
  notUnderstood: readonly { seq: number; type: string }[];
  /** How many of its payments are known from another journal. */
  knownElsewhere: number;
}

/** Who sends, where else it is known, what nobody can read. */
export async function tellOfTaken(
  queries: Queries,
  sender: { bridgeId: string },
  chain: Chain,
  { events, notUnderstood, knownElsewhere }: Taken,
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
  const [branch] = await queries.query<{ branched_after: number }>(
    'SELECT branched_after FROM chains WHERE branch_of = $1 AND branched_after < $2 ORDER BY chain DESC LIMIT 1',
    [chain.chain, seq],
  );
  if (branch !== undefined) {
    await tell({
      ...about,
      kind: 'two_places',
      seq: branch.branched_after,
      message: messages.twoPlaces(branch.branched_after),
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
