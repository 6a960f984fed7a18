/**
 * The console's search for payments. One call looks at a bounded number of rows, since the bridge answers tills from the
 * same thread:
 *
 *     positions  first ├───────── span ─────────┤ last
 *                            ◄── walk ── below          by position, or by the index of statuses
 *                            └ edge: so many rows looked at; the next call goes on here
 */
import { amountPattern, formatAmount } from '../../contract/money.ts';
import { isDecided } from '../../contract/operation.ts';
import type { PaymentPage, PaymentRow, PaymentSearch } from './journal.ts';
import type { QueryName, Statements } from './query-sql.ts';
import { paymentRowOf } from './rows.ts';
import { stamps, type Positions } from './span-positions.ts';

/** Rows that one call looks at, of each spelling of a reference and of the rest. */
const maxLookRows = 5_000;
/** More spellings than these are not gone through one by one. */
const maxSpellings = 16;
/** After everything that begins alike. */
const end = '\u{10ffff}';
/** A longer span, in days, holds so many payments that a text is looked up among the references first. */
const walkedDays = 31;

/** `within`: where the payments of the span lie; null when it has none. */
export function searchPayments(
  statement: Statements,
  within: Positions | null,
  search: PaymentSearch,
  lookRows = maxLookRows,
): PaymentPage {
  const { status, before, limit } = search;
  if (within === null || limit === 0) return { payments: [], next: null };
  const match = textMatch(search.text);
  const { from: began, until } = search.span === null ? { from: '', until: '~' } : stamps(search.span);
  const filter = { status, began, until, ...within, lookRows };
  const top = within.last + 1;
  if (match === null) {
    return walk(statement, { ...filter, ...matchesAll }, Math.min(before ?? top, top), limit, () => true);
  }

  const prefiltered = { ...filter, ...match.prefilter };
  if (before !== null && before >= 0) {
    return walk(statement, prefiltered, Math.min(before, top), limit, match.matches);
  }
  const stage = before === null ? null : stageOf(before);
  const isOther = (payment: PaymentRow) => match.matches(payment) && !match.beginsReference(payment);
  if (stage?.kind === 'others') return others(walk(statement, prefiltered, stage.position, limit, isOther));
  const spellings = goesByReference(search) ? spellingsOf(statement, search.text?.trim() ?? '') : [];
  if (stage === null && spellings.length === 0)
    return walk(statement, prefiltered, top, limit, match.matches);
  const after = stage?.position ?? null;
  const page = referencePage(statement, { ...filter, spellings, after, limit });
  if (page.next !== null) return { ...page, next: cursorOf({ kind: 'references', position: page.next }) };
  const rest = others(walk(statement, prefiltered, top, limit - page.payments.length, isOther));
  return { payments: [...page.payments, ...rest.payments], next: rest.next };
}

/**
 * Where a search goes on that began with the references: after the reference of the payment at `position`, or with the
 * others below it. As one number, that is even or odd and negative: any other one is a position from which all that
 * matches is wanted.
 */
interface SearchStage {
  kind: 'references' | 'others';
  position: number;
}

function cursorOf({ kind, position }: SearchStage): number {
  return kind === 'references' ? -2 * position : -2 * position - 1;
}

function stageOf(cursor: number): SearchStage {
  const position = Math.floor(-cursor / 2);
  return { kind: cursor % 2 === 0 ? 'references' : 'others', position };
}

function others({ payments, next }: PaymentPage): PaymentPage {
  return { payments, next: next === null ? null : cursorOf({ kind: 'others', position: next }) };
}

/** Of undecided payments there are few, and their index leads to all of them. */
function goesByReference({ span, status }: PaymentSearch): boolean {
  if (status !== null && !isDecided(status)) return false;
  return span === null || Date.parse(span.until) - Date.parse(span.from) > walkedDays * 86_400_000;
}

interface WalkFilter {
  status: string | null;
  began: string;
  until: string;
  first: number;
  beginning: string;
  inside: string | null;
  hundredths: number | null;
  lookRows: number;
}

