import { describe, expect, it } from 'vitest';
import { fromHex, hex } from '../../src/bridge/terminals/framing/index.ts';
import {
  createParser,
  decodeMessage,
  encodeFrame,
  encodeMessage,
  transbankDecoder,
} from '../../src/bridge/terminals/transbank/wire/index.ts';
import { damages, inPieces, vectorsOf } from './frame-kit.ts';

const vectors = vectorsOf('transbank');
const named = vectors.map((vector) => [vector.id, vector] as const);
const textOf = (frame: Uint8Array) => frame.subarray(1, -2);
const options = { framing: 'serial' };

describe('the golden vectors of Transbank', () => {
  it('are all here', () => {
    expect(vectors).toHaveLength(13);
  });

  it.each(named)('%s decodes to what it says, without the account number', (_id, vector) => {
    const { fields, parts, ...rest } = vector.decoded;
    const { accountNumber, ...shown } = (fields ?? {}) as Record<string, string>;
    expect(transbankDecoder.decode(fromHex(vector.hex), options)).toStrictEqual({
      ok: true,
      decoded: {
        ...rest,
        ...(fields === undefined ? {} : { fields: shown }),
        ...(accountNumber === undefined ? { parts } : {}),
      },
    });
  });

  it.each(named)('%s is one frame, wherever it is split', (_id, { hex: digits }) => {
    const frame = fromHex(digits);
    const whole = {
      events: [{ kind: 'frame', data: textOf(frame), lrc: frame.at(-1) }],
      insideFrame: false,
    };
    for (const found of inPieces(createParser, frame)) expect(found).toStrictEqual(whole);
  });

  it.each(named)('%s encodes to the same bytes', (_id, { hex: digits, direction }) => {
    const frame = fromHex(digits);
    const way = direction === 'ecr->terminal' ? 'to_terminal' : 'from_terminal';
    const message = decodeMessage(textOf(frame), way);
    expect(hex(encodeFrame(textOf(frame)))).toBe(digits);
    // Neither can be put together again: one lacks its last fields, the other has dropped its account number.
    if (message.values.ticket === '' || message.places.has('accountNumber')) return;
    const encoded = encodeMessage(message);
    expect(encoded.ok && hex(encodeFrame(encoded.data))).toBe(digits);
  });
});

describe.each(named)('one wrong bit in the frame of %s', (_id, { hex: digits }) => {
  const frame = fromHex(digits);
  const good = fromHex('02303130300302');

  it('is never read as a frame, nor as a NAK', () => {
    const all = [...damages(frame)];
    const offences = all.filter(({ bytes }) =>
      createParser()
        .push(bytes)
        .some(({ kind }) => kind === 'frame' || kind === 'nak'),
    );
    expect(all).toHaveLength(frame.length * 8);
    expect(offences).toStrictEqual([]);
  });

  it('is read as an ACK only where it makes one of the first byte, and the rest is damaged then', () => {
    const acks = [...damages(frame)].flatMap(({ place, bytes }) => {
      const kinds = createParser()
        .push(bytes)
        .map(({ kind }) => kind);
      return kinds.includes('ack') ? [{ place, kinds }] : [];
    });
    expect(acks).toStrictEqual([{ place: 'bit 2 of byte 0', kinds: ['ack', 'damaged'] }]);
  });

  it('does not hide the next good frame', () => {
    const offences = [...damages(frame)].filter(({ bytes }) => {
      const parser = createParser();
      parser.push(bytes);
      if (parser.insideFrame) parser.reset();
      const events = parser.push(good);
      return events.length !== 1 || events[0]?.kind !== 'frame';
    });
    expect(offences).toStrictEqual([]);
  });

  it('is an error of the decode command', () => {
    const offences = [...damages(frame)].filter(({ bytes }) => {
      const read = transbankDecoder.decode(bytes, options);
      return read.ok || read.error.length < 10;
    });
    expect(offences).toStrictEqual([]);
  });
});
