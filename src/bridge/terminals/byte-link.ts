/**
 * What goes over one connection of a protocol of bytes: whole frames out, what a parser finds in. It keeps the time within a
 * frame and the bounds of what may come, and knows nothing of what a frame means.
 */
import { peerDeadline, type Clock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';
import type { LineConnection } from '../lines/line.ts';
import { createFloodLimit, type LinkEvent, type StreamParser } from './framing/index.ts';

const tooMuch = 'the terminal sends more than can be handled';

export interface ByteLinkParts<Event extends { kind: string }> {
  connection: LineConnection;
  parser: StreamParser<Event | LinkEvent>;
  /** A frame that stops for so long has broken off, in milliseconds. */
  frameGapMs: number;
  clock: Clock;
  log: Log;
}

/** Told to the owner of a link as it happens. Calls are synchronous and must not throw. */
export interface ByteLinkWatch<Event extends { kind: string }> {
  /** Bytes came, whatever they are. */
  heard(): void;
  event(event: Event | Exclude<LinkEvent, { kind: 'discarded' }>): void;
  closed(reason: string): void;
}

export interface ByteLink {
  /** False: the line is closed, and not one byte went out. */
  write(bytes: Uint8Array): boolean;
  /** A request goes out: what follows was asked for, and counts anew against what may come. */
  begin(): void;
  /** Why the connection ended; null while it has not. */
  readonly closedReason: string | null;
}

export function createByteLink<Event extends { kind: string }>(
  { connection, parser, frameGapMs, clock, log }: ByteLinkParts<Event>,
  watch: ByteLinkWatch<Event>,
): ByteLink {
  const limit = createFloodLimit(clock);
  let closedReason: string | null = null;
  let cancelGap = () => {};

  const pieces: Uint8Array[] = [];
  let reading = false;
  connection.onData((bytes) => {
    pieces.push(bytes);
    // A line may hand over an answer while an acknowledgement is being written: it has to wait its turn.
    if (reading) return;
    reading = true;
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) read(piece);
    reading = false;
  });
  connection.onClose(onClosed);
  if (connection.closed) onClosed('the line is closed');

  function read(bytes: Uint8Array) {
    if (isOver()) return;
    cancelGap();
    if (!limit.takeBytes(bytes.length)) return breakOff();
    watch.heard();
    for (const event of parser.push(bytes)) {
      if (!limit.takeEvent(event)) return breakOff();
      onEvent(event);
      // What comes behind a break is nobody's any more.
      if (isOver()) return;
    }
    if (parser.insideFrame) cancelGap = peerDeadline(clock, frameGapMs, onGap);
  }

  function isOver() {
    return closedReason !== null;
  }

  function onEvent(event: Event | LinkEvent) {
    if (isDiscarded(event))
      return log.debug('bytes that belong to no frame were dropped', { count: event.count });
    if (isDamaged(event)) log.debug('a damaged frame came', { reason: event.reason });
    watch.event(event);
  }

  function onGap() {
    log.debug('a frame broke off', { byte_gap_ms: frameGapMs });
    parser.reset();
    watch.event({ kind: 'damaged', reason: 'it broke off' });
  }

  function breakOff() {
    log.warn('the line to the terminal is closed from this side', { reason: tooMuch });
    onClosed(tooMuch);
    void connection.close('drop');
  }

  function onClosed(reason: string) {
    if (closedReason !== null) return;
    closedReason = reason;
    cancelGap();
    watch.closed(reason);
  }

  return {
    write: (bytes) => connection.write(bytes),
    begin: () => limit.fill(),
    get closedReason() {
      return closedReason;
    },
  };
}

type LinkEventOf<K extends LinkEvent['kind']> = Extract<LinkEvent, { kind: K }>;

function isDiscarded(event: { kind: string }): event is LinkEventOf<'discarded'> {
  return event.kind === 'discarded';
}

function isDamaged(event: { kind: string }): event is LinkEventOf<'damaged'> {
  return event.kind === 'damaged';
}
