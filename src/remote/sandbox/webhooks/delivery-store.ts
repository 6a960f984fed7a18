/** Deliveries on disk: a queue for each subscription, and what became of those that have left it. */
import type { Database } from '../store/database.ts';

type DeliveryState = 'waiting' | 'delivered' | 'given-up';

export interface Delivery {
  sequence: number;
  subscriptionId: string;
  /** JSON. */
  event: string;
  state: DeliveryState;
  attempts: number;
  /** Of those that wait. */
  nextMs: number;
  /** Of the last attempt; null: there was none yet, or it was taken. */
  failure: string | null;
}

/** Which of a subscription's deliveries; all of them where nothing is said. */
interface DeliveryFilter {
  state?: DeliveryState;
  sinceMs?: number;
  /** Behind this one, in their order. */
  after?: number;
  count?: number;
}

export interface DeliveryStore {
  /** In the transaction of the change. True: the oldest of those that waited had to go. */
  add(subscriptionId: string, event: string, nowMs: number): boolean;
  /** The first of the subscription that may be sent now; null: none. */
  due(subscriptionId: string, nowMs: number): Delivery | null;
  /** When the next one may be sent, of any subscription; null: none waits. */
  nextMs(nowMs: number): number | null;
  delivered(delivery: Delivery, attempts: number): void;
  givenUp(delivery: Delivery, attempts: number, failure: string): void;
  postpone(delivery: Delivery, attempts: number, failure: string, nextMs: number): void;
  list(subscriptionId: string, filter: DeliveryFilter): Delivery[];
  /** Puts what has left the queue back into it; how many. In a transaction of the caller's, as `forget`. */
  replay(subscriptionId: string, filter: DeliveryFilter, nowMs: number): number;
  /** Those of a subscription that has ended. */
  forget(subscriptionId: string): void;
}

/** That wait for one subscription. A receiver that is away for a day of a busy shop loses nothing. */
const maxWaiting = 100_000;
/** Of each subscription, of those that wait no more: for the list, and to be played again. */
const maxDone = 1_000;

export function createDeliveryStore({ sql, transaction }: Database): DeliveryStore {
  const insert = sql.prepare(
    "INSERT INTO delivery (subscription_id, event, attempts, next_ms, state, create_ms) VALUES (?, ?, 0, ?, 'waiting', ?)",
  );
  const count = sql.prepare(
    "SELECT count(*) AS n FROM delivery WHERE subscription_id = ? AND state = 'waiting'",
  );
  const dropOldest = sql.prepare(
    "UPDATE delivery SET state = 'given-up', failure = 'too many waited' WHERE sequence = " +
      "(SELECT min(sequence) FROM delivery WHERE subscription_id = ? AND state = 'waiting')",
  );
  const selectDue = sql.prepare(
    "SELECT * FROM delivery WHERE subscription_id = ? AND state = 'waiting' AND next_ms <= ? ORDER BY sequence LIMIT 1",
  );
  const selectNext = sql.prepare(
    "SELECT min(next_ms) AS next_ms FROM delivery WHERE state = 'waiting' AND next_ms > ?",
  );
  const change = sql.prepare(
    'UPDATE delivery SET state = ?, attempts = ?, failure = ?, next_ms = ? WHERE sequence = ?',
  );
  const trim = sql.prepare(
    "DELETE FROM delivery WHERE subscription_id = ? AND state <> 'waiting' AND sequence <= coalesce(" +
      "(SELECT sequence FROM delivery WHERE subscription_id = ? AND state <> 'waiting' " +
      `ORDER BY sequence DESC LIMIT 1 OFFSET ${maxDone}), 0)`,
  );
  const which =
    'WHERE subscription_id = :subscription AND (:state IS NULL OR state = :state) ' +
    'AND create_ms >= :since AND sequence > :after';
  const select = sql.prepare(`SELECT * FROM delivery ${which} ORDER BY sequence LIMIT :count`);
  const again = sql.prepare(
    `UPDATE delivery SET state = 'waiting', attempts = 0, failure = NULL, next_ms = :now ${which} AND state <> 'waiting'`,
  );
  const remove = sql.prepare('DELETE FROM delivery WHERE subscription_id = ?');

  const parametersOf = (subscription: string, { state, sinceMs = 0, after = 0 }: DeliveryFilter) => ({
    subscription,
    state: state ?? null,
    since: sinceMs,
    after,
  });

  function done(delivery: Delivery, state: DeliveryState, attempts: number, failure: string | null): void {
    const { subscriptionId, sequence, nextMs } = delivery;
    transaction(() => {
      change.run(state, attempts, failure, nextMs, sequence);
      trim.run(subscriptionId, subscriptionId);
    });
  }

  return {
    add(subscriptionId, event, nowMs) {
      insert.run(subscriptionId, event, nowMs, nowMs);
      if (Number(count.get(subscriptionId)?.['n']) <= maxWaiting) return false;
      dropOldest.run(subscriptionId);
      return true;
    },
    due(subscriptionId, nowMs) {
      const row = selectDue.get(subscriptionId, nowMs);
      return row === undefined ? null : deliveryOf(row);
    },
    nextMs(nowMs) {
      const next = selectNext.get(nowMs)?.['next_ms'];
      return typeof next === 'number' ? next : null;
    },
    delivered: (delivery, attempts) => done(delivery, 'delivered', attempts, null),
    givenUp: (delivery, attempts, failure) => done(delivery, 'given-up', attempts, failure),
    postpone: ({ sequence }, attempts, failure, nextMs) =>
      transaction(() => change.run('waiting', attempts, failure, nextMs, sequence)),
    list: (subscription, filter) =>
      select.all({ ...parametersOf(subscription, filter), count: filter.count ?? -1 }).map(deliveryOf),
    replay: (subscription, filter, nowMs) =>
      Number(again.run({ ...parametersOf(subscription, filter), now: nowMs }).changes),
    forget: (subscriptionId) => void remove.run(subscriptionId),
  };
}

function deliveryOf(row: Record<string, unknown>): Delivery {
  return {
    sequence: Number(row['sequence']),
    subscriptionId: String(row['subscription_id']),
    event: String(row['event']),
    state: String(row['state']) as DeliveryState,
    attempts: Number(row['attempts']),
    nextMs: Number(row['next_ms']),
    failure: typeof row['failure'] === 'string' ? row['failure'] : null,
  };
}
