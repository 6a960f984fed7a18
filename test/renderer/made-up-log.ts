/** A host's log of any length, whose lines are made when they are asked for. */
import type {
  ResponseOf,
  ConsoleChange,
  LogHistogramRequest,
  LogLine,
  LogRequest,
  ConsoleResult,
} from '../../src/contract/console/index.ts';
import { logLine } from '../support/console-data.ts';

export interface MadeUpLog {
  first: number;
  last: number;
  line(id: number): LogLine;
  answer(request: LogRequest): ConsoleResult<ResponseOf<'log'>>;
  /** Counted line by line. */
  histogram(request: LogHistogramRequest): ConsoleResult<ResponseOf<'logHistogram'>>;
  /** So many lines more, and the change that tells of them. */
  grow(count: number): Extract<ConsoleChange, { kind: 'log' }>;
}

export interface MadeUpLogOptions {
  first?: number;
  last: number;
  line?: (id: number) => Partial<LogLine>;
  /** How many lines a search looks at in one answer. */
  linesPerLook?: number;
}

const sources = ['payments', 'zvt'];
const ranks = ['debug', 'info', 'warn', 'error'];

export function madeUpLog(options: MadeUpLogOptions): MadeUpLog {
  const { linesPerLook = 1_000 } = options;
  const log: MadeUpLog = {
    first: options.first ?? 1,
    last: options.last,
    line: (id) => logLine(id, options.line?.(id)),
    answer({ before, limit, filter }) {
      const lines: LogLine[] = [];
      const top = Math.min(before ?? Infinity, log.last + 1) - 1;
      const bottom = Math.max(log.first, top - linesPerLook + 1);
      let id = top;
      for (; id >= bottom && lines.length < limit; id--) {
        const line = log.line(id);
        if (fits(line, filter)) lines.push(line);
      }
      const next = id >= log.first ? id + 1 : null;
      return { ok: true, value: { lines, next, first: log.first, last: log.last, sources } };
    },
    histogram({ from, until, bars: count }) {
      const lines = Array.from({ length: log.last - log.first + 1 }, (_, index) =>
        log.line(log.first + index),
      );
      const times = lines.map(({ time }) => Date.parse(time));
      const fromMs = from === null ? Math.min(...times) : Date.parse(from);
      const untilMs = until === null ? Math.max(...times) + 1 : Date.parse(until);
      const bars = Array.from({ length: count }, () => ({ lines: 0, warnings: 0, errors: 0 }));
      for (const [index, { level }] of lines.entries()) {
        const bar = bars[Math.floor((((times[index] ?? 0) - fromMs) / (untilMs - fromMs)) * count)];
        if (bar === undefined) continue;
        bar.lines += 1;
        if (level === 'warn') bar.warnings += 1;
        if (level === 'error') bar.errors += 1;
      }
      const span = { from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString() };
      return { ok: true, value: { span, bars } };
    },
    grow(count) {
      const lines = Array.from({ length: count }, (_, index) => log.line(log.last + 1 + index));
      log.last += count;
      return { kind: 'log', lines: lines.slice(-500), last: log.last };
    },
  };
  return log;
}

/** What the line itself says is searched, not what is known of it besides. */
function fits(line: LogLine, filter: LogRequest['filter']): boolean {
  const { minLevel, sources: wanted, text, others, from, until } = filter;
  const said = JSON.stringify({ ...line, operationId: null, reference: null }).toLowerCase();
  return (
    ranks.indexOf(line.level) >= ranks.indexOf(minLevel) &&
    (from == null || line.time >= new Date(from).toISOString()) &&
    (until == null || line.time < new Date(until).toISOString()) &&
    (wanted === null || wanted.includes(line.source)) &&
    (text === null || [text, ...(others ?? [])].some((one) => said.includes(one.toLowerCase())))
  );
}
