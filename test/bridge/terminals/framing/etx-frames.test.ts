import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createEtxParser,
  encodeEtxFrame,
  fromHex,
  readSingle,
  xorLrc,
  type EtxEvent,
  type StreamParser,
} from '../../../../src/bridge/terminals/framing/index.ts';

const maxDataBytes = 40;
const faultOf = (data: Uint8Array, lrc: number) => (xorLrc(data) === lrc ? null : 'bad LRC');
const plain = () => createEtxParser({ faultOf, maxDataBytes });
const full = () => createEtxParser({ faultOf, maxDataBytes, checkedAnswers: true, progress: true });
const frameOf = (data: Uint8Array) => encodeEtxFrame(data, xorLrc(data));
const ascii = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const kinds = (events: readonly EtxEvent[]) => events.map(({ kind }) => kind);
const glue = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** Texts whose check byte is often one that means something to the framing. */
const texts = fc
  .array(
    fc.oneof(fc.constantFrom(0x7c, 0x30, 0x31, 0x06, 0x15, 0x1b), fc.integer({ min: 0x20, max: 0x7f })),
    {
      minLength: 1,
      maxLength: maxDataBytes,
    },
  )
  .map((bytes) => Uint8Array.from(bytes));

function pushInPieces(parser: StreamParser<EtxEvent>, bytes: Uint8Array, cuts: readonly number[]) {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other)];
  return places.flatMap((from, index) => parser.push(bytes.subarray(from, places[index + 1])));
}

describe.each([
  { line: 'single answers', parser: plain },
  { line: 'answers with a check byte, and progress', parser: full },
])('frames between STX and ETX: $line', ({ parser }) => {
  it('round trip for every text, in any pieces', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 3 }), fc.array(fc.nat(), { maxLength: 5 }), (all, cuts) => {
        const one = parser();
        expect(pushInPieces(one, glue(...all.map(frameOf)), cuts)).toStrictEqual(
          all.map((data) => ({ kind: 'frame', data, lrc: xorLrc(data) })),
        );
        expect(one.insideFrame).toBe(false);
      }),
    );
  });

  it.each([0x02, 0x03, 0x06, 0x15, 0x01, 0x04, 0x00])('may have %d as their check byte', (lrc) => {
    const data = Uint8Array.of(0x41, 0x41 ^ lrc ^ 0x20, 0x20);
    expect(xorLrc(data)).toBe(lrc);
    expect(kinds(parser().push(glue(frameOf(data), frameOf(data))))).toStrictEqual(['frame', 'frame']);
  });

  it('begin anew at STX: one that was cut is dropped for the one behind it', () => {
    const frame = frameOf(ascii('0200|1'));
    for (let cut = 1; cut < frame.length - 1; cut += 1)
      expect(parser().push(glue(frame.subarray(0, cut), frame))).toStrictEqual([
        { kind: 'discarded', count: cut },
        { kind: 'frame', data: ascii('0200|1'), lrc: frame.at(-1) },
      ]);
  });

  it('that lost their first byte are skipped with their check byte, which is no NAK', () => {
    const data = ascii('Aa5');
    expect(xorLrc(data)).toBe(0x15);
    expect(parser().push(frameOf(data).subarray(1))).toStrictEqual([
      { kind: 'damaged', reason: 'a frame lost its first byte' },
    ]);
  });

  it('that are too long are skipped up to their end, and no more is kept', () => {
    const one = parser();
    expect(one.push(glue(fromHex('02'), new Uint8Array(100_000).fill(0x15)))).toStrictEqual([]);
    expect(one.insideFrame).toBe(true);
    expect(one.push(fromHex('0306'))).toStrictEqual([
      { kind: 'damaged', reason: 'a frame is longer than 40 bytes' },
    ]);
    expect(kinds(one.push(frameOf(ascii('A'))))).toStrictEqual(['frame']);
  });

  it('are forgotten after a gap, at every byte', () => {
    const frame = frameOf(ascii('0100'));
    for (let cut = 1; cut < frame.length; cut += 1) {
      const one = parser();
      one.push(frame.subarray(0, cut));
      expect(one.insideFrame).toBe(true);
      one.reset();
      expect(one.insideFrame).toBe(false);
      expect(kinds(one.push(frame))).toStrictEqual(['frame']);
    }
  });

  it('are found after any bytes once the gap has passed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
        const one = parser();
        one.push(noise);
        one.reset();
        expect(kinds(one.push(frameOf(ascii('0100'))))).toStrictEqual(['frame']);
      }),
    );
  });
});

describe('single answers', () => {
  it('count between frames only', () => {
    const data = Uint8Array.of(0x41, 0x06, 0x15);
    expect(kinds(plain().push(glue(fromHex('06'), frameOf(data), fromHex('1506'))))).toStrictEqual([
      'ack',
      'frame',
      'nak',
      'ack',
    ]);
  });
});

describe('answers with a check byte', () => {
  it('take two bytes more, and say the last', () => {
    expect(full().push(fromHex('06037a150369'))).toStrictEqual([
      { kind: 'ack', check: 0x7a },
      { kind: 'nak', check: 0x69 },
    ]);
  });

  it('are none where no ETX follows', () => {
    expect(kinds(full().push(glue(fromHex('1506'), frameOf(ascii('A')))))).toStrictEqual([
      'discarded',
      'frame',
    ]);
  });
});

describe('progress', () => {
  it('comes between frames', () => {
    const data = ascii('ATTENDERE PREGO     ');
    const sent = glue(fromHex('06037a01'), data, fromHex('04'), frameOf(ascii('A')));
    expect(full().push(sent)).toStrictEqual([
      { kind: 'ack', check: 0x7a },
      { kind: 'progress', data },
      { kind: 'frame', data: ascii('A'), lrc: 0x41 },
    ]);
  });

  it('that broke off does not swallow the result behind it', () => {
    expect(kinds(full().push(glue(fromHex('014142'), frameOf(ascii('A')))))).toStrictEqual([
      'discarded',
      'frame',
    ]);
    // Its first byte is lost.
    expect(kinds(full().push(glue(fromHex('414204'), frameOf(ascii('A')))))).toStrictEqual([
      'discarded',
      'frame',
    ]);
  });

  it('is nothing where the protocol has none', () => {
    expect(kinds(plain().push(glue(fromHex('0104'), frameOf(ascii('A')))))).toStrictEqual([
      'discarded',
      'frame',
    ]);
  });
});

describe('a frame that a tool is given', () => {
  it.each([
    ['0241', 'truncated frame: 2 bytes without an end'],
    ['ff41', 'no frame begins with ff'],
    ['02410341ff', 'damaged frame: there are bytes that do not belong to it'],
    ['0241034102', 'damaged frame: there are bytes that do not belong to it'],
    ['02410342', 'damaged frame: bad LRC'],
    ['', 'no frame begins with '],
  ])('%s: %s', (digits, error) => {
    expect(readSingle(plain(), fromHex(digits), [0x02])).toStrictEqual({ ok: false, error });
  });
});
