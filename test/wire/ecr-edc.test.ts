import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  createFrameParser,
  decodeMessage,
  ecrEdcDecoder,
  edcProfile,
  encodeFrame,
  encodeMessage,
  type EdcFrameEvent,
  type MessageParts,
} from '../../src/bridge/terminals/ecr-edc/wire/index.ts';
import { fromHex, hex } from '../../src/bridge/terminals/framing/index.ts';
import { damages, inPieces, vectorsOf, type WireVector } from './frame-kit.ts';

interface FieldShown {
  type: string;
  length: number;
  value?: string;
  hex?: string;
}
const vectors = vectorsOf('ecr-edc');
const named = vectors.map((vector) => [vector.id, vector] as const);
const cardData = new Set(['30', '31', 'D5']);

const shownFields = ({ decoded }: WireVector) => decoded['fields'] as FieldShown[];
const includesStx = ({ profile }: WireVector) => edcProfile(profile ?? '')?.lrcIncludesStx ?? false;
const messageOf = (vector: WireVector) => fromHex(vector.hex).slice(3, -2);
/** What may be shown of a vector: of card data only type and length. */
const shown = (vector: WireVector) => ({
  ...vector.decoded,
  fields: shownFields(vector).map(({ type, length, ...rest }) =>
    cardData.has(type) ? { type, length } : { type, length, ...rest },
  ),
});
const complete = vectors.filter((vector) => !shownFields(vector).some(({ type }) => cardData.has(type)));

describe('the golden vectors of ECR-EDC', () => {
  it('are all here', () => {
    expect(vectors).toHaveLength(13);
    expect(complete).toHaveLength(12);
  });

  it.each(named)('%s decodes to exactly what it says, with and without its profile', (_id, vector) => {
    const bytes = fromHex(vector.hex);
    const expected = { ok: true, decoded: shown(vector) };
    expect(ecrEdcDecoder.decode(bytes, { framing: 'serial' })).toStrictEqual(expected);
    expect(ecrEdcDecoder.decode(bytes, { framing: 'serial', profile: vector.profile })).toStrictEqual(
      expected,
    );
  });

  it.each(complete.map((vector) => [vector.id, vector] as const))(
    '%s encodes to the same bytes',
    (_id, vector) => {
      const { decoded } = vector;
      const message = encodeMessage({
        transport: String(decoded['transport']),
        formatVersion: decoded['formatVersion'] === '01' ? 0x01 : 0x31,
        requestResponse: decoded['requestResponse'] as MessageParts['requestResponse'],
        txCode: String(decoded['txCode']),
        responseCode: String(decoded['responseCode']),
        more: decoded['more'] === '1' ? '1' : '0',
        fields: shownFields(vector).map(({ type, value = '' }) => [type, value]),
      });
      expect(hex(encodeFrame(message, includesStx(vector)))).toBe(vector.hex);
    },
  );
});

describe('a frame of ECR-EDC on the line', () => {
  const whole = (vector: WireVector): EdcFrameEvent[] => [{ kind: 'message', message: messageOf(vector) }];

  it.each(named)('%s is one message, wherever it is split', (_id, vector) => {
    const readings = inPieces(() => createFrameParser(includesStx(vector)), fromHex(vector.hex));
    for (const reading of readings)
      expect(reading).toStrictEqual({ events: whole(vector), insideFrame: false });
  });

  it.each(named)('%s is not read by a parser of the other LRC', (_id, vector) => {
    const parser = createFrameParser(!includesStx(vector));
    expect(parser.push(fromHex(vector.hex)).map(({ kind }) => kind)).toStrictEqual(['damaged']);
  });

  it.each(named)('%s with one wrong bit gets one NAK, and the next frame is read', (_id, vector) => {
    const all = [...damages(fromHex(vector.hex))];
    const offences = all.filter(({ bytes }) => {
      const parser = createFrameParser(includesStx(vector));
      const kinds = parser.push(bytes).map(({ kind }) => kind);
      // STX may become an ACK or a NAK; all that follows is noise, for which a NAK is said.
      const answers = kinds.filter((kind) => kind === 'ack' || kind === 'nak').length;
      const naks = kinds.filter((kind) => kind === 'damaged').length + (parser.insideFrame ? 1 : 0);
      const isStx = bytes[0] === 0x06 || bytes[0] === 0x15;
      parser.reset();
      const next = parser.push(fromHex(vector.hex));
      return (
        naks !== 1 ||
        answers !== (isStx ? 1 : 0) ||
        kinds.includes('message') ||
        !isDeepStrictEqual(next, whole(vector))
      );
    });
    expect(all).toHaveLength(vector.hex.length * 4);
    expect(offences).toStrictEqual([]);
  });

  it.each(named)('%s with one wrong bit is an error of the decode command with a profile', (_id, vector) => {
    const offences = [...damages(fromHex(vector.hex))].filter(({ bytes }) => {
      const reading = ecrEdcDecoder.decode(bytes, { framing: 'serial', profile: vector.profile });
      return reading.ok || reading.error.length < 10;
    });
    expect(offences).toStrictEqual([]);
  });

  it('all of them are read when glued together, with an ACK before each', () => {
    const ours = vectors.filter((vector) => !includesStx(vector));
    const glued = Uint8Array.from(ours.flatMap((vector) => [0x06, ...fromHex(vector.hex)]));
    const events = createFrameParser(false).push(glued);
    expect(events).toStrictEqual(ours.flatMap((vector) => [{ kind: 'ack' }, ...whole(vector)]));
  });

  it('leaves nothing that could not be understood', () => {
    for (const vector of vectors) expect(decodeMessage(messageOf(vector)).problems).toStrictEqual([]);
  });
});
