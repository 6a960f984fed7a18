import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, hex } from '../../../../../src/bridge/terminals/zvt/wire/bytes.ts';
import {
  buildTlv,
  findTlv,
  findTlvAnywhere,
  parseTlv,
  type TlvObject,
  type TlvParts,
} from '../../../../../src/bridge/terminals/zvt/wire/tlv.ts';

const constructed = (tag: string) => (Number.parseInt(tag.slice(0, 2), 16) & 0x20) !== 0;
const oneByteTags = fc.integer({ min: 0, max: 0xff }).filter((byte) => (byte & 0x1f) !== 0x1f);
const longTags = fc.tuple(
  fc.constantFrom(0x1f, 0x3f, 0x5f, 0x9f, 0xff),
  fc.array(fc.integer({ min: 0x80, max: 0xff }), { maxLength: 2 }),
  fc.integer({ min: 0, max: 0x7f }),
);
const tags = fc.oneof(
  oneByteTags.map((byte) => hex(Uint8Array.of(byte))),
  longTags.map(([first, more, last]) => hex(Uint8Array.of(first, ...more, last))),
);
const primitives = fc
  .tuple(
    tags.filter((tag) => !constructed(tag)),
    fc.uint8Array({ maxLength: 300, size: 'max' }),
  )
  .map(([tag, value]): TlvParts => ({ tag, hex: hex(value) }));
const { trees } = fc.letrec<{ trees: TlvParts[]; object: TlvParts }>((tie) => ({
  trees: fc.array(tie('object'), { maxLength: 4, depthIdentifier: 'tlv' }),
  object: fc.oneof(
    { depthIdentifier: 'tlv', maxDepth: 5 },
    primitives,
    fc.tuple(tags.filter(constructed), tie('trees')).map(([tag, children]): TlvParts => ({ tag, children })),
  ),
}));

const asParts = (objects: readonly TlvObject[]): TlvParts[] =>
  objects.map(({ tag, value, children }) =>
    children === undefined ? { tag, hex: hex(value) } : { tag, children: asParts(children) },
  );

describe('TLV', () => {
  it('is read back as it was put together', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const { objects, problem } = parseTlv(buildTlv(tree));
        expect(problem).toBeNull();
        expect(asParts(objects)).toStrictEqual(tree);
      }),
    );
  });

  it.each([
    [0, '0700'],
    [127, '077f'],
    [128, '078180'],
    [255, '0781ff'],
    [256, '07820100'],
    [0x045d, '0782045d'],
  ])('tells a length of %d in the shortest form', (length, head) => {
    const bytes = buildTlv([{ tag: '07', hex: '41'.repeat(length) }]);
    expect(hex(bytes.subarray(0, head.length / 2))).toBe(head);
    expect(parseTlv(bytes).objects[0]?.value).toHaveLength(length);
  });

  it('refuses to build more than the length can tell', () => {
    expect(() => buildTlv([{ tag: '07', hex: '41'.repeat(65536) }])).toThrow(/do not fit/);
  });

  it('finds objects by their path, and at any depth', () => {
    const { objects } = parseTlv(
      buildTlv([
        {
          tag: '25',
          children: [
            { tag: '07', hex: '41' },
            { tag: '09', hex: '81' },
          ],
        },
        { tag: '07', hex: '42' },
        { tag: '25', children: [{ tag: '07', hex: '43' }] },
      ]),
    );
    const values = (found: TlvObject[]) => found.map(({ value }) => hex(value));
    expect(values(findTlv(objects, '25', '07'))).toStrictEqual(['41', '43']);
    expect(values(findTlv(objects, '07'))).toStrictEqual(['42']);
    expect(values(findTlvAnywhere(objects, '07'))).toStrictEqual(['41', '42', '43']);
    expect(findTlv(objects, '25', '09', '07')).toStrictEqual([]);
    expect(findTlv(objects)).toStrictEqual([]);
  });

  it.each([
    ['an unfinished tag', '070141 1f', /tag at byte 3/],
    ['a tag without an end', '070141 1f8080808001', /tag at byte 3/],
    ['a missing length', '070141 09', /length of tag 09/],
    ['an invalid length form', '070141 0980', /length of tag 09/],
    ['a length form of three bytes', '070141 0983000001', /length of tag 09/],
    ['a value that is cut', '070141 09024a', /tag 09 announces 1 bytes more/],
  ])('keeps what stood before %s', (_what, bytes, problem) => {
    const reading = parseTlv(fromHex(bytes.replace(' ', '')));
    expect(asParts(reading.objects)).toStrictEqual([{ tag: '07', hex: '41' }]);
    expect(reading.problem).toMatch(problem);
  });

  it('keeps the readable children of a damaged container', () => {
    const { objects, problem } = parseTlv(fromHex('2505 070141 0709'.replaceAll(' ', '')));
    expect(asParts(objects)).toStrictEqual([{ tag: '25', children: [{ tag: '07', hex: '41' }] }]);
    expect(problem).toMatch(/tag 07 announces 9 bytes more/);
  });

  it('does not follow containers without end', () => {
    const depth = 16_000;
    const bytes = Uint8Array.from(
      Array.from({ length: depth }, (_, level) => {
        const rest = (depth - level - 1) * 4;
        return [0x24, 0x82, rest >> 8, rest & 0xff];
      }).flat(),
    );
    expect(parseTlv(bytes).objects).toHaveLength(1);
  });

  it('never throws on random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), (bytes) => {
        expect(parseTlv(bytes).objects.length * 2).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});
