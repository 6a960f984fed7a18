/**
 * `GET /events`: server-sent events. Those of a journal carry its sequence number as their id (of several journals, that
 * of each), so a reader that comes back with `Last-Event-ID` gets what it missed from each journal and then goes on
 * live, with no gap and no double:
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
import { terminalHeader, mainTerminal } from '../../contract/terminal-name.ts';
import { journalEventMessage, meaningOf, terminalMessage, type AboutTerminal } from './sse-events.ts';
import type { ListenerTerminal } from './terminal-table.ts';
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

/** What a reader has of one journal. */
interface Source {
  readonly terminal: ListenerTerminal;
  /** Everything up to this event has been written, or says nothing to a reader. */
  sentSeq: number;
  isLive: boolean;
}

interface Reader {
  readonly stream: EventStream;
  /** Of one terminal, or of all. */
  readonly sources: readonly Source[];
}

/** How soon an EventSource comes back after the stream has ended. */
const retryMs = 2_000;
const seqPattern = /^\d{1,15}$/;
/** Of several journals: `main=4711,bar=12`. */
const placePattern = /^([^=]+)=(\d{1,15})$/;

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
  const { terminals, limits, clock, log, repeatedLines, metrics } = context;
  const streams = createEventStreams({
    clock,
    limits,
    onSlowReader: (unreadBytes) => repeatedLines.note(slowReader, undefined, { unread_bytes: unreadBytes }),
  });
  const readers = new Set<Reader>();
  let unsubscribe: (() => void)[] | null = null;

  const about = ({ name }: ListenerTerminal): AboutTerminal => (terminals.several ? { terminal: name } : {});

  const replay = async ({ stream, sources }: Reader, source: Source): Promise<void> => {
    const { terminal } = source;
    source.isLive = false;
    try {
      while (!stream.ended) {
        const events = terminal.payments.eventsAfter(source.sentSeq, limits.eventReplayBatch);
        if (events.length === 0) {
          source.isLive = true;
          return;
        }
        let text = '';
        for (const stored of events) {
          source.sentSeq = stored.seq;
          const meaning = meaningOf(stored, null, terminal.payments);
          text += journalEventMessage(stored, meaning, placeOf(sources), about(terminal));
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

  const onJournalEvent = (
    terminal: ListenerTerminal,
    { stored, payment }: Extract<PaymentsEvent, { kind: 'journal_event' }>,
  ) => {
    const meaning = meaningOf(stored, payment, terminal.payments);
    metrics.journalEvent(terminal.name, stored, meaning);
    for (const reader of readers) {
      const source = sourceOf(reader, terminal);
      if (source?.isLive !== true || stored.seq <= source.sentSeq) continue;
      if (stored.seq > source.sentSeq + 1) {
        void replay(reader, source);
      } else {
        source.sentSeq = stored.seq;
        reader.stream.write(journalEventMessage(stored, meaning, placeOf(reader.sources), about(terminal)));
      }
    }
  };

  const onPaymentsEvent = (terminal: ListenerTerminal, paymentsEvent: PaymentsEvent) => {
    // The payments that emit it must not be hurt by an error of ours.
    try {
      if (paymentsEvent.kind === 'journal_event') return onJournalEvent(terminal, paymentsEvent);
      const text = terminalMessage(paymentsEvent.terminal, null, about(terminal));
      for (const reader of readers) if (sourceOf(reader, terminal) !== null) reader.stream.write(text);
    } catch (error) {
      log.error('an event could not be passed on', { err: error });
    }
  };

  const begin = (
    request: ListenerRequest,
    response: ListenerResponse,
    wanted: readonly ListenerTerminal[],
  ) => {
    const [first] = wanted;
    const alone = wanted.length === 1 && first !== undefined ? first.name : mainTerminal;
    const known = readPlace(request.headers['last-event-id'], alone);
    const missed: Source[] = [];
    const sources = wanted.map((terminal) => {
      const lastSeq = terminal.payments.lastSeq();
      const from = known.get(terminal.name);
      // A journal that cannot be read now keeps nobody from the events of the others; the reader keeps its place in it.
      if (lastSeq === null) return { terminal, sentSeq: from ?? 0, isLive: true };
      // An id from the future is one of another journal: the reader starts anew.
      const isKnown = from !== undefined && from <= lastSeq;
      const source: Source = { terminal, sentSeq: isKnown ? from : lastSeq, isLive: true };
      if (isKnown) missed.push(source);
      return source;
    });
    const place = missed.length === sources.length ? null : placeOf(sources);
    const { authorization } = request.headers;
    const states = wanted.map((terminal) =>
      terminalMessage(terminal.payments.status().terminal, place, about(terminal)),
    );
    let reader: Reader | null = null;
    const stream = streams.open(response, `retry: ${retryMs}\n${states.join('')}`, {
      // A token that was removed ends the streams that it opened.
      mayGoOn: () => tokenRefusal(context.tokens, authorization) === null,
      onEnd: () => {
        if (reader !== null) readers.delete(reader);
      },
    });
    if (stream.ended) return;
    reader = { stream, sources };
    readers.add(reader);
    for (const source of missed) void replay(reader, source);
  };

  return {
    count: () => streams.count,

    open() {
      unsubscribe ??= terminals.all.map((terminal) =>
        terminal.payments.subscribe((paymentsEvent) => onPaymentsEvent(terminal, paymentsEvent)),
      );
    },

    close() {
      for (const end of unsubscribe ?? []) end();
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
      const named = request.headers[terminalHeader];
      const choice = named === undefined ? null : terminals.choose(String(named));
      if (choice?.ok === false) return respondRefusal(context, response, choice.refusal);
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
      else begin(request, response, choice === null ? terminals.all : [choice.value]);
    },
  };
}

function sourceOf({ sources }: Reader, terminal: ListenerTerminal): Source | null {
  return sources.find((source) => source.terminal === terminal) ?? null;
}

/** What a reader comes back with: how far it is in its journal, or in each of several. */
function placeOf(sources: readonly Source[]): string {
  const [first] = sources;
  if (first !== undefined && sources.length === 1) return String(first.sentSeq);
  return sources.map(({ terminal, sentSeq }) => `${terminal.name}=${sentSeq}`).join(',');
}

/** By the names of terminals; a number alone is of the one that the reader wants, or of the main one. */
function readPlace(text: unknown, alone: string): Map<string, number> {
  const place = new Map<string, number>();
  if (typeof text !== 'string') return place;
  if (seqPattern.test(text)) return place.set(alone, Number(text));
  for (const part of text.split(',')) {
    const [, name, seq] = placePattern.exec(part.trim()) ?? [];
    if (name !== undefined) place.set(name, Number(seq));
  }
  return place;
}
