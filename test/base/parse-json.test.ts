import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/base/parse-json.ts';

describe('parseJson', () => {
  it.each([
    ['{"a": [1, -2.5e3, true, null, "x\\u00e4\\n"]}', { a: [1, -2500, true, null, 'xä\n'] }],
    ['\uFEFF 1 ', 1],
  ])('gives what is in %j', (text, value) => {
    expect(parseJson(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['', 1, 1],
    ['\n\n  ', 3, 3],
    ['secret', 1, 1],
    ['{"a": 1,}', 1, 9],
    ['{"a": 1, b: 2}', 1, 10],
    ['{"a" 1}', 1, 6],
    ['{"a": 1\r\n "b": 2}', 2, 2],
    ['[1, 2', 1, 6],
    ['[1 2]', 1, 4],
    ['[,]', 1, 2],
    ['[1,]', 1, 4],
    ['[1}', 1, 3],
    ['{} {}', 1, 4],
    ['{"a": "b\nc"}', 1, 7],
    ['{"a": "b\\x"}', 1, 7],
    ['{"a": 01}', 1, 8],
    ['{"a": tru}', 1, 7],
    ['"never ends', 1, 1],
    ['\uFEFF{', 1, 2],
  ])('tells the place of the fault in %j', (text, line, column) => {
    expect(parseJson(text)).toEqual({ ok: false, line, column });
  });

  it('is not overcome by a text that is nothing but brackets', () => {
    expect(parseJson('['.repeat(1_000_000))).toEqual({ ok: false, line: 1, column: 1_000_001 });
    expect(parseJson(`"${'x'.repeat(1_000_000)}`)).toEqual({ ok: false, line: 1, column: 1 });
  });
});
