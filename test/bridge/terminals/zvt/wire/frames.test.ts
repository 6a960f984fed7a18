import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildApdu } from '../../../../../src/bridge/terminals/zvt/wire/apdu.ts';
import { fromHex, hex } from '../../../../../src/bridge/terminals/zvt/wire/bytes.ts';
import {
  maxApduBytes,
  type FrameEvent,
  type FrameParser,
} from '../../../../../src/bridge/terminals/zvt/wire/frame-parser.ts';
import {
  crc16Kermit,
  createSerialParser,
  encodeSerialFrame,
} from '../../../../../src/bridge/terminals/zvt/wire/serial-frames.ts';
import { createTcpParser } from '../../../../../src/bridge/terminals/zvt/wire/tcp-frames.ts';

/** APDUs of 0 to 600 data bytes, rich in bytes that mean something to the framing. */
const awkwardByte = fc.oneof(fc.constantFrom(0x10, 0x02, 0x03, 0x06, 0x15), fc.integer({ min: 0, max: 255 }));
const bytesOf = (maxLength: number) =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.array(awkwardByte, { maxLength, size: 'max' }).map((bytes) => Uint8Array.from(bytes)),
    },
    { weight: 1, arbitrary: fc.array(awkwardByte, { maxLength: 20 }).map((bytes) => Uint8Array.from(bytes)) },
  );
const apdus = fc
  .tuple(fc.constantFrom('0601', '0610', '040f', '0603', '1010', '8000', '0615'), bytesOf(600))
  .map(([ctrl, data]) => buildApdu(ctrl, data));
const tcpApdus = apdus.filter((apdu) => apdu[0] !== 0x10);

/** The bytes in pieces, cut where `cuts` say. */
function inPieces(parser: FrameParser, bytes: Uint8Array, cuts: readonly number[]): FrameEvent[] {
  const places = [
    0,
    ...cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other),
    bytes.length,
  ];
  return places.slice(1).flatMap((end, index) => parser.push(bytes.subarray(places[index], end)));
}

const glue = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const apduEvents = (all: readonly Uint8Array[]): FrameEvent[] => all.map((apdu) => ({ kind: 'apdu', apdu }));

describe('serial frames', () => {
  it('round trip for every APDU, in any pieces', () => {
    fc.assert(
      fc.property(fc.array(apdus, { maxLength: 3 }), fc.array(fc.nat(), { maxLength: 6 }), (all, cuts) => {
        const parser = createSerialParser();
        expect(inPieces(parser, glue(...all.map(encodeSerialFrame)), cuts)).toStrictEqual(apduEvents(all));
        expect(parser.insideFrame).toBe(false);
      }),
    );
  });

  it.each([0, 1, 2, 13, 15, 16, 17, 252, 253, 254, 255, 256, 600, 65535])(
    'round trip with %d bytes 10',
    (length) => {
      const apdu = buildApdu('0610', new Uint8Array(length).fill(0x10));
      expect(createSerialParser().push(encodeSerialFrame(apdu))).toStrictEqual(apduEvents([apdu]));
    },
  );

  it('double every 10 of the APDU and no other byte', () => {
    expect(hex(encodeSerialFrame(fromHex('061003100210')))).toMatch(/^10020610100310100210101003....$/);
  });

  it('take ACK and NAK for themselves between frames', () => {
    const apdu = fromHex('800000');
    const bytes = glue(fromHex('06'), encodeSerialFrame(apdu), fromHex('150606'), encodeSerialFrame(apdu));
    expect(
      createSerialParser()
        .push(bytes)
        .map(({ kind }) => kind),
    ).toStrictEqual(['ack', 'apdu', 'nak', 'ack', 'ack', 'apdu']);
  });

  it('are found in noise, and the noise is counted', () => {
    const apdu = fromHex('800000');
    const frame = encodeSerialFrame(apdu);
    expect(createSerialParser().push(glue(fromHex('00ff41'), frame, fromHex('7f')))).toStrictEqual([
      { kind: 'discarded', count: 3 },
      { kind: 'apdu', apdu },
      { kind: 'discarded', count: 1 },
    ]);
    // A lone 10 before a frame is noise, too.
    expect(createSerialParser().push(glue(fromHex('10'), frame))).toStrictEqual([
      { kind: 'discarded', count: 1 },
      { kind: 'apdu', apdu },
    ]);
  });

  it('begin anew at DLE STX: a frame that was cut is dropped for the one behind it', () => {
    const apdu = fromHex('06010704000000002345');
    const frame = encodeSerialFrame(apdu);
    // Cut behind a single 10, the next frame's first 10 would look doubled: that one needs T1, or its repeat.
    for (let cut = 2; cut < frame.length - 3; cut += 1) {
      const events = createSerialParser().push(glue(frame.subarray(0, cut), frame));
      expect(events).toStrictEqual([
        { kind: 'discarded', count: cut },
        { kind: 'apdu', apdu },
      ]);
    }
  });

  it('say what is wrong with a bad CRC, and with a length that does not agree', () => {
    const frame = encodeSerialFrame(fromHex('800000'));
    frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 0xff;
    expect(createSerialParser().push(frame)).toStrictEqual([
      { kind: 'damaged', reason: 'bad CRC: expected f51f, found f5e0 (low byte first)' },
    ]);
    const reason = 'length mismatch: the length field announces 5 bytes of APDU, found 3';
    expect(createSerialParser().push(encodeSerialFrame(fromHex('800002')))).toStrictEqual([
      { kind: 'damaged', reason },
    ]);
    expect(createSerialParser().push(encodeSerialFrame(fromHex('80000000')))[0]?.kind).toBe('damaged');
    expect(createSerialParser().push(encodeSerialFrame(fromHex('8000')))[0]?.kind).toBe('damaged');
  });

  it('take no more than the longest APDU, then skip to the end of the frame', () => {
    const parser = createSerialParser();
    expect(parser.push(fromHex('1002'))).toStrictEqual([]);
    expect(parser.push(new Uint8Array(maxApduBytes))).toStrictEqual([]);
    expect(parser.push(new Uint8Array(1_000_000).fill(0x41))).toStrictEqual([]);
    expect(parser.push(fromHex('10030000'))).toStrictEqual([
      { kind: 'damaged', reason: `a frame is longer than ${maxApduBytes} bytes` },
    ]);
    expect(parser.push(encodeSerialFrame(fromHex('800000')))).toStrictEqual(apduEvents([fromHex('800000')]));
  });

  it('are forgotten when T1 runs out, at every byte', () => {
    const apdu = fromHex('0620051234560303');
    const frame = encodeSerialFrame(apdu);
    for (let cut = 1; cut < frame.length; cut += 1) {
      const parser = createSerialParser();
      parser.push(frame.subarray(0, cut));
      parser.reset();
      expect(parser.insideFrame).toBe(false);
      expect(parser.push(fromHex('06'))).toStrictEqual([{ kind: 'ack' }]);
      expect(parser.push(frame)).toStrictEqual(apduEvents([apdu]));
    }
  });

  it('are found again after any random bytes once T1 has run out', () => {
    const apdu = fromHex('800000');
    fc.assert(
      fc.property(bytesOf(400), (noise) => {
        const parser = createSerialParser();
        parser.push(noise);
        parser.reset();
        expect(parser.push(encodeSerialFrame(apdu))).toStrictEqual(apduEvents([apdu]));
      }),
    );
  });

  it('come of random bytes only with a good CRC, and every byte is counted at most once', () => {
    fc.assert(
      fc.property(bytesOf(600), fc.array(fc.nat(), { maxLength: 5 }), (noise, cuts) => {
        let counted = 0;
        for (const event of inPieces(createSerialParser(), noise, cuts)) {
          expect(hex(noise)).toContain(event.kind === 'apdu' ? hex(encodeSerialFrame(event.apdu)) : '');
          counted += event.kind === 'discarded' ? event.count : 1;
        }
        expect(counted).toBeLessThanOrEqual(noise.length);
      }),
    );
  });
});

