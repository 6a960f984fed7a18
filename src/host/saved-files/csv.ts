/** Tables (RFC 4180) that a spreadsheet can open without harm. */
import { printableLine } from '../../base/printable-text.ts';
import { maskCardNumbers } from '../../log/index.ts';

/** Less than a spreadsheet takes. */
const maxCellCharacters = 2_000;

export function csvLine(values: string[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/**
 * What a spreadsheet would take for a formula gets an apostrophe in front (OWASP, "CSV injection"). A number below zero does
 * not: with it, it would be text, which no sum counts.
 */
function cell(text: string): string {
  const clean = printableLine(maskCardNumbers(text), maxCellCharacters);
  // Full-width signs count for some of them, and so does what stands behind blanks.
  const mayCount = /^\s*[=+\-@＝＋－＠]/u.test(clean) && !/^-\d+(?:\.\d+)?$/.test(clean);
  const harmless = mayCount ? `'${clean}` : clean;
  return `"${harmless.replaceAll('"', '""')}"`;
}
