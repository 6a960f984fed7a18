import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  decodeHex,
  hex,
  createSerialParser,
  type FrameEvent,
} from '../../src/bridge/terminals/zvt/wire/index.ts';
import { damages } from './frame-kit.ts';
import { apduOf, serialFrameOf, vectors } from './vectors.ts';

const good = vectors[0];
if (good === undefined) throw new Error('there are no vectors');
const goodEvents = [{ kind: 'apdu', apdu: apduOf(good) }];

describe.each(vectors.map((vector) => [vector.id, vector] as const))(
  'one wrong bit in the serial frame of %s',
  (_id, vector) => {
    const all = [...damages(serialFrameOf(vector))];

    it('is never taken for a message or a transport answer, and gets one NAK', () => {
      const offences = all.filter(({ bytes }) => {
        const parser = createSerialParser();
        const kinds = parser.push(bytes).map(({ kind }) => kind);
        // The session says NAK to `damaged`, and when T1 runs out inside a frame: one of the two, not both.
        const naks = kinds.filter((kind) => kind === 'damaged').length + (parser.insideFrame ? 1 : 0);
        return naks !== 1 || kinds.some((kind) => kind !== 'damaged' && kind !== 'discarded');
      });
      expect(all).toHaveLength(serialFrameOf(vector).length * 8);
      expect(offences).toStrictEqual([]);
    });

    it('is found just the same when the bytes come one by one', () => {
      const offences = all.filter(({ bytes }) => {
        const atOnce = createSerialParser();
        const oneByOne = createSerialParser();
        const events = Array.from(bytes, (byte) => oneByOne.push(Uint8Array.of(byte))).flat();
        const important = (list: readonly FrameEvent[]) => list.filter(({ kind }) => kind !== 'discarded');
        const same = isDeepStrictEqual(important(events), important(atOnce.push(bytes)));
        return !same || oneByOne.insideFrame !== atOnce.insideFrame;
      });
      expect(offences).toStrictEqual([]);
    });

    it('does not hide the next good frame', () => {
      const offences = all.filter(({ bytes }) => {
        const parser = createSerialParser();
        parser.push(bytes);
        if (parser.insideFrame) parser.reset();
        return !isDeepStrictEqual(parser.push(serialFrameOf(good)), goodEvents);
      });
      expect(offences).toStrictEqual([]);
    });

    it('is an error of the decode command', () => {
      const offences = all.filter(({ bytes }) => {
        const result = decodeHex(hex(bytes), { framing: 'serial' });
        return result.ok || result.error.length < 10;
      });
      expect(offences).toStrictEqual([]);
    });
  },
);
