/** What the list of payments shows, as it stands in the address, so that Back works and a link can be handed on. */
import {
  maxSortedDays,
  paymentOrderSchema,
  type PaymentFilter,
  type PaymentOrder,
  type Span,
} from '../../../contract/console/index.ts';
import { currencyExponent, type Currency } from '../../../contract/money.ts';
import { dayOf, firstYear, startOf } from '../../messages/local-day.ts';
import { transactionStatusSchema, type TransactionStatus } from '../../../contract/operation.ts';

export interface ListFilter {
  /** Local days, "2026-05-12", as a date input has them, both in it; null: no such end. One day is the same twice. */
  from: string | null;
  to: string | null;
  status: TransactionStatus | null;
  text: string;
  /** Amounts as somebody has typed them, "12,5"; what is none counts for nothing. */
  least: string;
  most: string;
  order: PaymentOrder;
}

export const noFilter: ListFilter = {
  from: null,
  to: null,
  status: null,
  text: '',
  least: '',
  most: '',
  order: 'newest',
};

/** What the host takes at most. */
export const maxTextLength = 60;
export const maxAmountLength = 14;
/** Where a span goes that has no end of its own. */
const openEnds = { from: new Date(firstYear, 0, 1), until: new Date(9999, 0, 1) };

/** Whatever does not make sense in an address is left out. */
export function filterOf(query: URLSearchParams): ListFilter {
  const dayAt = (name: string) => {
    const day = query.get(name);
    return day !== null && isDay(day) ? day : null;
  };
  const day = dayAt('day');
  const [from, to] = [dayAt('from') ?? day, dayAt('to') ?? day];
  const isBackwards = from !== null && to !== null && from > to;
  return {
    from: isBackwards ? to : from,
    to: isBackwards ? from : to,
    status: transactionStatusSchema.safeParse(query.get('status')).data ?? null,
    text: (query.get('text') ?? '').slice(0, maxTextLength),
    least: (query.get('least') ?? '').slice(0, maxAmountLength),
    most: (query.get('most') ?? '').slice(0, maxAmountLength),
    order: paymentOrderSchema.safeParse(query.get('order')).data ?? noFilter.order,
  };
}

/** For `href`; undefined when nothing is filtered. */
export function queryOf(filter: ListFilter): Record<string, string> | undefined {
  const { from, to, status, text, least, most, order } = filter;
  const day = oneDay(filter);
  const query = {
    ...(day === null ? {} : { day }),
    ...(day !== null || from === null ? {} : { from }),
    ...(day !== null || to === null ? {} : { to }),
    ...(status === null ? {} : { status }),
    ...(text === '' ? {} : { text }),
    ...(least === '' ? {} : { least }),
    ...(most === '' ? {} : { most }),
    ...(order === noFilter.order ? {} : { order }),
  };
  return Object.keys(query).length === 0 ? undefined : query;
}

/** The same as the host takes it: local days as two instants, amounts in minor units of `currency`. */
export function requestOf(
  { from, to, status, text, least, most }: ListFilter,
  currency: Currency,
): PaymentFilter {
  const trimmed = text.trim();
  const fromMinor = minorOf(least, currency);
  const toMinor = minorOf(most, currency);
  return {
    span: spanOf(from, to),
    status,
    text: trimmed === '' ? null : trimmed.replace(/^(\d{1,10}),(\d{2})$/, '$1.$2'),
    ...(fromMinor === null && toMinor === null ? {} : { amount: { currency, fromMinor, toMinor } }),
  };
}

function spanOf(from: string | null, to: string | null): Span | null {
  const start = from === null ? null : startOf(from);
  const end = to === null ? null : startOf(to);
  if (start === null && end === null) return null;
  const until = end === null ? openEnds.until : dayAfter(end, 1);
  return { from: (start ?? openEnds.from).toISOString(), until: until.toISOString() };
}

/** "12", "12.5" or "12,50" in minor units; null for anything else. */
export function minorOf(text: string, currency: Currency): number | null {
  const exponent = currencyExponent(currency);
  const [, whole, fraction = ''] = /^(\d{1,10})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > exponent) return null;
  return Number(whole + fraction.padEnd(exponent, '0'));
}

/** Without the order: it leaves nothing out. */
export function isFiltered(filter: ListFilter): boolean {
  const asked = { ...filter, text: filter.text.trim(), order: noFilter.order };
  return queryOf(asked) !== undefined;
}

/** The day that all payments are of; null for none, or for several. */
export function oneDay({ from, to }: Pick<ListFilter, 'from' | 'to'>): string | null {
  return from === to ? from : null;
}

/** As many days up to today as can be sorted by amount. */
export function sortableDays(now: Date): Pick<ListFilter, 'from' | 'to'> {
  return { from: dayOf(dayAfter(now, 1 - maxSortedDays)), to: dayOf(now) };
}

/** The local day `days` after `day`; today's when `day` is none. */
export function shiftDay(day: string | null, days: number, now: Date): string {
  return dayOf(dayAfter((day === null ? null : startOf(day)) ?? now, days));
}

/** Whether `text` is a whole day that somebody can mean. */
export function isDay(text: string): boolean {
  return startOf(text) !== null;
}

/** The part of `filter` that lies in a local day. */
export function onDay(filter: PaymentFilter, day: string): PaymentFilter {
  return { ...filter, span: spanOf(day, day) };
}

/** By the calendar: days on which the clock is put forward or back are not 24 hours long. */
function dayAfter(instant: Date, days: number): Date {
  return new Date(instant.getFullYear(), instant.getMonth(), instant.getDate() + days);
}
