/**
 * Programs in ASCII. One character beyond it in a file, an umlaut say, and Node gives V8 all of its text with two bytes a
 * character.
 */
import { parseAst } from 'vite';

/**
 * Code with escapes for all characters beyond ASCII, which means the same; a file of tables of such characters is shorter as
 * it is, and stays so. Throws where an escape would mean something else: in a tagged template, or as white space.
 */
export function withEscapes(code: string): string {
  const escaped = code.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (escaped === code || escaped.length > 2 * code.length) return code;
  if (meansTheSame(parseAst(code), parseOrNull(escaped))) return escaped;
  throw new Error(
    'With escapes for characters beyond ASCII, a file of the program would mean something else.',
  );
}

function parseOrNull(code: string): unknown {
  try {
    return parseAst(code);
  } catch {
    return null;
  }
}

/** Where a node stands, and how it is written. */
const notItsMeaning = new Set(['start', 'end', 'raw', 'regex']);
/** Here it counts how a template is written: its tag may look. The nodes of its expressions are not among these. */
const ofTagged = new Set<unknown>(['TemplateLiteral', 'TemplateElement', undefined]);

/** Compares syntax trees. */
function meansTheSame(one: unknown, other: unknown, inTagged = false): boolean {
  if (!isNode(one) || !isNode(other)) return Object.is(one, other);
  // The pattern may be written with escapes, and then reads the same.
  if (one instanceof RegExp) return other instanceof RegExp && one.flags === other.flags;
  if (Object.keys(one).length !== Object.keys(other).length) return false;
  const { type } = one;
  const tagged = type === 'TaggedTemplateExpression' || (inTagged && ofTagged.has(type));
  return Object.entries(one).every(([key, part]) => {
    const counts = !notItsMeaning.has(key) || (tagged && key === 'raw');
    return !counts || meansTheSame(part, other[key], tagged);
  });
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
