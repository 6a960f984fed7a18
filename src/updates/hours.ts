/** The hours in which a version may be installed: "22:00-06:00", by the computer's local time. */

const minutesADay = 24 * 60;

/** Whether `now` is within `hours`; null is any time. The first minute belongs to them, the last does not. */
export function isWithinHours(hours: string | null, now: Date): boolean {
  if (hours === null) return true;
  const { from, until } = read(hours);
  const minute = now.getHours() * 60 + now.getMinutes();
  const length = (until - from + minutesADay) % minutesADay;
  // From a time to the same one is the whole day.
  return length === 0 || (minute - from + minutesADay) % minutesADay < length;
}

/** When the hours begin next, or `now` within them. */
export function nextWithinHours(hours: string | null, now: Date): Date {
  if (hours === null || isWithinHours(hours, now)) return now;
  const next = new Date(now);
  // By the calendar, so that a day of 23 or 25 hours is one.
  next.setHours(0, read(hours).from, 0, 0);
  if (next.getTime() <= now.getTime()) next.setDate(next.getDate() + 1);
  return next;
}

function read(hours: string): { from: number; until: number } {
  const [from = 0, until = 0] = hours.split('-').map((time) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    return hour * 60 + minute;
  });
  return { from, until };
}
