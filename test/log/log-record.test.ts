/** What the store keeps of a line is the same, whether it is told what is in it or reads it. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRecordMaker } from '../../src/log/log-record.ts';

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(':');

const line = fc.record(
  {
    level: fc.constantFrom('debug', 'info', 'warn', 'error'),
    time: fc.constant('2025-11-21T02:03:04.123Z'),
    source: fc.constantFrom('zvt', 'payments', 'x'.repeat(50), 7, undefined),
    operation_id: fc.constantFrom('o-1', 'o-2', null, undefined),
    operation: fc.constantFrom('started', 'ended', 'other', undefined),
    reference: fc.constantFrom('A-1', 1, undefined),
    direction: fc.constantFrom('to_terminal', undefined),
    hex: fc.oneof(fc.uint8Array({ maxLength: 6 }).map(hexOf), fc.constant('"a:b"'), fc.constant(undefined)),
    note: fc.oneof(fc.string(), fc.constant('"hex":"06:0f:00"'), fc.constant('a:b')),
    msg: fc.string(),
  },
  { requiredKeys: ['level', 'time', 'msg'] },
);

it('one line after the other', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const [told, reads] = [createRecordMaker(), createRecordMaker()];
      for (const [id, one] of lines.entries()) {
        const text = JSON.stringify(one);
        const record = told.make(id, text, one);
        expect(record).toStrictEqual(reads.make(id, text, null));
        const kept = JSON.parse(record.text) as unknown;
        const hex = record.frame && typeof one.hex === 'string' ? one.hex.replaceAll(':', ' ') : one.hex;
        expect(kept).toStrictEqual(JSON.parse(JSON.stringify({ ...one, hex })));
      }
    }),
    { numRuns: 400, seed: 11 },
  );
});
