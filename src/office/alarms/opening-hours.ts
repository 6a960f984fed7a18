/** When a shop is open, by the clock on its own wall. */
import { z } from 'zod';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
type Weekday = (typeof weekdays)[number];

const time = (pattern: RegExp, mustBe: string) => z.string(mustBe).regex(pattern, mustBe);

const spanSchema = z
  .strictObject({
    days: z
      .array(z.enum(weekdays, `must be one of ${weekdays.join(', ')}`), 'must be a list of days')
      .min(1, 'must name a day'),
    from: time(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "08:00"'),
    /** Not after `from`: on the next day. */
    to: time(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as "20:00", 24:00 at the latest'),
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    error: 'must not be the same as "from"; a whole day is "00:00" to "24:00"',
  });

export const openingHoursSchema = z.strictObject({
  timeZone: z
    .string('must be the name of a time zone, such as "Europe/Berlin"')
    .refine(isTimeZone, 'must be the name of a time zone, such as "Europe/Berlin"'),
  open: z.array(spanSchema, 'must be a list of spans').min(1, 'must have a span'),
});
export type OpeningHours = z.infer<typeof openingHoursSchema>;

const minuteMs = 60_000;

/**
 * Whether the shop was open all of the last `minutes` before `now`. It is asked minute by minute: then spans that touch
 * each other, nights, and days of 23 or 25 hours need no thought.
 */
export function isOpenThroughout(hours: OpeningHours, now: number, minutes: number): boolean {
  for (let ago = 0; ago < minutes; ago += 1) if (!isOpen(hours, now - ago * minuteMs)) return false;
  return true;
}

export function isOpen({ timeZone, open }: OpeningHours, moment: number): boolean {
  const { day, minute } = localTime(timeZone, moment);
  const dayBefore = weekdays[(weekdays.indexOf(day) + weekdays.length - 1) % weekdays.length] ?? day;
  return open.some(({ days, from, to }) => {
    const begin = minuteOf(from);
    const end = minuteOf(to);
    if (begin < end) return days.includes(day) && minute >= begin && minute < end;
    return (days.includes(day) && minute >= begin) || (days.includes(dayBefore) && minute < end);
  });
}

function minuteOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

/** Making one takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function localTime(timeZone: string, moment: number): { day: Weekday; minute: number } {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const day = weekdays.find((name) => name === parts.get('weekday')?.toLowerCase()) ?? 'monday';
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
