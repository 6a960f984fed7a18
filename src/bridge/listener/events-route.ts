/**
 * `GET /events`: server-sent events. Those of a journal carry their place in it as their id (of several journals, that in
 * each), so a reader that comes back with `Last-Event-ID` gets what it missed from each journal and then goes on live,
 * with no gap and no double. A journal that was put back or repaired does not have the place any more: the reader is told.
 *
 *     replaying ──(nothing more after what was sent, found in the same turn)──► live
 *         ▲                                                                     │
 *         └───────────(an event that does not follow on what was sent)──────────┘
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
import {
  journalChangedMessage,
  journalEventMessage,
  meaningOf,
  terminalMessage,
  type AboutTerminal,
  type StoredEvent,
} from './sse-events.ts';
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

/** A place in a journal. */
interface Place {
  seq: number;
  /** When its event was written: another journal has another one there. Null: of an older version, or of nothing yet. */
  mark: string | null;
}

/** What a reader has of one journal. */
interface Source {
  readonly terminal: ListenerTerminal;
  /** Everything up to this event has been written, or says nothing to a reader. */
  sent: Place;
  isLive: boolean;
}

interface Reader {
  readonly stream: EventStream;
  /** Of one terminal, or of all. */
  readonly sources: readonly Source[];
}

/** How soon an EventSource comes back after the stream has ended. */
const retryMs = 2_000;
/** `4711-lwy2k3a1`; of several journals `main=4711-lwy2k3a1,bar=12-lwy2k4c7`. */
const placePattern = /^(?:([^=]+)=)?(\d{1,15})(?:-([0-9a-z]{1,12}))?$/;

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
        const events = terminal.payments.eventsAfter(source.sent.seq, limits.eventReplayBatch);
        if (events.length === 0) {
          source.isLive = true;
          return;
        }
        let text = '';
        for (const stored of events) {
          source.sent = placeIn(stored);
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
      if (source?.isLive !== true || stored.seq <= source.sent.seq) continue;
      if (stored.seq > source.sent.seq + 1) {
        void replay(reader, source);
      } else {
        source.sent = placeIn(stored);
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
    const strangers: ListenerTerminal[] = [];
    const sources = wanted.map((terminal): Source => {
      const newest = newestPlace(terminal);
      const from = known.get(terminal.name);
      // A journal that cannot be read now keeps nobody from the events of the others; the reader keeps its place in it.
      if (newest === null) return { terminal, sent: from ?? { seq: 0, mark: null }, isLive: true };
      const isKnown = from !== undefined && isIn(terminal, from, newest);
      const source: Source = { terminal, sent: isKnown ? from : newest, isLive: true };
      if (isKnown) missed.push(source);
      // It is a place in another journal: the reader starts anew, and hears of it.
      else if (from !== undefined) strangers.push(terminal);
      return source;
    });
    const place = missed.length === sources.length ? null : placeOf(sources);
    const { authorization } = request.headers;
    const states = wanted.map((terminal) =>
      terminalMessage(terminal.payments.status().terminal, place, about(terminal)),
    );
    const changed = strangers.map((terminal) => journalChangedMessage(placeOf(sources), about(terminal)));
    let reader: Reader | null = null;
    const stream = streams.open(response, `retry: ${retryMs}\n${[...states, ...changed].join('')}`, {
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
  if (first !== undefined && sources.length === 1) return textOf(first.sent);
  return sources.map(({ terminal, sent }) => `${terminal.name}=${textOf(sent)}`).join(',');
}

function textOf({ seq, mark }: Place): string {
  return mark === null ? String(seq) : `${seq}-${mark}`;
}

function placeIn({ seq, at }: StoredEvent): Place {
  return { seq, mark: Date.parse(at).toString(36) };
}

/** Null: the journal cannot be read now. */
function newestPlace({ payments }: ListenerTerminal): Place | null {
  const seq = payments.lastSeq();
  return seq === null ? null : placeAt(payments, seq);
}

/** Null: the journal cannot be read now. */
function placeAt(payments: ListenerTerminal['payments'], seq: number): Place | null {
  if (seq === 0) return { seq, mark: null };
  try {
    const [stored] = payments.eventsAfter(seq - 1, 1);
    return stored === undefined ? { seq, mark: null } : placeIn(stored);
  } catch {
    return null;
  }
}

function isIn({ payments }: ListenerTerminal, from: Place, newest: Place): boolean {
  if (from.seq > newest.seq) return false;
  const there = from.mark === null ? null : placeAt(payments, from.seq);
  // What cannot be read now is not said to be another journal: the replay fails, and the reader comes back.
  return there === null || there.mark === from.mark;
}

/** By the names of terminals; a number alone is of the one that the reader wants, or of the main one. */
function readPlace(text: unknown, alone: string): Map<string, Place> {
  const places = new Map<string, Place>();
  if (typeof text !== 'string') return places;
  const parts = text.split(',');
  for (const part of parts) {
    const [, name, seq, mark = null] = placePattern.exec(part.trim()) ?? [];
    if (seq === undefined || (name === undefined && parts.length > 1)) continue;
    places.set(name ?? alone, { seq: Number(seq), mark });
  }
  return places;
}
