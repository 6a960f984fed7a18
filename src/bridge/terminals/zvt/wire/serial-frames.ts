/**
 * Frames of the serial line (ZVT PA00P016, transport protocol).
 *
 *     DLE STX | APDU, each 10 doubled | DLE ETX | CRC-low CRC-high
 *     10  02  | ...                   | 10  03  | not doubled, whatever they are
 *
 * The CRC is taken over the APDU before doubling, and the ETX byte. ACK and NAK are single bytes outside of frames.
 */
import { ACK, createCollector, ETX, NAK, STX } from '../../framing/index.ts';
import { announcedSize } from './apdu.ts';
import { concatBytes, hex } from './bytes.ts';
import { maxApduBytes, type FrameEvent, type FrameParser } from './frame-parser.ts';

const DLE = 0x10;

const smallestApduBytes = 3;

/** The whole frame around an APDU, ready for the line. */
export function encodeSerialFrame(apdu: Uint8Array): Uint8Array {
  const frame = [DLE, STX];
  for (const byte of apdu) {
    frame.push(byte);
    if (byte === DLE) frame.push(DLE);
  }
  const crc = frameCrc(apdu);
  frame.push(DLE, ETX, crc & 0xff, crc >> 8);
  return Uint8Array.from(frame);
}

function frameCrc(apdu: Uint8Array): number {
  return crc16Kermit(Uint8Array.of(ETX), crc16Kermit(apdu));
}

type Check = 'good' | { fault: string; cutShort: boolean };

/**
 * Compares a body with its two CRC bytes and its own length field. `cutShort`: the length field announces more bytes
 * than came, so the end may have been no end.
 */
function check(apdu: Uint8Array, crcLow: number, crcHigh: number): Check {
  const expected = frameCrc(apdu);
  const found = crcLow | (crcHigh << 8);
  const size = announcedSize(apdu);
  const announced = size === null ? smallestApduBytes : size.headLength + size.dataLength;
  const cutShort = apdu.length < announced || size === null;
  if (expected !== found) {
    const sent = Uint8Array.of(expected & 0xff, expected >> 8);
    return {
      fault: `bad CRC: expected ${hex(sent)}, found ${hex(Uint8Array.of(crcLow, crcHigh))} (low byte first)`,
      cutShort,
    };
  }
  if (announced === apdu.length && size !== null) return 'good';
  return {
    fault: `length mismatch: the length field announces ${announced} bytes of APDU, found ${apdu.length}`,
    cutShort: false,
  };
}

/**
 * Finds frames in a stream of bytes. A good frame after any damage is found again: DLE STX starts a frame wherever it
 * stands, since a 10 inside a frame is always doubled.
 *
 * After damage that hides where a frame ends, the rest of it is skipped up to its end, or until T1 runs out and the
 * session calls `reset()`. So no byte of a damaged frame is taken for an ACK or NAK.
 */
