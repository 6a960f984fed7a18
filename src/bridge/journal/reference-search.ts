/**
 * Payments whose reference begins with a text, however old, by the index of references. That index knows letters as they
 * were written, so each spelling that there is ("inv-7", "INV-7") is gone through by itself.
 */
import type { PaymentPage, PaymentRow } from './journal.ts';
import type { Statements } from './query-sql.ts';
import { paymentRowOf } from './rows.ts';

/** More spellings than these are not gone through one by one. */
const maxSpellings = 16;
/** After everything that begins alike. */
const end = '\u{10ffff}';

/** How the beginning `text` is written in references, the highest first; none when there are too many. */
export function spellingsOf(statement: Statements, text: string): string[] {
  let spellings = [''];
  for (const letter of text) {
    const both = /[a-z]/i.test(letter) ? [letter.toLowerCase(), letter.toUpperCase()] : [letter];
    spellings = spellings
      .flatMap((spelling) => both.map((each) => spelling + each))
      .filter((spelling) => statement('referenceBegins').get(spelling, spelling + end) !== undefined);
    if (spellings.length > maxSpellings) return [];
  }
  return spellings.sort().reverse();
}

export interface ReferenceSearch {
  spellings: readonly string[];
  status: string | null;
  began: string;
  until: string;
  first: number;
  last: number;
  /** Position of the payment with whose reference the page before ended. */
  after: number | null;
  limit: number;
  /** How many of a spelling's references one call looks at. */
  lookRows: number;
}

/** The very references first, then longer ones, each from the highest down. `next` is what `after` is to be. */
export function referencePage(statement: Statements, search: ReferenceSearch): PaymentPage {
  const { spellings, after, limit, lookRows, status, began, until, first, last } = search;
  const stretches = [
    ...spellings.map((spelling): Stretch => ({ spelling, from: spelling, below: `${spelling}\u0001` })),
    ...spellings.map((spelling): Stretch => ({ spelling, from: `${spelling}\u0001`, below: spelling + end })),
  ];
  const payments: PaymentRow[] = [];
  for (const { from, below } of after === null ? stretches : rest(stretches, referenceAt(statement, after))) {
    const edge = statement('referenceEdge').get(from, below, lookRows - 1);
    const lowest = edge === undefined ? from : String(edge['reference']);
    const bounds = { from: lowest, below, first, last, status, began, until };
    for (const row of statement('foundByReference').iterate(bounds)) {
      const payment = paymentRowOf(row);
      payments.push(payment);
      if (payments.length === limit) return { payments, next: payment.position };
    }
    if (edge !== undefined) return { payments, next: Number(edge['position']) };
  }
  return { payments, next: null };
}

/** References from `from` (in it) to `below` (not in it). */
interface Stretch {
  spelling: string;
  from: string;
  below: string;
}

/** What comes after `reference`. */
function rest(stretches: Stretch[], reference: string): Stretch[] {
  const at = stretches.findIndex(({ spelling, from }) =>
    from === spelling ? reference === spelling : reference.startsWith(spelling),
  );
  const stretch = stretches[at];
  return stretch === undefined ? [] : [{ ...stretch, below: reference }, ...stretches.slice(at + 1)];
}

function referenceAt(statement: Statements, position: number): string {
  return String(statement('referenceAt').get(position)?.['reference'] ?? '');
}
