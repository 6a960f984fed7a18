/** What the list of payments shows, as it stands in the address, so that Back works and a link can be handed on. */
import type { PaymentFilter } from '../../../contract/console/index.ts';
import { transactionStatusSchema, type TransactionStatus } from '../../../contract/operation.ts';

export interface ListFilter {
  /** A local day, "2026-05-12", as a date input has it; null: all days. */
  day: string | null;
  status: TransactionStatus | null;
  text: string;
}

export const noFilter: ListFilter = { day: null, status: null, text: '' };

/** What the host takes at most. */
export const maxTextLength = 60;
/** While a year is typed, a date input has one of less than four digits. */
const firstYear = 2000;
/** Writes a day as date inputs take it. */
const isoDay = new Intl.DateTimeFormat('sv-SE');

/** Whatever does not make sense in an address is left out. */
export function filterOf(query: URLSearchParams): ListFilter {
  const day = query.get('day');
  return {
    day: day !== null && startOf(day) !== null ? day : null,
    status: transactionStatusSchema.safeParse(query.get('status')).data ?? null,
    text: (query.get('text') ?? '').slice(0, maxTextLength),
  };
}

/** For `href`; undefined when nothing is filtered. */
export function queryOf({ day, status, text }: ListFilter): Record<string, string> | undefined {
  const query = {
    ...(day === null ? {} : { day }),
    ...(status === null ? {} : { status }),
    ...(text === '' ? {} : { text }),
  };
  return Object.keys(query).length === 0 ? undefined : query;
}

/** The same as the host takes it: the local day as two instants. */
export function requestOf({ day, status, text }: ListFilter): PaymentFilter {
  const from = day === null ? null : startOf(day);
  const trimmed = text.trim();
  return {
    span: from === null ? null : { from: from.toISOString(), until: dayAfter(from, 1).toISOString() },
    status,
    text: trimmed === '' ? null : trimmed,
  };
}

export function isFiltered({ day, status, text }: ListFilter): boolean {
  return day !== null || status !== null || text.trim() !== '';
}

/** The local day of `instant`. */
export function dayOf(instant: Date): string {
  return isoDay.format(instant);
}

/** The local day `days` after `day`; today's when `day` is none. */
export function shiftDay(day: string | null, days: number, now: Date): string {
  return dayOf(dayAfter((day === null ? null : startOf(day)) ?? now, days));
}

/** Whether `text` is a whole day that somebody can mean. */
export function isDay(text: string): boolean {
  return startOf(text) !== null;
}

/** The first instant of a local day; null when there is no such day. */
export function startOf(day: string): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined || year < firstYear) return null;
  const start = new Date(year, month - 1, date);
  return dayOf(start) === day ? start : null;
}

/** By the calendar: days on which the clock is put forward or back are not 24 hours long. */
function dayAfter(instant: Date, days: number): Date {
  return new Date(instant.getFullYear(), instant.getMonth(), instant.getDate() + days);
}
