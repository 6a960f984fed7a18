/** What the day's figures become before they are shown: shares, the hours that are worth showing, the week before. */
import type { DaySummary, Span } from '../../../contract/console/index.ts';

/** To a tenth of a percent: all of them, or none, is not said when it was one more or less. */
export function shareOf(part: number, whole: number): number {
  if (part === 0 || part === whole) return part / whole;
  return Math.min(Math.max(Math.round((part * 1_000) / whole), 1), 999) / 1_000;
}

/** Fewer hours than these would make bars as broad as a hand. */
const leastHours = 6;

export interface ShownHour {
  from: string;
  count: number;
  approved: number;
  sumMinor: number;
  /** Payments of the same hour by the clock, a week before; null where that day is not known. */
  before: number | null;
}

/**
 * The opening hours: from the first to the last hour with a payment, of this day or of the same day a week before. Hours
 * are told by the clock on the wall, because one of the two days may be the one on which it was changed.
 */
export function openingHours(hours: DaySummary['hours'], before: DaySummary['hours'] | null): ShownHour[] {
  const byClock = new Map<number, number>();
  for (const { from, count } of before ?? []) {
    const hour = new Date(from).getHours();
    byClock.set(hour, (byClock.get(hour) ?? 0) + count);
  }
  const all = hours.map((hour) => ({
    ...hour,
    before: before === null ? null : (byClock.get(new Date(hour.from).getHours()) ?? 0),
  }));
  const isBusy = ({ count, before: countBefore }: ShownHour) => count > 0 || (countBefore ?? 0) > 0;
  const first = all.findIndex(isBusy);
  if (first === -1) return all;
  const last = all.findLastIndex(isBusy);
  const missing = Math.max(0, leastHours - (last - first + 1));
  const until = Math.min(all.length, last + 1 + Math.ceil(missing / 2));
  return all.slice(Math.max(0, Math.min(first, until - leastHours)), Math.max(until, leastHours));
}

/** The same day a week before, by the clock on the wall. */
export function weekBefore(day: Span): Span {
  return { from: daysLater(day.from, -7), until: daysLater(day.until, -7) };
}

/** The same day a week before, up to this time of the day: five minutes at a time, so that it is not always asked anew. */
export function weekBeforeUntil(day: Span, nowMs: number): Span {
  const stepMs = 300_000;
  const until = new Date(Math.floor(nowMs / stepMs) * stepMs).toISOString();
  const { from } = weekBefore(day);
  const sameTime = daysLater(until, -7);
  return { from, until: sameTime < from ? from : sameTime };
}

function daysLater(instant: string, days: number): string {
  const date = new Date(instant);
  date.setDate(date.getDate() + days);
  return date.toISOString();
}

/** Half took no longer than this. Null of nothing. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
