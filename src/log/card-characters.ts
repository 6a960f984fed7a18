/**
 * What a character is to whoever looks for card numbers: a digit of some script, nothing that is seen, or something
 * between digits.
 */

/** 0 to 9 is a digit. */
export type CharacterKind = number;
/** Zero width, or a mark over or around the character before. */
export const ignorable = 10;
export const separator = 11;

const unknown = -1;
/** What is known of each character of one unit; filled as they come. */
const known = new Int8Array(0x1_0000).fill(unknown);

/** The kind of a character that is not ASCII. */
export function kindOf(codePoint: number): CharacterKind {
  if (codePoint >= known.length) return lookUp(codePoint);
  const kind = known[codePoint] ?? unknown;
  if (kind !== unknown) return kind;
  const found = lookUp(codePoint);
  known[codePoint] = found;
  return found;
}

function lookUp(codePoint: number): CharacterKind {
  const character = String.fromCodePoint(codePoint);
  if (/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character)) return ignorable;
  if (/\p{Nd}/u.test(character)) return decimalOf(codePoint);
  // ４ ④ ⁴ ₄ ⒋ ⑷ 𝟒
  const digits = character.normalize('NFKC').replace(/[^\p{Nd}]/gu, '');
  return /^[0-9]$/.test(digits) ? Number(digits) : separator;
}

/** The decimal digits of a script stand in a row from 0 to 9. */
function decimalOf(codePoint: number): number {
  let first = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (codePoint - first) % 10;
}
