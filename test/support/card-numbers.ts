/** The search for card numbers that were not masked, in whatever a bridge leaves on disk. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Numbers that schemes publish for tests: nobody's card. */
export const cards = [
  '4111111111111111',
  '5555555555554444',
  '378282246310005',
  '6011111111111117',
  '4222222222222',
  '3530111333300000',
  '6200000000000005',
];

/** Every file in a folder and in those below it. */
export function filesBelow(path: string): string[] {
  return readdirSync(path).flatMap((name) => {
    const file = join(path, name);
    const stat = statSync(file);
    if (stat.isDirectory()) return filesBelow(file);
    return stat.isFile() ? [file] : [];
  });
}

/** Each form in which a card number stands in these bytes. */
export function cardNumbersIn(file: string, bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  const text = bytes.toString('latin1');
  // Separators between digits do not hide a number from a reader.
  const joined = text.replaceAll(/(?<=\d)[ \-._:](?=\d)/g, '');
  return cards.flatMap((number) => {
    const forms = { text: text.includes(number), joined: joined.includes(number), bcd: bcdIn(hex, number) };
    const inHex = joined.includes(Buffer.from(number).toString('hex'));
    return Object.entries({ ...forms, inHex })
      .filter(([, there]) => there)
      .map(([form]) => `${file}: ${number} as ${form}`)
      .slice(0, 1);
  });
}

/** The number as packed BCD, two digits a byte; numbers of odd length have a filler in the last half byte. */
function bcdIn(hex: string, number: string): boolean {
  for (let at = hex.indexOf(number); at >= 0; at = hex.indexOf(number, at + 1)) if (at % 2 === 0) return true;
  return false;
}
