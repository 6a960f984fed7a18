/**
 * Frames of the serial line.
 *
 *     STX | length, 2 bytes BCD | message     | ETX | LRC
 *     02  | 00 35               | 36 30 30 …  | 03  | 14
 *         ╰───────────── XOR of these ─────────────╯      (on some terminals from the STX on)
 *
 * A frame is cut by its length alone: 02, 03, 06, 15 and 1C may all stand in lengths and values, and are never searched
 * for. ACK and NAK are single bytes outside of frames; an ACK may stand right before the answer's STX.
 */
import {
  ACK,
  concatBytes,
  ETX,
  hex,
  NAK,
  STX,
  xorLrc,
  type LinkEvent,
  type StreamParser,
} from '../../framing/index.ts';
import { bcdLength, readBcdLength } from './bcd-length.ts';
import { FS, headBytes } from './messages.ts';

/** No message is longer, in bytes; a PAX terminal takes up to 1,023. */
export const maxMessageBytes = 4_096;
/** STX of frames for e-tax documents (KBTG Link POS), with a binary length. They carry no payments. */
const eTaxStx = 0x82;
/** STX, two bytes of length; ETX, LRC. */
const bytesBefore = 3;
const bytesBehind = 2;

export type EdcFrameEvent =
  /** A whole, undamaged message: what stands between length and ETX. */
  { kind: 'message'; message: Uint8Array } | LinkEvent;

export type EdcFrameParser = StreamParser<EdcFrameEvent>;

/** The whole frame around a message, ready for the line. Throws when the message is longer than `maxMessageBytes`. */
export function encodeFrame(message: Uint8Array, lrcIncludesStx: boolean): Uint8Array {
  if (message.length > maxMessageBytes) throw new Error(`a message of ${message.length} bytes is too long`);
  const length = Uint8Array.from(bcdLength(message.length));
  const lrc = lrcOf(length, message, lrcIncludesStx);
  return concatBytes(Uint8Array.of(STX), length, message, Uint8Array.of(ETX, lrc));
}

function lrcOf(length: Uint8Array, message: Uint8Array, includesStx: boolean): number {
  return xorLrc(message, xorLrc(length, includesStx ? ETX ^ STX : ETX));
}

/** The length that two bytes announce, or what is wrong with it. */
function announcedLength(high: number, low: number): number | string {
  const length = readBcdLength(high, low);
  if (length === null) return `the length ${hex(Uint8Array.of(high, low))} is not BCD`;
  if (length < headBytes) return `a length of ${length} bytes is less than the ${headBytes} of any message`;
  return length > maxMessageBytes ? `a length of ${length} bytes is too much` : length;
}

/**
 * Finds frames in a stream of bytes. `lrcIncludesStx` is the dialect's: a parser that took either would take a frame
 * with one wrong bit for a good one of the other dialect.
 *
 * Where damage hides the end of a frame (a length that is none, no 03 in its place, a byte that begins nothing), what
 * follows is skipped until the line pauses and the session calls `reset()` and says NAK. So no byte of a damaged frame
 * is taken for an ACK. A frame behind such a byte of noise is found.
 */
