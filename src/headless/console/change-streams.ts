/** `GET /api/changes`: server-sent events, each one change as JSON. A reader that comes back asks `state` anew. */
import type { Request, Response } from 'express';
import type { Clock } from '../../base/clock.ts';
import type { ConsoleService } from '../../contract/console/index.ts';
import {
  createEventStreams,
  eventMessage,
  eventStreamType,
  type RepeatedKind,
  type RepeatedLines,
} from '../../http/index.ts';
import type { ConsoleLimits } from './console-limits.ts';
import { secretOf, type ConsoleResponses } from './console-responses.ts';
import type { WindowAccess } from './window-access.ts';

export interface ChangeStreams {
  readonly route: (request: Request, response: Response) => void;
  /** Ends every stream that is open now. */
  end(): void;
  /** Ends every stream; later ones end at once. */
  close(): void;
}

const slowReader: RepeatedKind = {
  name: 'slow page',
  level: 'warn',
  message: 'dropped a console whose page reads too slowly',
  many: 'consoles whose pages read too slowly were dropped',
};

export function createChangeStreams(options: {
  service: ConsoleService;
  access: Pick<WindowAccess, 'hold'>;
  responses: ConsoleResponses;
  clock: Clock;
  repeatedLines: RepeatedLines;
  limits: ConsoleLimits;
}): ChangeStreams {
  const { service, access, responses, clock, repeatedLines, limits } = options;
  const streams = createEventStreams({
    clock,
    limits,
    onSlowReader: (unreadBytes) => repeatedLines.note(slowReader, undefined, { unread_bytes: unreadBytes }),
  });
  let unsubscribe: (() => void) | null = null;
  let closed = false;

  const begin = (request: Request, response: Response) => {
    const release = access.hold(secretOf(request) ?? '');
    // Before the response's first byte: what changes after the page has asked for the state must not be missed.
    unsubscribe ??= service.subscribe((change) => streams.write(eventMessage({ data: change })));
    streams.open(response, ': hello\n\n', {
      onEnd() {
        release();
        if (streams.count > 0) return;
        unsubscribe?.();
        unsubscribe = null;
      },
    });
  };

  return {
    route(request, response) {
      if (streams.isFull()) {
        const message = `The console is open ${limits.maxEventStreams} times already. Close one, then reload this page.`;
        return responses.refuse(request, response, 'too_many_streams', message);
      }
      response.writeHead(200, { 'Content-Type': eventStreamType, 'Cache-Control': 'no-store' });
      if (closed || request.method === 'HEAD') response.end();
      else begin(request, response);
    },
    end: () => streams.endAll(),
    close() {
      closed = true;
      streams.endAll();
    },
  };
}
