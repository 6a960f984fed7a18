import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createFrameParser,
  encodeFrame,
  maxMessageBytes,
  readFrame,
  type EdcFrameEvent,
  type EdcFrameParser,
} from '../../../../../src/bridge/terminals/ecr-edc/wire/frames.ts';
import { encodeMessage } from '../../../../../src/bridge/terminals/ecr-edc/wire/messages.ts';
import { concatBytes, fromHex, hex } from '../../../../../src/bridge/terminals/framing/index.ts';

/** Rich in bytes that mean something to the framing. */
const awkwardByte = fc.oneof(fc.constantFrom(0x02, 0x03, 0x06, 0x15, 0x1c), fc.integer({ min: 0, max: 255 }));
const values = fc.array(awkwardByte, { maxLength: 60 }).map((bytes) => Uint8Array.from(bytes));
const messages = fc.array(values, { maxLength: 8 }).map((all) =>
  encodeMessage({
    requestResponse: '1',
    txCode: '20',
    fields: all.map((value, at) => [`Z${at}`, value] as const),
  }),
);
const dialects = fc.boolean();
const asEvents = (all: readonly Uint8Array[]): EdcFrameEvent[] =>
  all.map((message) => ({ kind: 'message', message }));

function inPieces(parser: EdcFrameParser, bytes: Uint8Array, cuts: readonly number[]): EdcFrameEvent[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).flatMap((end, index) => parser.push(bytes.subarray(places[index], end)));
}

const settlement = encodeMessage({ requestResponse: '0', txCode: '50' });
const frame = encodeFrame(settlement, false);

describe('frames of ECR-EDC', () => {
  it('round trip for every message, in any pieces, in both kinds of LRC', () => {
    fc.assert(
      fc.property(
        fc.array(messages, { maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        dialects,
        (all, cuts, stx) => {
          const parser = createFrameParser(stx);
          const bytes = concatBytes(...all.map((message) => encodeFrame(message, stx)));
          expect(inPieces(parser, bytes, cuts)).toStrictEqual(asEvents(all));
          expect(parser.insideFrame).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('may be as long as the limit, and not longer', () => {
    const longest = new Uint8Array(maxMessageBytes).fill(0x03);
    expect(createFrameParser(false).push(encodeFrame(longest, false))).toStrictEqual(asEvents([longest]));
    expect(() => encodeFrame(new Uint8Array(maxMessageBytes + 1), false)).toThrow('too long');
  });

  it.each([
    ['no BCD', '02003a'],
    ['less than any message', '020017'],
    ['more than the limit', '024097'],
  ])('with a length that is %s are skipped to the next pause', (_what, begin) => {
    const parser = createFrameParser(false);
    const events = parser.push(concatBytes(fromHex(begin), fromHex('0615'), frame));
    expect(events).toStrictEqual([{ kind: 'discarded', count: frame.length + 2 }]);
    expect(parser.insideFrame).toBe(true);
    parser.reset();
    expect(parser.insideFrame).toBe(false);
    expect(parser.push(frame)).toStrictEqual(asEvents([settlement]));
  });

  it('say what is wrong with a bad LRC at once, so that the terminal can repeat it at once', () => {
    const bad = Uint8Array.from(frame);
    bad[bad.length - 1] = (bad.at(-1) ?? 0) ^ 0xff;
    const parser = createFrameParser(false);
    expect(parser.push(concatBytes(bad, frame))).toStrictEqual([
      { kind: 'damaged', reason: 'bad LRC: expected 35, found ca' },
      ...asEvents([settlement]),
    ]);
  });

  it('are found behind noise, in which no byte is an answer', () => {
    const parser = createFrameParser(false);
    expect(parser.push(concatBytes(fromHex('00ff0615'), frame, fromHex('06')))).toStrictEqual([
      { kind: 'discarded', count: 4 },
      ...asEvents([settlement]),
      { kind: 'ack' },
    ]);
    parser.push(fromHex('7f'));
    expect(parser.insideFrame).toBe(true);
  });

  it('are forgotten at a pause, at every byte', () => {
    for (let cut = 1; cut < frame.length; cut += 1) {
      const parser = createFrameParser(false);
      parser.push(frame.subarray(0, cut));
      expect(parser.insideFrame).toBe(true);
      parser.reset();
      expect(parser.push(concatBytes(fromHex('15'), frame))).toStrictEqual([
        { kind: 'nak' },
        ...asEvents([settlement]),
      ]);
    }
  });

  it('come of random bytes only with a good LRC', () => {
    fc.assert(
      fc.property(fc.array(awkwardByte, { maxLength: 300 }), dialects, (noise, stx) => {
        const bytes = Uint8Array.from(noise);
        for (const event of createFrameParser(stx).push(bytes))
          expect(hex(bytes)).toContain(event.kind === 'message' ? hex(encodeFrame(event.message, stx)) : '');
      }),
      { numRuns: 60 },
    );
  });
});

describe('readFrame', () => {
  const error = (given: string | Uint8Array, stx: boolean | null = null) => {
    const reading = readFrame(typeof given === 'string' ? fromHex(given) : given, stx);
    return reading.ok ? null : reading.error;
  };

  it('tries the LRC without STX first, then with it, and says which fitted', () => {
    for (const stx of [false, true])
      expect(readFrame(encodeFrame(settlement, stx), null)).toMatchObject({ ok: true, lrcIncludesStx: stx });
    expect(error(encodeFrame(settlement, true), false)).toBe('bad LRC: expected 35, found 37');
    expect(error(encodeFrame(settlement, false), true)).toBe('bad LRC: expected 37, found 35');
  });

  it('takes an ACK before the frame', () => {
    expect(readFrame(concatBytes(fromHex('06'), frame), null)).toMatchObject({ ok: true });
  });

  it.each([
    ['06', '06 is a transport answer (ACK), not a frame'],
    ['15', '15 is a transport answer (NAK), not a frame'],
    ['36', 'a frame begins with 02'],
    ['820100', 'a frame that begins with 82 is for e-tax documents, not for payments'],
    ['0200', 'truncated frame: its length is missing'],
    ['02001a', 'the length 001a is not BCD'],
    ['020018', 'truncated frame: with 18 bytes of message it has 23 bytes, found 3'],
  ])('says what is wrong with %s', (given, said) => {
    expect(error(given)).toBe(said);
  });

  it('says what is wrong with its end', () => {
    expect(error(concatBytes(frame, fromHex('06')))).toBe(
      'length mismatch: 1 bytes follow after the end of the frame',
    );
    const long = encodeFrame(
      encodeMessage({ requestResponse: '0', txCode: '50', fields: [['HN', '999']] }),
      false,
    );
    long[2] = 0x20;
    expect(error(long)).toBe('length mismatch: behind 20 bytes of message stands 00, not 03');
  });
});
