/** Amounts, times and numbers as the window's language writes them; all by the browser's own Intl. */
import { useTranslation } from 'react-i18next';
import { currencyExponent, type Currency } from '../../contract/money.ts';
import { bridgeSentence, englishFor } from '../../locales/index.ts';
import { dayOf } from './local-day.ts';
import { regionalTag } from './regional-tag.ts';

export interface Formats {
  /** "12,00 €" */
  money(amountMinor: number, currency: Currency): string;
  /** "14:05:09" */
  time(instant: string): string;
  /** "14:05:09.123", always on a clock of 24 hours: AM and PM say nothing between thousands of lines. */
  preciseTime(instant: string): string;
  /** "21.11.2026, 14:05:09" */
  dateTime(instant: string): string;
  /** "21.11.2026, 14:05:09 – 14:15:09" */
  range(from: string, until: string): string;
  /** "21 November 2026" */
  day(instant: string): string;
  /** "21 Nov", by the computer's clock */
  dayAndMonth(day: Date): string;
  /** "Sat, 21 November 2026" */
  weekDay(instant: string): string;
  /** "21.11.2026", by the computer's clock */
  shortDay(day: Date): string;
  /** With date, seconds and zone: for tooltips. */
  fullTime(instant: string): string;
  /** What a terminal's clock says in digits (MMDD, hhmmss): "6 March, 10:20:31". Other digits stay as they are. */
  terminalClock(date: string | null, time: string | null): string;
  /** "14:05" */
  shortTime(instant: string): string;
  /** "Thursday" */
  weekday(instant: string): string;
  /** The hour of a chart's axis: "14". */
  hour(instant: string): string;
  /** A sentence of the bridge's own, in the window's language where that has it. */
  sentence(text: string): string;
  /** English texts of the bridge that a search in the window's language may mean, so many at most. */
  englishFor(search: string, limit: number): string[];
  number(value: number): string;
  /** With so many digits behind the point: "12,00". */
  decimal(value: number, digits: number): string;
  /** "12.3 GB", "640 MB" */
  bytes(value: number): string;
  /** 0 to 1 as "97.5 %". */
  share(value: number): string;
  /** 0 to 1 with two digits, as fees are agreed: "0.95 %". */
  rate(value: number): string;
  /** "1.4 s", "350 ms" */
  duration(milliseconds: number): string;
  /** A long time in the largest unit of which it has two: "70 s", "12 min", "5 hr". */
  span(milliseconds: number): string;
  /** "00:07", minutes and seconds that have passed; from one hour on with hours. */
  passed(milliseconds: number): string;
}

/** From the largest down, in milliseconds. */
const spanUnits = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** One set for each language: to make one takes milliseconds, and each row that comes asks for it. */
const made = new Map<string, Formats>();

export function useFormats(): Formats {
  const { language } = useTranslation().i18n;
  const formats = made.get(language) ?? createFormats(language);
  made.set(language, formats);
  return formats;
}

