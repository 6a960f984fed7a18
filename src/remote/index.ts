/**
 * The remote treasury and compliance interface, for users of the library (`tillbridge/remote`). Time and chance are the
 * machine's, unless the caller gives others.
 */
import { systemChance } from '../base/chance.ts';
import { systemClock } from '../base/clock.ts';
import type { tables, Tables } from './catalogue/index.ts';
import {
  createRemoteClient as createClient,
  type RemoteClient,
  type RemoteClientOptions,
} from './client/index.ts';
import {
  verifyWebhook as verify,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhooks/index.ts';
import { createSandbox as openSandbox, type Sandbox, type SandboxOptions } from './sandbox/index.ts';

export * from './client/index.ts';
export * from './catalogue/index.ts';
export * from './sandbox/index.ts';
export * from './webhooks/index.ts';

/** Throws RemoteError "configuration". Sends nothing yet. */
export function createRemoteClient<All extends Tables = typeof tables>(
  options: RemoteClientOptions<All>,
): RemoteClient<All> {
  const { clock = systemClock } = options;
  const chance = systemChance(clock);
  const { random = chance.fraction, newKey = chance.uuid } = options;
  return createClient({ ...options, clock, random, newKey });
}

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

/** Throws SandboxStoreError when the file cannot be used, and Node's error when the port cannot. */
export function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock = systemClock, chance = systemChance(clock) } = options;
  return openSandbox({ ...options, clock, chance });
}
