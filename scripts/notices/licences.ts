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
