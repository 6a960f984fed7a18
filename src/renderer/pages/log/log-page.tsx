/** Log: everything that the bridge has said, live. */
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { maxOtherTexts, type LogFilter } from '../../../contract/console/index.ts';
import { CopyButton } from '../../components/button.tsx';
import type { ConsoleClient } from '../../store/console-client.ts';
import { useClient, useConsoleState } from '../../store/console-context.tsx';
import { goTo, href, linkTo, useRoute } from '../../store/route.ts';
import { useFormats } from '../../messages/formats.ts';
import { createFoundLines } from './found-lines.ts';
import { createFoldedLines, type Grouping } from './folded-lines.ts';
import { filterOf, groupingOf, queryOf, spanOf } from './log-address.ts';
import { LogHistogram } from './log-histogram.tsx';
import { LogLineDetails } from './log-line-details.tsx';
import { LogFiles } from './log-files.tsx';
import { LogFilters } from './log-filters.tsx';
import { SavedFilters } from './saved-filters.tsx';
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
  const [grouping, setGrouping] = useState(() =>
    address === '' || address === kept.address ? kept.grouping : groupingOf(query),
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
        setGrouping(groupingOf(query));
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
    kept = { filter, grouping, address };
  }, [filter, grouping, address]);
  useEffect(() => {
    // A link to a line stays as long as the view is the one that it names.
    const next = queryOf(applied, grouping);
    const named = queryOf(filterOf(query), groupingOf(query));
    if (JSON.stringify(next) === JSON.stringify(named)) return;
    setWritten(new URLSearchParams(next).toString());
    window.location.replace(href('log', undefined, next));
  }, [applied, grouping]);
  // The simulator's log is another one than the real terminal's. While no bridge runs the last one stays.
  const simulated = useConsoleState().terminal?.simulated ?? null;
  const [book, setBook] = useState(simulated);
  if (simulated !== null && simulated !== book) setBook(simulated);
  // Neither the address nor a saved filter has these: they are the language's.
  const { englishFor } = useFormats();
  const searched = useMemo((): LogFilter => {
    const others = englishFor(applied.text ?? '', maxOtherTexts);
    return others.length === 0 ? applied : { ...applied, others };
  }, [applied, englishFor]);
  const view = useMemo(() => viewOf(client, searched, grouping), [client, searched, grouping, book]);
  useEffect(() => view.open(), [view]);

  const shownLine = open && selected !== null && selected > 0 ? { line: String(selected) } : {};
  const link = linkTo('log', undefined, { ...queryOf(applied, grouping), ...shownLine });
  const close = () => {
    setOpen(false);
    document.querySelector<HTMLElement>('.log-list')?.focus();
  };
  return (
    <div className="log-page">
      <div className="page-head">
        <h1>{t('pages.log')}</h1>
        <div className="log-tools">
          <SavedFilters
            query={new URLSearchParams(queryOf(applied, grouping)).toString()}
            onChoose={(chosen) => goTo('log', undefined, Object.fromEntries(new URLSearchParams(chosen)))}
          />
          {link !== null && <CopyButton text={link} label={t('log.copyLink')} />}
          <LogFiles filter={searched} />
        </div>
      </div>
      <SourcesAware
        view={view}
        filter={filter}
        onChange={applyFilter}
        grouping={grouping}
        onGrouping={setGrouping}
      />
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
          key={`${String(book)} ${grouping} ${JSON.stringify(applied)}`}
          view={view}
          filtered={!isWholeLog(applied)}
          folded={grouping !== 'lines'}
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
        {open && selected !== null && selected > 0 && (
          <LogLineDetails view={view} id={selected} onClose={close} />
        )}
      </div>
    </div>
  );
}

/**
 * What was searched last, and the address then; kept while the window is open, because one goes to a payment and comes
 * back. What has just been typed is not in the address yet.
 */
let kept: { filter: LogFilter; grouping: Grouping; address: string } = {
  filter: wholeLog,
  grouping: 'lines',
  address: '',
};

function viewOf(client: ConsoleClient, filter: LogFilter, grouping: Grouping): LogView {
  if (grouping !== 'lines') return createFoldedLines(createFoundLines(client, filter), grouping);
  return isWholeLog(filter) ? createWholeLog(client) : createFoundLines(client, filter);
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
  ...props
}: { view: LogView } & Omit<React.ComponentProps<typeof LogFilters>, 'sources'>) {
  const { filter } = props;
  const sources = useSyncExternalStore(view.subscribe, () => view.snapshot().sources);
  const chosen = (filter.sources ?? []).filter((source) => !sources.includes(source));
  return <LogFilters {...props} sources={[...sources, ...chosen]} />;
}
