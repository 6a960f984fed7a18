/**
 * Takes a batch of events into the database, in one transaction: the events themselves, what they change, and how far the
 * chain has come. Whoever sends the same batch again, or another process of the office at the same moment, changes
 * nothing: the row of the chain is locked, and what is there already is compared with what came.
 */
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { chainStart } from '../../bridge/journal/index.ts';
import type { ChainPlace, KnownPlace } from '../../contract/office.ts';
import { dayOf, dayOfPayment, type Day } from '../database/days.ts';
import { DatabaseError, type Database, type Queries, type Transaction } from '../database/database.ts';
import type { Partitions } from '../database/partitions.ts';
import * as messages from '../finding-messages.ts';
import { tell } from '../findings.ts';
import {
  carryOut,
  chainsOf,
  forkOf,
  hashesBetween,
  historyOf,
  lockChain,
  lockJournal,
  makeChain,
  newestKnown,
  turnTo,
  type Chain,
  type Journal,
} from './chains.ts';
import { lostOf, openDiscrepancies } from './open-discrepancies.ts';
import { openAt, operationsOpenNow } from './open-operations.ts';
import { eventReader, type EventReader } from './event-reader.ts';
import type { BatchStart } from './fact-rows.ts';
import { factsOf } from './facts.ts';
import { reopenPayments } from './payment-changes.ts';
import type { ReadBatch, SentEvent } from './read-batch.ts';
import {
  tellOfLostDiscrepancies,
  tellOfLostOperations,
  tellOfNewer,
  tellOfTaken,
  type Found,
} from './tell-of-taken.ts';
import { keepUnread, unreadOf } from './unread.ts';
import { closesAtWrongTime } from './wrong-clock.ts';
import { writeEvents, writeFacts, type Origin } from './write-facts.ts';

export type Ingested =
  | { kind: 'kept'; place: KnownPlace; newEvents: number }
  /** It does not follow on anything that the office has. */
  | { kind: 'place_unknown' }
  /** All before the event `seq` was kept. */
  | { kind: 'chain_broken'; seq: number; message: string };

/** Who sends. */
export interface Sender extends Journal {
  bridgeId: string;
  /** For messages: the shop's name. */
  shopName: string;
}

export interface Ingest {
  /** Where each chain of the journal ends. */
  heads(journal: Journal): Promise<KnownPlace[]>;
  /** The newest of the points that the office has; tells when it has more than that. */
  place(sender: Sender, points: readonly ChainPlace[]): Promise<KnownPlace | null>;
  take(sender: Sender, batch: Extract<ReadBatch, { kind: 'read' }>): Promise<Ingested>;
}

/** PostgreSQL gave way to another transaction: the same one again will do. */
const gaveWayCodes = new Set(['40001', '40P01']);
/** A payment is known from elsewhere, against expectation. */
const uniqueViolation = '23505';
const maxAttempts = 5;

