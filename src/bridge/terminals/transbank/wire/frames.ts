/**
 * Frames of the serial line (Transbank developer documentation, POS Integrado):
 *
 *     02 | text, fields divided by 7C | 03 | LRC
 *
 * The LRC is the XOR of every byte of text and of the 03; the 02 is not in it. ACK and NAK are single bytes, which count
 * between frames only.
 */
import {
  ACK,
  createEtxParser,
  encodeEtxFrame,
  ETX,
  hex,
  NAK,
  readSingle,
  STX,
  xorLrc,
  type EtxEvent,
  type StreamParser,
} from '../../framing/index.ts';

/** No message is near as long. A longer frame is dropped. */
export const maxDataBytes = 2_048;

function lrcOf(data: Uint8Array): number {
  return xorLrc(data, ETX);
}

/** The whole frame around a message, ready for the line. */
export function encodeFrame(data: Uint8Array): Uint8Array {
  return encodeEtxFrame(data, lrcOf(data));
}

function faultOf(data: Uint8Array, lrc: number): string | null {
  const expected = lrcOf(data);
  if (data.length === 0) return 'a frame is empty';
  if (expected === lrc) return null;
  return `bad LRC: expected ${hex(Uint8Array.of(expected))}, found ${hex(Uint8Array.of(lrc))}`;
}

/** Finds frames in a stream of bytes. A gap of more than a second inside a frame is the session's to see: `reset()`. */
export function createParser(): StreamParser<EtxEvent> {
  return createEtxParser({ faultOf, maxDataBytes });
}

export type FrameReading = { ok: true; data: Uint8Array; lrc: number } | { ok: false; error: string };

/** Reads exactly one frame that is there as a whole, for tools. Every fault is a sentence for people. */
export function readFrame(bytes: Uint8Array): FrameReading {
  const read = readSingle<EtxEvent>(createParser(), bytes, [STX, ACK, NAK]);
  if (!read.ok) return read;
  if (read.event.kind === 'frame') return { ok: true, data: read.event.data, lrc: read.event.lrc };
  return {
    ok: false,
    error: `${hex(bytes)} is a transport answer (${read.event.kind.toUpperCase()}), not a frame`,
  };
}
