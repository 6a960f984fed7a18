/** The licences under which others' code may be shipped with ours: each asks for its text and a copyright line, no more. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Fonts; they may be bundled, and not sold by themselves.
  'OFL-1.1',
  'Unlicense',
]);

/**
 * Whether a package under `expression` may be shipped: SPDX, as in a package.json (`MIT`, `(MIT OR GPL-2.0-only)`). What
 * is nested is for a person to read, and not allowed.
 */
export function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' AND ')) return plain.split(' AND ').every((name) => allowed.has(name));
  return plain.split(' OR ').some((name) => allowed.has(name));
}

/**
 * The text for a package that names its licence and its author, and has left the text out: the licence asks for both. Null
 * for any other package; a person has looked at each of these.
 */
export function textLeftOut(name: string, version: string): string | null {
  const author = leftOut[`${name} ${version}`];
  return author === undefined ? null : `MIT License\n\nCopyright (c) ${author}\n\n${mit}`;
}

/** By name and version: the author, as its package.json has it. All are under the MIT licence. */
const leftOut: Partial<Record<string, string>> = {
  '@nodable/entities 3.1.0': 'Amit Gupta',
  'lazy-val 1.0.5': 'Vladimir Krivosheev',
};

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;
