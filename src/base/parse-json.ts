/** JSON whose faults are told by their place: the engine's own message quotes what is there. */

export type ParsedJson =
  { ok: true; value: unknown } | { ok: false; /** Both count from 1. */ line: number; column: number };

const byteOrderMark = 0xfeff;

/** Parses `text`, which may begin with a byte order mark. */
export function parseJson(text: string): ParsedJson {
  const json = text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
  try {
    return { ok: true, value: JSON.parse(json) as unknown };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const before = json.slice(0, faultOf(json)).split(/\r\n|\r|\n/);
    return { ok: false, line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
}

const blank = /[ \t\r\n]*/y;
/** A string (of everything from the blank on but quotes and backslashes), a number or a word. */
const simple =
  /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What may come next. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next' | 'end';

/** The offset in `json`, which is none, of the first character that cannot stand where it stands. */
function faultOf(json: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(json);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'next');
  for (;;) {
    skip(blank);
    const character = json.charAt(at);
    const inside = open.at(-1);
    if (expected === 'colon') {
      if (character !== ':') return at;
      at += 1;
      expected = 'value';
    } else if (isClosing(character, inside, expected)) {
      open.pop();
      at += 1;
      expected = afterValue();
    } else if (expected === 'next') {
      if (character !== ',') return at;
      at += 1;
      expected = inside === '{' ? 'key' : 'value';
    } else if (expected === 'key' || expected === 'first key') {
      if (character !== '"' || !skip(simple)) return at;
      expected = 'colon';
    } else if (expected === 'end') {
      return at;
    } else if (character === '{' || character === '[') {
      open.push(character);
      at += 1;
      expected = character === '{' ? 'first key' : 'first value';
    } else if (skip(simple)) {
      expected = afterValue();
    } else {
      return at;
    }
  }
}

function isClosing(character: string, inside: '{' | '[' | undefined, expected: Expected): boolean {
  if (character === '}') return inside === '{' && (expected === 'next' || expected === 'first key');
  if (character === ']') return inside === '[' && (expected === 'next' || expected === 'first value');
  return false;
}