export function createSerialParser(): FrameParser {
  type State = 'idle' | 'header' | 'body' | 'escape' | 'crc_low' | 'crc_high';
  let state: State = 'idle';
  const body = createCollector(maxApduBytes);
  /** What is wrong with the current frame; its bytes are no longer kept. */
  let fault: string | null = null;
  /** Bytes of the current frame so far, and bytes outside of frames in this push. */
  let frameBytes = 0;
  let discardedBytes = 0;
  let crcLow = 0;
  let events: FrameEvent[] = [];

  const emit = (event: FrameEvent) => {
    if (discardedBytes > 0) events.push({ kind: 'discarded', count: discardedBytes });
    discardedBytes = 0;
    events.push(event);
  };
  const begin = (next: State, reason: string | null, bytesSoFar: number) => {
    state = next;
    fault = reason;
    frameBytes = bytesSoFar;
    body.clear();
  };
  const keep = (byte: number) => {
    state = 'body';
    if (fault === null && !body.add(byte)) fault = `a frame is longer than ${maxApduBytes} bytes`;
  };
  const finish = (crcHigh: number) => {
    if (fault !== null) {
      emit({ kind: 'damaged', reason: fault });
      return begin('idle', null, 0);
    }
    const apdu = body.take();
    const checked = check(apdu, crcLow, crcHigh);
    if (checked === 'good') emit({ kind: 'apdu', apdu });
    else if (checked.cutShort) return begin('body', checked.fault, frameBytes);
    else emit({ kind: 'damaged', reason: checked.fault });
    begin('idle', null, 0);
  };

  const take = (byte: number): void => {
    if (state !== 'idle') frameBytes += 1;
    switch (state) {
      case 'idle':
        if (byte === ACK) emit({ kind: 'ack' });
        else if (byte === NAK) emit({ kind: 'nak' });
        else if (byte === DLE) begin('header', null, 1);
        else if (byte === STX) begin('body', 'a frame lost its first byte', 1);
        else discardedBytes += 1;
        return;
      case 'header':
        if (byte === STX) begin('body', null, 2);
        else if (byte === DLE) {
          discardedBytes += 1;
          frameBytes = 1;
        } else begin('body', 'a frame does not begin with DLE STX', 2);
        return;
      case 'body':
        if (byte === DLE) state = 'escape';
        else keep(byte);
        return;
      case 'escape':
        if (byte === DLE) keep(byte);
        else if (byte === ETX) state = 'crc_low';
        else if (byte === STX) {
          discardedBytes += frameBytes - 2;
          begin('body', null, 2);
        } else {
          fault ??= 'a single DLE inside a frame';
          state = 'body';
        }
        return;
      case 'crc_low':
        crcLow = byte;
        state = 'crc_high';
        return;
      case 'crc_high':
        finish(byte);
        return;
    }
  };

  return {
    push(bytes) {
      events = [];
      discardedBytes = 0;
      for (const byte of bytes) take(byte);
      if (discardedBytes > 0) events.push({ kind: 'discarded', count: discardedBytes });
      return events;
    },
    get insideFrame() {
      return state !== 'idle';
    },
    reset() {
      begin('idle', null, 0);
    },
  };
}

export type SerialFrameReading =
  { ok: true; apdu: Uint8Array; crc: Uint8Array } | { ok: false; error: string };

/**
 * Reads exactly one frame that is there as a whole, for tools. `crc` are its two CRC bytes as sent. Every fault is a
 * sentence for people.
 */
export function readSerialFrame(bytes: Uint8Array): SerialFrameReading {
  if (bytes.length === 1 && (bytes[0] === ACK || bytes[0] === NAK)) {
    return refuse(`${hex(bytes)} is a transport answer (${bytes[0] === ACK ? 'ACK' : 'NAK'}), not a frame`);
  }
  if (bytes[0] !== DLE || (bytes[1] !== STX && bytes.length > 1)) {
    return refuse('a serial frame begins with 10 02 (a bare APDU is read as such only when asked for)');
  }
  const body: number[] = [];
  let at = 2;
  for (;;) {
    const byte = bytes[at];
    const next = bytes[at + 1];
    if (byte === undefined || (byte === DLE && next === undefined)) {
      return refuse(`truncated frame: ${bytes.length} bytes without the end mark 10 03`);
    }
    if (byte !== DLE) {
      body.push(byte);
      at += 1;
    } else if (next === DLE) {
      body.push(byte);
      at += 2;
    } else if (next === ETX) {
      at += 2;
      break;
    } else
      return refuse(
        `damaged frame: byte ${at} is a single 10 that is neither doubled nor the end mark 10 03`,
      );
  }
  const crc = bytes.subarray(at, at + 2);
  const [low, high] = crc;
  if (low === undefined || high === undefined)
    return refuse(`truncated frame: ${2 - crc.length} CRC bytes are missing`);
  const apdu = Uint8Array.from(body);
  const checked = check(apdu, low, high);
  if (checked !== 'good') return refuse(checked.fault);
  const left = bytes.length - at - 2;
  if (left > 0) return refuse(`length mismatch: ${left} bytes follow after the end of the frame`);
  return { ok: true, apdu, crc: concatBytes(crc) };
}

function refuse(error: string): SerialFrameReading {
  return { ok: false, error };
}

/** Polynomial 1021 in reflected notation. */
const polynomial = 0x8408;

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  return crc;
});

/**
 * The CRC of a frame (named "XModem" in ZVT PA00P016, in fact CRC-16/KERMIT): width 16, polynomial 1021, reflected in and out, start value 0000, no final XOR; "123456789" gives
 * 2189. `seed` is the CRC of the bytes that came before, so a CRC can be taken in pieces.
 */
export function crc16Kermit(bytes: Uint8Array, seed = 0): number {
  let crc = seed & 0xffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return crc;
}
