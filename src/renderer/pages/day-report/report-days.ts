/** Which day a report is of, and which it is compared with; all by the computer's own clock and zone. */
import type { DayReportRequest } from '../../../contract/console/index.ts';
import { dayOf, shiftDay, startOf } from '../../messages/local-day.ts';

export interface ReportDays {
  /** "2026-05-12" */
  day: string;
  request: DayReportRequest;
  /** The day is not over: it is compared with as much of the other one. */
  isToday: boolean;
}

/** Whatever is no day, and a day that has not come yet, is today. */
export function reportDays(wanted: string | null, now: Date): ReportDays {
  const today = dayOf(now);
  const day = wanted !== null && startOf(wanted) !== null && wanted < today ? wanted : today;
  const before = shiftDay(day, -7);
  const isToday = day === today;
  // By the calendar: a day on which the clock is put forward or back is not 24 hours long.
  const sameTime = startInstant(before);
  sameTime.setHours(now.getHours(), now.getMinutes());
  return {
    day,
    isToday,
    request: {
      span: { from: iso(day), until: iso(shiftDay(day, 1)) },
      compared: {
        from: iso(before),
        until: isToday ? sameTime.toISOString() : iso(shiftDay(before, 1)),
      },
    },
  };
}

function iso(day: string): string {
  return startInstant(day).toISOString();
}

function startInstant(day: string): Date {
  const start = startOf(day);
  if (start === null) throw new Error(`${day} is no day.`);
  return start;
}
