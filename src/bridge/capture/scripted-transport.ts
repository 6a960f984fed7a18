/** The way to the terminal in a replay of requests: each one gets the answer that the same one got then, when it came then. */
import { peerDeadline, type Clock } from '../../base/clock.ts';
import type { RequestForm, RequestTransport, TransportResult } from '../terminals/framing/index.ts';
import type { EntryOf, NumberedEntry } from './capture-file.ts';
import { toleranceMs } from './differences.ts';

type Reply = EntryOf<'reply' | 'no_reply'>;

export interface ScriptedTransport {
  readonly transport: RequestTransport;
  /** This came then, and comes now. */
  deliver(reply: Reply): void;
}

/** Longer than any transport waits, in milliseconds: nobody answers a request that was not sent then. */
const longestAnswerMs = 20_000;

export function createScriptedTransport(
  then: readonly NumberedEntry[],
  form: RequestForm,
  clock: Clock,
): ScriptedTransport {
  /** Not sent again yet, in their order. */
  const open = then.flatMap(({ entry }) => (entry.kind === 'request' ? [entry] : []));
  const waiting = new Map<number, (result: TransportResult) => void>();
  const unanswered = new Map(
    then.flatMap(({ entry }) =>
      entry.kind === 'no_reply' ? [[entry.request, resultOf(entry, form)] as const] : [],
    ),
  );
  /** Came before the request that they answer, which may be a little later now. */
  const early = new Map<number, TransportResult>();

  /** The first that was sent then about now or later, or else the first of all; null: there is none. */
  function sameThen(method: string, uri: string): number | null {
    const same = open.filter((entry) => entry.method === method && entry.uri === uri);
    const found = same.find(({ t }) => t >= clock.elapsed() - toleranceMs) ?? same[0];
    if (found === undefined) return null;
    open.splice(open.indexOf(found), 1);
    return found.request;
  }

  return {
    transport: {
      send({ method, uri }, signal) {
        const number = sameThen(method, form.maskUri(uri));
        const come = number === null ? undefined : early.get(number);
        if (come !== undefined) return Promise.resolve(come);
        return new Promise((resolve) => {
          const finish = (result: TransportResult) => {
            cancel();
            signal.removeEventListener('abort', onAbort);
            if (number !== null) waiting.delete(number);
            resolve(result);
          };
          const onAbort = () =>
            finish(unanswered.get(number ?? 0) ?? { kind: 'no_answer', reason: 'it was no longer wanted' });
          const cancel = peerDeadline(clock, longestAnswerMs, () =>
            finish({ kind: 'no_answer', reason: 'nobody has answered it then' }),
          );
          if (number !== null) waiting.set(number, finish);
          signal.addEventListener('abort', onAbort);
          if (signal.aborted) onAbort();
        });
      },
    },
    deliver(reply) {
      const result = resultOf(reply, form);
      const finish = waiting.get(reply.request);
      if (finish === undefined) early.set(reply.request, result);
      else finish(result);
    },
  };
}

function resultOf(reply: Reply, form: RequestForm): TransportResult {
  if (reply.kind === 'no_reply') return { kind: reply.result, reason: reply.reason };
  const { status, body, unreadable } = reply;
  return {
    kind: 'response',
    status,
    body:
      unreadable === undefined
        ? Buffer.from(JSON.stringify(form.restored(body ?? null)))
        : // As unreadable as it was.
          new Uint8Array(unreadable),
  };
}
