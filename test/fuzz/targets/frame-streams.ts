/** What holds of each frame parser, whatever its protocol. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

import type { LinkEvent, StreamParser, TraceField } from '../../../src/bridge/terminals/framing/index.ts';
import type { Random } from '../../support/random.ts';
import { anyOf, damaged } from '../mutate.ts';

/** Most inputs are as short as frames are; only now and then one is as long as it can be. */
const longShare = 0.001;

/** Several inputs one after the other, with damage in some. */
export function streamOf(random: Random, corpus: readonly Uint8Array[], usualBytes: number): Uint8Array {
  const parts = Array.from({ length: random.integer(1, 3) }, () =>
    random.chance(0.3) ? anyOf(random, corpus) : damaged(random, corpus),
  );
  const input = Buffer.concat(parts);
  return random.chance(longShare) ? input : input.subarray(0, usualBytes);
}

/**
 * Feeds the same bytes whole and in pieces to two parsers that have been reset, and sees that both find the same. Gives
 * what the first found.
 */
export function foundAlike<Event extends { kind: string }>(
  whole: StreamParser<Event | LinkEvent>,
  cut: StreamParser<Event | LinkEvent>,
  input: Uint8Array,
): (Event | LinkEvent)[] {
  const events = whole.push(input);
  // Somewhere that the input itself decides, so that the same input is always cut alike.
  const at = ((input[0] ?? 0) * 7 + input.length) % (input.length + 1);
  const inPieces = [input.subarray(0, at), input.subarray(at, at + 1), input.subarray(at + 1)].flatMap(
    (piece) => cut.push(piece),
  );
  // In pieces the same stray bytes are told in several parts.
  const told = (all: readonly { kind: string }[]) => all.filter(({ kind }) => kind !== 'discarded');
  assert.ok(isDeepStrictEqual(told(events), told(inPieces)));
  assert.equal(cut.insideFrame, whole.insideFrame);
  return events;
}

/** After the time that a frame may break off for, or on a new connection, the parser is as new. */
export function readsNext<Event extends { kind: string }>(
  parser: StreamParser<Event>,
  frame: Uint8Array,
  kind: Event['kind'],
) {
  parser.reset();
  const events = parser.push(frame);
  assert.deepEqual(
    events.map((event) => event.kind),
    [kind],
  );
  assert.equal(parser.insideFrame, false);
}

/** A message for the wire trace: within the bounds of the log, each place in the message. */
export function assertTraced(fields: readonly TraceField[], traced: string, length: number) {
  assert.ok(fields.length <= 100);
  for (const [, value, place] of fields) {
    assert.ok(value.length <= 400);
    if (place !== undefined) assert.ok(place.from >= 0 && place.from <= place.to && place.to <= length);
  }
  assert.ok(/^(?:(?:[0-9a-f]{2}|\*\*)(?::|$))*$/.test(traced));
}
