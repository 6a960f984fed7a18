/** Log: everything that the bridge has said, live. */
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogFilter } from '../../../contract/console/index.ts';
import { CopyButton } from '../../components/button.tsx';
import { useClient, useConsoleState } from '../../store/console-context.tsx';
import { href, linkTo, useRoute } from '../../store/route.ts';
import { createFoundLines } from './found-lines.ts';
import { filterOf, queryOf, spanOf } from './log-address.ts';
import { LogHistogram } from './log-histogram.tsx';
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
  const address = query.toString();
  const line = Number.parseInt(query.get('line') ?? '', 10);
  const wanted = Number.isSafeInteger(line) ? line : null;

  const [filter, setFilter] = useState(() =>
    address === '' || address === kept.address ? kept.filter : filterOf(query),
  );
  /** The text that is searched: the one that was typed, a moment later. */
  const [text, setText] = useState(filter.text);
  useEffect(() => {
    if (filter.text === null) return setText(null);
    const timer = setTimeout(() => setText(filter.text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [filter.text]);
  const [selected, setSelected] = useState<number | null>(null);
  const [open, setOpen] = useState(false);
  const [missing, setMissing] = useState<number | null>(null);
  // An address that this page has not written itself says what is shown; without anything it leaves the page as it is.
  const [followed, setFollowed] = useState(address);
  const [written, setWritten] = useState<string | null>(null);
  if (address !== followed) {
    setFollowed(address);
    if (address !== written) {
      setWritten(null);
      setMissing(null);
      if (address !== '') {
        setFilter(filterOf(query));
        setText(filterOf(query).text);
      }
    }
  }
  const { minLevel, sources, from, until } = filter;
  const applied = useMemo(
    (): LogFilter => ({ minLevel, sources, text, ...spanOf(from, until) }),
    [minLevel, sources, text, from, until],
  );
  const applyFilter = (next: LogFilter) => {
    setFilter(next);
    setMissing(null);
  };
  useEffect(() => {
    kept = { filter, address };
  }, [filter, address]);
  useEffect(() => {
    // A link to a line stays as long as the view is the one that it names.
    if (sameFilter(applied, filterOf(query)) && (address !== '' || isWholeLog(applied))) return;
    const next = queryOf(applied);
    setWritten(new URLSearchParams(next).toString());
    window.location.replace(href('log', undefined, next));
  }, [applied]);
  // The simulator's log is another one than the real terminal's. While no bridge runs the last one stays.
  const simulated = useConsoleState().terminal?.simulated ?? null;
  const [book, setBook] = useState(simulated);
  if (simulated !== null && simulated !== book) setBook(simulated);
  const view = useMemo(
    () => (isWholeLog(applied) ? createWholeLog(client) : createFoundLines(client, applied)),
    [client, applied, book],
  );
  useEffect(() => view.open(), [view]);

  const shownLine = open && selected !== null ? { line: String(selected) } : {};
  const link = linkTo('log', undefined, { ...queryOf(applied), ...shownLine });
  const close = () => {
    setOpen(false);
    document.querySelector<HTMLElement>('.log-list')?.focus();
  };
  return (
    <div className="log-page">
      <div className="page-head">
        <h1>{t('pages.log')}</h1>
        <div className="log-tools">
          {link !== null && <CopyButton text={link} label={t('log.copyLink')} />}
          <LogFiles filter={applied} />
        </div>
      </div>
      <SourcesAware view={view} filter={filter} onChange={applyFilter} />
      <KnownHistogram
        view={view}
        from={from ?? null}
        until={until ?? null}
        onSelect={(from, until) => applyFilter({ minLevel, sources, text: filter.text, from, until })}
      />
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

/**
 * What was searched last, and the address then; kept while the window is open, because one goes to a payment and comes
 * back. What has just been typed is not in the address yet.
 */
let kept: { filter: LogFilter; address: string } = { filter: wholeLog, address: '' };

function sameFilter(one: LogFilter, other: LogFilter): boolean {
  return JSON.stringify(queryOf(one)) === JSON.stringify(queryOf(other));
}

/** Counted after the first lines are there: those are what one waits for. */
function KnownHistogram({ view, ...props }: { view: LogView } & React.ComponentProps<typeof LogHistogram>) {
  const known = useSyncExternalStore(view.subscribe, () => view.snapshot().rows !== null);
  const [begun, setBegun] = useState(false);
  if (known && !begun) setBegun(true);
  return begun ? <LogHistogram {...props} /> : <div className="log-histogram" />;
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
