/** What a message says, as name and value for people, within the bounds of the log: the wire trace is made of it. */
import type { BytePlace } from '../../../contract/frame.ts';

/** Where it stands comes last, where that is known. */
export type TraceField = [name: string, value: string, place?: BytePlace];

/** The log keeps 100 items of a list. */
const maxFields = 100;
const maxValueCharacters = 400;
/** Of all values of a message together; a receipt in one block has 3,000. */
const maxCharacters = 8_000;

/**
 * At most 100 fields of at most 400 characters, and 8,000 characters in all; the last then says how many were left out.
 * Line breaks are blanks, other control characters `·`. What is no one's business has been masked before.
 */
export function boundedFields(found: readonly TraceField[]): TraceField[] {
  const kept: TraceField[] = [];
  let charactersLeft = maxCharacters;
  for (const [name, value, ...place] of found.slice(
    0,
    found.length > maxFields ? maxFields - 1 : maxFields,
  )) {
    const text = visible(value);
    charactersLeft -= text.length;
    if (charactersLeft < 0) break;
    kept.push([name, text, ...place]);
  }
  if (kept.length === found.length) return kept;
  return [...kept, ['left out', `${found.length - kept.length} more`]];
}

function visible(text: string): string {
  const oneLine = text.slice(0, maxValueCharacters).replace(/[\r\n]+/g, ' ');
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  return oneLine.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '·');
}

/** Digits of a date as `2026-11-23`; what is no day of the calendar stays as it is. `form`: which digits are what. */
export function dateText(digits: string, form: 'DDMMYYYY' | 'DDMMYY' | 'YYMMDD'): string {
  if (!/^\d+$/.test(digits) || digits.length !== form.length) return digits;
  const part = (sign: 'D' | 'M' | 'Y') => digits.slice(form.indexOf(sign), form.lastIndexOf(sign) + 1);
  const text = `${part('Y').padStart(4, '20')}-${part('M')}-${part('D')}`;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : digits;
}

/** `hhmm` and `hhmmss` as `15:20` and `15:20:31`; anything else stays as it is. */
export function timeText(digits: string): string {
  return /^(?:[01]\d|2[0-3])(?:[0-5]\d){1,2}$/.test(digits)
    ? (digits.match(/\d\d/g)?.join(':') ?? digits)
    : digits;
}
