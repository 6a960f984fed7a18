import { describe, expect, it } from 'vitest';
import { fromHex, hex } from '../../src/bridge/terminals/framing/index.ts';
import {
  createParser,
  decodeMessage,
  ecr17Decoder,
  encodeAnswer,
  encodeFrame,
  encodeMessage,
  encodeProgress,
  lrcRanges,
  type LrcRange,
} from '../../src/bridge/terminals/ecr17/wire/index.ts';
import { damages, inPieces, vectorsOf } from './frame-kit.ts';

const vectors = vectorsOf('ecr17');
const named = vectors.map((vector) => [vector.id, vector] as const);
const messages = vectors.filter(({ decoded }) => decoded['kind'] === 'application');
const namedMessages = messages.map((vector) => [vector.id, vector] as const);
const rangeOf = ({ decoded }: (typeof vectors)[number]) => decoded['lrcRange'] as LrcRange;
const textOf = (frame: Uint8Array) => frame.subarray(1, -2);
const decode = (bytes: Uint8Array) => ecr17Decoder.decode(bytes, { framing: 'frame' });
const all = new Uint8Array(Buffer.concat(vectors.map((vector) => fromHex(vector.hex))));

describe('the golden vectors of ECR17', () => {
  it('are all here, with each of the ranges of the LRC but one', () => {
    expect(vectors).toHaveLength(25);
    expect(new Set(messages.map(rangeOf))).toStrictEqual(new Set(['stx+etx', 'etx', 'std']));
  });

  it.each(named)('%s decodes to exactly what it says', (_id, vector) => {
    expect(decode(fromHex(vector.hex))).toStrictEqual({ ok: true, decoded: vector.decoded });
  });

  it.each(named)('%s is one packet, wherever it is split', (_id, { hex: digits, decoded }) => {
    const found = inPieces(createParser, fromHex(digits));
    const kind = decoded['kind'] === 'application' ? 'frame' : decoded['kind'];
    for (const { events, insideFrame } of found) {
      expect(events).toStrictEqual(found[0]?.events);
      expect({ kinds: events.map((event) => event.kind), insideFrame }).toStrictEqual({
        kinds: [kind],
        insideFrame: false,
      });
    }
  });

  it('are read one after the other in one piece', () => {
    expect(createParser().push(all)).toHaveLength(vectors.length);
    const read = decode(all);
    expect(read.ok && read.decoded['packets']).toStrictEqual(
      vectors.map(({ decoded: { kind, code } }) => (code === undefined ? { kind } : { kind, code })),
    );
  });

  it.each(namedMessages)('%s encodes to the same bytes', (_id, vector) => {
    const frame = fromHex(vector.hex);
    const message = decodeMessage(textOf(frame));
    expect(message.complete).toBe(true);
    expect(message.direction).toBe(vector.direction === 'ecr->terminal' ? 'to_terminal' : 'from_terminal');
    const encoded = encodeMessage({ ...message, length: frame.length - 3 });
    const sent = encoded.ok ? hex(encodeFrame(encoded.data, rangeOf(vector))) : encoded.error;
    // Of a card number only four digits can be sent again.
    const { panLast4 } = message.values;
    if (panLast4 === undefined) expect(sent).toBe(vector.hex);
    else expect(sent.slice(2 + 2 * 31, -4)).toBe(vector.hex.slice(2 + 2 * 31, -4));
  });

  it('say what answers and progress are like', () => {
    expect([hex(encodeAnswer('ack')), hex(encodeAnswer('nak'))]).toStrictEqual(['06037a', '150369']);
    const progress = vectors.find(({ decoded }) => decoded['kind'] === 'progress');
    expect(hex(encodeProgress('ELABORAZIONE...'))).toBe(progress?.hex);
    expect(encodeProgress('ATTENDERE\u0004 PREGO, E ANCORA')).toHaveLength(22);
  });
});

describe.each(lrcRanges)('with the LRC of range %s', (range) => {
  const frames = messages.map(({ hex: digits }) => encodeFrame(textOf(fromHex(digits)), range));

  it('messages are taken, by a receiver of any range and by one of this', () => {
    for (const frame of frames)
      for (const parser of [createParser(), createParser(range)])
        expect(parser.push(frame)).toMatchObject([{ kind: 'frame', lrcRange: range }]);
  });

  it('messages are damaged for a receiver of another', () => {
    for (const other of lrcRanges.filter((one) => one !== range))
      expect(createParser(other).push(frames[0] ?? new Uint8Array())).toMatchObject([{ kind: 'damaged' }]);
  });
});

describe.each(namedMessages)('one wrong bit in the packet of %s', (_id, vector) => {
  const frame = fromHex(vector.hex);
  const bad = [...damages(frame)];
  const range = rangeOf(vector);

  it('is refused by a receiver that knows the range, and is no answer', () => {
    const offences = bad.filter(({ bytes }) =>
      createParser(range)
        .push(bytes)
        .some(({ kind }) => kind === 'frame' || kind === 'ack' || kind === 'nak'),
    );
    expect(bad).toHaveLength(frame.length * 8);
    expect(offences).toStrictEqual([]);
  });

  it('is at most taken for another range by one that does not', () => {
    const offences = bad.filter(({ bytes }) =>
      createParser()
        .push(bytes)
        .some((event) => event.kind === 'frame' && event.lrcRange === range),
    );
    expect(offences).toStrictEqual([]);
  });

  it('does not hide the next good packet', () => {
    const good = fromHex('0230303030303030303073033d');
    const offences = bad.filter(({ bytes }) => {
      const parser = createParser();
      parser.push(bytes);
      if (parser.insideFrame) parser.reset();
      const events = parser.push(good);
      return events.length !== 1 || events[0]?.kind !== 'frame';
    });
    expect(offences).toStrictEqual([]);
  });

  it('is an error of the decode command, not valid, or another range', () => {
    const offences = bad.filter(({ bytes }) => {
      const read = decode(bytes);
      return read.ok && read.decoded['valid'] !== false && read.decoded['lrcRange'] === range;
    });
    expect(offences).toStrictEqual([]);
  });
});

describe.each(['06037a', '150369'])('one wrong bit in the answer %s', (digits) => {
  it('is harmless: no other answer, no message', () => {
    const [own] = createParser().push(fromHex(digits));
    const offences = [...damages(fromHex(digits))].filter(({ bytes }) =>
      createParser()
        .push(bytes)
        .some(({ kind }) => kind !== 'discarded' && kind !== 'damaged' && kind !== own?.kind),
    );
    expect(offences).toStrictEqual([]);
  });
});

describe('a message whose LRC fits no range', () => {
  it('is shown as not valid', () => {
    expect(decode(fromHex('02303030303030303030730300'))).toStrictEqual({
      ok: true,
      decoded: {
        kind: 'application',
        code: 's',
        terminalId: '00000000',
        length: 10,
        fields: {},
        lrc: '00',
        lrcRange: null,
        valid: false,
      },
    });
  });

  it.each(['0230', '06', '0603', 'ff', '0203', '30300331', '02303030ff'])('%s is no packet', (digits) => {
    const read = decode(fromHex(digits));
    expect(read.ok ? '' : read.error).toMatch(/frame/);
  });
});
