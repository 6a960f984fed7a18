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
  reset(): void;
}

/** A bounded place to gather bytes that come one by one. */
export interface Collector {
  readonly length: number;
  /** False, and nothing kept, when it is full. */
  add(byte: number): boolean;
  /** A copy of all bytes; the collector is empty afterwards. */
  take(): Uint8Array;
  /** The bytes so far, only until the next call. */
  view(): Uint8Array;
  clear(): void;
}

const firstSize = 256;

/** Grows by doubling, never beyond `limit` bytes; a large buffer is given back once it is empty again. */
export function createCollector(limit: number): Collector {
  let buffer = new Uint8Array(Math.min(firstSize, limit));
  let length = 0;
  const clear = () => {
    length = 0;
    if (buffer.length > firstSize) buffer = new Uint8Array(Math.min(firstSize, limit));
  };
  return {
    get length() {
      return length;
    },
    add(byte) {
      if (length >= limit) return false;
      if (length === buffer.length) {
        const larger = new Uint8Array(Math.min(limit, buffer.length * 2));
        larger.set(buffer);
        buffer = larger;
      }
      buffer[length] = byte;
      length += 1;
      return true;
    },
    take() {
      const bytes = buffer.slice(0, length);
      clear();
      return bytes;
    },
    view: () => buffer.subarray(0, length),
    clear,
  };
}
