/**
 * Webhooks. The document says that there is such a facility and shows nothing of it; all of this is assumed: who
 * subscribes, gets a POST for each change of a record, signed with the subscription's secret.
 */
import { z } from 'zod';
import { formats, maxCount, shapes } from '../../catalogue/index.ts';
import { eventKindSchema, webhookEventSchema } from '../../webhooks/index.ts';
import { checkedBody } from '../checks.ts';
import { wrongField } from '../request-error.ts';
import type { StoredRecord } from '../store/records.ts';
import { resourcesOf, type SandboxContext } from '../sandbox-context.ts';

/** Subscriptions that there may be. */
const maxSubscriptions = 20;

export const subscriptionResource = 'webhook-subscription';
export const subscriptionPath = '/webhook-subscriptions';

/** A trial. Nobody subscribes to it: it comes to whom it is sent. */
export const pingKind = `${subscriptionResource}.ping`;
const kind = eventKindSchema;

export const subscriptionRequestSchema = z.object({
  url: z.url().max(2_000),
  /** Null or absent: all. */
  kinds: formats.optional(z.array(kind).min(1).max(200)),
});

export const subscriptionSchema = z.object({
  ...shapes.recordShape,
  url: z.string(),
  kinds: z.array(kind).nullable(),
});

/** The secret is answered once, when the subscription is made. */
export const newSubscriptionSchema = z.object({ ...subscriptionSchema.shape, secret: z.string() });

/** A delivery as its list shows it. */
export const deliverySchema = z.object({
  event: webhookEventSchema,
  state: z.enum(['waiting', 'delivered', 'given-up']),
  attempts: z.int().min(0),
  /** Why the last attempt failed. */
  failure: z.string().nullable(),
  /** Of the next attempt; null: there will be none. */
  next_time: formats.timestamp.nullable(),
  token: z.string(),
});

export const deliveryQuerySchema = z.object({
  state: deliverySchema.shape.state.optional(),
  token: z
    .string()
    .regex(/^\d{1,15}$/, 'is not the token of a delivery')
    .optional(),
  count: z.int().min(1).max(maxCount).optional(),
});

/** Deliveries to be played again: of one state, or of both that wait no more; from a time on. */
export const replayRequestSchema = z.object({
  state: formats.optional(z.enum(['delivered', 'given-up'])),
  since_time: formats.optional(formats.timestamp),
});
export const replayedSchema = z.object({ replayed: z.int().min(0) });

/** Throws RequestError. */
export function subscribe(context: SandboxContext, body: unknown): StoredRecord {
  const request = checkedBody(subscriptionRequestSchema, body);
  if (!isLoopbackUrl(request.url)) {
    throw wrongField('url', 'must be http to a loopback address: http://127.0.0.1:9000/hook');
  }
  const known = resourcesOf(context.catalogue);
  for (const [index, kind] of (request.kinds ?? []).entries()) {
    if (!known.includes(kind.split('.')[0] ?? ''))
      throw wrongField(`kinds.${index}`, 'there is no such resource');
  }
  if (context.records.all(subscriptionResource).length >= maxSubscriptions) {
    throw wrongField('url', `there may be ${maxSubscriptions} subscriptions`);
  }
  return context.records.insert(subscriptionResource, {
    url: request.url,
    kinds: request.kinds ?? null,
    secret: `whsec_${Buffer.from(context.chance.bytes(32)).toString('base64url')}`,
  });
}

/** Literal addresses only: a name could come to mean another machine. `localhost` always is this one. */
export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== 'http:' || username !== '' || password !== '') return false;
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