export function createIngest(parts: {
  database: Database;
  partitions: Partitions;
  clock: Clock;
  chance: Chance;
  /** The office's own. */
  version: string;
  /** Left out: that of this version. */
  reader?: EventReader;
}): Ingest {
  const { database, partitions, clock, chance, version, reader = eventReader } = parts;
  const now = () => new Date(clock.now()).toISOString();

  const find = (queries: Queries, sender: Sender, found: Found) =>
    tell(queries, { ...sender, ...found, findingId: chance.uuid(), at: now() });

  return {
    async heads(journal) {
      const chains = await chainsOf(database, journal);
      return chains.map(({ chain_id, head_seq, head_hash }) => ({
        chain: chain_id,
        seq: head_seq,
        hash: head_hash,
      }));
    },

    async place(sender, points) {
      const chains = await chainsOf(database, sender);
      const known = await newestKnown(database, chains, points);
      if (known === null) return null;
      const { chain, place } = known;
      const newest = points.reduce((one, other) => (other.seq > one.seq ? other : one));
      if (newest.seq < chain.head_seq && newest.seq === place.seq) {
        // A bridge with nothing new asks again and again: only a journal that has grown since was put back once more.
        const grown = chains.find((other) => forkOf(chain, other, chains) !== null);
        await find(database, sender, {
          kind: 'journal_behind',
          chain: chain.chain,
          seq: place.seq,
          message: messages.journalBehind(place.seq, chain.head_seq - place.seq),
          ...(grown === undefined ? {} : { again: grown.grown_at }),
        });
      }
      return { chain: chain.chain_id, ...place };
    },

    async take(sender, batch) {
      await partitions.prepare('events', [dayOf(clock.now())]);
      await partitions.prepare('payments', daysOfSales(batch.events));
      let payments: Origin['payments'] = 'new';
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await database.transaction((queries) => takeBatch(queries, sender, batch, payments));
        } catch (error) {
          const code = error instanceof DatabaseError ? (error.code ?? '') : '';
          if (code === uniqueViolation && payments === 'new') payments = 'perhaps known';
          else if (!gaveWayCodes.has(code) || attempt === maxAttempts) throw error;
        }
      }
    },
  };

  async function takeBatch(
    queries: Transaction,
    sender: Sender,
    { head, events, broken }: Extract<ReadBatch, { kind: 'read' }>,
    payments: Origin['payments'],
  ): Promise<Ingested> {
    const isStart = head.after.seq === 0;
    if (isStart && head.after.hash !== chainStart.hash) return { kind: 'place_unknown' };
    const tellOfBroken = async (chain: number | null, { seq, message }: NonNullable<typeof broken>) => {
      await find(queries, sender, { kind: 'chain_broken', chain, seq, message });
      return { kind: 'chain_broken' as const, seq, message };
    };
    // A chain begins with an event, and here is none.
    if (head.chain === null && events.length === 0)
      return isStart && broken !== null ? await tellOfBroken(null, broken) : { kind: 'place_unknown' };
    const place = await placeOf(queries, sender, head.chain, head.after, events);
    if (place === null) return { kind: 'place_unknown' };
    const { chain, rest } = place;
    const last = events.at(-1) ?? head.after;
    if (rest.length > 0) await append(queries, sender, chain, rest, payments);
    if (broken !== null) return await tellOfBroken(chain.chain, broken);
    return {
      kind: 'kept',
      place: { chain: chain.chain_id, seq: last.seq, hash: last.hash },
      newEvents: rest.length,
    };
  }

  /** The chain that the events belong to, locked, and those of them that it does not have yet. */
  async function placeOf(
    queries: Transaction,
    sender: Sender,
    chainId: string | null,
    after: ChainPlace,
    events: readonly SentEvent[],
  ): Promise<{ chain: Chain; rest: readonly SentEvent[] } | null> {
    if (chainId === null) {
      if (after.seq !== 0) return null;
      await lockJournal(queries, sender);
      const [first] = events;
      const chains = await chainsOf(queries, sender);
      const known = first && (await newestKnown(queries, chains, [first]));
      if (!known) {
        // The bridge has one journal under this name: the one that it began before is gone.
        const former = chains.find((one) => one.in_journal_to === null && one.bridge_id === sender.bridgeId);
        if (former !== undefined)
          return { chain: await branchOff(queries, sender, former, chains, after, events), rest: events };
        const made = { chainId: chance.uuid(), bridgeId: sender.bridgeId, branchOf: null, after, at: now() };
        return { chain: await makeChain(queries, sender, made), rest: events };
      }
      // The answer to this very batch was lost.
      chainId = known.chain.chain_id;
    }
    const chain = await lockChain(queries, sender, chainId);
    if (chain === null || after.seq > chain.head_seq) return null;
    if (after.seq === chain.head_seq) return after.hash === chain.head_hash ? { chain, rest: events } : null;
    return await placeBefore(queries, sender, chain, after, events);
  }

  /** The same for events that begin before the end of the chain: what it has is left out, and where it differs it branches. */
  async function placeBefore(
    queries: Transaction,
    sender: Sender,
    chain: Chain,
    after: ChainPlace,
    events: readonly SentEvent[],
  ): Promise<{ chain: Chain; rest: readonly SentEvent[] } | null> {
    const chains = await chainsOf(queries, sender);
    const history = historyOf(chain, chains);
    const hashes = await hashesBetween(queries, history, after.seq, events.at(-1)?.seq ?? after.seq);
    if (after.seq > 0 && hashes.get(after.seq) !== after.hash) return null;
    const rest = events.filter(({ seq, hash }) => hashes.get(seq) !== hash);
    const [first] = rest;
    if (first === undefined || first.seq > chain.head_seq) return { chain, rest };
    const at = first.seq - 1;
    const before = at === after.seq ? after : { seq: at, hash: hashes.get(at) ?? '' };
    // Another branch may begin at the very place, with this event: its answer was lost.
    const known = await newestKnown(queries, chains, [first]);
    if (known !== null) {
      const locked = await lockChain(queries, sender, known.chain.chain_id);
      return locked && (await placeBefore(queries, sender, locked, before, rest));
    }
    const branch = await branchOff(queries, sender, chain, chains, before, rest);
    return { chain: branch, rest };
  }

  /** Makes the chain of a journal that goes on with `rest` behind the place `after` of `chain`, and tells of it. */
  async function branchOff(
    queries: Transaction,
    sender: Sender,
    chain: Chain,
    chains: readonly Chain[],
    after: ChainPlace,
    rest: readonly SentEvent[],
  ): Promise<Chain> {
    const made = {
      chainId: chance.uuid(),
      bridgeId: sender.bridgeId,
      branchOf: chain.chain,
      after,
      // Made after it, whatever the clock of another process says.
      at: later(now(), chain.grown_at),
    };
    const branch = await makeChain(queries, sender, made);
    await carryOpenOperations(queries, sender, branch, [...chains, branch]);
    const repaired = rest.some(({ event }) => event['type'] === 'journal_repaired');
    await find(queries, sender, {
      kind: 'journal_branched',
      chain: branch.chain,
      seq: after.seq + 1,
      message: messages.journalBranched(after.seq + 1, chain.head_seq - after.seq, repaired),
    });
    return branch;
  }

  async function carryOpenOperations(
    queries: Transaction,
    sender: Sender,
    branch: Chain,
    chains: readonly Chain[],
  ): Promise<void> {
    const open = await openAt(queries, historyOf(branch, chains), branch.branched_after ?? 0);
    const facts = { ...factsOf([], []), opened: open.operations };
    const receivedAt = now();
    const origin: Origin = {
      ...sender,
      chain: branch.chain,
      lineage: historyOf(branch, chains).map((piece) => piece.chain),
      receivedOn: receivedAt.slice(0, 10),
      receivedAt,
      payments: 'new',
    };
    await writeFacts(queries, facts, origin);
    await reopenPayments(queries, open.payments, origin);
  }

  async function append(
    queries: Transaction,
    sender: Sender,
    chain: Chain,
    events: readonly SentEvent[],
    payments: Origin['payments'],
  ): Promise<void> {
    const at = now();
    const receivedOn = at.slice(0, 10);
    const chains = await chainsOf(queries, sender);
    const lineage = historyOf(chain, chains).map((piece) => piece.chain);
    const origin = { ...sender, chain: chain.chain, lineage, receivedOn, receivedAt: at, payments };
    const turn = turnTo(chain, chains);
    const wereOpen = turn?.left == null ? [] : await openDiscrepancies(queries, sender);
    if (turn !== null) await carryOut(queries, turn);
    const open = await operationsOpenNow(queries, chain.chain);
    const read = reader.factsOf(events, open);
    const facts = { ...read, batchStarts: await datedStarts(queries, sender, read.batchStarts, events) };
    // The facts first: whether their payments are new shows before the events' bytes are written.
    const { knownElsewhere } = await writeFacts(queries, facts, origin);
    await writeEvents(queries, events, origin);
    const last = events.at(-1);
    await queries.query(
      `UPDATE chains SET head_seq = $2, head_hash = decode($3, 'hex'), grown_at = greatest(grown_at, $4), bridge_id = $5 WHERE chain = $1`,
      [chain.chain, last?.seq, last?.hash, at, sender.bridgeId],
    );
    const tellOf = (found: Found) => find(queries, sender, found);
    const { notUnderstood } = facts;
    const taken = { events, notUnderstood, knownElsewhere, fork: forkSince(chain, chains), at };
    await tellOfTaken(sender, chain, taken, tellOf);
    if (turn?.left != null) {
      const history = historyOf({ ...chain, head_seq: last?.seq ?? 0 }, chains);
      await tellOfLostOperations(queries, turn.left, history, tellOf);
      await tellOfLostDiscrepancies(turn.left, await lostOf(queries, sender, wereOpen), tellOf);
    }
    const unread = unreadOf(events, facts, reader);
    const of = { chain: chain.chain, receivedOn, officeVersion: version, at };
    await tellOfNewer(chain, unread, await keepUnread(queries, unread, of), tellOf);
  }

  /** Those with a time that cannot be true have that of their arrival as well. */
  async function datedStarts(
    queries: Queries,
    { bridgeId }: Sender,
    starts: readonly BatchStart[],
    events: readonly SentEvent[],
  ): Promise<BatchStart[]> {
    if (starts.length === 0) return [];
    const [bridge] = await queries.query<{ clock_ahead_ms: number | null }>(
      'SELECT clock_ahead_ms FROM bridges WHERE bridge_id = $1',
      [bridgeId],
    );
    const arrivedAt = clock.now();
    const wrong = closesAtWrongTime(events, { arrivedAt, clockAheadMs: bridge?.clock_ahead_ms ?? null });
    const at = new Date(arrivedAt).toISOString();
    return starts.map((start) => (wrong.has(start.batch_id) ? { ...start, arrived_at: at } : start));
  }
}

/** Where a chain branches off that has grown since this one did: the journal goes on otherwise than it did last. */
function forkSince(chain: Chain, all: readonly Chain[]) {
  const grown = all.filter(({ grown_at }) => grown_at > chain.grown_at);
  return grown.map((other) => forkOf(chain, other, all)).find((fork) => fork !== null) ?? null;
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

function daysOfSales(events: readonly SentEvent[]): Set<Day> {
  const days = new Set<Day>();
  for (const { event } of events) {
    if (event['type'] === 'operation_started' && event['kind'] === 'sale')
      days.add(dayOfPayment(String(event['operationId'])));
  }
  return days;
}
