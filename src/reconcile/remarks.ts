/**
 * How an acquirer names batches in its remarks. A template is text with places in it: `BATCH {batch} TID {terminal}`.
 * `{batch}` is a number, or several with `,`, `+`, `&` or `;` between; `{terminal}` the terminal's own id, `{merchant}`
 * the merchant's number.
 */

export const templateForm =
  'must be text with {batch} in it once, and {terminal} or {merchant} at most once, such as "BATCH {batch}"';

/** A batch as a remark names it. */
export interface NamedBatch {
  number: string;
  terminalId: string | null;
  merchantId: string | null;
}

const places: Record<string, string> = {
  batch: String.raw`(?<batch>\d{1,12}(?:\s{0,3}[,+&;]\s{0,3}\d{1,12}){0,40})(?!\d)`,
  terminal: '(?<terminal>[A-Za-z0-9]{1,40})(?![A-Za-z0-9])',
  merchant: '(?<merchant>[A-Za-z0-9]{1,40})(?![A-Za-z0-9])',
};

/** Null where it is no template. Blanks are as many as there are; case does not matter. */
export function readTemplate(text: string): RegExp | null {
  const pieces = text.trim().split(/\{([a-z]+)\}/);
  const named = pieces.filter((_, at) => at % 2 === 1);
  if (!named.includes('batch') || new Set(named).size !== named.length) return null;
  if (named.some((place) => !Object.hasOwn(places, place))) return null;
  // Where nothing stands between two places, nobody can say where one ends.
  if (pieces.slice(1, -1).some((piece, at) => at % 2 === 1 && piece === '')) return null;
  const source = pieces.map((piece, at) => (at % 2 === 1 ? (places[piece] ?? '') : literal(piece))).join('');
  const begins = pieces[0] === '' ? '(?<![A-Za-z0-9])' : '';
  return new RegExp(begins + source, 'giu');
}

function literal(text: string): string {
  return text
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(String.raw`\s{0,5}`);
}

/** Each batch that `remark` names by one of the templates, once. */
export function namedBatches(remark: string, templates: readonly RegExp[]): NamedBatch[] {
  const found = new Map<string, NamedBatch>();
  for (const template of templates) {
    for (const { groups = {} } of remark.slice(0, maxRemark).matchAll(template)) {
      for (const number of (groups['batch'] ?? '').split(/[,+&;\s]+/)) {
        const named = {
          number: withoutZeros(number),
          terminalId: groups['terminal'] ?? null,
          merchantId: groups['merchant'] ?? null,
        };
        found.set(JSON.stringify(named), named);
      }
    }
  }
  return [...found.values()];
}

const maxRemark = 2_000;

/** Batch numbers are the same whatever their leading zeros. */
export function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=.)/, '');
}
