/**
 * What goes over one connection: whole messages out, frames and transport answers in. It keeps the time within a frame
 * and the bounds of what may come, and knows nothing of what a message means.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../log/index.ts';
import type { LineConnection } from '../../lines/line.ts';
import { createByteLink } from '../byte-link.ts';
import { ACK, NAK, type LinkEvent } from '../framing/index.ts';
import { createFrameParser, encodeFrame, type EdcFrameEvent } from './wire/index.ts';

/** A frame that stops for so long has broken off, in milliseconds. */
const frameGapMs = 1_000;

type OwnEvent = Exclude<EdcFrameEvent, LinkEvent>;

export interface LinkParts {
  connection: LineConnection;
  /** The profile's. */
  lrcIncludesStx: boolean;
  clock: Clock;
  log: Log;
  /** Hears every whole message in both directions, in order, repeats included. */
  trace(direction: 'to_terminal' | 'from_terminal', message: Uint8Array): void;
}

/** Told to the owner of a link as it happens. Calls are synchronous and must not throw. */
export interface LinkWatch {
  /** Bytes came, whatever they are. */
  heard(): void;
  event(event: Exclude<EdcFrameEvent, { kind: 'discarded' }>): void;
  closed(reason: string): void;
}

export interface Link {
  /** False: the line is closed, and not one byte went out. */
  send(message: Uint8Array): boolean;
  acknowledge(): void;
  /** Asks for a damaged frame once more. */
  refuse(): void;
  /** A request goes out: what follows was asked for, and counts anew against what may come. */
  begin(): void;
  /** Why the connection ended; null while it has not. */
  readonly closedReason: string | null;
}

export function createLink(parts: LinkParts, watch: LinkWatch): Link {
  const { lrcIncludesStx, trace, ...line } = parts;
  const link = createByteLink<OwnEvent>(
    { ...line, parser: createFrameParser(lrcIncludesStx), frameGapMs },
    {
      heard: () => watch.heard(),
      event(event) {
        if (event.kind === 'message') trace('from_terminal', event.message);
        watch.event(event);
      },
      closed: (reason) => watch.closed(reason),
    },
  );
  return {
    send(message) {
      trace('to_terminal', message);
      return link.write(encodeFrame(message, lrcIncludesStx));
    },
    acknowledge: () => void link.write(Uint8Array.of(ACK)),
    refuse: () => void link.write(Uint8Array.of(NAK)),
    begin: () => link.begin(),
    get closedReason() {
      return link.closedReason;
    },
  };
}
