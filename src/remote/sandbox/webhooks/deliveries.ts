/** Brings each change to those who subscribed: signed, at least once, with growing pauses, until the attempts are exhausted. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Chance } from '../../../base/chance.ts';
import type { Clock } from '../../../base/clock.ts';
import { startDeadline } from '../../../base/abort.ts';
import type { LineLog } from '../../../log/index.ts';
import type { Database } from '../store/database.ts';
import type { Change, StoredRecord } from '../store/records.ts';
import { textOf } from '../sandbox-context.ts';
import { isLoopbackUrl, subscriptionResource, type WebhookEvent } from './subscriptions.ts';

/** Deliveries that wait for one subscription; the oldest are dropped, and the log tells. */
const maxWaiting = 1_000;
/** After these a delivery is dropped. */
export const maxAttempts = 8;
/** The pause after the first failure; each next one is twice as long. */
export const firstPauseMs = 1_000;
const maxPauseMs = 5 * 60_000;
/** For one attempt. */
export const deliveryTimeoutMs = 5_000;
/** Under way at the same time. */
const maxAtOnce = 4;

export interface Deliveries {
  /** In the transaction of the change: a change that is on disk will be told. */
  enqueue(change: Change): void;
  /** Looks for what can be sent now. */
  wake(): void;
  /** What is under way ends; what waits stays for the next start. */
  close(): Promise<void>;
}

export interface DeliveryOptions {
  database: Database;
  clock: Clock;
  chance: Chance;
  log: LineLog;
  fetch: typeof fetch;
  subscriptions: () => StoredRecord[];
}

interface Delivery {
  sequence: number;
  subscriptionId: string;
  event: string;
  attempts: number;
}

export function createDeliveries({
  database,
  clock,
  chance,
  log,
  fetch,
  subscriptions,
}: DeliveryOptions): Deliveries {
  const { sql } = database;
  const insert = sql.prepare(
    'INSERT INTO delivery (subscription_id, event, attempts, next_ms) VALUES (?, ?, 0, ?)',
  );
  const count = sql.prepare('SELECT count(*) AS n FROM delivery WHERE subscription_id = ?');
  const dropOldest = sql.prepare(
    'DELETE FROM delivery WHERE sequence = (SELECT min(sequence) FROM delivery WHERE subscription_id = ?)',
  );
  const selectDue = sql.prepare('SELECT * FROM delivery WHERE next_ms <= ? ORDER BY sequence LIMIT ?');
  const selectNext = sql.prepare('SELECT min(next_ms) AS next_ms FROM delivery WHERE next_ms > ?');
  const remove = sql.prepare('DELETE FROM delivery WHERE sequence = ?');
  const postpone = sql.prepare('UPDATE delivery SET attempts = ?, next_ms = ? WHERE sequence = ?');

  const underway = new Map<number, Promise<void>>();
  const closing = new AbortController();
  let cancelTimer = () => {};

  function wake(): void {
    if (closing.signal.aborted) return;
    cancelTimer();
    const now = Math.floor(clock.now());
    for (const row of selectDue.all(now, maxAtOnce + underway.size)) {
      if (underway.size >= maxAtOnce) return;
      const delivery = deliveryOf(row);
      if (underway.has(delivery.sequence)) continue;
      const work = attempt(delivery)
        .catch((error: unknown) => log.error('a webhook delivery broke', { err: error }))
        .finally(() => {
          underway.delete(delivery.sequence);
          wake();
        });
      underway.set(delivery.sequence, work);
    }
    const next = selectNext.get(now)?.['next_ms'];
    if (typeof next === 'number') cancelTimer = clock.after(Math.max(1, next - now), wake);
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const subscription = subscriptions().find(({ id }) => id === delivery.subscriptionId);
    const facts = { subscription_id: delivery.subscriptionId, attempt: delivery.attempts + 1 };
    if (subscription === undefined) {
      database.transaction(() => remove.run(delivery.sequence));
      return;
    }
    const failure = await send(subscription, delivery.event);
    // What was broken off by the end of the sandbox is tried again at the next start.
    if (closing.signal.aborted && failure !== null) return;
    const attempts = delivery.attempts + 1;
    if (failure === null || attempts >= maxAttempts) {
      if (failure !== null)
        log.warn('a webhook delivery was dropped: its attempts are exhausted', { ...facts, failure });
      database.transaction(() => remove.run(delivery.sequence));
      return;
    }
    log.debug('a webhook delivery failed', { ...facts, failure });
    const pauseMs = Math.min(firstPauseMs * 2 ** (attempts - 1), maxPauseMs);
    database.transaction(() => postpone.run(attempts, Math.ceil(clock.now()) + pauseMs, delivery.sequence));
  }

  /** Null: it was taken. */
  async function send(subscription: StoredRecord, event: string): Promise<string | null> {
    const url = textOf(subscription, 'url');
    if (!isLoopbackUrl(url)) return 'not a loopback address';
    const deadline = startDeadline(clock, deliveryTimeoutMs);
    const timestamp = String(Math.floor(clock.now() / 1_000));
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [timestampHeader]: timestamp,
          [signatureHeader]: sign(textOf(subscription, 'secret'), timestamp, event),
        },
        body: event,
        redirect: 'manual',
        signal: AbortSignal.any([deadline.signal, closing.signal]),
      });
      await answer.body?.cancel();
      return answer.ok ? null : `status ${answer.status}`;
    } catch {
      return deadline.passed ? 'no answer in time' : 'no connection';
    } finally {
      deadline.cancel();
    }
  }

  return {
    enqueue({ kind, resource, record }) {
      if (resource === subscriptionResource) return;
      const event: WebhookEvent = {
        id: chance.uuid(),
        kind: `${resource}.${kind}`,
        create_time: record.update_time,
        resource,
        record_id: record.id,
        etag: record.etag,
      };
      for (const subscription of subscriptions()) {
        const kinds = subscription['kinds'] as string[] | null;
        if (kinds !== null && !kinds.includes(event.kind)) continue;
        insert.run(subscription.id, JSON.stringify(event), Math.floor(clock.now()));
        if (Number(count.get(subscription.id)?.['n']) > maxWaiting) {
          dropOldest.run(subscription.id);
          log.warn('too many webhook deliveries wait; the oldest was dropped', {
            subscription_id: subscription.id,
          });
        }
      }
    },
    wake,
    async close() {
      closing.abort();
      cancelTimer();
      await Promise.all(underway.values());
    },
  };
}

function deliveryOf(row: Record<string, unknown>): Delivery {
  return {
    sequence: Number(row['sequence']),
    subscriptionId: String(row['subscription_id']),
    event: String(row['event']),
    attempts: Number(row['attempts']),
  };
}

// How a receiver knows that a delivery is from us, and new: HMAC-SHA256 over the time and the body.

/** Seconds since 1970, as digits. */
export const timestampHeader = 'x-tillbridge-timestamp';
/** `v1=` and 64 hexadecimal digits. */
export const signatureHeader = 'x-tillbridge-signature';

/** HMAC-SHA256 with the subscription's secret over `<timestamp>.<body>`. */
export function sign(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/** For receivers. `toleranceSeconds`: how old a delivery may be, so that an old one cannot be played again. */
export function isSigned(
  secret: string,
  headers: { timestamp: string; signature: string },
  body: string,
  nowSeconds: number,
  toleranceSeconds = 300,
): boolean {
  const expected = Buffer.from(sign(secret, headers.timestamp, body));
  const given = Buffer.from(headers.signature);
  if (given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) return false;
  return Math.abs(nowSeconds - Number(headers.timestamp)) <= toleranceSeconds;
}
