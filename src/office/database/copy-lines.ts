/**
 * Rows in the text form of PostgreSQL's COPY: a line each, its columns apart by tabs. NULL is `\N`, and what would be
 * mistaken for any of that has a backslash before it.
 */
import { storableText } from './database.ts';

export type CopyValue = string | number | boolean | null;

/** With its line break. */
export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(copyText).join('\t')}\n`;
}

export function copyText(value: CopyValue): string {
  if (value === null) return '\\N';
  const text = String(value);
  if (!special.test(text)) return text;
  return storableText(text).replaceAll(/[\\\t\n\r]/g, (character) => escapes.get(character) ?? character);
}

/** Also what is in no text of PostgreSQL, and halves of surrogate pairs among whole ones. */
const special = /[\0\\\t\n\r\ud800-\udfff]/;
const escapes = new Map([
  ['\\', String.raw`\\`],
  ['\t', String.raw`\t`],
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
]);
