/**
 * `tillbridge/pos`: the client of a till. Runs wherever `fetch` is, and brings no package. Time and chance are the
 * machine's, unless the caller gives others.
 */
import { systemClock } from '../base/clock.ts';
import { createClient, type PosClient, type PosClientOptions } from './client.ts';

export type * from './answers.ts';
export type {
  CancelOutcome,
  CloseDayOutcome,
  PaymentRequest,
  PosClient,
  PosClientOptions,
  QueryOutcome,
  VoidOutcome,
} from './client.ts';
export type { CallOptions } from './asking.ts';
export { PosRefusedError } from './events.ts';
export type { EventsOptions, PaymentEvent, PosEvent, TerminalEvent } from './events.ts';
export { PosInputError } from './input.ts';
export type { PayOptions, PayOutcome, PayProgress } from './payment.ts';

/** Throws PosInputError. Sends nothing yet. */
export function createPosClient(options: PosClientOptions = {}): PosClient {
  const { fetch: send = fetch, clock = systemClock, random = Math.random } = options;
  return createClient({ ...options, fetch: send, clock, random });
}
