/**
 * Text from outside (a terminal, the POS, a file, an argument, a remote service) on its way to people: a window of a
 * command line, a log line, a table, a page. What such a text may not do there: move the cursor or name the window
 * (ESC, CSI), forge a line (CR LF and their kin, or blanks up to the edge of the window), turn the order of letters
 * around, hide letters, pile marks over the lines above, or fill the screen.
 *
 * A card number has to be masked before this: between its digits there may be what is written out here.
 */

/** Characters of one line of a window or a log, unless the caller says otherwise. */
export const maxLineCharacters = 500;
/** Characters of one line at an exit that has lines of its own, such as the command line's output. */
export const maxOutputLineCharacters = 4_000;

/** The longest line of a page is a frame's trace. */
const maxValueLineCharacters = 16_000;

const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const breakSign = ' ⏎ ';

/**
 * Controls (C0, C1), formats (bidi, zero width), half surrogates, numbers that are no character, and what is drawn as
 * nothing at all. Escaped as JSON escapes them, so that JSON stays the same JSON.
 */
const unprintable = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** More marks over one letter than any living language writes. */
const towers = /(\p{M}{4})(\p{M}+)/gu;
const otherBlanks = /[\t\p{Zs}]/gu;
/** More than these in a row look like the end of a line, when there are enough of them. */
const blanksInARow = / {9,}/g;

/** Nothing but printable ASCII: nearly every text, and it needs no closer look. */
const plain = /^[ -~]*$/;

/**
 * `text` as one line of at most `maxCharacters` (UTF-16 units): line breaks as ` ⏎ `, every other unprintable character
 * as `\u001b`, blanks of all kinds as blanks and at most eight in a row. What is cut ends with `…`. Never throws.
 */
export function printableLine(text: string, maxCharacters = maxLineCharacters): string {
  const whole = text.slice(0, maxCharacters + 1);
  const clean = plain.test(whole)
    ? whole
    : visible(whole.replace(lineBreaks, breakSign).replace(otherBlanks, ' '));
  return shortened(clean.replace(blanksInARow, ' '.repeat(8)), maxCharacters);
}

/**
 * `text` with the line breaks (LF) that its author gave it, and everything else in it as `printableLine` has it, but for
 * the number of blanks: tables have many. Each line has at most `maxCharacters`. For an exit at which lines arrive that
 * are put together already; it cannot tell which line breaks are forged, so whoever puts a line together from foreign
 * parts gives them through `printableLine`.
 */
export function printableLines(text: string, maxCharacters = maxOutputLineCharacters): string {
  return text
    .split('\n')
    .map((line) => {
      const whole = line.slice(0, maxCharacters + 1);
      const clean = plain.test(whole) ? whole : visible(whole.replace(otherBlanks, ' '));
      return shortened(clean, maxCharacters);
    })
    .join('\n');
}

/** JSON that stays the same JSON, of any length, with nothing unprintable in it but the line breaks between its parts. */
export function printableJson(json: string): string {
  return plain.test(json)
    ? json
    : json
        .replace(towers, (_tower, marks: string, others: string) => marks + escaped(others))
        .replace(unprintable, (character) => (character === '\n' ? character : escaped(character)));
}

/**
 * `value`, as JSON has it, with every text in it as `printableLines` gives it, names of fields as well. The same object
 * where nothing is to be changed.
 */
export function printableValue<T>(value: T): T;
export function printableValue(value: unknown): unknown {
  if (typeof value === 'string') return printableLines(value, maxValueLineCharacters);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => printableValue(item));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const entries = Object.entries(value).map(
    ([name, item]) => [printableLine(name), printableValue(item)] as const,
  );
  const same = Object.entries(value).every(
    ([name, item], at) => entries[at]?.[0] === name && entries[at][1] === item,
  );
  return same ? value : Object.fromEntries(entries);
}

function visible(text: string): string {
  return text.replace(towers, '$1').replace(unprintable, escaped);
}

function escaped(character: string): string {
  return character.replace(
    // One unit after the other, as JSON has them.
    /[^]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Never ends with half a character. */
function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
