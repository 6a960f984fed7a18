import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  chainHash,
  chainStart,
  keepCanonical,
  linkProblem,
  type EventRow,
} from '../../../src/bridge/journal/chain.ts';

function row(seq: number, previousHash: string, event: object): EventRow {
  const body = canonicalJson(event);
  const at = '2026-01-02T03:04:05.006Z';
  const { type, operationId } = event as { type: string; operationId?: string };
  return {
    seq,
    at,
    type,
    operation_id: operationId ?? null,
    body,
    hash: chainHash(previousHash, seq, at, body),
  };
}

describe('canonical JSON', () => {
  it('sorts keys, leaves out what is undefined, and has no spaces', () => {
    expect(canonicalJson({ b: [1, { d: null, c: true }], a: 'x"\n', u: undefined })).toBe(
      '{"a":"x\\"\\n","b":[1,{"c":true,"d":null}]}',
    );
  });

  it('is the same for the same value, and reads back as it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        // Through JSON once: it knows no negative zero.
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(text)).toEqual(plain);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('is what a plain version says, for everything that can be in an object', () => {
    const plain = (value: unknown): string =>
      JSON.stringify(value, (_key, part: unknown) =>
        typeof part !== 'object' || part === null || Array.isArray(part)
          ? part
          : Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1))),
      );
    // Keys that are whole numbers stand before all others in every object of JavaScript.
    const keys = fc
      .oneof(fc.constantFrom('seq', '"', '€', ''), fc.string())
      .filter((key) => !/^\d+$/.test(key));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, false, 0, -1, 1.5, 1e21, '\ud800', '\u2028'),
        fc.string({ unit: 'binary' }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(keys, fc.oneof(tie('value'), fc.constant(undefined)), {
          maxKeys: 6,
          noNullPrototype: true,
        }),
      ),
    }));
    fc.assert(
      fc.property(
        value.filter((one) => one !== undefined),
        (one) => {
          expect(canonicalJson({ one })).toBe(plain({ one }));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gives the text that was kept of a frozen object, and only of that one', () => {
    const frozen = Object.freeze({ b: 1, a: 2 });
    keepCanonical(frozen, '{"a":2,"b":1}');
    expect(canonicalJson([frozen, { ...frozen, b: 3 }])).toBe('[{"a":2,"b":1},{"a":2,"b":3}]');
  });

  it('refuses what JSON has no form for', () => {
    for (const value of [Number.NaN, Infinity, 1n, () => {}, undefined, Symbol('s')]) {
      expect(() => canonicalJson({ value: [value] })).toThrow(TypeError);
    }
  });
});

describe('chain', () => {
  it('hashes the previous hash and the canonical event, as the docs say', () => {
    const text = `${'0'.repeat(64)}\n{"at":"2026-01-02T03:04:05.006Z","event":{"type":"x"},"seq":1}`;
    const expected = createHash('sha256').update(text, 'utf8').digest('hex');
    expect(row(1, chainStart.hash, { type: 'x' }).hash).toBe(expected);
  });

  it('takes a row that follows', () => {
    const first = row(1, chainStart.hash, { type: 'x', operationId: 'o' });
    expect(linkProblem(chainStart, first)).toBeNull();
    expect(linkProblem(first, row(2, first.hash, { type: 'y' }))).toBeNull();
  });

  it.each<[string, Partial<EventRow>, RegExp]>([
    ['a gap', { seq: 4 }, /Events 2 to 3 are missing/],
    ['a gap of one', { seq: 3 }, /Event 2 is missing/],
    ['another body', { body: '{"type":"z"}' }, /Event 2 does not fit its hash/],
    ['another time', { at: '2026-01-02T03:04:05.007Z' }, /Event 2 does not fit its hash/],
    ['another hash', { hash: 'f'.repeat(64) }, /Event 2 does not fit its hash/],
    ['another type', { type: 'z' }, /filed under another type/],
    ['another operation', { operation_id: 'p' }, /filed under another type or operation/],
  ])('finds %s', (_name, change, problem) => {
    const first = row(1, chainStart.hash, { type: 'x' });
    expect(linkProblem(first, { ...row(2, first.hash, { type: 'y' }), ...change })).toMatch(problem);
  });

  it('does not stumble over garbage that fits its hash', () => {
    for (const body of ['', '{', 'null', '7', '[]']) {
      const at = '2026-01-02T03:04:05.006Z';
      const garbage = {
        seq: 1,
        at,
        type: 'x',
        operation_id: null,
        body,
        hash: chainHash(chainStart.hash, 1, at, body),
      };
      expect(linkProblem(chainStart, garbage)).toMatch(/Event 1 is/);
    }
  });
});
