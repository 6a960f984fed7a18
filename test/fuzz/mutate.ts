/** Damage to bytes, as chance has it. */
import type { Random } from '../support/random.ts';

/** The longest input that damage makes, in bytes: a little over what a frame or a body may have. */
const maxLength = 70_000;
const maxInserted = 16;
const maxRepeated = 200;
/** Bytes at the borders of what a field can say, and those that frames, JSON and HTTP are built with. */
const telling = [
  0x00, 0x01, 0x02, 0x03, 0x04, 0x06, 0x0d, 0x0a, 0x10, 0x15, 0x1b, 0x1f, 0x20, 0x22, 0x30, 0x39, 0x5c, 0x7b,
  0x7d, 0x7f, 0x80, 0x81, 0x82, 0x84, 0x99, 0xf0, 0xfe, 0xff,
] as const;

type Damage = (input: Uint8Array, random: Random, corpus: readonly Uint8Array[]) => Uint8Array;

const damages: readonly [readonly [number, Damage], ...(readonly [number, Damage])[]] = [
  [4, flipBit],
  [4, setByte],
  [2, insertBytes],
  [2, cutOut],
  [1, cutOff],
  [1, repeatPart],
  [1, swapParts],
  [2, joinWithOther],
];

/** One of `corpus` with one to six damages. `corpus` is not empty. */
export function damaged(random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  let input = anyOf(random, corpus);
  for (let left = random.integer(1, 6); left > 0; left -= 1) {
    input = random.weighted(damages)(input, random, corpus);
  }
  return input.length > maxLength ? input.slice(0, maxLength) : input;
}

export function anyOf(random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  return corpus[random.integer(0, corpus.length - 1)] ?? new Uint8Array();
}

function flipBit(input: Uint8Array, random: Random): Uint8Array {
  const copy = input.slice();
  const at = random.integer(0, copy.length - 1);
  copy[at] = (copy[at] ?? 0) ^ (1 << random.integer(0, 7));
  return copy;
}

function setByte(input: Uint8Array, random: Random): Uint8Array {
  const copy = input.slice();
  copy[random.integer(0, copy.length - 1)] = byteOf(random);
  return copy;
}

function insertBytes(input: Uint8Array, random: Random): Uint8Array {
  const at = random.integer(0, input.length);
  const inserted = Uint8Array.from({ length: random.integer(1, maxInserted) }, () => byteOf(random));
  return joined(input.subarray(0, at), inserted, input.subarray(at));
}

function cutOut(input: Uint8Array, random: Random): Uint8Array {
  const [from, to] = partOf(input, random);
  return joined(input.subarray(0, from), input.subarray(to));
}

function cutOff(input: Uint8Array, random: Random): Uint8Array {
  return input.slice(0, random.integer(0, input.length));
}

function repeatPart(input: Uint8Array, random: Random): Uint8Array {
  const [from, to] = partOf(input, random);
  const part = input.subarray(from, to);
  const often = Math.min(random.integer(1, maxRepeated), Math.floor(maxLength / Math.max(1, part.length)));
  return joined(input.subarray(0, to), ...Array.from({ length: often }, () => part), input.subarray(to));
}

function swapParts(input: Uint8Array, random: Random): Uint8Array {
  const [from, to] = partOf(input, random);
  return joined(input.subarray(to), input.subarray(from, to), input.subarray(0, from));
}

function joinWithOther(input: Uint8Array, random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  const other = anyOf(random, corpus);
  const begin = input.subarray(0, random.integer(0, input.length));
  return joined(begin, other.subarray(random.integer(0, other.length)));
}

function partOf(input: Uint8Array, random: Random): [from: number, to: number] {
  const from = random.integer(0, input.length);
  return [from, random.integer(from, Math.min(input.length, from + 64))];
}

function byteOf(random: Random): number {
  return random.chance(0.5) ? random.pick(telling) : random.integer(0, 255);
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
