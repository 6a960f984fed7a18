import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nested, objectSchema, valueAt, withValueAt } from '../../src/contract/dotted-keys.ts';

const schema = objectSchema({
  port: z.number().default(1),
  'zvt.password': z.string().default('0'),
  'zvt.timers.gapMs': z.number().default(2),
});

describe('a schema by dotted keys', () => {
  it.each([
    ['nothing', {}, { port: 1, zvt: { password: '0', timers: { gapMs: 2 } } }],
    ['a group', { zvt: { timers: {} } }, { port: 1, zvt: { password: '0', timers: { gapMs: 2 } } }],
    [
      'values',
      { port: 3, zvt: { timers: { gapMs: 4 } } },
      { port: 3, zvt: { password: '0', timers: { gapMs: 4 } } },
    ],
  ])('makes %s whole', (_what, given, whole) => expect(schema.parse(given)).toEqual(whole));

  it('names the place of what is wrong', () => {
    const [issue] = schema.safeParse({ zvt: { timers: { gapMs: 'x' } } }).error?.issues ?? [];
    expect(issue?.path).toEqual(['zvt', 'timers', 'gapMs']);
  });
});

describe('values by dotted keys', () => {
  const tree = { port: 1, zvt: { password: '0', timers: { gapMs: 2 } } };

  it.each([
    ['port', 1],
    ['zvt.timers.gapMs', 2],
    ['zvt.timers', { gapMs: 2 }],
    ['serial.parity', undefined],
  ])('%s is found', (key, value) => expect(valueAt(tree, key)).toEqual(value));

  it('are put into a copy', () => {
    const before = structuredClone(tree);
    expect(withValueAt(tree, 'zvt.timers.gapMs', 9)).toEqual({
      port: 1,
      zvt: { password: '0', timers: { gapMs: 9 } },
    });
    expect(tree).toEqual(before);
  });

  it('become groups, without those that have no value', () => {
    const entries: [string, unknown][] = [
      ['zvt.password', null],
      ['port', undefined],
      ['zvt.timers.gapMs', 3],
    ];
    expect(nested(entries)).toEqual({ zvt: { password: null, timers: { gapMs: 3 } } });
  });
});
