/** Days by the computer's own clock and zone, written as date inputs have them: "2026-05-12". */

/** While a year is typed, a date input has one of less than four digits. */
export const firstYear = 2000;
const isoDay = new Intl.DateTimeFormat('sv-SE');

/** In an address instead of a date: the day that it is now. */
export const todayName = 'today';

/** The local day of `instant`. */
export function dayOf(instant: Date): string {
  return isoDay.format(instant);
}

/** The local day `days` after `day`. */
export function shiftDay(day: string, days: number): string {
  const start = startOf(day);
  if (start === null) throw new Error(`${day} is no day.`);
  // By the calendar: days on which the clock is put forward or back are not 24 hours long.
  return dayOf(new Date(start.getFullYear(), start.getMonth(), start.getDate() + days));
}

/** The first instant of a local day; null when there is no such day. */
export function startOf(day: string): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined || year < firstYear) return null;
  const start = new Date(year, month - 1, date);
  return dayOf(start) === day ? start : null;
}
