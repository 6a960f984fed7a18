/** Days as partitions are named by them: "2026-01-31", in UTC. */

const dayMs = 24 * 60 * 60_000;

export type Day = string;

/** Few days are asked for, and each of them very often. */
const namesOfDays = new Map<number, Day>();
const maxNames = 10_000;

/** `moment` in milliseconds since 1970. */
export function dayOf(moment: number): Day {
  const number = Math.floor(moment / dayMs);
  const known = namesOfDays.get(number);
  if (known !== undefined) return known;
  const day = new Date(moment).toISOString().slice(0, 10);
  if (namesOfDays.size < maxNames) namesOfDays.set(number, day);
  return day;
}

const numbersOfDays = new Map<Day, number>();

/** How many days a day is after 1970-01-01. */
export function dayNumber(day: Day): number {
  const known = numbersOfDays.get(day);
  if (known !== undefined) return known;
  const number = Date.parse(day) / dayMs;
  if (numbersOfDays.size < maxNames) numbersOfDays.set(day, number);
  return number;
}

/** A moment as bridges write it, but for days such as the 30th of February. */
const usualMoment =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

export function isUsualMoment(text: string): boolean {
  return usualMoment.test(text);
}

/** As `Date.parse` has it, in milliseconds since 1970: all that bridges send passes here, and most of it is of the same few days. */
export function momentMs(text: string): number {
  if (!isUsualMoment(text)) return Date.parse(text);
  const two = (at: number) => (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;
  const seconds = (two(11) * 60 + two(14)) * 60 + two(17);
  const milliseconds = (text.charCodeAt(20) - zero) * 100 + two(21);
  return dayNumber(text.slice(0, 10)) * dayMs + seconds * 1_000 + milliseconds;
}

const zero = 48;

export function dayAfter(day: Day, days = 1): Day {
  return dayOf(Date.parse(day) + days * dayMs);
}

/**
 * How old a day is, at least, before it may be taken out of the database. Younger ones are still written to: by bridges that
 * were offline, by batches that are closed and payments that are reversed.
 */
export const leastAgeDays = 31;

/** Up to which day, but not with it, days may be taken out; `now` in milliseconds since 1970. */
export function newestDayToLeave(now: number): Day {
  return dayAfter(dayOf(now), -leastAgeDays);
}

/** For ids that hold no time: they lie in the partition of no day. */
const noDay: Day = '1970-01-01';
const latestMs = Date.parse('9999-12-31');

/**
 * The day in which a payment's row lies: that of its id (UUID version 7, RFC 9562), where 48 bits are milliseconds. It is
 * the bridge's clock that made it, so it may be off; it never changes, and that is what it is for.
 */
export function dayOfPayment(paymentId: string): Day {
  if (paymentId[14] !== '7') return noDay;
  const moment = Number.parseInt(paymentId.slice(0, 8) + paymentId.slice(9, 13), 16);
  return moment <= latestMs ? dayOf(moment) : noDay;
}
