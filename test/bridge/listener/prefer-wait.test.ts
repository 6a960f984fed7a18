import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePreferWait } from '../../../src/bridge/listener/long-polls.ts';

describe('parsePreferWait', () => {
  it.each([
    ['wait=10', 10],
    ['wait=0', 0],
    ['WAIT=10', 10],
    ['wait = 10', 10],
    ['wait="10"', 10],
    ['wait="1\\0"', 10],
    ['respond-async, wait=10', 10],
    ['respond-async,wait=10', 10],
    ['foo="a, wait=5; b", wait=7', 7],
    ['foo="\\", wait=5", wait=7', 7],
    ['handling=lenient; wait=5, wait=7', 7],
    ['wait=7; foo=bar', 7],
    ['wait=7 ;foo; bar="x;y"', 7],
    ['wait=7, wait=9', 7],
    [', wait=7', 7],
    ['return=minimal, , wait=7', 7],
    ['\twait=7\t', 7],
    ['waiting=5, wait=7', 7],
    ['wait=999999999', 999_999_999],
  ])('%j is %d', (header, seconds) => {
    expect(parsePreferWait(header)).toBe(seconds);
  });

  it.each([
    undefined,
    '',
    'respond-async',
    'wait',
    'wait=',
    'wait=-1',
    'wait=1.5',
    'wait=1e3',
    'wait=0x10',
    'wait=ten',
    'wait=""',
    'wait=10s',
    'wait=9999999999',
    'wait=abc, wait=7',
    'handling=lenient; wait=5',
    'foo="wait=5"',
    'foo="never closed, wait=5',
    'wait=5 5',
    'wait==5',
    '@, wait=5',
  ])('%j is nothing', (header) => {
    expect(parsePreferWait(header)).toBeNull();
  });

  it('comes to an end with whatever it is given, soon', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('w', 'a', 'i', 't', '=', '"', ',', ';', ' ', '\\', '\t', '1'),
          maxLength: 200,
        }),
        (header) => {
          const seconds = parsePreferWait(header);
          expect(seconds === null || Number.isSafeInteger(seconds)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
    for (const piece of ['wait ', ';', ',', '"', 'a=b;', '\\', ' ', 'a=";', 'x="\\"']) {
      parsePreferWait(piece.repeat(16 * 1024));
    }
  });
});
