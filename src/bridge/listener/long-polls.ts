/** Waiting for the terminal on behalf of a caller: bounded, and over at once when the caller or the listener goes. */
import { isDecided } from '../../contract/operation.ts';
import { maxPaymentWaitS } from '../../contract/http-commands.ts';
import { goneSignal } from './listener-context.ts';
import type { RequestContext, ListenerContext } from './listener-context.ts';
import type { PaymentsApi } from '../payments/index.ts';
import type { Payment } from './payment-sentences.ts';
import { orAborted, startDeadline } from '../../base/abort.ts';

export interface LongPolls {
  /**
   * Holds until the payment is decided or becomes unknown, `requestedWaitS` seconds (at most 120) are over, the caller
   * has gone or the listener stops. `appliedS` is the wait that was granted, null where none was requested or too many
   * wait already.
   */
  forNews(
    payments: Pick<PaymentsApi, 'waitForNews'>,
    requestContext: RequestContext,
    payment: Payment,
    requestedWaitS: number | null,
  ): Promise<{ payment: Payment; appliedS: number | null }>;
  /**
   * What `work` gives; null when it is not waited for any longer: the listener stops, or too many wait already. The work
   * itself goes on.
   */
  forWork<T>(work: Promise<T>): Promise<T | null>;
}

/** How long the response to an operation is held where too many are held already. */
const crowdedWaitMs = 100;

export function createLongPolls(context: ListenerContext): LongPolls {
  const { limits, clock } = context;
  let waiting = 0;

  return {
    async forNews(payments, requestContext, payment, requestedWaitS) {
      if (requestedWaitS === null) return { payment, appliedS: null };
      const appliedS = Math.min(requestedWaitS, maxPaymentWaitS);
      if (appliedS === 0 || isDecided(payment.status)) return { payment, appliedS };
      if (waiting >= limits.maxLongPolls) return { payment, appliedS: null };

      const gone = goneSignal(requestContext);
      const { began } = context.shutdown();
      const end = new AbortController();
      const stop = () => end.abort();
      gone.addEventListener('abort', stop);
      began.addEventListener('abort', stop);
      if (gone.aborted || began.aborted) stop();
      waiting += 1;
      try {
        const news = await payments.waitForNews(payment, appliedS * 1_000, end.signal);
        // Refused now: what was known before is still true, and better than an error about a started payment.
        return { payment: news.ok ? news.value : payment, appliedS };
      } finally {
        waiting -= 1;
        gone.removeEventListener('abort', stop);
        began.removeEventListener('abort', stop);
      }
    },

    async forWork(work) {
      const { cutOff } = context.shutdown();
      if (waiting >= limits.maxLongPolls) {
        // What is refused is refused at once, and that answer is better than none.
        const deadline = startDeadline(clock, crowdedWaitMs);
        return orAborted(work, AbortSignal.any([cutOff, deadline.signal])).finally(deadline.cancel);
      }
      waiting += 1;
      try {
        return await orAborted(work, cutOff);
      } finally {
        waiting -= 1;
      }
    },
  };
}

/** `Prefer: wait=N` (RFC 7240 section 4.3): how long a caller would like the response to be held. */
const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const quoted = '"(?:[^"\\\\]|\\\\.)*"';
/** One preference with its parameters: `name`, `name=value` or `name="value"`, each perhaps with `; more`. */
const preferencePattern = new RegExp(
  `[ \\t]*(?:(${token})[ \\t]*(?:=[ \\t]*(${token}|${quoted})[ \\t]*)?` +
    `(?:;[ \\t]*(?:${token}[ \\t]*(?:=[ \\t]*(?:${token}|${quoted})[ \\t]*)?)?)*)?(,|$)`,
  'y',
);
const digitsPattern = /^\d{1,9}$/;

/**
 * Seconds that the caller asks to wait, or null when it says nothing (or nothing valid: RFC 7240 has preferences
 * that cannot be understood ignored). `header` is the value of all `Prefer` headers, joined by commas; of several
 * `wait` the first counts.
 */
export function parsePreferWait(header: string | undefined): number | null {
  if (header === undefined) return null;
  preferencePattern.lastIndex = 0;
  while (preferencePattern.lastIndex < header.length) {
    const match = preferencePattern.exec(header);
    if (match === null) return null;
    const [, name, value = ''] = match;
    if (name?.toLowerCase() === 'wait') {
      const text = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
      return digitsPattern.test(text) ? Number(text) : null;
    }
  }
  return null;
}