function createFormats(language: string): Formats {
  const tag = regionalTag(language, navigator.language);
  const time = new Intl.DateTimeFormat(tag, { timeStyle: 'medium' });
  const preciseTime = new Intl.DateTimeFormat(tag, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  });
  const dateTime = new Intl.DateTimeFormat(tag, { dateStyle: 'short', timeStyle: 'medium' });
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'long' });
  const weekDay = new Intl.DateTimeFormat(tag, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  const fullTime = new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'long' });
  const shortDay = new Intl.DateTimeFormat(tag, { day: '2-digit', month: '2-digit', year: 'numeric' });
  const dayOfMonth = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  const dayAndMonth = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short' });
  const shortTime = new Intl.DateTimeFormat(tag, { timeStyle: 'short' });
  const weekday = new Intl.DateTimeFormat(tag, { weekday: 'long' });
  const hour = new Intl.DateTimeFormat(tag, { hour: 'numeric' });
  const number = new Intl.NumberFormat(tag);
  const share = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
  const rate = new Intl.NumberFormat(tag, {
    style: 'percent',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const milliseconds = new Intl.NumberFormat(tag, {
    style: 'unit',
    unit: 'millisecond',
    maximumFractionDigits: 0,
  });
  const megabytes = new Intl.NumberFormat(tag, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 });
  const gigabytes = new Intl.NumberFormat(tag, { style: 'unit', unit: 'gigabyte', maximumFractionDigits: 1 });
  const seconds = new Intl.NumberFormat(tag, { style: 'unit', unit: 'second', maximumFractionDigits: 1 });
  const passed = new Intl.DateTimeFormat(tag, { minute: 'numeric', second: '2-digit', timeZone: 'UTC' });
  const passedHours = new Intl.DateTimeFormat(tag, {
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  const moneyFormats = new Map<string, Intl.NumberFormat>();
  const endOf = (from: string, until: string) => {
    const isSameDay = dayOf(new Date(from)) === dayOf(new Date(until));
    return (isSameDay ? time : dateTime).format(new Date(until));
  };

  return {
    money(amountMinor, currency) {
      const digits = currencyExponent(currency);
      const format =
        moneyFormats.get(currency) ??
        new Intl.NumberFormat(tag, {
          style: 'currency',
          currency,
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        });
      moneyFormats.set(currency, format);
      return format.format(amountMinor / 10 ** digits);
    },
    time: (instant) => time.format(new Date(instant)),
    preciseTime: (instant) => preciseTime.format(new Date(instant)),
    // Not `formatRange`: in German it writes a day as "12.5.26", and everything else "12.05.26".
    range: (from, until) => `${dateTime.format(new Date(from))} – ${endOf(from, until)}`,
    dateTime: (instant) => dateTime.format(new Date(instant)),
    shortDay: (day) => shortDay.format(day),
    dayAndMonth: (day) => dayAndMonth.format(day),
    day: (instant) => day.format(new Date(instant)),
    weekDay: (instant) => weekDay.format(new Date(instant)),
    fullTime: (instant) => fullTime.format(new Date(instant)),
    terminalClock(date, time) {
      const day = /^(\d\d)(\d\d)$/.exec(date ?? '');
      // In a leap year, so that the 29th of February is one.
      const ofYear = /^(?=\d{3}$)0*(\d+)$/.exec(date ?? '')?.[1];
      const english = ofYear === undefined ? date : `day ${ofYear} of the year`;
      const digits = english === null ? null : (bridgeSentence(english, language) ?? english);
      const dayText =
        day === null ? digits : dayOfMonth.format(Date.UTC(2024, Number(day[1]) - 1, Number(day[2])));
      const timeText =
        time?.replace(/^(\d\d)(\d\d)(\d\d)$/, '$1:$2:$3').replace(/^([01]\d|2[0-3])([0-5]\d)$/, '$1:$2') ??
        null;
      return [dayText, timeText].filter((part) => part !== null).join(', ');
    },
    shortTime: (instant) => shortTime.format(new Date(instant)),
    weekday: (instant) => weekday.format(new Date(instant)),
    hour: (instant) => hour.format(new Date(instant)),
    sentence: (text) => bridgeSentence(text, language) ?? text,
    englishFor: (search, limit) => englishFor(search, language, limit),
    number: (value) => number.format(value),
    decimal: (value, digits) =>
      value.toLocaleString(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    bytes: (value) => (value < 1e9 ? megabytes.format(value / 1e6) : gigabytes.format(value / 1e9)),
    share: (value) => share.format(value),
    rate: (value) => rate.format(value),
    duration: (value) => (value < 1_000 ? milliseconds.format(value) : seconds.format(value / 1_000)),
    span(value) {
      const [unit, inMs] = spanUnits.find(([, each]) => value >= 2 * each) ?? ['second', 1_000];
      const shown = Math.floor(value / inMs);
      return new Intl.NumberFormat(tag, { style: 'unit', unit }).format(shown);
    },
    passed: (value) => (value < 3_600_000 ? passed : passedHours).format(new Date(value)),
  };
}
