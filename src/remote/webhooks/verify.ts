/** For receivers: takes a delivery apart, or says why it must not be believed. */
import type { Clock } from '../../base/clock.ts';
import { webhookEventSchema, type WebhookEvent } from './event.ts';
import { isSignedByOne, signatureHeader, timestampHeader } from './signature.ts';

/** Of Node's requests, Express, Fetch. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the time of a delivery may be from ours, in seconds, so that an old one cannot be played again; 300 when left out. */
  toleranceSeconds?: number;
  clock?: Pick<Clock, 'now'>;
}

/** What the library's entry takes from the machine unless it is given. */
export interface VerifyDependencies {
  clock: Pick<Clock, 'now'>;
}

/**
 * `header-missing`, `signature-wrong` and `too-old` are answered with 400 and not looked into; `not-an-event` was signed, but
 * is of a form that this version does not know.
 */
export type WebhookErrorKind = 'header-missing' | 'signature-wrong' | 'too-old' | 'not-an-event';

export class WebhookError extends Error {
  readonly kind: WebhookErrorKind;
  constructor(kind: WebhookErrorKind, message: string) {
    super(message);
    this.name = 'WebhookError';
    this.kind = kind;
  }
}

const defaultToleranceSeconds = 300;

/**
 * The event of a delivery that one of `secrets` has signed, just now. `body` is what came, byte for byte: read it before
 * anything parses it. Throws WebhookError.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secrets: string | readonly string[],
  { toleranceSeconds = defaultToleranceSeconds, clock }: VerifyOptions & VerifyDependencies,
): Promise<WebhookEvent> {
  const timestamp = headerOf(headers, timestampHeader);
  const signature = headerOf(headers, signatureHeader);
  const known = typeof secrets === 'string' ? [secrets] : secrets;
  if (!(await isSignedByOne(known, { timestamp, signature }, body))) {
    throw new WebhookError(
      'signature-wrong',
      'The delivery is not signed with this secret, or was changed on its way.',
    );
  }
  const distance = Math.abs(clock.now() / 1_000 - Number(timestamp));
  // Also where the time is no number.
  if (!(distance <= toleranceSeconds)) {
    throw new WebhookError(
      'too-old',
      `The delivery was sent ${Math.round(distance)} seconds from now, by its own time.`,
    );
  }
  const event = webhookEventSchema.safeParse(jsonOf(body));
  if (event.success) return event.data;
  throw new WebhookError('not-an-event', 'The delivery is signed, but is no event of a form that is known.');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const found = headers instanceof Headers ? headers.get(name) : plainHeader(headers, name);
  if (found === null || found === '')
    throw new WebhookError('header-missing', `The header ${name} is missing.`);
  return found;
}

function plainHeader(headers: Exclude<WebhookHeaders, Headers>, name: string): string | null {
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return (typeof value === 'string' ? value : value?.[0]) ?? null;
}

function jsonOf(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