export function createFrameParser(lrcIncludesStx: boolean): EdcFrameParser {
  type State = 'idle' | 'noise' | 'length' | 'body' | 'lost';
  let state: State = 'idle';
  /** STX is not kept. */
  let frame = new Uint8Array(bytesBefore - 1);
  let got = 0;
  let events: EdcFrameEvent[] = [];
  let discardedBytes = 0;

  const tellDiscarded = () => {
    if (discardedBytes > 0) events.push({ kind: 'discarded', count: discardedBytes });
    discardedBytes = 0;
  };
  const emit = (event: EdcFrameEvent) => {
    tellDiscarded();
    events.push(event);
  };
  const begin = () => {
    state = 'length';
    frame = new Uint8Array(bytesBefore - 1);
    got = 0;
  };
  const finish = () => {
    const length = frame.subarray(0, bytesBefore - 1);
    const message = frame.slice(bytesBefore - 1, -bytesBehind);
    const [etx = 0, lrc = 0] = frame.subarray(-bytesBehind);
    const expected = lrcOf(length, message, lrcIncludesStx);
    if (etx === ETX && lrc === expected) {
      state = 'idle';
      return emit({ kind: 'message', message });
    }
    // Each message ends with a separator: without it, the length may be what is wrong.
    if (etx !== ETX || message.at(-1) !== FS) {
      state = 'lost';
      return;
    }
    state = 'idle';
    emit({ kind: 'damaged', reason: badLrc(expected, lrc) });
  };

  const take = (byte: number): void => {
    switch (state) {
      case 'idle':
        if (byte === ACK) return emit({ kind: 'ack' });
        if (byte === NAK) return emit({ kind: 'nak' });
        if (byte === STX) return begin();
        state = 'noise';
        discardedBytes += 1;
        return;
      case 'noise':
        if (byte === STX) return begin();
        discardedBytes += 1;
        return;
      case 'length': {
        frame[got] = byte;
        got += 1;
        if (got < frame.length) return;
        const length = announcedLength(frame[0] ?? 0, frame[1] ?? 0);
        if (typeof length === 'string') {
          state = 'lost';
          return;
        }
        const whole = new Uint8Array(frame.length + length + bytesBehind);
        whole.set(frame);
        frame = whole;
        state = 'body';
        return;
      }
      case 'body':
        frame[got] = byte;
        got += 1;
        if (got === frame.length) finish();
        return;
      case 'lost':
        discardedBytes += 1;
    }
  };

  return {
    push(bytes) {
      events = [];
      for (const byte of bytes) take(byte);
      tellDiscarded();
      return events;
    },
    get insideFrame() {
      return state !== 'idle';
    },
    reset() {
      state = 'idle';
    },
  };
}

function badLrc(expected: number, found: number): string {
  return `bad LRC: expected ${hex(Uint8Array.of(expected))}, found ${hex(Uint8Array.of(found))}`;
}

export type FrameReading =
  { ok: true; message: Uint8Array; lrc: number; lrcIncludesStx: boolean } | { ok: false; error: string };

/**
 * Reads exactly one frame that is there as a whole, for tools, perhaps with an ACK before it. `lrcIncludesStx` null: the
 * LRC without STX is tried first, then the one with it. Every fault is a sentence for people.
 */
export function readFrame(given: Uint8Array, lrcIncludesStx: boolean | null): FrameReading {
  const isAnswer = given[0] === ACK || given[0] === NAK;
  if (given.length === 1 && isAnswer)
    return refuse(`${hex(given)} is a transport answer (${given[0] === ACK ? 'ACK' : 'NAK'}), not a frame`);
  const bytes = given[0] === ACK && given[1] === STX ? given.subarray(1) : given;
  const [stx, high, low] = bytes;
  if (stx === eTaxStx) return refuse('a frame that begins with 82 is for e-tax documents, not for payments');
  if (stx !== STX) return refuse('a frame begins with 02');
  if (high === undefined || low === undefined) return refuse('truncated frame: its length is missing');
  const length = announcedLength(high, low);
  if (typeof length === 'string') return refuse(length);
  const whole = bytesBefore + length + bytesBehind;
  if (bytes.length < whole)
    return refuse(
      `truncated frame: with ${length} bytes of message it has ${whole} bytes, found ${bytes.length}`,
    );
  const [etx = 0, lrc = 0] = bytes.subarray(whole - bytesBehind);
  if (etx !== ETX)
    return refuse(
      `length mismatch: behind ${length} bytes of message stands ${hex(Uint8Array.of(etx))}, not 03`,
    );
  const message = bytes.slice(bytesBefore, bytesBefore + length);
  const expected = lrcOf(bytes.subarray(1, bytesBefore), message, lrcIncludesStx ?? false);
  const fitsOther = lrcIncludesStx === null && lrc === (expected ^ STX);
  if (lrc !== expected && !fitsOther) return refuse(badLrc(expected, lrc));
  if (bytes.length > whole)
    return refuse(`length mismatch: ${bytes.length - whole} bytes follow after the end of the frame`);
  return { ok: true, message, lrc, lrcIncludesStx: fitsOther || lrcIncludesStx === true };
}

function refuse(error: string): FrameReading {
  return { ok: false, error };
}
