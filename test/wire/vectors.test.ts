import { describe, expect, it } from 'vitest';
import {
  fromHex,
  hex,
  decodeHex,
  describeMessage,
  maskedHex,
  createSerialParser,
  createTcpParser,
  encodeSerialFrame,
  type FrameEvent,
  type FrameParser,
  decodeMessage,
  encodeMessage,
} from '../../src/bridge/terminals/zvt/wire/index.ts';
import { apduOf, serialFrameOf, vectors, type Vector } from './vectors.ts';

const named = vectors.map((vector) => [vector.id, vector] as const);

/** Card data is not in the vectors; everything else can be put together again. */
const complete = vectors.filter(
  ({ decoded }) => !(decoded.bmps ?? []).some(([tag, value]) => tag !== '06' && value === null),
);

describe('the golden vectors', () => {
  it('are all here', () => {
    expect(vectors).toHaveLength(43);
    expect(vectors.filter(({ framing }) => framing === 'serial')).toHaveLength(12);
  });

  it.each(named)('%s decodes to exactly what it says', (_id, vector) => {
    expect(decodeHex(vector.hex, { framing: vector.framing, encoding: vector.textEncoding })).toStrictEqual({
      ok: true,
      decoded: vector.decoded,
    });
  });

  it.each(named)('%s decodes the same from its bare APDU', (_id, vector) => {
    const { apdu: _apdu, crcLoHi: _crc, ...decoded } = vector.decoded as Record<string, unknown>;
    const message = decodeMessage(apduOf(vector), { encoding: vector.textEncoding });
    expect(message.problems).toStrictEqual([]);
    expect(describeMessage(message, vector.textEncoding)).toStrictEqual(decoded);
    expect(maskedHex(message)).toBe(hex(apduOf(vector)));
  });

  it('name every message of the cash register as one that can be encoded', () => {
    const ours = vectors.filter(({ direction }) => direction === 'ecr->terminal');
    expect(ours.filter((vector) => !complete.includes(vector))).toStrictEqual([]);
    expect(complete).toHaveLength(vectors.length - 2);
  });

  it.each(complete.map((vector) => [vector.id, vector] as const))(
    '%s encodes to the same bytes',
    (_id, vector) => {
      const { ctrl, positional, bmps, tlv } = vector.decoded;
      const apdu = encodeMessage({ ctrl, positional, bitmaps: bmps, tlv, encoding: vector.textEncoding });
      expect(hex(apdu)).toBe(hex(apduOf(vector)));
      expect(hex(vector.framing === 'serial' ? encodeSerialFrame(apdu) : apdu)).toBe(vector.hex);
    },
  );
});

describe('a frame whose length byte is doubled, and the call for the last record', () => {
  it.each([
    ['1002060010101234 56be0978030106062604 0a0206d3100378b5', '060010123456be09780301060626040a0206d3'],
    ['1002062005123456030310037038', '0620051234560303'],
  ])('%s', (frame, apdu) => {
    expect(hex(encodeSerialFrame(fromHex(apdu)))).toBe(frame.replaceAll(' ', ''));
  });
});

const lines: readonly {
  name: string;
  parser: () => FrameParser;
  bytes: (vector: Vector) => Uint8Array;
}[] = [
  { name: 'serial', parser: createSerialParser, bytes: serialFrameOf },
  { name: 'tcp', parser: createTcpParser, bytes: apduOf },
];

describe.each(lines)('on a $name line', ({ parser, bytes }) => {
  const whole = (vector: Vector): FrameEvent[] => [{ kind: 'apdu', apdu: apduOf(vector) }];

  it.each(named)('%s is one frame, wherever it is split', (_id, vector) => {
    const frame = bytes(vector);
    expect(parser().push(frame)).toStrictEqual(whole(vector));
    for (let cut = 1; cut < frame.length; cut += 1) {
      const pieces = parser();
      expect(pieces.push(frame.subarray(0, cut))).toStrictEqual([]);
      expect(pieces.insideFrame).toBe(true);
      expect(pieces.push(frame.subarray(cut))).toStrictEqual(whole(vector));
      expect(pieces.insideFrame).toBe(false);
    }
    const single = parser();
    const events = Array.from(frame, (byte) => single.push(Uint8Array.of(byte)));
    expect(events.flat()).toStrictEqual(whole(vector));
  });

  it('all of them glued together are read one after the other', () => {
    const glued = Uint8Array.from(vectors.flatMap((vector) => [...bytes(vector)]));
    expect(parser().push(glued)).toStrictEqual(vectors.flatMap(whole));
    const pieces = parser();
    const events: FrameEvent[] = [];
    for (let at = 0; at < glued.length; at += 7) events.push(...pieces.push(glued.subarray(at, at + 7)));
    expect(events).toStrictEqual(vectors.flatMap(whole));
  });
});
