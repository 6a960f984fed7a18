/** What the log page shows, as it stands in the address, so that a link opens the same view. */
import { logFilterSchema, logLevels, type LogFilter } from '../../../contract/console/index.ts';
import { groupings, type Grouping } from './folded-lines.ts';
import { wholeLog } from './log-view.ts';

/** Whatever does not make sense in an address is left out. */
export function filterOf(query: URLSearchParams): LogFilter {
  const { shape } = logFilterSchema;
  const sources = query.get('sources');
  return {
    minLevel: shape.minLevel.safeParse(query.get('level')).data ?? wholeLog.minLevel,
    sources: shape.sources.safeParse(sources === '' ? [] : sources?.split(',')).data ?? null,
    text: shape.text.safeParse(query.get('text')).data ?? null,
    ...spanOf(shape.from.safeParse(query.get('from')).data, shape.until.safeParse(query.get('until')).data),
  };
}

export function groupingOf(query: URLSearchParams): Grouping {
  return groupings.find((one) => one === query.get('view')) ?? 'lines';
}

/** For `href`; undefined when nothing is filtered. */
export function queryOf(
  { minLevel, sources, text, from, until }: LogFilter,
  grouping: Grouping = 'lines',
): Record<string, string> | undefined {
  const query = {
    ...(minLevel === logLevels[0] ? {} : { level: minLevel }),
    ...(sources === null ? {} : { sources: sources.join(',') }),
    ...(text === null || text === '' ? {} : { text }),
    ...(from == null ? {} : { from }),
    ...(until == null ? {} : { until }),
    ...(grouping === 'lines' ? {} : { view: grouping }),
  };
  return Object.keys(query).length === 0 ? undefined : query;
}

/** The limits that there are, to be put into a filter. */
export function spanOf(
  from: string | null | undefined,
  until: string | null | undefined,
): Pick<LogFilter, 'from' | 'until'> {
  return { ...(from == null ? {} : { from }), ...(until == null ? {} : { until }) };
}

/** How far one looks around a line, before and after it. */
const aroundMs = 5 * 60_000;

export function around(time: string): Pick<LogFilter, 'from' | 'until'> {
  const atMs = Date.parse(time);
  return { from: new Date(atMs - aroundMs).toISOString(), until: new Date(atMs + aroundMs).toISOString() };
}
