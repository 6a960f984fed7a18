/**
 * What a bridge has sent, as the database can hold it: PostgreSQL's texts have neither NUL nor half of a surrogate pair. A
 * journal may have both, and its event is kept as it is in its own canonical text.
 */

/** What goes into the database as JSON for `json_to_recordset`. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  // Nearly always there is nothing of it, and to look at each part takes longer than all the rest.
  if (!unstorable.test(text)) return text;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? storableText(part) : part,
  );
}

/** How `JSON.stringify` writes NUL and halves of surrogate pairs; a text with a backslash before such letters looks alike. */
const unstorable = /\\u(?:0000|d[89a-f])/;

export function storableText(text: string): string {
  return text.includes('\0') || !text.isWellFormed() ? text.replaceAll('\0', '\uFFFD').toWellFormed() : text;
}
