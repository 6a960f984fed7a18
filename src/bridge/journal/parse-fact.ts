/**
 * JSON of the journal's rows, read. Facts never change, and the same few are read again and again: an operation's start
 * with each look at its row, the newest ones by everybody. So what a text says is kept for a while. It is frozen, because
 * whoever reads the same text gets the same object.
 */

/** Kept are at most twice as many texts. */
const maxTexts = 500;

let newer = new Map<string, unknown>();
let older = new Map<string, unknown>();

/** Throws `SyntaxError` for what is no JSON. */
export function parseFact(text: string): unknown {
  const known = newer.get(text);
  if (known !== undefined) return known;
  const value = older.get(text) ?? frozen(JSON.parse(text));
  if (newer.size >= maxTexts) {
    older = newer;
    newer = new Map();
  }
  newer.set(text, value);
  return value;
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
