/** Brings each change to those who subscribed: signed, at least once, with growing pauses, until the attempts are exhausted. */
import { startDeadline } from '../../../base/abort.ts';
import type { Chance } from '../../../base/chance.ts';
import type { Clock } from '../../../base/clock.ts';
import type { LineLog } from '../../../log/index.ts';
import { sign, signatureHeader, timestampHeader, type WebhookEvent } from '../../webhooks/index.ts';
import { textOf } from '../sandbox-context.ts';
import type { Change, StoredRecord } from '../store/records.ts';
import type { Delivery, DeliveryStore } from './delivery-store.ts';
import { isLoopbackUrl, pingKind, subscriptionResource } from './subscriptions.ts';

/** After these a delivery is given up; it can be played again. */
export const maxAttempts = 8;
/** The pause after the first failure; each next one is twice as long. */
export const firstPauseMs = 1_000;
const maxPauseMs = 5 * 60_000;
/** For one attempt. */
export const deliveryTimeoutMs = 5_000;

export interface Deliveries {
  /** In the transaction of the change: a change that is on disk will be told. */
  enqueue(change: Change): void;
  /** A trial for this subscription, whatever it asked for; in a transaction, too. */
  ping(subscription: StoredRecord): WebhookEvent;
  /** Looks for what can be sent now. */
  wake(): void;
  /** What is under way ends; what waits stays for the next start. */
  close(): Promise<void>;
}

export interface DeliveryOptions {
  store: DeliveryStore;
  clock: Clock;
  chance: Chance;
  log: LineLog;
  fetch: typeof fetch;
  subscriptions: () => StoredRecord[];
}

export function createDeliveries({
  store,
  clock,
  chance,
  log,
  fetch,
  subscriptions,
}: DeliveryOptions): Deliveries {
  /** One at a time for each subscription: a slow receiver keeps nobody but itself waiting. */
  const underway = new Map<string, Promise<void>>();
  const closing = new AbortController();
  let cancelTimer = () => {};

  function wake(): void {
    if (closing.signal.aborted) return;
    cancelTimer();
    const nowMs = Math.floor(clock.now());
    for (const subscription of subscriptions()) {
      if (underway.has(subscription.id)) continue;
      const delivery = store.due(subscription.id, nowMs);
      if (delivery === null) continue;
      const work = attempt(subscription, delivery)
        .catch((error: unknown) => log.error('a webhook delivery broke', { err: error }))
        .finally(() => {
          underway.delete(subscription.id);
          wake();
        });
      underway.set(subscription.id, work);
    }
    const nextMs = store.nextMs(nowMs);
    if (nextMs !== null) cancelTimer = clock.after(Math.max(1, nextMs - nowMs), wake);
  }

  async function attempt(subscription: StoredRecord, delivery: Delivery): Promise<void> {
    const attempts = delivery.attempts + 1;
    const facts = { subscription_id: subscription.id, attempt: attempts };
    const failure = await send(subscription, delivery.event);
    if (failure === null) return store.delivered(delivery, attempts);
    // What was broken off by the end of the sandbox is tried again at the next start.
    if (closing.signal.aborted) return;
    if (attempts >= maxAttempts) {
      log.warn('a webhook delivery was given up: its attempts are exhausted', { ...facts, failure });
      return store.givenUp(delivery, attempts, failure);
    }
    log.debug('a webhook delivery failed', { ...facts, failure });
    const pauseMs = Math.min(firstPauseMs * 2 ** (attempts - 1), maxPauseMs);
    store.postpone(delivery, attempts, failure, Math.ceil(clock.now()) + pauseMs);
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
          [signatureHeader]: await sign(textOf(subscription, 'secret'), timestamp, event),
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

  function add(subscription: StoredRecord, event: WebhookEvent): void {
    const dropped = store.add(subscription.id, JSON.stringify(event), Math.floor(clock.now()));
    if (dropped)
      log.warn('too many webhook deliveries wait; the oldest was given up', {
        subscription_id: subscription.id,
      });
  }

  function eventOf(kind: string, resource: string, record: StoredRecord): WebhookEvent {
    return {
      id: chance.uuid(),
      kind,
      create_time: record.update_time,
      resource,
      record_id: record.id,
      etag: record.etag,
    };
  }

  return {
    enqueue({ kind, resource, record }) {
      if (resource === subscriptionResource) return;
      const event = eventOf(`${resource}.${kind}`, resource, record);
      for (const subscription of subscriptions()) {
        const kinds = subscription['kinds'] as string[] | null;
        if (kinds === null || kinds.includes(event.kind)) add(subscription, event);
      }
    },
    ping(subscription) {
      const event = eventOf(pingKind, subscriptionResource, subscription);
      add(subscription, event);
      return event;
    },
    wake,
    async close() {
      closing.abort();
      cancelTimer();
      await Promise.all(underway.values());
    },
  };
}
