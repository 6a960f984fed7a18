/** Golden vectors of any protocol, and what is done to each of their frames. */
import { readFileSync } from 'node:fs';
import type { StreamParser } from '../../src/bridge/terminals/framing/index.ts';

/** As in `<protocol>.json` beside this file; ZVT's have more, see `vectors.ts`. */
export interface WireVector {
  id: string;
  direction: 'ecr->terminal' | 'terminal->ecr';
  framing: string;
  profile?: string;
  hex: string;
  decoded: Record<string, unknown>;
}

export function vectorsOf(protocol: string): WireVector[] {
  return JSON.parse(readFileSync(new URL(`${protocol}.json`, import.meta.url), 'utf8')) as WireVector[];
}

/** Every way to turn one bit of a frame over. */
export function* damages(frame: Uint8Array): Generator<{ place: string; bytes: Uint8Array }> {
  for (let index = 0; index < frame.length; index += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const bytes = Uint8Array.from(frame);
      bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
      yield { place: `bit ${bit} of byte ${index}`, bytes };
    }
  }
}

/** What a new parser gives for a frame that comes in two pieces, for every place of the cut, and byte by byte. */
export function inPieces<Event extends { kind: string }>(
  parser: () => StreamParser<Event>,
  frame: Uint8Array,
): { events: Event[]; insideFrame: boolean }[] {
  const play = (pieces: readonly Uint8Array[]) => {
    const one = parser();
    const events = pieces.flatMap((piece) => one.push(piece));
    return { events, insideFrame: one.insideFrame };
  };
  const single = Array.from(frame, (byte) => Uint8Array.of(byte));
  return [play(single), ...single.map((_, cut) => play([frame.subarray(0, cut), frame.subarray(cut)]))];
}
