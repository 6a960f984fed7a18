/** What a session knows of a frame parser, whichever protocol and line it reads from. */

/** What is not a frame of the protocol, but happens on each line. */
export type LinkEvent =
  /** The peer's transport answer. `check`: the check byte behind it, in protocols that have one; nothing depends on it. */
  | { kind: 'ack'; check?: number }
  | { kind: 'nak'; check?: number }
  /** A frame that cannot be used: answer NAK, where the protocol has one. `reason` is for the log. */
  | { kind: 'damaged'; reason: string }
  /** Bytes that belong to nothing. */
  | { kind: 'discarded'; count: number };

/** `Event`: what the protocol's own frames are given as, beside or with `LinkEvent`. */
export interface StreamParser<Event extends { kind: string }> {
  /** Takes the next bytes of the stream in any pieces; gives what they completed, in order. */
  push(bytes: Uint8Array): Event[];
  /** A frame has begun and is not complete: the timer for a gap inside a frame has to run, where there is one. */
  readonly insideFrame: boolean;
  /** That timer ran out, or the line is a new one: forgets the piece and waits for a new frame. */
  reset(): void;
}
