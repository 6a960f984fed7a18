/** What comes on the line to an ECR-EDC terminal, up to what its messages say of the money. */
import assert from 'node:assert/strict';
import {
  createFrameParser,
  decodeMessage,
  describeMessage,
  ecrEdcDecoder,
  edcProfile,
  edcProfileNames,
  encodeFrame,
  encodeMessage,
  lastFourOf,
  maxMessageBytes,
  noticeIn,
  resultOf,
  tracedHex,
  traceFields,
  type EdcFrameEvent,
  type EdcFrameParser,
} from '../../../src/bridge/terminals/ecr-edc/wire/index.ts';
import { fromHex, hex, sameBytes } from '../../../src/bridge/terminals/framing/index.ts';
import type { Random } from '../../support/random.ts';
import { vectorsOf } from '../../wire/frame-kit.ts';
import { anyOf, damaged } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

const usualBytes = 400;
const longShare = 0.001;
const frames = vectorsOf('ecr-edc').map((vector) => fromHex(vector.hex));
const good = encodeMessage({ requestResponse: '1', txCode: '20', fields: [['01', '178570']] });
const profiles = edcProfileNames.map((name) => edcProfile(name)).filter((profile) => profile !== null);

export const ecrEdcFrames: FuzzTarget = {
  name: 'ecr-edc-frames',
  rule: 'frames are found alike however the bytes are cut, and after a pause the next good frame is read',
  seeds: () => [...frames, ...['06', '15', '0200', '020018', '02001a06', '0602001882'].map(fromHex)],
  triesInTests: 1_500,
  triesInChunk: 200_000,
  make(random, corpus) {
    const parts = Array.from({ length: random.integer(1, 3) }, () =>
      random.chance(0.3) ? anyOf(random, corpus) : damaged(random, corpus),
    );
    return bounded(random, Buffer.concat(parts));
  },
  open: () => {
    const parsers = [false, true].map((stx) => ({
      whole: createFrameParser(stx),
      cut: createFrameParser(stx),
      goodFrame: encodeFrame(good, stx),
    }));
    return {
      play(input) {
        const words = parsers.map(({ whole, cut, goodFrame }) => {
          const found = readAlike(whole, cut, input);
          readsNext(whole, goodFrame);
          readsNext(cut, goodFrame);
          return found;
        });
        const reading = ecrEdcDecoder.decode(input, { framing: 'serial' });
        if (!reading.ok) assert.ok(reading.error.length > 5 && reading.error.length < 200);
        return words.join('; ');
      },
      close() {},
    };
  },
};

export const ecrEdcMessages: FuzzTarget = {
  name: 'ecr-edc-messages',
  rule: 'any message is read, masked and judged, and only the text 00 with an approval code is an approval',
  seeds: () => frames.map((frame) => frame.slice(3, -2)),
  triesInTests: 1_500,
  triesInChunk: 200_000,
  make(random, corpus) {
    const input = bounded(random, damaged(random, corpus)).slice();
    // Most of the time with the separator behind the fixed part, so that what is in it is read.
    if (input.length > 17 && random.chance(0.9)) input[17] = 0x1c;
    return input;
  },
  open: () => ({
    play(input) {
      const before = hex(input);
      const message = decodeMessage(input);
      assert.equal(hex(input), before);
      assert.equal(message.maskedMessage.length, input.length);
      assert.ok(message.problems.length <= 1);
      let end = 17;
      for (const { place, length, value } of message.fields) {
        assert.ok(place.from === end + 1 && place.to <= input.length && value.length === length);
        end = place.to;
      }
      assert.ok((lastFourOf(message) ?? '').length <= 4);
      JSON.stringify(describeMessage(message));
      for (const profile of profiles) {
        const traced = traceFields(message, profile, 'EUR');
        assert.ok(traced.length <= 100);
        for (const [, text] of traced) assert.ok(text.length <= 400);
      }
      assert.ok(tracedHex(input, message).length <= Math.max(0, input.length * 3 - 1));
      const verdicts = profiles.map((profile) => {
        const notice = noticeIn(message, profile);
        const { verdict, text } = resultOf(message, 'sale', profile);
        assert.ok(text.length < 100);
        if (verdict === 'approved') {
          assert.ok(sameBytes(input.subarray(14, 16), fromHex('3030')));
          assert.ok(message.fields.some(({ type, length }) => type === '01' && length > 0));
        }
        return notice === null ? verdict : notice.step;
      });
      return `${verdicts.join(' ')}, ${message.problems[0]?.split(/\d/)[0] ?? 'whole'}, ${Math.min(message.fields.length, 3)}`;
    },
    close() {},
  }),
};

/** Most inputs are as short as frames are; only now and then one is as long as it can be. */
function bounded(random: Random, input: Uint8Array): Uint8Array {
  return random.chance(longShare) ? input : input.subarray(0, usualBytes);
}

/** Feeds the same bytes whole and in pieces. Gives what was found, in words. */
function readAlike(whole: EdcFrameParser, cut: EdcFrameParser, input: Uint8Array): string {
  const at = ((input[0] ?? 0) * 7 + input.length) % (input.length + 1);
  const pieces = [input.subarray(0, at), input.subarray(at, at + 1), input.subarray(at + 1)];
  const withoutNoise = (events: readonly EdcFrameEvent[]) =>
    events.filter(({ kind }) => kind !== 'discarded');
  const found = withoutNoise(whole.push(input));
  const inPieces = withoutNoise(pieces.flatMap((piece) => cut.push(piece)));
  assert.equal(inPieces.length, found.length);
  for (const [index, event] of found.entries()) {
    const other = inPieces[index];
    assert.equal(other?.kind, event.kind);
    if (event.kind !== 'message' || other?.kind !== 'message') continue;
    assert.ok(sameBytes(event.message, other.message) && event.message.length <= maxMessageBytes);
    decodeMessage(event.message);
  }
  assert.equal(cut.insideFrame, whole.insideFrame);
  return (
    [...new Set(found.map(({ kind }) => kind))].toSorted().join(', ') + (whole.insideFrame ? ', begun' : '')
  );
}

/** After the time that a frame may break off for, the parser is as new. */
function readsNext(parser: EdcFrameParser, frame: Uint8Array) {
  parser.reset();
  const events = parser.push(frame);
  const [event] = events;
  assert.ok(events.length === 1 && event?.kind === 'message' && sameBytes(event.message, good));
  assert.equal(parser.insideFrame, false);
}
