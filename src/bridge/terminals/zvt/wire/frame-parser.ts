/** What a session knows of a frame parser, whichever line it reads from. */
import { maxDataLength } from './apdu.ts';

/** Control field, long length field and the longest data: no frame is longer, so no parser keeps more. */
export const maxApduBytes = maxDataLength + 5;

export type FrameEvent =
  /** A whole, undamaged APDU: the CRC is good (serial), and its length field agrees. */
  | { kind: 'apdu'; apdu: Uint8Array }
  /** Serial only: the peer's transport answer. */
  | { kind: 'ack' }
  | { kind: 'nak' }
  /** Serial: answer NAK. TCP: the stream cannot be trusted any more, close it. `reason` is for the log. */
  | { kind: 'damaged'; reason: string }
  /** Bytes that belong to nothing. */
  | { kind: 'discarded'; count: number };

export interface FrameParser {
  /** Takes the next bytes of the stream in any pieces; gives what they completed, in order. */
  push(bytes: Uint8Array): FrameEvent[];
  /** A frame has begun and is not complete: the T1 timer has to run (serial). */
  readonly insideFrame: boolean;
  /** T1 ran out: forgets the piece and waits for a new frame. */
  abandon(): void;
}
