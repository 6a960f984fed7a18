/** What comes on the two kinds of line to a ZVT terminal, up to whole APDUs. */
import assert from 'node:assert/strict';
import {
  parseApdu,
  fromHex,
  sameBytes,
  createSerialParser,
  createTcpParser,
  encodeSerialFrame,
  maxApduBytes,
  type FrameEvent,
  type FrameParser,
} from '../../../src/bridge/terminals/zvt/wire/index.ts';
import type { Random } from '../../support/random.ts';
import { apduOf, serialFrameOf, vectors } from '../../wire/vectors.ts';
import { anyOf, damaged } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

/** Most inputs are as short as frames are; only now and then one is as long as it can be. */
const usualBytes = 200;
const longShare = 0.001;
/** A result, for the frame that must be read whatever came before it. */
const good = fromHex('040f0a2700040000000012100b');

export const zvtSerialFrames: FuzzTarget = {
  name: 'zvt-serial-frames',
  rule: 'frames are found alike however the bytes are cut, and after a pause the next good frame is read',
  seeds: () => [
    ...vectors.map(serialFrameOf),
    ...['06', '15', '1002', '10021003ffff', '0210101003', '10061510'].map(fromHex),
  ],
  triesInTests: 3_000,
  triesInChunk: 200_000,
  make: stream,
  open: () => {
    const whole = createSerialParser();
    const cut = createSerialParser();
    const goodFrame = encodeSerialFrame(good);
    return {
      play(input) {
        const found = allAlike(whole, cut, input);
        readsNext(whole, goodFrame);
        readsNext(cut, goodFrame);
        return found;
      },
      close() {},
    };
  },
};

export const zvtTcpFrames: FuzzTarget = {
  name: 'zvt-tcp-frames',
  rule: 'APDUs are cut alike however the bytes are, none is lost, and a new connection reads the next good one',
  seeds: () => [...vectors.map(apduOf), ...['000000', '0601ff', '0601ffffff'].map(fromHex)],
  triesInTests: 3_000,
  triesInChunk: 200_000,
  make: stream,
  open: () => {
    const whole = createTcpParser();
    const cut = createTcpParser();
    return {
      play(input) {
        const found = allAlike(whole, cut, input, (apdus) => {
          // What was given is what came, from the first byte on.
          const joined = Buffer.concat(apdus);
          assert.equal(Buffer.compare(joined, input.subarray(0, joined.length)), 0);
        });
        readsNext(whole, good);
        readsNext(cut, good);
        return found;
      },
      close() {},
    };
  },
};

/** Several inputs one after the other, with damage in some. */
function stream(random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  const parts = Array.from({ length: random.integer(1, 3) }, () =>
    random.chance(0.3) ? anyOf(random, corpus) : damaged(random, corpus),
  );
  const input = Buffer.concat(parts);
  return random.chance(longShare) ? input : input.subarray(0, usualBytes);
}

/** Feeds the same bytes whole and in pieces. Gives what was found, in words. */
function allAlike(
  whole: FrameParser,
  cut: FrameParser,
  input: Uint8Array,
  check: (apdus: Uint8Array[]) => void = () => {},
): string {
  const events = whole.push(input);
  const inPieces: FrameEvent[] = [];
  // Somewhere that the input itself decides, so that the same input is always cut alike.
  const at = ((input[0] ?? 0) * 7 + input.length) % (input.length + 1);
  for (const piece of [input.subarray(0, at), input.subarray(at, at + 1), input.subarray(at + 1)]) {
    inPieces.push(...cut.push(piece));
  }
  const others = inPieces.filter(({ kind }) => kind !== 'discarded');
  const apdus: Uint8Array[] = [];
  let dropped = 0;
  let frames = 0;
  for (const event of events) {
    // In pieces the same stray bytes are told in several parts.
    if (event.kind === 'discarded') dropped += event.count;
    else assert.ok(isSame(event, others[frames++]));
    if (event.kind === 'apdu') apdus.push(event.apdu);
  }
  assert.equal(others.length, frames);
  assert.equal(cut.insideFrame, whole.insideFrame);
  for (const apdu of apdus) assert.ok(apdu.length <= maxApduBytes && parseApdu(apdu) !== null);
  assert.ok(dropped <= input.length);
  check(apdus);
  return wordsOf(events, whole.insideFrame);
}

function isSame(one: FrameEvent, other: FrameEvent | undefined): boolean {
  if (one.kind === 'apdu') return other?.kind === 'apdu' && sameBytes(one.apdu, other.apdu);
  if (one.kind === 'damaged') return other?.kind === 'damaged' && one.reason === other.reason;
  return one.kind === other?.kind;
}

/** After the time that a frame may break off for, or on a new connection, the parser is as new. */
function readsNext(parser: FrameParser, bytes: Uint8Array) {
  parser.reset();
  const events = parser.push(bytes);
  assert.equal(events.length, 1);
  const [event] = events;
  assert.ok(event?.kind === 'apdu' && sameBytes(event.apdu, good));
  assert.equal(parser.insideFrame, false);
}

function wordsOf(events: readonly FrameEvent[], inside: boolean): string {
  const words = new Set<string>();
  for (const event of events) {
    words.add(event.kind === 'damaged' ? kindOf(event.reason) : event.kind);
  }
  return `${[...words].toSorted().join(', ')}${inside ? ', begun' : ''}`;
}

/** What it begins with; figures and bytes of the input stand behind. */
function kindOf(reason: string): string {
  return reason.slice(0, 7);
}
