import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  chainHash,
  chainStart,
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

  it('refuses what JSON has no form for', () => {
    for (const value of [Number.NaN, Infinity, 1n, () => {}, undefined]) {
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
