/**
 * The console's search for payments. One call looks at a bounded number of rows, since the bridge answers tills from the
 * same thread:
 *
 *     positions  first ├───────── span ─────────┤ last
 *                            ◄── walk ── below          by position, or by the index of statuses
 *                            └ edge: so many rows looked at; the next call goes on here
 *
 * The oldest first it walks the other way.
 */
import type { AmountRange, PaymentFilter } from '../../contract/payment-queries.ts';
import { isDecided } from '../../contract/operation.ts';
import type { PaymentPage, PaymentRow, PaymentSearch } from './journal.ts';
import type { QueryName, Statements } from './query-sql.ts';
import { paymentRowOf, type SqlRow } from './rows.ts';
import { stamps, type Positions } from './span-positions.ts';
import { matchesAll, textMatch, type TextMatch } from './text-match.ts';

/** Rows that one call looks at, of each spelling of a reference and of the rest: some 6 ms. */
export const maxLookRows = 5_000;
/** Of those, rows that are read as a whole because the text may be in them: some 3 ms more. */
export const maxReadRows = 300;
/** Rows that one call looks at where what the terminal took is read of each row, which is much slower. */
export const maxAmountRows = 1_000;
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
  lookRows = search.amount === undefined ? maxLookRows : maxAmountRows,
): PaymentPage {
  const { before, limit, order = 'newest' } = search;
  if (within === null || limit === 0) return { payments: [], next: null };
  const match = textMatch(search.text);
  const filter = walkFilter(search, within, match, lookRows, order);
  if (order === 'oldest') return walk(statement, filter, before, limit, match?.matches);
  if (match === null || (before !== null && before >= 0))
    return walk(statement, filter, before, limit, match?.matches);

  const stage = before === null ? null : stageOf(before);
  const isOther = (payment: PaymentRow) => match.matches(payment) && !match.beginsReference(payment);
  if (stage?.kind === 'others') return others(walk(statement, filter, stage.position, limit, isOther));
  const spellings = goesByReference(search) ? spellingsOf(statement, search.text?.trim() ?? '') : [];
  if (stage === null && spellings.length === 0) return walk(statement, filter, null, limit, match.matches);
  const after = stage?.position ?? null;
  const page = referencePage(statement, { ...filter, spellings, after, limit });
  if (page.next !== null) return { ...page, next: cursorOf({ kind: 'references', position: page.next }) };
  const rest = others(walk(statement, filter, null, limit - page.payments.length, isOther));
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

export interface WalkFilter extends Positions, AmountBounds {
  status: string | null;
  began: string;
  until: string;
  beginning: string;
  inside: string | null;
  hundredths: number | null;
  lookRows: number;
  order: WalkOrder;
}

export type WalkOrder = 'newest' | 'oldest';

/** All null: every amount. */
interface AmountBounds {
  currency: string | null;
  fromMinor: number | null;
  toMinor: number | null;
}

/** What the queries of `query-sql.ts` are given of a filter. */
export function walkFilter(
  { span, status, amount }: PaymentFilter,
  within: Positions,
  match: TextMatch | null,
  lookRows: number,
  order: WalkOrder = 'newest',
): WalkFilter {
  const { from: began, until } = span === null ? { from: '', until: '~' } : stamps(span);
  const { first, last } = within;
  const prefilter = match?.prefilter ?? matchesAll;
  return { status, began, until, first, last, ...amountBounds(amount), ...prefilter, lookRows, order };
}

function amountBounds(amount: AmountRange | undefined): AmountBounds {
  if (amount === undefined) return { currency: null, fromMinor: null, toMinor: null };
  const { currency, fromMinor, toMinor } = amount;
  return { currency, fromMinor: fromMinor ?? 0, toMinor: toMinor ?? Number.MAX_SAFE_INTEGER };
}

/** From the payment beside the position `from` (none: from the end of the span) to older ones, or to newer ones. */
function walk(
  statement: Statements,
  filter: WalkFilter,
  from: number | null,
  limit: number,
  matches: (payment: PaymentRow) => boolean = () => true,
): PaymentPage {
  const { lookRows } = filter;
  const payments: PaymentRow[] = [];
  let read = 0;
  let at = from;
  // Most pages are full after so many rows as they hold: only then is it found out where the others end.
  const page = Math.min(limit + 1, lookRows);
  for (const count of [page, lookRows - page]) {
    const { rows, next } = step(statement, 'found', filter, at, count);
    for (const row of rows) {
      const payment = paymentRowOf(row);
      read += 1;
      const last = payments.at(-1);
      if (matches(payment)) {
        if (payments.length === limit && last !== undefined) return { payments, next: last.position };
        payments.push(payment);
      }
      if (read === maxReadRows + limit) return { payments, next: payment.position };
    }
    if (next === null) return { payments, next };
    at = next;
  }
  return { payments, next: at };
}

/** A part of the way. */
interface Step {
  /** What passes the filter. */
  rows: Iterable<SqlRow>;
  /** From where there is more, as `from` was; null: that was all. */
  next: number | null;
  /** When the first payment was made that was not looked at any more. */
  nextAt: string | null;
}

/** Looks at the next `count` rows. Amounts are there from the newest on only. */
export function step(
  statement: Statements,
  query: 'found' | 'amounts',
  filter: WalkFilter,
  from: number | null,
  count: number,
): Step {
  const { status, order, lookRows: _, first, last, ...values } = filter;
  const newest = order === 'newest';
  const low = newest || from === null ? first : Math.max(first, from + 1);
  const high = !newest || from === null ? last : Math.min(last, from - 1);
  const index = status === null ? '' : 'OfStatus';
  const ofStatus = status === null ? {} : { status };
  const [edgeQuery, rowsQuery]: [QueryName, QueryName] = newest
    ? [`positionEdge${index}`, `${query}${index}`]
    : [`positionEdge${index}Up`, `found${index}Up`];
  // The first one that is not looked at any more.
  const edge = statement(edgeQuery).get({ ...ofStatus, low, high, count });
  const edgeAt = edge === undefined ? null : Number(edge['position']);
  const bounds = {
    low: newest && edgeAt !== null ? edgeAt + 1 : low,
    high: !newest && edgeAt !== null ? edgeAt - 1 : high,
  };
  return {
    rows: statement(rowsQuery).iterate({ ...values, ...ofStatus, ...bounds }),
    next: edgeAt === null ? null : newest ? edgeAt + 1 : edgeAt - 1,
    nextAt: edge === undefined ? null : String(edge['created_at']),
  };
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

interface ReferenceSearch extends Omit<WalkFilter, 'order'> {
  spellings: readonly string[];
  /** Position of the payment with whose reference the page before ended. */
  after: number | null;
  limit: number;
}

/** The very references first, then longer ones, each from the highest down. `next` is what `after` is to be. */
function referencePage(statement: Statements, search: ReferenceSearch): PaymentPage {
  const { spellings, after, limit, lookRows, status, began, until, first, last } = search;
  const { currency, fromMinor, toMinor } = search;
  const wanted = { first, last, status, began, until, currency, fromMinor, toMinor };
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
    for (const row of statement('foundByReference').iterate({ from: lowest, below, ...wanted })) {
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
