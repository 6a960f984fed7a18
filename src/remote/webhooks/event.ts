/** What is told of a change. The document shows no webhooks: all of this is assumed. */
import { z } from 'zod';
import { formats } from '../catalogue/index.ts';

/** "account-holder.created"; "webhook-subscription.ping" is a trial. */
export const eventKindSchema = z
  .string()
  .regex(
    /^(?:[a-z-]+\.(?:created|updated)|webhook-subscription\.ping)$/,
    'must be as "account-holder.created"',
  );

export const webhookEventSchema = z.object({
  /** The same in each attempt, and when it is played again: whoever keeps it does nothing twice. */
  id: formats.uuid,
  kind: eventKindSchema,
  create_time: formats.timestamp,
  resource: z.string(),
  record_id: formats.uuid,
  /** Of the record after the change; whoever wants the record retrieves it. */
  etag: formats.entityTag,
});
export type WebhookEvent = z.infer<typeof webhookEventSchema>;
