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

/** How many days a day is after 1970-01-01. */
export function dayNumber(day: Day): number {
  return Date.parse(day) / dayMs;
}

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
  const digits = paymentId.replaceAll('-', '');
  if (digits[12] !== '7') return noDay;
  const moment = Number.parseInt(digits.slice(0, 12), 16);
  return moment <= latestMs ? dayOf(moment) : noDay;
}
