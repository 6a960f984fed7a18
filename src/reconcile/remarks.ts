/**
 * How an acquirer names batches in its remarks. A template is text with places in it: `BATCH {batch} TID {terminal}`.
 * `{batch}` is a number, or several with `,`, `+`, `&` or `;` between; `{terminal}` the terminal's own id, `{merchant}`
 * the merchant's number. Where the text goes on so that it may mean other batches, too, nobody knows what it names.
 */

export const templateForm =
  'must be text with {batch} in it once, and {terminal} or {merchant} at most once, such as "BATCH {batch}"';

/** A batch as a remark names it. */
export interface NamedBatch {
  number: string;
  terminalId: string | null;
  merchantId: string | null;
}

/** `unsure`: it names batches, and cannot be read surely. */
export type RemarkNames = { kind: 'names'; batches: NamedBatch[] } | { kind: 'unsure' };

const places: Record<string, string> = {
  batch: String.raw`(?<batch>\d{1,12}(?:\s{0,3}[,+&;]\s{0,3}\d{1,12}){0,40})(?!\d)`,
  terminal: '(?<terminal>[A-Za-z0-9]{1,40})(?![A-Za-z0-9])',
  merchant: '(?<merchant>[A-Za-z0-9]{1,40})(?![A-Za-z0-9])',
};

const noWordBefore = String.raw`(?<![\p{L}\p{N}])`;

/** Null where it is no template. Blanks are as many as there are; case does not matter; it begins where a word begins. */
export function readTemplate(text: string): RegExp | null {
  const pieces = text.trim().split(/\{([a-z]+)\}/);
  const named = pieces.filter((_, at) => at % 2 === 1);
  if (!named.includes('batch') || new Set(named).size !== named.length) return null;
  if (named.some((place) => !Object.hasOwn(places, place))) return null;
  // Where nothing stands between two places, nobody can say where one ends.
  if (pieces.slice(1, -1).some((piece, at) => at % 2 === 1 && piece === '')) return null;
  const source = pieces.map((piece, at) => (at % 2 === 1 ? (places[piece] ?? '') : literal(piece))).join('');
  const begins = /^(?:$|[\p{L}\p{N}])/u.test(pieces[0] ?? '') ? noWordBefore : '';
  return new RegExp(begins + source, 'dgiu');
}

function literal(text: string): string {
  return text
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(String.raw`\s{0,5}`);
}

/** What a remark says at one place, by the template that says most of it. */
interface Match {
  list: string;
  terminalId: string | null;
  merchantId: string | null;
  said: number;
  isSure: boolean;
}

/** Each batch that `remark` names by one of the templates, once. Where several fit one place, the one that says most holds. */
export function namedBatches(remark: string, templates: readonly RegExp[]): RemarkNames {
  const text = remark.slice(0, maxRemark);
  const atPlace = new Map<number, Match>();
  for (const template of templates) {
    for (const found of text.matchAll(template)) {
      const [begin, end] = found.indices?.groups?.['batch'] ?? [0, 0];
      const match = matchOf(text, found, begin, end);
      const other = atPlace.get(begin);
      if (other?.said === match.said && !isSame(other, match)) return { kind: 'unsure' };
      if (other === undefined || other.said < match.said) atPlace.set(begin, match);
    }
  }
  const found = new Map<string, NamedBatch>();
  for (const { list, terminalId, merchantId, isSure } of atPlace.values()) {
    if (!isSure) return { kind: 'unsure' };
    for (const number of list.split(separator)) {
      const named = { number: withoutZeros(number), terminalId, merchantId };
      found.set(JSON.stringify(named), named);
    }
  }
  return { kind: 'names', batches: [...found.values()] };
}

const separator = /[,+&;\s]+/;

function matchOf(text: string, found: RegExpExecArray, begin: number, end: number): Match {
  const { batch: list = '', terminal = null, merchant = null } = found.groups ?? {};
  const behind = text.slice(end);
  const isLast = found.index + found[0].length === end;
  const isFirst = found.index === begin;
  return {
    list,
    terminalId: terminal,
    merchantId: merchant,
    said: [terminal, merchant].filter((id) => id !== null).length,
    isSure: !(
      (isLast && goesOn(behind, separator.test(list))) ||
      (isFirst && numberBefore.test(text.slice(0, begin)))
    ),
  };
}

function isSame(one: Match, other: Match): boolean {
  return (
    one.list === other.list && one.terminalId === other.terminalId && one.merchantId === other.merchantId
  );
}

/** Words that join numbers, in the languages of the protocols and of their neighbours. */
const joins =
  'bis|und|u|von|to|and|of|thru|through|till|until|et|à|au|de|e|a|al|fino|y|hasta|ao|ate|até|tot|en|til|og|till|och|do|i';
/** A number follows, behind signs, blanks or such a word. */
const numberBehind = new RegExp(
  String.raw`^(?:[^\p{L}\p{N}]{1,6}|[^\p{L}\p{N}]{0,6}(?:${joins})[^\p{L}\p{N}]{0,6})\p{N}`,
  'iu',
);
const numberBefore = new RegExp(
  String.raw`\p{N}(?:[^\p{L}\p{N}]{1,6}|[^\p{L}\p{N}]{0,6}(?:${joins})[^\p{L}\p{N}]{0,6})$`,
  'iu',
);
/** A day, which is no batch: `02.03.2026`, `2026-03-02`. */
const dayBehind = /^\s+(?:\d{2}\.\d{2}\.\d{4}|\d{4}-\d{2}-\d{2})(?!\d)/u;

/** Whether what stands behind a number, or a list of them, may be more of it: `12-14`, `12 BIS 14`, `12 13`, `25, 12 TXN`. */
function goesOn(behind: string, isList: boolean): boolean {
  if (/^[\p{L}_]/u.test(behind)) return true;
  if (isList && /^\s+\p{L}/u.test(behind)) return true;
  return !dayBehind.test(behind) && numberBehind.test(behind);
}

const maxRemark = 2_000;

/** Batch numbers are the same whatever their leading zeros. */
export function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=.)/, '');
}
