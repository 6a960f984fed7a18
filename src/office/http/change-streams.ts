/** The pages that are open, told of each change by server-sent events; what they show they ask for themselves. */
import type { Clock } from '../../base/clock.ts';
import {
  createEventStreams,
  type EventStreamLimits,
  type RepeatedKind,
  type RepeatedLines,
} from '../../http/index.ts';

export type EventStreams = ReturnType<typeof createEventStreams>;

const limits: EventStreamLimits = {
  maxEventStreams: 1_000,
  eventBufferBytes: 256 * 1024,
  eventKeepAliveMs: 15_000,
};

const slowReader: RepeatedKind = {
  name: 'slow page',
  level: 'info',
  message: 'dropped a page that reads too slowly',
  many: 'pages that read too slowly were dropped',
};

export function createChangeStreams(clock: Clock, repeatedLines: RepeatedLines): EventStreams {
  return createEventStreams({
    clock,
    limits,
    onSlowReader: (unreadBytes) => repeatedLines.note(slowReader, undefined, { unread_bytes: unreadBytes }),
  });
}
