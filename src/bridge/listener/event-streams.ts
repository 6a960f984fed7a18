/**
 * `GET /events`: server-sent events. Those of the journal carry its sequence number as their id, so a reader that comes
 * back with `Last-Event-ID` gets what it missed from the journal and then goes on live, with no gap and no double:
 *
 *     replaying ──(nothing more after sentSeq, found in the same turn)──► live
 *         ▲                                                               │
 *         └──────────────(an event that does not follow on sentSeq)───────┘
 */
import { setImmediate } from 'node:timers/promises';
import type { RepeatedKind } from '../../http/index.ts';
import type { PaymentsEvent } from '../payments/index.ts';
import { refuseAndClose, respondRefusal, challenge, commonHeaders } from './responses.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './listener-context.ts';
import { journalEventMessage, meaningOf, terminalMessage } from './event-messages.ts';
import type { EventMeaning } from './event-messages.ts';
import { count } from './counters.ts';
import { noteMissingToken, tokenRefusal } from './token-guard.ts';

export interface EventStreams {
  readonly route: (request: ListenerRequest, response: ListenerResponse) => void;
  open(): void;
  /** Ends every stream. */
  close(): void;
  size(): number;
}

interface Stream {
  readonly response: ListenerResponse;
  readonly authorization: string | undefined;
  /** Everything up to this event has been written, or says nothing to a reader. */
  sentSeq: number;
  state: 'replaying' | 'live' | 'ended';
}

/** How soon an EventSource comes back after the stream has ended. */
const retryMs = 2_000;
const seqPattern = /^\d{1,15}$/;

const slowReader: RepeatedKind = {
  name: 'slow event reader',
  level: 'warn',
  message: 'Dropped an event stream whose reader is too slow',
  many: 'event streams whose readers are too slow were dropped',
};
const failedReplay: RepeatedKind = {
  name: 'failed replay',
  level: 'error',
  message: 'The replay of events failed',
  many: 'replays of events failed',
};