describe('APDUs on TCP', () => {
  it('are cut by their length field, in any pieces', () => {
    fc.assert(
      fc.property(fc.array(tcpApdus, { maxLength: 4 }), fc.array(fc.nat(), { maxLength: 6 }), (all, cuts) => {
        const parser = createTcpParser();
        expect(inPieces(parser, glue(...all), cuts)).toStrictEqual(apduEvents(all));
        expect(parser.insideFrame).toBe(false);
      }),
    );
  });

  it('may be as long as the length field can tell', () => {
    const apdu = buildApdu('06d3', new Uint8Array(65535).fill(0x06));
    expect(apdu).toHaveLength(maxApduBytes);
    const parser = createTcpParser();
    expect(parser.push(apdu.subarray(0, 40_000))).toStrictEqual([]);
    expect(parser.insideFrame).toBe(true);
    expect(parser.push(apdu.subarray(40_000))).toStrictEqual(apduEvents([apdu]));
  });

  it('cannot be trusted any more once something else stands where one has to begin', () => {
    const parser = createTcpParser();
    const good = fromHex('800000');
    expect(parser.push(glue(good, encodeSerialFrame(good), good))).toStrictEqual([
      { kind: 'apdu', apdu: good },
      { kind: 'damaged', reason: 'no APDU begins with 10' },
    ]);
    expect(parser.push(good)).toStrictEqual([]);
    parser.reset();
    expect(parser.push(good)).toStrictEqual(apduEvents([good]));
  });

  it('never throw on random bytes', () => {
    fc.assert(
      fc.property(bytesOf(600), fc.array(fc.nat(), { maxLength: 5 }), (noise, cuts) => {
        const events = inPieces(createTcpParser(), noise, cuts);
        expect(events.every(({ kind }) => kind === 'apdu' || kind === 'damaged')).toBe(true);
      }),
    );
  });
});

describe('crc16Kermit', () => {
  it('gives the published check value', () => {
    expect(crc16Kermit(new TextEncoder().encode('123456789'))).toBe(0x2189);
  });

  it('can be taken in pieces', () => {
    const bytes = new TextEncoder().encode('123456789');
    expect(crc16Kermit(bytes.subarray(4), crc16Kermit(bytes.subarray(0, 4)))).toBe(0x2189);
    expect(crc16Kermit(new Uint8Array(0))).toBe(0);
  });
});
