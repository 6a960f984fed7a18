/** Subscriptions to webhooks, what becomes of their deliveries, and trials of them. */
import express from 'express';
import type { RequestHandler, Response, Router } from 'express';
import { defaultCount } from '../../catalogue/index.ts';
import { checkedBody, checkedParameters } from '../checks.ts';
import type { Executor, OperationResult } from '../executor.ts';
import { RequestError } from '../request-error.ts';
import type { StoredRecord } from '../store/records.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';
import type { Delivery, DeliveryStore } from '../webhooks/delivery-store.ts';
import {
  deliveryQuerySchema,
  deliverySchema,
  newSubscriptionSchema,
  replayRequestSchema,
  subscribe,
  subscriptionPath,
  subscriptionResource,
  subscriptionSchema,
} from '../webhooks/subscriptions.ts';
import { named, otherMethod } from './operation-routes.ts';
import { jsonBody } from './request-body.ts';
import { queryOf, respond, refuse } from './request-context.ts';
import { guardScope } from './request-guards.ts';

export interface Webhooks {
  deliveries: Deliveries;
  store: DeliveryStore;
}

export function webhookRoutes(executor: Executor, { deliveries, store }: Webhooks): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const reads = guardScope(`${subscriptionResource}:read`);
  const creates = guardScope(`${subscriptionResource}:create`);
  const onePath = `${subscriptionPath}/{webhook_subscription_id}`;

  /** `work` on the subscription that the path names, in one transaction; `undefined` of it: there is none. */
  const onOne =
    (work: (subscription: StoredRecord, request: Parameters<RequestHandler>[0]) => unknown): RequestHandler =>
    (request, response) => {
      const body = attempt(response, () =>
        executor.transaction(({ records }) => {
          const found = records.get(subscriptionResource, String(request.params['id']));
          if (found === null)
            throw new RequestError('record_not_found', 'There is no subscription with this id.');
          return work(found, request);
        }),
      );
      if (body !== undefined) response.json(body);
      deliveries.wake();
    };

  router
    .route(subscriptionPath)
    .all(named(subscriptionPath))
    .get(reads, (_request, response) => {
      const records = executor.transaction((context) => context.records.all(subscriptionResource));
      response.json(records.map((record) => subscriptionSchema.parse(record)));
    })
    .post(creates, jsonBody('small'), (request, response) => {
      const result = attempt(response, (): OperationResult => {
        const record = executor.transaction((context) => subscribe(context, request.body as unknown));
        return { ok: true, body: newSubscriptionSchema.parse(record), etag: record.etag };
      });
      if (result !== undefined) respond(response, result);
    })
    .all(otherMethod(['GET', 'POST']));
  router
    .route(`${subscriptionPath}/:id`)
    .all(named(onePath))
    .delete(
      guardScope(`${subscriptionResource}:delete`),
      onOne((subscription) => {
        executor.context.records.remove(subscriptionResource, subscription.id);
        store.forget(subscription.id);
        return subscriptionSchema.parse(subscription);
      }),
    )
    .all(otherMethod(['DELETE']));
  router
    .route(`${subscriptionPath}/:id/deliveries`)
    .all(named(`${onePath}/deliveries`))
    .get(
      reads,
      onOne(({ id }, request) => {
        const {
          state,
          token,
          count = defaultCount,
        } = checkedParameters(deliveryQuerySchema, queryOf(request));
        const filter = { count, ...(state === undefined ? {} : { state }) };
        return store.list(id, token === undefined ? filter : { ...filter, after: Number(token) }).map(viewOf);
      }),
    )
    .all(otherMethod(['GET']));
  router
    .route(`${subscriptionPath}/:id/ping`)
    .all(named(`${onePath}/ping`))
    .post(
      creates,
      onOne((subscription) => deliveries.ping(subscription)),
    )
    .all(otherMethod(['POST']));
  router
    .route(`${subscriptionPath}/:id/replay`)
    .all(named(`${onePath}/replay`))
    .post(
      creates,
      jsonBody('small'),
      onOne(({ id }, request) => {
        const asked = checkedBody(replayRequestSchema, request.body);
        const filter = {
          ...(asked.state == null ? {} : { state: asked.state }),
          ...(asked.since_time == null ? {} : { sinceMs: Date.parse(asked.since_time) }),
        };
        return { replayed: store.replay(id, filter, Math.floor(executor.context.clock.now())) };
      }),
    )
    .all(otherMethod(['POST']));
  return router;
}

function viewOf({ sequence, event, state, attempts, failure, nextMs }: Delivery): unknown {
  return deliverySchema.parse({
    event: JSON.parse(event) as unknown,
    state,
    attempts,
    failure,
    next_time: state === 'waiting' ? new Date(nextMs).toISOString() : null,
    token: String(sequence),
  });
}

/** `undefined`: it was refused, and that has been answered. */
function attempt<T>(response: Response, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    refuse(response, error.refusal);
    return undefined;
  }
}
