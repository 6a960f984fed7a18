import { expect, it } from 'vitest';
import { withEscapes } from '../../scripts/one-byte-text.ts';

const nbsp = '\u00a0';
const lineSeparator = '\u2028';

it.each([
  ['a string', `export default 'für 5 €';`],
  ['a template', 'export default `für ${"ü"} 😀`;'],
  ['a property and a name', `const grün = { größe: 1 }; export default grün.größe;`],
  [
    'a pattern',
    `export default ['grün'.replace(/[äöü]/v, 'u'), /ü😀/u.test('ü😀'), /\\w+ß/.source.length > 0];`,
  ],
  ['a comment', `/* für \\alle */ export default 1; // und für später`],
  ['strings in a tagged template', 'export default String.raw`a${"ü"}b`;'],
])('%s with escapes means the same', async (_what, code) => {
  const escaped = withEscapes(code);
  expect(escaped).toMatch(/^[\0-\x7f]*$/);
  expect(escaped).toMatch(/\\u[0-9a-f]{4}/);
  expect(await valueOf(escaped)).toEqual(await valueOf(code));
});

it.each([
  ['a tagged template', 'export default String.raw`ü`;'],
  ['one behind an expression', 'export default String.raw`${"a"}ü`;'],
  ['one behind an escaped quote', 'export default String.raw`\\`ü`;'],
  ['one of another name', 'const { raw } = String; export default raw`ü`;'],
  ['white space', `export default${nbsp}1;`],
  ['the end of a comment', `export default 1; //${lineSeparator}globalThis.more = 2;`],
  ['a name of two units', 'const 𝒳 = 1; export default 𝒳;'],
])('%s is refused: escapes there mean something else, or nothing', (_what, code) => {
  expect(() => withEscapes(code)).toThrow('would mean something else');
});

it('leaves ASCII as it is, and tables of other characters, too', () => {
  expect(withEscapes('export default "\\u00fc";')).toBe('export default "\\u00fc";');
  const table = `export default '${'丂丄丅丆丏丒丗丟丠両'.repeat(10)}';`;
  expect(withEscapes(table)).toBe(table);
});

async function valueOf(code: string): Promise<unknown> {
  const { default: value } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    default: unknown;
  };
  return value;
}