/** From the payment before the position `below` to older ones. */
function walk(
  statement: Statements,
  filter: WalkFilter,
  below: number,
  limit: number,
  matches: (payment: PaymentRow) => boolean,
): PaymentPage {
  const { status, first: oldest, began, until, beginning, inside, hundredths, lookRows } = filter;
  const [edgeQuery, query]: [QueryName, QueryName] =
    status === null ? ['positionEdge', 'found'] : ['positionEdgeOfStatus', 'foundOfStatus'];
  const ofStatus = status === null ? [] : [status];
  const payments: PaymentRow[] = [];
  let top = below;
  // Most pages are full after so many rows as they hold: only then is it found out where the others end.
  const page = Math.min(limit + 1, lookRows);
  for (const count of [page, lookRows - page]) {
    // The first one that is not looked at any more.
    const edge = statement(edgeQuery).get(...ofStatus, top, oldest, count);
    const next = edge === undefined ? null : Number(edge['position']) + 1;
    const bounds = { below: top, first: next ?? oldest, began, until, beginning, inside, hundredths };
    const rows = statement(query).iterate(status === null ? bounds : { ...bounds, status });
    for (const row of rows) {
      const payment = paymentRowOf(row);
      if (!matches(payment)) continue;
      const last = payments.at(-1);
      if (payments.length === limit && last !== undefined) return { payments, next: last.position };
      payments.push(payment);
    }
    if (next === null) return { payments, next };
    top = next;
  }
  return { payments, next: top };
}

/*
 * By reference: payments whose reference begins with a text, however old, by the index of references. That index knows
 * letters as they were written, so each spelling that there is ("inv-7", "INV-7") is gone through by itself.
 */

/** How the beginning `text` is written in references, the highest first; none when there are too many. */
function spellingsOf(statement: Statements, text: string): string[] {
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

interface ReferenceSearch {
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
function referencePage(statement: Statements, search: ReferenceSearch): PaymentPage {
  const { spellings, after, limit, lookRows, status, began, until, first, last } = search;
  const ranges = [
    ...spellings.map((spelling): ReferenceRange => ({
      spelling,
      from: spelling,
      below: `${spelling}\u0001`,
    })),
    ...spellings.map((spelling): ReferenceRange => ({
      spelling,
      from: `${spelling}\u0001`,
      below: spelling + end,
    })),
  ];
  const payments: PaymentRow[] = [];
  for (const { from, below } of after === null ? ranges : rest(ranges, referenceAt(statement, after))) {
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
interface ReferenceRange {
  spelling: string;
  from: string;
  below: string;
}

/** What comes after `reference`. */
function rest(ranges: ReferenceRange[], reference: string): ReferenceRange[] {
  const at = ranges.findIndex(({ spelling, from }) =>
    from === spelling ? reference === spelling : reference.startsWith(spelling),
  );
  const range = ranges[at];
  return range === undefined ? [] : [{ ...range, below: reference }, ...ranges.slice(at + 1)];
}

function referenceAt(statement: Statements, position: number): string {
  return String(statement('referenceAt').get(position)?.['reference'] ?? '');
}

/* By text: whether a payment is one that a searched text means. */

interface TextMatch {
  /** What `query-sql.ts` sorts out most others with; what passes there may still not match. */
  prefilter: Prefilter;
  matches(payment: PaymentRow): boolean;
  beginsReference(payment: PaymentRow): boolean;
}

/** Patterns of LIKE with `\` as the escape, and an amount in hundredths. */
interface Prefilter {
  beginning: string;
  inside: string | null;
  hundredths: number | null;
}

const matchesAll: Prefilter = { beginning: '%', inside: null, hundredths: null };

/** See `paymentFilterSchema` for what a text means. Null for none or an empty one: everything. */
function textMatch(text: string | null): TextMatch | null {
  const wanted = fold(text?.trim() ?? '');
  if (wanted === '') return null;
  const isWanted = (field: string | null) => field !== null && fold(field) === wanted;
  const beginsReference = (payment: PaymentRow) => fold(payment.reference).startsWith(wanted);
  return {
    prefilter: {
      beginning: `${escaped(wanted)}%`,
      // In the event of the sale's end each of these is a JSON string that is this text or ends with it.
      inside: `%${escaped(JSON.stringify(wanted).slice(1))}%`,
      hundredths: amountPattern.test(wanted) ? Number(wanted.replace('.', '')) : null,
    },
    matches(payment) {
      const { result } = payment;
      if (beginsReference(payment) || formatAmount(payment.amountMinor, payment.currency) === wanted)
        return true;
      if (result === null) return false;
      if ([result.approvalCode, result.receiptNumber, result.traceNumber].some(isWanted)) return true;
      return /^\d+$/.test(wanted) && (result.maskedCardNumber?.endsWith(wanted) ?? false);
    },
    beginsReference,
  };
}

/** Letters of ASCII only, as SQLite's LIKE does it. */
function fold(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
