/**
 * Server-sent events: the streams of one server, with a heartbeat while there are any, and a bound on what a reader
 * leaves unread. What is sent, and to whom, is each server's own.
 */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';

export interface EventStream {
  /** Drops the stream when its reader leaves too much unread. Does nothing once it has ended. */
  write(text: string): void;
  /** Resolves when the reader has caught up or gone; rejects when it has not within `maxMs`. */
  drained(maxMs: number): Promise<void>;
  end(): void;
  /** Ends it as a connection that breaks does, so that the reader comes back. */
  drop(): void;
  readonly ended: boolean;
  /** The reader does not keep up: `drained` before there is more. */
  readonly isBehind: boolean;
}

export interface EventStreams {
  readonly count: number;
  /** True when there are as many as there may be. */
  isFull(): boolean;
  /** Sends `first` on a response whose head says that events follow. */
  open(response: ServerResponse, first: string, options?: OpenStreamOptions): EventStream;
  /** To every stream. */
  write(text: string): void;
  endAll(): void;
}

interface OpenStreamOptions {
  /** Asked at each heartbeat; a stream that may not go on is ended. */
  mayGoOn?: () => boolean;
  /** Called once. */
  onEnd?: () => void;
}

export interface EventStreamLimits {
  maxEventStreams: number;
  /** A stream whose reader leaves more than this unread is dropped. */
  eventBufferBytes: number;
  eventKeepAliveMs: number;
}

export const eventStreamType = 'text/event-stream; charset=utf-8';

export function createEventStreams(options: {
  clock: Clock;
  limits: EventStreamLimits;
  /** A stream was dropped because of what its reader has left unread. */
  onSlowReader: (unreadBytes: number) => void;
}): EventStreams {
  const { clock, limits, onSlowReader } = options;
  const streams = new Map<EventStream, (() => boolean) | undefined>();
  let cancelKeepAlive: (() => void) | null = null;

  const keepAlive = () => {
    for (const [stream, mayGoOn] of streams) {
      if (mayGoOn?.() === false) stream.end();
      else stream.write(': keep-alive\n\n');
    }
    cancelKeepAlive = streams.size === 0 ? null : clock.after(limits.eventKeepAliveMs, keepAlive);
  };

  const writeAll = (text: string) => {
    for (const stream of streams.keys()) stream.write(text);
  };

  return {
    get count() {
      return streams.size;
    },
    isFull: () => streams.size >= limits.maxEventStreams,
    write: writeAll,

    open(response, first, { mayGoOn, onEnd } = {}) {
      let ended = false;
      const leave = (): boolean => {
        if (ended) return false;
        ended = true;
        streams.delete(stream);
        if (streams.size === 0) {
          cancelKeepAlive?.();
          cancelKeepAlive = null;
        }
        onEnd?.();
        return true;
      };
      const stream: EventStream = {
        write(text) {
          if (ended || text === '') return;
          response.write(text);
          const unreadBytes = response.writableLength;
          if (unreadBytes <= limits.eventBufferBytes) return;
          onSlowReader(unreadBytes);
          stream.drop();
        },
        drained: (maxMs) => drained(response, clock, maxMs),
        end() {
          if (leave()) response.end();
        },
        drop() {
          if (leave()) response.destroy();
        },
        get ended() {
          return ended;
        },
        get isBehind() {
          return response.writableNeedDrain;
        },
      };
      streams.set(stream, mayGoOn);
      response.on('close', stream.drop);
      stream.write(first);
      cancelKeepAlive ??= clock.after(limits.eventKeepAliveMs, keepAlive);
      return stream;
    },

    endAll() {
      for (const stream of streams.keys()) stream.end();
    },
  };
}

/** One event in the form of the EventSource specification. `id` is what a reader comes back with. */
export function eventMessage(event: { name?: string; id?: number | string | null; data: unknown }): string {
  const name = event.name === undefined ? '' : `event: ${event.name}\n`;
  const id = event.id === undefined || event.id === null ? '' : `id: ${event.id}\n`;
  // JSON has no line break of its own, so one data line is enough.
  return `${name}${id}data: ${JSON.stringify(event.data)}\n\n`;
}

/** Resolves when the reader has read or gone; rejects after `maxMs` when it did not. */
function drained(response: ServerResponse, clock: Clock, maxMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      response.off('drain', finish);
      response.off('close', finish);
    };
    const finish = () => {
      stop();
      resolve();
    };
    const cancel = clock.after(maxMs, () => {
      stop();
      reject(new Error(`the reader read nothing for ${maxMs} ms`));
    });
    response.on('drain', finish);
    response.on('close', finish);
  });
}
