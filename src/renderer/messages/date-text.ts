/**
 * Days and times as somebody writes them, in the order of the window's language. An `<input type="date">` has the order of
 * the browser's language, which need not be the window's.
 */
import { dayOf, firstYear, startOf } from './local-day.ts';
import { localeOf, regionalTag } from './regional-tag.ts';

export interface DateTexts {
  /** A local day ("2026-05-09") as it is written: "09.05.2026". Something that is no day stays as it is. */
  day(day: string): string;
  /** "09.05.2026, 14:05:09" */
  time(instant: Date): string;
  /** Both with letters in the place of figures: "TT.MM.JJJJ", "TT.MM.JJJJ, hh:mm:ss". */
  pattern(letters: Record<DatePart, string>, kind: 'day' | 'time'): string;
  /**
   * The local day that somebody has written, null when it is none. Understood are also one digit for day and month, two for
   * the year, no year at all (that of `now`), and "2026-05-09" in every language.
   */
  readDay(text: string, now: Date): string | null;
  /** The same with a time ("14:05", "2:05:09 pm"); without one the first or the last second of the day. */
  readTime(text: string, now: Date, withoutTime: 'first' | 'last'): Date | null;
  /** With which day a week begins, from 1 for Monday to 7 for Sunday. */
  firstWeekday: number;
}

const twoDigits = '2-digit';
const dayParts = { day: twoDigits, month: twoDigits, year: 'numeric' } as const;
const timeParts = { hour: twoDigits, minute: twoDigits, second: twoDigits } as const;
type DayPart = keyof typeof dayParts;
type DatePart = DayPart | keyof typeof timeParts;

/** `language` is the window's, `browser` the browser's first one ("en-GB"), which says the region. */
export function createDateTexts(language: string, browser: string): DateTexts {
  const tag = regionalTag(language, browser);
  const day = new Intl.DateTimeFormat(tag, dayParts);
  const time = new Intl.DateTimeFormat(tag, { ...dayParts, ...timeParts });
  const order = day
    .formatToParts()
    .map(({ type }) => type)
    .filter(isDayPart);

  const readDay = (text: string, now: Date) => {
    if (!/^[\d\s./-]+$/.test(text)) return null;
    const digits = text.match(/\d+/g) ?? [];
    const yearFirst: DayPart[] = ['year', 'month', 'day'];
    const parts = digits[0]?.length === 4 ? yearFirst : order;
    const named = digits.length === 2 ? parts.filter((part) => part !== 'year') : parts;
    if (digits.length !== named.length) return null;
    const value = (part: DayPart) => digits[named.indexOf(part)] ?? String(now.getFullYear());
    const year = value('year');
    if (year.length !== 2 && year.length !== 4) return null;
    const fullYear = year.length === 2 ? String(Math.floor(firstYear / 100)) + year : year;
    const read = [fullYear, value('month').padStart(2, '0'), value('day').padStart(2, '0')].join('-');
    return startOf(read) === null ? null : read;
  };

  return {
    day(text) {
      const start = startOf(text);
      return start === null ? text : day.format(start);
    },
    time: (instant) => time.format(instant),
    pattern: (letters, kind) =>
      (kind === 'day' ? day : time)
        .formatToParts()
        .map(({ type, value }) =>
          type in letters ? letters[type as DatePart] : type === 'dayPeriod' ? 'AM' : value,
        )
        .join(''),
    readDay,
    readTime(text, now, withoutTime) {
      const found = /^(.*?\d.*?)[,T\s]+(\d{1,2}):(\d\d)(?::(\d\d))?\s*(?:([ap])\.?\s?m\.?)?\s*$/iu.exec(text);
      const [, dayText = text, hours, minutes, seconds, half] = found ?? [];
      const read = readDay(dayText, now);
      const start = read === null ? null : startOf(read);
      if (start === null) return null;
      const [year, month, date] = [start.getFullYear(), start.getMonth(), start.getDate()];
      if (hours === undefined)
        return withoutTime === 'first' ? start : new Date(year, month, date, 23, 59, 59);
      const hour = hourOf(Number(hours), half?.toLowerCase());
      if (hour === null || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return null;
      return new Date(year, month, date, hour, Number(minutes), Number(seconds ?? 0));
    },
    firstWeekday: firstWeekdayOf(language, browser),
  };
}

/** The days of the month of `day`, week by week, as they stand in a calendar; days of the months beside it are among them. */
export function weeksOf(day: string, firstWeekday: number): string[][] {
  const start = startOf(day);
  if (start === null) return [];
  const [year, month] = [start.getFullYear(), start.getMonth()];
  const before = (new Date(year, month, 1).getDay() + 7 - (firstWeekday % 7)) % 7;
  const length = new Date(year, month + 1, 0).getDate();
  return Array.from({ length: Math.ceil((before + length) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, place) => dayOf(new Date(year, month, 1 - before + week * 7 + place))),
  );
}

/** The same day `months` later, or the last one of that month. */
export function shiftMonth(day: string, months: number): string {
  const start = startOf(day);
  if (start === null) throw new Error(`${day} is no day.`);
  const [year, month] = [start.getFullYear(), start.getMonth() + months];
  const last = new Date(year, month + 1, 0).getDate();
  return dayOf(new Date(year, month, Math.min(start.getDate(), last)));
}

function isDayPart(type: string): type is DayPart {
  return type in dayParts;
}

/** On a clock of 24 hours; null when there is no such hour. `half` is "a" or "p" of a clock of twelve. */
function hourOf(hours: number, half: string | undefined): number | null {
  if (half === undefined) return hours > 23 ? null : hours;
  if (hours < 1 || hours > 12) return null;
  return (hours % 12) + (half === 'p' ? 12 : 0);
}

/** That of the browser's region, if the browser speaks the window's language; otherwise, and if unknown, Monday. */
function firstWeekdayOf(language: string, browser: string): number {
  const locale: (Intl.Locale & { getWeekInfo?: () => { firstDay: number } }) | null = localeOf(browser);
  return locale?.language === language ? (locale.getWeekInfo?.().firstDay ?? 1) : 1;
}