export function createEventStreams(context: ListenerContext): EventStreams {
  const { payments, limits, clock, counters } = context;
  const log = context.log;
  const streams = new Set<Stream>();
  let unsubscribe: (() => void) | null = null;
  let cancelKeepAlive: (() => void) | null = null;

  const end = (stream: Stream, how: 'end' | 'destroy') => {
    if (stream.state === 'ended') return;
    stream.state = 'ended';
    streams.delete(stream);
    if (how === 'end') stream.response.end();
    else stream.response.destroy();
    if (streams.size === 0) {
      cancelKeepAlive?.();
      cancelKeepAlive = null;
    }
  };

  const write = (stream: Stream, text: string) => {
    if (stream.state === 'ended' || text === '') return;
    stream.response.write(text);
    if (stream.response.writableLength <= limits.eventBufferBytes) return;
    context.repeatedLines.note(slowReader, undefined, {
      unread_bytes: stream.response.writableLength,
    });
    end(stream, 'destroy');
  };

  const keepAlive = () => {
    for (const stream of streams) {
      // A token that was removed ends the streams that it opened.
      if (tokenRefusal(context.tokens, stream.authorization) !== null) end(stream, 'end');
      else write(stream, ': keep-alive\n\n');
    }
    cancelKeepAlive = streams.size === 0 ? null : clock.after(limits.eventKeepAliveMs, keepAlive);
  };

  const replay = async (stream: Stream): Promise<void> => {
    stream.state = 'replaying';
    try {
      while (isOpen(stream)) {
        const events = payments.eventsAfter(stream.sentSeq, limits.eventReplayBatch);
        if (events.length === 0) {
          stream.state = 'live';
          return;
        }
        let text = '';
        for (const stored of events) {
          text += journalEventMessage(stored, meaningOf(stored, null, payments));
          stream.sentSeq = stored.seq;
        }
        write(stream, text);
        // Others get their turn between two batches; a slow reader keeps only itself waiting.
        if (stream.response.writableNeedDrain) await drained(stream.response, context);
        else await setImmediate();
      }
    } catch (error) {
      context.repeatedLines.note(failedReplay, undefined, { error: String(error) });
      end(stream, 'destroy');
    }
  };

  const onJournalEvent = (paymentsEvent: Extract<PaymentsEvent, { kind: 'journal_event' }>) => {
    const { stored, payment } = paymentsEvent;
    const meaning = meaningOf(stored, payment, payments);
    countEvent(context, paymentsEvent, meaning);
    if (streams.size === 0) return;
    const text = journalEventMessage(stored, meaning);
    for (const stream of streams) {
      if (stream.state !== 'live' || stored.seq <= stream.sentSeq) continue;
      if (stored.seq > stream.sentSeq + 1) {
        void replay(stream);
      } else {
        stream.sentSeq = stored.seq;
        write(stream, text);
      }
    }
  };

  const onPaymentsEvent = (paymentsEvent: PaymentsEvent) => {
    // Whoever tells us must not be hurt by a fault of ours.
    try {
      if (paymentsEvent.kind === 'journal_event') return onJournalEvent(paymentsEvent);
      const text = terminalMessage(paymentsEvent.terminal, null);
      for (const stream of streams) write(stream, text);
    } catch (error) {
      log.error('An event could not be passed on', { error: String(error) });
    }
  };

  const begin = (request: ListenerRequest, response: ListenerResponse) => {
    const lastSeq = payments.lastSeq();
    const wanted = request.headers['last-event-id'];
    const from = typeof wanted === 'string' && seqPattern.test(wanted) ? Number(wanted) : null;
    // An id from the future is one of another journal: the reader starts anew.
    const isKnown = from !== null && from <= lastSeq;
    const stream: Stream = {
      response,
      authorization: request.headers.authorization,
      sentSeq: isKnown ? from : lastSeq,
      state: 'live',
    };
    streams.add(stream);
    response.on('close', () => end(stream, 'destroy'));
    const { terminal } = payments.status();
    write(stream, `retry: ${retryMs}\n${terminalMessage(terminal, isKnown ? null : lastSeq)}`);
    cancelKeepAlive ??= clock.after(limits.eventKeepAliveMs, keepAlive);
    if (isKnown) void replay(stream);
  };

  return {
    size: () => streams.size,

    open() {
      unsubscribe ??= payments.subscribe(onPaymentsEvent);
    },

    close() {
      unsubscribe?.();
      unsubscribe = null;
      for (const stream of streams) end(stream, 'end');
    },

    route(request, response) {
      const { requestContext } = response.locals;
      requestContext.path = '/events';
      const refusal = tokenRefusal(context.tokens, request.headers.authorization);
      if (refusal !== null) {
        noteMissingToken(context, request, requestContext);
        return refuseAndClose(context, requestContext, request, response, refusal, challenge);
      }
      if (streams.size >= limits.maxEventStreams && request.method !== 'HEAD') {
        return respondRefusal(context, requestContext, response, {
          code: 'too_many_streams',
          message: `There are ${limits.maxEventStreams} event streams already. Close one, then try again.`,
        });
      }
      const headers = commonHeaders(context, requestContext);
      headers['Content-Type'] = 'text/event-stream; charset=utf-8';
      if (context.simulated()) headers['X-Simulated'] = 'true';
      counters.responded(requestContext.path, 200, clock.elapsed() - requestContext.arrivedAt.elapsedMs);
      response.writeHead(200, headers);
      if (request.method === 'HEAD' || unsubscribe === null) response.end();
      else begin(request, response);
    },
  };
}

/** Asked through a function: an `await` lies between, and the state may be another one after it. */
function isOpen(stream: Stream): boolean {
  return stream.state !== 'ended';
}

/** Resolves when the reader has read, and after a bounded time; rejects when it did not. */
function drained(response: ListenerResponse, { clock, limits }: ListenerContext): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      cancel();
      response.off('drain', finish);
      response.off('close', finish);
      resolve();
    };
    const cancel = clock.after(limits.eventDrainMs, () => {
      response.off('drain', finish);
      response.off('close', finish);
      reject(new Error(`the reader read nothing for ${limits.eventDrainMs} ms`));
    });
    response.on('drain', finish);
    response.on('close', finish);
  });
}

function countEvent(
  { counters }: ListenerContext,
  { stored }: Extract<PaymentsEvent, { kind: 'journal_event' }>,
  meaning: EventMeaning,
): void {
  if (stored.event.type === 'operation_ended') count(counters.outcomes, stored.event.outcome);
  if (meaning?.kind === 'payment') count(counters.statuses, meaning.status);
  if (meaning?.kind === 'batch' && meaning.settled > 0) {
    counters.statuses.set('settled', (counters.statuses.get('settled') ?? 0) + meaning.settled);
  }
}
