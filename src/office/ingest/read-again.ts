/**
 * After an update of the office: what an older one could not read is read again, from the first such event of each chain to
 * its end, as if it came now. Nothing comes twice by it, because each row has the id of what it is about. An older office that
 * still runs beside it takes more of the kind, so it is looked for from time to time.
 */
import { errorText } from '../../base/error-text.ts';
import { pause, type Clock } from '../../base/clock.ts';
import { compareVersions, isVersion } from '../../base/versions.ts';
import type { LineLog } from '../../log/index.ts';
import { dayAfter, type Day } from '../database/days.ts';
import type { Database, Queries, Transaction } from '../database/database.ts';
import { historyOf, lockChain, chainsOf, type Chain } from './chains.ts';
import { eventReader, type EventReader } from './event-reader.ts';
import type { OpenOperation } from './fact-rows.ts';
import type { Facts } from './facts.ts';
import { operationsOpenAt } from './open-operations.ts';
import type { SentEvent } from './read-batch.ts';
import { keepUnread, unreadOf, type Unread } from './unread.ts';
import { writeFacts } from './write-facts.ts';
import { closesAtWrongTime } from './wrong-clock.ts';

export interface ReadAgainParts {
  database: Database;
  clock: Clock;
  version: string;
  log: LineLog;
  signal: AbortSignal;
  /** Left out: that of this version. */
  reader?: EventReader;
  /** Something of this shop may be different now. */
  onNews: (shopId: string) => void;
}

interface Place {
  chain_id: string;
  shop_id: string;
  terminal: string;
  simulated: boolean;
}

const eventsAtOnce = 2_000;
const pauseMs = 5 * 60_000;

/** Does so until `signal`. Mostly there is nothing of it, which takes one look at a small table. */
export async function keepReadingAgain(parts: ReadAgainParts): Promise<void> {
  while (!parts.signal.aborted) {
    await readAgain(parts);
    await pause(parts.clock, pauseMs, parts.signal);
  }
}

/** Gives how many chains were read again. What fails is logged, and left for the next time. */
export async function readAgain(parts: ReadAgainParts): Promise<number> {
  const { database, log, version, reader = eventReader, signal } = parts;
  let done = 0;
  try {
    const rows = await database.query<Place & { chain: number; what: string; office_version: string }>(
      `SELECT chain, chain_id, shop_id, terminal, simulated, what, office_version
       FROM unread JOIN chains USING (chain) ORDER BY chain, what`,
    );
    const isKnownNow = (row: (typeof rows)[number]) =>
      reader.knows(row.what) || (row.what.startsWith('unfit ') && isOlder(row.office_version, version));
    for (const [chain, ofChain] of Map.groupBy(rows.filter(isKnownNow), (row) => row.chain)) {
      const [place] = ofChain;
      if (signal.aborted || place === undefined) break;
      const events = await database.transaction((queries) => readChainAgain(queries, place, parts));
      log.info('what an older office could not read was read again', { chain, events });
      parts.onNews(place.shop_id);
      done += 1;
    }
  } catch (error) {
    if (!signal.aborted) log.warn(`events could not be read again yet: ${errorText(error)}`);
  }
  return done;
}

