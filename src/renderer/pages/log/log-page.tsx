/** Log: everything that the bridge has said, live. */
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogFilter } from '../../../contract/console/index.ts';
import { useClient, useConsoleState } from '../../store/console-context.tsx';
import { useRoute } from '../../store/route.ts';
import { createFoundLines } from './found-lines.ts';
import { LogLineDetails } from './log-line-details.tsx';
import { LogFiles } from './log-files.tsx';
import { LogFilters } from './log-filters.tsx';
import { LogList } from './log-list.tsx';
import { isWholeLog, wholeLog, type LogView } from './log-view.ts';
import { createWholeLog } from './whole-log.ts';
import './log.css';

/** A search begins when nothing was typed for so long. */
const typingPauseMs = 200;

export function LogPage() {
  const { t } = useTranslation();
  const client = useClient();
  const { query } = useRoute();
  const line = Number.parseInt(query.get('line') ?? '', 10);
  const wanted = Number.isSafeInteger(line) ? line : null;

  const [filter, setFilter] = useFilter(wanted === null ? kept : wholeLog);
  const [selected, setSelected] = useState<number | null>(null);
  const [open, setOpen] = useState(false);
  const [missing, setMissing] = useState<number | null>(null);
  // A line that an address names is looked for in the whole log.
  const [seenWanted, setSeenWanted] = useState(wanted);
  if (wanted !== seenWanted) {
    setSeenWanted(wanted);
    setMissing(null);
    if (wanted !== null) setFilter(wholeLog);
  }

  const text = useDebounced(filter.text, typingPauseMs);
  const { minLevel, sources } = filter;
  const applied = useMemo((): LogFilter => ({ minLevel, sources, text }), [minLevel, sources, text]);
  // The simulator's log is another one than the real terminal's. While no bridge runs the last one stays.
  const simulated = useConsoleState().terminal?.simulated ?? null;
  const [book, setBook] = useState(simulated);
  if (simulated !== null && simulated !== book) setBook(simulated);
  const view = useMemo(
    () => (isWholeLog(applied) ? createWholeLog(client) : createFoundLines(client, applied)),
    [client, applied, book],
  );
  useEffect(() => view.open(), [view]);

  const close = () => {
    setOpen(false);
    document.querySelector<HTMLElement>('.log-list')?.focus();
  };
  return (
    <div className="log-page">
      <div className="page-head">
        <h1>{t('pages.log')}</h1>
        <LogFiles filter={applied} />
      </div>
      <SourcesAware view={view} filter={filter} onChange={setFilter} />
      {missing !== null && (
        <p className="note note-warn" role="status">
          {t('log.lineGone', { number: String(missing) })}
        </p>
      )}
      <div className="log-body">
        <LogList
          key={`${String(book)} ${JSON.stringify(applied)}`}
          view={view}
          filtered={!isWholeLog(applied)}
          text={applied.text}
          selected={selected}
          onSelect={(id, opens) => {
            setSelected(id);
            if (opens) setOpen(true);
          }}
          onClose={() => setOpen(false)}
          wanted={wanted}
          onWantedMissing={setMissing}
        />
        {open && selected !== null && <LogLineDetails view={view} id={selected} onClose={close} />}
      </div>
    </div>
  );
}

/** What was searched last; kept while the window is open, because one goes to a payment and comes back. */
let kept: LogFilter = wholeLog;

function useFilter(first: LogFilter): [LogFilter, (filter: LogFilter) => void] {
  const [filter, setFilter] = useState(first);
  useEffect(() => {
    kept = filter;
  }, [filter]);
  return [filter, setFilter];
}

/** The filters know the sources that occur; lines as such do not concern them. */
function SourcesAware({
  view,
  filter,
  onChange,
}: {
  view: LogView;
  filter: LogFilter;
  onChange: (filter: LogFilter) => void;
}) {
  const sources = useSyncExternalStore(view.subscribe, () => view.snapshot().sources);
  const chosen = (filter.sources ?? []).filter((source) => !sources.includes(source));
  return <LogFilters filter={filter} onChange={onChange} sources={[...sources, ...chosen]} />;
}

/** `value` once it has stayed the same for `delayMs`; null at once. */
function useDebounced<T>(value: T | null, delayMs: number): T | null {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    if (value === null) return setDebounced(null);
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return value === null ? null : debounced;
}
