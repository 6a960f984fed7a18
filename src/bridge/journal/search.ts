/**
 * The console's search for payments. One call looks at a bounded number of rows, since the bridge answers tills from the
 * same thread:
 *
 *     positions  first ├───────── span ─────────┤ last
 *                            ◄── walk ── below          by position, or by the index of statuses
 *                            └ edge: so many rows looked at; the next call goes on here
 */
import { isDecided } from '../../contract/operation.ts';
import type { PaymentPage, PaymentRow, PaymentSearch } from './journal.ts';
import type { QueryName, Statements } from './query-sql.ts';
import { referencePage, spellingsOf } from './reference-search.ts';
import { paymentRowOf } from './rows.ts';
import { stamps, type Positions } from './spans.ts';
import { allPass, textMatch } from './text-match.ts';

/** Rows that one call looks at, of each spelling of a reference and of the rest. */
const maxLookRows = 5_000;
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
    return walk(statement, { ...filter, ...allPass }, Math.min(before ?? top, top), limit, () => true);
  }

  const sieved = { ...filter, ...match.sieve };
  if (before !== null && before >= 0) {
    return walk(statement, sieved, Math.min(before, top), limit, match.matches);
  }
  const turn = before === null ? null : turnOf(before);
  const isOther = (payment: PaymentRow) => match.matches(payment) && !match.beginsReference(payment);
  if (turn?.kind === 'others') return others(walk(statement, sieved, turn.position, limit, isOther));
  const spellings = goesByReference(search) ? spellingsOf(statement, search.text?.trim() ?? '') : [];
  if (turn === null && spellings.length === 0) return walk(statement, sieved, top, limit, match.matches);
  const after = turn?.position ?? null;
  const page = referencePage(statement, { ...filter, spellings, after, limit });
  if (page.next !== null) return { ...page, next: cursorOf({ kind: 'references', position: page.next }) };
  const rest = others(walk(statement, sieved, top, limit - page.payments.length, isOther));
  return { payments: [...page.payments, ...rest.payments], next: rest.next };
}

/**
 * Where a search goes on that began with the references: after the reference of the payment at `position`, or with the
 * others below it. As one number, that is even or odd and negative: any other one is a position from which all that
 * matches is wanted.
 */
interface Turn {
  kind: 'references' | 'others';
  position: number;
}

function cursorOf({ kind, position }: Turn): number {
  return kind === 'references' ? -2 * position : -2 * position - 1;
}

function turnOf(cursor: number): Turn {
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
  // The first one that is not looked at any more.
  const edge = statement(edgeQuery).get(...ofStatus, below, oldest, lookRows);
  const next = edge === undefined ? null : Number(edge['position']) + 1;
  const bounds = { below, first: next ?? oldest, began, until, beginning, inside, hundredths };
  const rows = statement(query).iterate(status === null ? bounds : { ...bounds, status });
  const payments: PaymentRow[] = [];
  for (const row of rows) {
    const payment = paymentRowOf(row);
    if (!matches(payment)) continue;
    const last = payments.at(-1);
    if (payments.length === limit && last !== undefined) return { payments, next: last.position };
    payments.push(payment);
  }
  return { payments, next };
}
