/** Days on which banks move money. A day is a number of days since 1970, so that it has no time zone of its own. */

export interface BankingCalendar {
  isBankingDay(day: number): boolean;
  /**
   * The `count`th banking day after `day`. With 0 that is `day` itself, or the next banking day where it is none.
   */
  after(day: number, count: number): number;
  /** How many banking days there are behind `from`, up to and with `to`; 0 when `to` is not later. */
  between(from: number, to: number): number;
}

/** Days of the week on which banks are closed: 0 is Sunday. */
export type Weekend = readonly number[];

const dayMs = 86_400_000;
/** 1 January 1970 was a Thursday. */
const firstWeekday = 4;

/** `YYYY-MM-DD` as a day, or null where there is no such date. */
export function dayOf(date: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) || dateOf(at / dayMs) !== date ? null : at / dayMs;
}

export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Which day and minute it is at a moment (milliseconds since 1970) where the clocks show `timeZone` (IANA). */
export function localTime(timeZone: string): (moment: number) => { day: number; minute: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    return {
      day: Date.UTC(part('year'), part('month') - 1, part('day')) / dayMs,
      minute: part('hour') * 60 + part('minute'),
    };
  };
}

/** `isHoliday` is asked for days that are no weekend only. */
export function bankingCalendar(weekend: Weekend, isHoliday: (day: number) => boolean): BankingCalendar {
  const closed = new Set(weekend);
  const holidays = new Map<number, boolean>();
  function isBankingDay(day: number): boolean {
    if (closed.has((day + firstWeekday) % 7)) return false;
    // Each day is asked for many times.
    const holiday = holidays.get(day) ?? isHoliday(day);
    holidays.set(day, holiday);
    return !holiday;
  }
  return {
    isBankingDay,
    after(day, count) {
      let at = day;
      for (let passed = 0; passed < count; passed += isBankingDay(at) ? 1 : 0) at += 1;
      while (!isBankingDay(at)) at += 1;
      return at;
    },
    between(from, to) {
      let count = 0;
      for (let day = from + 1; day <= to; day += 1) if (isBankingDay(day)) count += 1;
      return count;
    },
  };
}

/** The closing days of T2, the payment system of the euro (ECB): beside the weekends these six. */
export function isT2Holiday(day: number): boolean {
  const date = dateOf(day);
  if (['01-01', '05-01', '12-25', '12-26'].includes(date.slice(5))) return true;
  const sinceEaster = day - easterSunday(Number(date.slice(0, 4)));
  return sinceEaster === -2 || sinceEaster === 1;
}

/** Meeus, "Astronomical Algorithms", chapter 8: Easter in the Gregorian calendar. */
function easterSunday(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - d + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1) / dayMs;
}
