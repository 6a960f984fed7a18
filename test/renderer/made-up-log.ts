/** A host's log of any length, whose lines are made when they are asked for. */
import type {
  ResponseOf,
  ConsoleChange,
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
    grow(count) {
      const lines = Array.from({ length: count }, (_, index) => log.line(log.last + 1 + index));
      log.last += count;
      return { kind: 'log', lines: lines.slice(-500), last: log.last };
    },
  };
  return log;
}

/** What the line itself says is searched, not what is known of it besides. */
function fits(line: LogLine, { minLevel, sources: wanted, text }: LogRequest['filter']): boolean {
  const said = JSON.stringify({ ...line, operationId: null, reference: null }).toLowerCase();
  return (
    ranks.indexOf(line.level) >= ranks.indexOf(minLevel) &&
    (wanted === null || wanted.includes(line.source)) &&
    (text === null || said.includes(text.toLowerCase()))
  );
}
