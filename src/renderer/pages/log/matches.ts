import { logLevels, type LogFilter, type LogLine } from '../../../contract/console/index.ts';

/** Whether a line that has just come fits `filter`, as the bridge decides it for the older ones. */
export function matches(line: LogLine, filter: LogFilter): boolean {
  if (logLevels.indexOf(line.level) < logLevels.indexOf(filter.minLevel)) return false;
  if (filter.sources !== null && !filter.sources.includes(line.source)) return false;
  if (filter.text === null || filter.text === '') return true;
  const { level, time, source, message: msg, fields } = line;
  const text = JSON.stringify({ level, time, source, msg, ...fields }).toLowerCase();
  const needle = filter.text.toLowerCase();
  // A quote or a line break is written with a backslash in the line.
  return text.includes(needle) || text.includes(JSON.stringify(needle).slice(1, -1));
}
