/** For receivers of webhooks. */
export { eventKindSchema, webhookEventSchema } from './event.ts';
export type { WebhookEvent } from './event.ts';
export { sign, signatureHeader, timestampHeader } from './signature.ts';
export { verifyWebhook, WebhookError } from './verify.ts';
export type { VerifyOptions, WebhookErrorKind, WebhookHeaders } from './verify.ts';