async function readChainAgain(queries: Transaction, place: Place, parts: ReadAgainParts): Promise<number> {
  const { clock, version, reader = eventReader } = parts;
  const { shop_id: shopId, terminal, simulated } = place;
  const journal = { shopId, terminal, simulated };
  const chain = await lockChain(queries, journal, place.chain_id);
  const [first] = await queries.query<{ seq: number; day: Day }>(
    'SELECT min(first_seq) AS seq, min(first_received_on) AS day FROM unread WHERE chain = $1',
    [chain?.chain ?? null],
  );
  // Another office was quicker.
  if (chain === null || first?.seq == null) return 0;
  const history = historyOf(chain, await chainsOf(queries, journal));
  const at = new Date(clock.now()).toISOString();
  const origin = {
    ...journal,
    chain: chain.chain,
    lineage: history.map((piece) => piece.chain),
    receivedAt: at,
    payments: 'again' as const,
  };
  let open = await operationsOpenAt(queries, history, first.seq - 1);
  let last = first.seq - 1;
  const stillUnread = new Map<string, Unread & { receivedOn: Day }>();
  while (last < chain.head_seq) {
    const { events, receivedOn } = await eventsAfter(queries, chain, last, first.day);
    const end = events.at(-1);
    if (end === undefined) break;
    const facts = reader.factsOf(events, open);
    const at = `${receivedOn}T00:00:00.000Z`;
    // What the bridge's clock was then nobody knows any more.
    const wrong = closesAtWrongTime(events, { arrivedAt: Date.parse(at), clockAheadMs: null });
    const batchStarts = facts.batchStarts.map((start) =>
      wrong.has(start.batch_id) ? { ...start, arrived_at: at } : start,
    );
    await writeFacts(queries, { ...facts, batchStarts, opened: [], closed: [] }, { ...origin, receivedOn });
    for (const unread of unreadOf(events, facts, reader))
      if (!stillUnread.has(unread.what)) stillUnread.set(unread.what, { ...unread, receivedOn });
    open = openAfter(open, facts);
    last = end.seq;
  }
  await queries.query('DELETE FROM open_operations WHERE chain = $1 AND operation_id <> ALL ($2::uuid[])', [
    chain.chain,
    open.map(({ operation_id }) => operation_id),
  ]);
  const nothing = reader.factsOf([], []);
  await writeFacts(queries, { ...nothing, opened: open }, { ...origin, receivedOn: first.day });
  await queries.query('DELETE FROM unread WHERE chain = $1', [chain.chain]);
  for (const { receivedOn, ...unread } of stillUnread.values())
    await keepUnread(queries, [unread], { chain: chain.chain, receivedOn, officeVersion: version, at });
  await tellThatItIsOver(queries, chain.chain, version, at);
  return last - first.seq + 1;
}

/** The next events of the chain that arrived on one day. */
async function eventsAfter(queries: Queries, { chain, head_seq }: Chain, after: number, from: Day) {
  const rows = await queries.query<{ seq: number; at: string; body: string; received_on: Day }>(
    `SELECT seq, at, body, received_on FROM events
     WHERE chain = $1 AND seq > $2 AND seq <= $3 AND received_on >= $4 ORDER BY seq LIMIT $5`,
    // Two offices need not have the same time.
    [chain, after, head_seq, dayAfter(from, -2), eventsAtOnce],
  );
  const receivedOn = rows[0]?.received_on ?? from;
  const other = rows.findIndex((row) => row.received_on !== receivedOn);
  const events = (other === -1 ? rows : rows.slice(0, other)).map(({ seq, at, body }): SentEvent => ({
    seq,
    at,
    body,
    hash: '',
    event: JSON.parse(body) as SentEvent['event'],
  }));
  return { events, receivedOn };
}

function openAfter(before: readonly OpenOperation[], { opened, closed }: Facts): OpenOperation[] {
  const gone = new Set([...closed, ...opened.map(({ operation_id }) => operation_id)]);
  return [...before.filter(({ operation_id }) => !gone.has(operation_id)), ...opened];
}

/** Nobody has to acknowledge what an update has seen to. */
async function tellThatItIsOver(queries: Queries, chain: number, version: string, at: string): Promise<void> {
  await queries.query('DELETE FROM unread_told WHERE what NOT IN (SELECT what FROM unread)');
  await queries.query(
    `UPDATE findings SET acknowledged_at = $2, acknowledged_by = $3, acknowledged_reason = 'It was read again after an update.'
     WHERE acknowledged_at IS NULL AND (
       (kind = 'newer_bridge' AND NOT EXISTS (SELECT FROM unread_told))
       OR (kind = 'not_understood' AND chain = $1 AND NOT EXISTS (SELECT FROM unread WHERE unread.chain = $1))
     )`,
    [chain, at, `Tillbridge ${version}`],
  );
}

function isOlder(version: string, other: string): boolean {
  return isVersion(version) && isVersion(other) && compareVersions(version, other) < 0;
}
