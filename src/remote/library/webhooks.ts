/** `tillbridge/remote/webhooks`: for receivers of webhooks. Runs wherever Web Crypto is; the time is the machine's. */
import { systemClock } from '../../base/clock.ts';
import {
  verifyWebhook as verify,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookHeaders,
} from '../webhooks/index.ts';

export * from '../webhooks/index.ts';

/**
 * The event of a delivery that one of `secrets` has signed, just now. `body` is what came, byte for byte: read it before
 * anything parses it. Throws WebhookError.
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  return verify(headers, body, secrets, { ...options, clock: options.clock ?? systemClock });
}
