/**
 * `GET /events`: server-sent events. Those of the journal carry its sequence number as their id, so a reader that comes
 * back with `Last-Event-ID` gets what it missed from the journal and then goes on live, with no gap and no double:
 *
 *     replaying ──(nothing more after sentSeq, found in the same turn)──► live
 *         ▲                                                               │
 *         └──────────────(an event that does not follow on sentSeq)───────┘
 */
import { setImmediate } from 'node:timers/promises';
import {
  createEventStreams,
  eventStreamType,
  type EventStream,
  type RepeatedKind,
} from '../../http/index.ts';
import type { PaymentsEvent } from '../payments/index.ts';
import { journalEventMessage, meaningOf, terminalMessage } from './sse-events.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './listener-context.ts';
import { commonHeaders, refuseAndClose, respondRefusal, challenge } from './responses.ts';
import { noteMissingToken, tokenRefusal } from './token-guard.ts';

export interface EventsRoute {
  readonly route: (request: ListenerRequest, response: ListenerResponse) => void;
  open(): void;
  /** Ends every stream. */
  close(): void;
  /** Open streams. */
  count(): number;
}

interface Reader {
  readonly stream: EventStream;
  /** Everything up to this event has been written, or says nothing to a reader. */
  sentSeq: number;
  isLive: boolean;
}

/** How soon an EventSource comes back after the stream has ended. */
const retryMs = 2_000;
const seqPattern = /^\d{1,15}$/;

const slowReader: RepeatedKind = {
  name: 'slow event reader',
  level: 'warn',
  message: 'dropped an event stream whose reader is too slow',
  many: 'event streams whose readers are too slow were dropped',
};
const failedReplay: RepeatedKind = {
  name: 'failed replay',
  level: 'error',
  message: 'the replay of events failed',
  many: 'replays of events failed',
};

export function createEventsRoute(context: ListenerContext): EventsRoute {
  const { payments, limits, clock, log, repeatedLines, metrics } = context;
  const streams = createEventStreams({
    clock,
    limits,
    onSlowReader: (unreadBytes) => repeatedLines.note(slowReader, undefined, { unread_bytes: unreadBytes }),
  });
  const readers = new Set<Reader>();
  let unsubscribe: (() => void) | null = null;

  const replay = async (reader: Reader): Promise<void> => {
    const { stream } = reader;
    reader.isLive = false;
    try {
      while (!stream.ended) {
        const events = payments.eventsAfter(reader.sentSeq, limits.eventReplayBatch);
        if (events.length === 0) {
          reader.isLive = true;
          return;
        }
        let text = '';
        for (const stored of events) {
          text += journalEventMessage(stored, meaningOf(stored, null, payments));
          reader.sentSeq = stored.seq;
        }
        stream.write(text);
        // Others get their turn between two batches; a slow reader keeps only itself waiting.
        if (stream.isBehind) await stream.drained(limits.eventDrainMs);
        else await setImmediate();
      }
    } catch (error) {
      repeatedLines.note(failedReplay, undefined, { err: error });
      stream.drop();
    }
  };

  const onJournalEvent = ({ stored, payment }: Extract<PaymentsEvent, { kind: 'journal_event' }>) => {
    const meaning = meaningOf(stored, payment, payments);
    metrics.journalEvent(stored, meaning);
    if (readers.size === 0) return;
    const text = journalEventMessage(stored, meaning);
    for (const reader of readers) {
      if (!reader.isLive || stored.seq <= reader.sentSeq) continue;
      if (stored.seq > reader.sentSeq + 1) {
        void replay(reader);
      } else {
        reader.sentSeq = stored.seq;
        reader.stream.write(text);
      }
    }
  };

  const onPaymentsEvent = (paymentsEvent: PaymentsEvent) => {
    // The payments that emit it must not be hurt by an error of ours.
    try {
      if (paymentsEvent.kind === 'journal_event') onJournalEvent(paymentsEvent);
      else streams.write(terminalMessage(paymentsEvent.terminal, null));
    } catch (error) {
      log.error('an event could not be passed on', { err: error });
    }
  };

  const begin = (request: ListenerRequest, response: ListenerResponse) => {
    const lastSeq = payments.lastSeq();
    const wanted = request.headers['last-event-id'];
    const from = typeof wanted === 'string' && seqPattern.test(wanted) ? Number(wanted) : null;
    // An id from the future is one of another journal: the reader starts anew.
    const isKnown = from !== null && from <= lastSeq;
    const { terminal } = payments.status();
    const { authorization } = request.headers;
    const first = `retry: ${retryMs}\n${terminalMessage(terminal, isKnown ? null : lastSeq)}`;
    let reader: Reader | null = null;
    const stream = streams.open(response, first, {
      // A token that was removed ends the streams that it opened.
      mayGoOn: () => tokenRefusal(context.tokens, authorization) === null,
      onEnd: () => {
        if (reader !== null) readers.delete(reader);
      },
    });
    if (stream.ended) return;
    reader = { stream, sentSeq: isKnown ? from : lastSeq, isLive: true };
    readers.add(reader);
    if (isKnown) void replay(reader);
  };

  return {
    count: () => streams.count,

    open() {
      unsubscribe ??= payments.subscribe(onPaymentsEvent);
    },

    close() {
      unsubscribe?.();
      unsubscribe = null;
      streams.endAll();
    },

    route(request, response) {
      const { requestContext } = response.locals;
      requestContext.path = '/events';
      const refusal = tokenRefusal(context.tokens, request.headers.authorization);
      if (refusal !== null) {
        noteMissingToken(context, request, requestContext);
        return refuseAndClose(context, response, refusal, challenge);
      }
      if (streams.isFull() && request.method !== 'HEAD') {
        return respondRefusal(context, response, {
          code: 'too_many_streams',
          message: `There are ${limits.maxEventStreams} event streams already. Close one, then try again.`,
        });
      }
      const headers = commonHeaders(context, response);
      headers['Content-Type'] = eventStreamType;
      if (context.simulated()) headers['X-Simulated'] = 'true';
      metrics.responded(requestContext, 200);
      response.writeHead(200, headers);
      if (request.method === 'HEAD' || unsubscribe === null) response.end();
      else begin(request, response);
    },
  };
}
