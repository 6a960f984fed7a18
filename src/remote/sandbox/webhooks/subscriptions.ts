/**
 * Webhooks. The document says that there is such a facility and shows nothing of it; all of this is assumed: who
 * subscribes, gets a POST for each change of a record, signed with the subscription's secret.
 */
import { z } from 'zod';
import { formats, shapes } from '../../catalogue/index.ts';
import { checkedBody } from '../checks.ts';
import { wrongField } from '../request-error.ts';
import type { StoredRecord } from '../store/records.ts';
import type { SandboxContext } from '../sandbox-context.ts';

/** Subscriptions that there may be. */
const maxSubscriptions = 20;

export const subscriptionResource = 'webhook-subscription';
export const subscriptionPath = '/webhook-subscriptions';

const kind = z.string().regex(/^[a-z-]+\.(?:created|updated)$/, 'must be as "account-holder.created"');

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

export const eventSchema = z.object({
  /** The same in each attempt at this delivery. */
  id: formats.uuid,
  kind,
  create_time: formats.timestamp,
  resource: z.string(),
  record_id: formats.uuid,
  /** Of the record after the change; whoever wants the record retrieves it. */
  etag: formats.entityTag,
});
export type WebhookEvent = z.infer<typeof eventSchema>;

/** Throws RequestError. */
export function subscribe(context: SandboxContext, body: unknown): StoredRecord {
  const request = checkedBody(subscriptionRequestSchema, body) as z.infer<typeof subscriptionRequestSchema>;
  if (!isLoopbackUrl(request.url)) {
    throw wrongField('url', 'must be http to a loopback address: http://127.0.0.1:9000/hook');
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
