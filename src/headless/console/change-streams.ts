/** `GET /api/changes`: server-sent events, each one change as JSON. A reader that comes back asks `state` anew. */
import type { Request, Response } from 'express';
import type { Clock } from '../../base/clock.ts';
import type { ConsoleChange, ConsoleService } from '../../contract/console/index.ts';
import type { Log } from '../../log/index.ts';
import type { WindowAccess } from './window-access.ts';
import { refuse, secretOf } from './console-responses.ts';
import type { ConsoleLimits } from './console-limits.ts';

export interface ChangeStreams {
  readonly route: (request: Request, response: Response) => void;
  /** Ends every stream that is open now. */
  end(): void;
  /** Ends every stream; later ones end at once. */
  close(): void;
}

export function createChangeStreams(options: {
  service: ConsoleService;
  access: Pick<WindowAccess, 'hold'>;
  clock: Clock;
  log: Log;
  limits: ConsoleLimits;
}): ChangeStreams {
  const { service, access, clock, log, limits } = options;
  const streams = new Set<Response>();
  let unsubscribe: (() => void) | null = null;
  let cancelKeepAlive = () => {};
  let closed = false;

  const write = (stream: Response, text: string) => {
    stream.write(text);
    if (stream.writableLength <= limits.streamBufferBytes) return;
    log.warn('Dropped a console whose page reads too slowly', { unread_bytes: stream.writableLength });
    streams.delete(stream);
    stream.destroy();
  };

  const onChange = (change: ConsoleChange) => {
    const text = `data: ${JSON.stringify(change)}\n\n`;
    for (const stream of streams) write(stream, text);
  };

  const keepAlive = () => {
    for (const stream of streams) write(stream, ': keep-alive\n\n');
    cancelKeepAlive = clock.after(limits.streamKeepAliveMs, keepAlive);
  };

  const begin = (request: Request, response: Response) => {
    streams.add(response);
    const release = access.hold(secretOf(request) ?? '');
    // Before the response's first byte: what changes after the page has asked for the state must not be missed.
    unsubscribe ??= service.subscribe(onChange);
    if (streams.size === 1) cancelKeepAlive = clock.after(limits.streamKeepAliveMs, keepAlive);
    response.on('close', () => {
      release();
      streams.delete(response);
      if (streams.size === 0) unsubscribeAll();
    });
    write(response, ': hello\n\n');
  };

  const unsubscribeAll = () => {
    cancelKeepAlive();
    unsubscribe?.();
    unsubscribe = null;
  };

  const end = () => {
    for (const stream of streams) stream.end();
  };

  return {
    route(request, response) {
      if (streams.size >= limits.maxStreams) {
        const message = `The console is open ${limits.maxStreams} times already. Close one, then reload this page.`;
        return refuse(request, response, 'too_many_streams', message);
      }
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
      });
      if (closed || request.method === 'HEAD') response.end();
      else begin(request, response);
    },
    end,
    close() {
      closed = true;
      end();
    },
  };
}
