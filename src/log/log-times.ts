/**
 * Where an instant is in the log. Lines have numbers without gaps and come in the order of their times, so that halving
 * finds it, and the number of lines between two instants is a difference:
 *
 *     21:04 ─► line 70 112        21:10 ─► line 70 160        48 lines in between
 *
 * Where the computer's clock was put back, an instant stands in the log more than once, and one of its places is found.
 */
import {
  maxCountedInBar,
  type LogFilter,
  type LogHistogram,
  type LogHistogramRequest,
} from '../contract/log.ts';
import type { LogDatabase } from './log-database.ts';

/** Numbers of lines: `from` is the first, `below` the one after the last. */
export interface LineSpan {
  from: number;
  below: number;
}

export function linesInSpan(
  database: LogDatabase,
  { from, until }: Pick<LogFilter, 'from' | 'until'>,
): LineSpan {
  const all = { from: database.first, below: database.last + 1 };
  const first = from == null ? all.from : firstAt(database, isoTime(Date.parse(from)), all);
  const below = until == null ? all.below : firstAt(database, isoTime(Date.parse(until)), all);
  return { from: first, below: Math.max(first, below) };
}

export function histogramOf(database: LogDatabase, request: LogHistogramRequest): LogHistogram {
  if (database.last < database.first) return { span: null, bars: [] };
  const fromMs = Date.parse(request.from ?? timeNear(database, database.first));
  // The newest line is in the last bar.
  const untilMs =
    request.until === null ? Date.parse(timeNear(database, database.last)) + 1 : Date.parse(request.until);
  if (!(untilMs > fromMs)) return { span: null, bars: [] };
  const barMs = (untilMs - fromMs) / request.bars;
  const bars: LogHistogram['bars'] = [];
  let from = firstAt(database, isoTime(fromMs), { from: database.first, below: database.last + 1 });
  for (let bar = 1; bar <= request.bars; bar += 1) {
    const below = firstAt(database, isoTime(fromMs + bar * barMs), { from, below: database.last + 1 });
    const errors = database.countOf('error', from, below, maxCountedInBar);
    const warnings = Math.max(0, database.countOf('warn', from, below, maxCountedInBar) - errors);
    bars.push({ lines: below - from, warnings, errors });
    from = below;
  }
  return { span: { from: isoTime(fromMs), until: isoTime(untilMs) }, bars };
}

/** The first line of `span` that was written at `time` or later; `below` when none was. */
function firstAt(database: LogDatabase, time: string, span: LineSpan): number {
  let { from, below } = span;
  while (from < below) {
    const middle = Math.floor((from + below) / 2);
    if (timeNear(database, middle) < time) from = middle + 1;
    else below = middle;
  }
  return from;
}

/** How far is looked for a line that says when it was written; each does that the log itself has made. */
const maxSilentLines = 20;

function timeNear(database: LogDatabase, id: number): string {
  for (let near = id; near >= Math.max(database.first, id - maxSilentLines); near -= 1) {
    const time = database.timeOf(near);
    if (time !== '') return time;
  }
  return '';
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
