/** The lines themselves, and below them how many there are, what is searched, and whether the end is followed. */
import { ArrowDownToLine, Pause, ScrollText } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { Empty, Refused } from '../../components/notices.tsx';
import { useView } from '../../store/console-context.tsx';
import { useFormats } from '../../messages/formats.ts';
import type { LogSnapshot, LogView } from './log-view.ts';
import { FoldRow } from './fold-row.tsx';
import { lineFieldName, sourceName } from '../../messages/log-line.ts';
import { LogRow, rowElementId, type RowTexts } from './log-row.tsx';
import { useTallList, type TallList } from './use-tall-list.ts';

export interface LogListProps {
  view: LogView;
  filtered: boolean;
  /** Lines are fetched from the newest on, so that all there are is not known. */
  folded: boolean;
  /** What is searched: it is marked in the lines. */
  text: string | null;
  selected: number | null;
  /** `open`: its details are to be shown too. */
  onSelect: (id: number, open: boolean) => void;
  onClose: () => void;
  /** The line that an address names: brought into view once it is known, by number. */
  wanted: number | null;
  onWantedMissing: (id: number) => void;
}

export function LogList(props: LogListProps) {
  const { view, filtered, selected, wanted } = props;
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const { connected } = useView();
  const element = useRef<HTMLDivElement>(null);
  const list = useTallList(view, element);
  const snapshot = view.snapshot();
  // They change with the language alone.
  const texts = useMemo(() => rowTexts(t), [i18n.language]);
  const needle = (props.text ?? '') === '' ? null : (props.text ?? '').toLowerCase();

  const known = snapshot.rows !== null;
  const shownWanted = useRef<number | null>(null);
  const showWanted = useEffectEvent((id: number) => {
    if (shownWanted.current === id) return;
    view.reveal(id);
    const row = view.rowOf(id);
    if (row !== null) {
      list.bringIntoView(row, 'middle');
      props.onSelect(id, true);
    } else if (mayComeYet(id)) {
      // A filter's lines come from the newest on.
      if (snapshot.older === 'more') view.goOnSearching();
      return;
    } else props.onWantedMissing(id);
    shownWanted.current = id;
  });
  const mayComeYet = (id: number) =>
    snapshot.older !== 'all' && snapshot.older !== 'stopped' && (view.idAt(0) ?? Infinity) > id;
  useEffect(() => {
    if (known && wanted !== null) showWanted(wanted);
  }, [known, wanted, snapshot.rows, snapshot.older]);

  const retryRefused = useEffectEvent(() => {
    if (snapshot.refusal !== null) view.retry();
  });
  useEffect(() => {
    if (connected) retryRefused();
  }, [connected]);

  const select = (row: number, open: boolean) => {
    const id = view.idAt(Math.min(Math.max(row, 0), list.rows - 1));
    if (id === null) return;
    list.bringIntoView(view.rowOf(id) ?? row, 'nearest');
    const isFold = view.foldAt(view.rowOf(id) ?? row) !== null;
    if (open && isFold) view.toggle(id);
    props.onSelect(id, open && !isFold);
  };
  /** Opens or closes the fold that is selected, if it is not so already. */
  const fold = (opens: boolean) => {
    const selectedFold = selectedRow === null ? null : view.foldAt(selectedRow);
    if (selectedFold !== null && selectedFold.open !== opens) view.toggle(selectedFold.id);
  };
  const selectedRow = selected === null ? null : view.rowOf(selected);
  const keepSelected = useEffectEvent(() => {
    if (selectedRow !== null && !list.following) list.bringIntoView(selectedRow, 'nearest');
  });
  // The details below the list take room from it.
  useEffect(() => keepSelected(), [list.viewHeight]);

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = selectedRow ?? (event.key === 'ArrowDown' ? list.rows - 2 : list.rows);
    switch (event.key) {
      case 'ArrowDown':
        select(from + 1, false);
        break;
      case 'ArrowUp':
        select(from - 1, false);
        break;
      case 'PageDown':
        select(from + list.rowsPerView(), false);
        break;
      case 'PageUp':
        select(from - list.rowsPerView(), false);
        break;
      case 'Home':
        select(0, false);
        break;
      case 'End':
        select(list.rows - 1, false);
        list.follow();
        break;
      case 'Enter':
        if (selectedRow !== null) select(selectedRow, true);
        break;
      case 'ArrowRight':
        fold(true);
        break;
      case 'ArrowLeft':
        fold(false);
        break;
      case 'Escape':
        props.onClose();
        break;
      case ' ':
        if (list.following) list.pause();
        else list.follow();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  // Only where one points: a row passes too quickly to be worth the words.
  const onMouseOver = ({ target }: React.MouseEvent) => {
    if (target instanceof HTMLTimeElement) target.title = formats.fullTime(target.dateTime);
  };
  const onClick = (event: React.MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line]') : null;
    const at = row === null ? null : view.rowOf(Number(row.dataset['line']));
    if (at !== null) select(at, true);
  };

  if (snapshot.rows === null) {
    return snapshot.refusal === null ? (
      <Empty title={t('app.loading')} />
    ) : (
      <Refused refusal={snapshot.refusal} retry={view.retry} />
    );
  }
  const rendered = Array.from({ length: list.count }, (_, index) => list.first + index);
  const total = snapshot.older === 'all' ? list.rows : -1;
  const onScreen = rendered.some((row) => row === selectedRow);
  return (
    <div className="log-list-frame">
      {list.rows === 0 ? (
        <NoLines snapshot={snapshot} filtered={filtered} />
      ) : (
        <div
          ref={element}
          className="log-list"
          role="listbox"
          tabIndex={0}
          aria-label={t('log.lines')}
          aria-activedescendant={onScreen && selected !== null ? rowElementId(selected) : undefined}
          onKeyDown={onKeyDown}
          onClick={onClick}
          onMouseOver={onMouseOver}
        >
          <div className="log-box" role="presentation" style={{ height: list.boxHeight }}>
            <div
              className="log-rows"
              role="presentation"
              style={{ transform: `translateY(${list.start}px)` }}
            >
              {rendered.map((row) => {
                const id = view.idAt(row);
                if (id === null) return null;
                const folded = view.foldAt(row);
                const place = { 'aria-posinset': row + 1, 'aria-setsize': total };
                return folded !== null ? (
                  <FoldRow
                    key={id}
                    fold={folded}
                    place={place}
                    selected={id === selected}
                    formats={formats}
                    texts={texts}
                  />
                ) : (
                  <LogRow
                    key={id}
                    id={id}
                    place={place}
                    line={view.lineAt(row)}
                    inside={view.isInside(row)}
                    selected={id === selected}
                    needle={needle}
                    formats={formats}
                    texts={texts}
                  />
                );
              })}
            </div>
          </div>
        </div>
      )}
      <ListFoot view={view} snapshot={snapshot} list={list} filtered={filtered} folded={props.folded} />
    </div>
  );
}

function rowTexts(t: TFunction): RowTexts {
  return {
    levels: {
      debug: t('log.level.debug'),
      info: t('log.level.info'),
      warn: t('log.level.warn'),
      error: t('log.level.error'),
    },
    directions: { to_terminal: t('log.toTerminal'), from_terminal: t('log.fromTerminal') },
    waiting: t('log.waiting'),
    fieldName: (name) => lineFieldName(name, t),
    sourceName: (source) => sourceName(source, t),
  };
}

function NoLines({ snapshot, filtered }: { snapshot: LogSnapshot; filtered: boolean }) {
  const { t } = useTranslation();
  const icon = <ScrollText className="mark mark-large tone-calm" aria-hidden="true" />;
  if (snapshot.older === 'searching') return <Empty icon={icon} title={t('log.searching')} />;
  if (filtered) {
    return (
      <Empty icon={icon} title={t('log.nothingFound')}>
        <p>{t('log.nothingFoundText')}</p>
      </Empty>
    );
  }
  return (
    <Empty icon={icon} title={t('log.nothing')}>
      <p>{t('log.nothingText')}</p>
    </Empty>
  );
}

function ListFoot({
  view,
  snapshot,
  list,
  filtered,
  folded,
}: {
  view: LogView;
  snapshot: LogSnapshot;
  list: TallList;
  filtered: boolean;
  folded: boolean;
}) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const count = snapshot.lines;
  return (
    <div className="log-foot">
      <p className="log-count">
        {t(filtered ? 'log.found' : folded && snapshot.older !== 'all' ? 'log.newest' : 'log.count', {
          count,
          number: number(count),
        })}
      </p>
      <div className="log-search-state">
        <span role="status">
          {snapshot.older === 'searching' && filtered && t('log.searching')}
          {snapshot.older === 'stopped' && t('log.stopped')}
        </span>
        {snapshot.older === 'searching' && <Button onClick={view.stopSearch}>{t('log.stop')}</Button>}
        {snapshot.older === 'stopped' && <Button onClick={view.goOnSearching}>{t('log.goOn')}</Button>}
        {snapshot.refusal !== null && <FootRefusal view={view} snapshot={snapshot} />}
      </div>
      <span className="visually-hidden" role="status">
        {t(list.following ? 'log.following' : 'log.paused')}
      </span>
      <Button
        className="log-follow"
        look={list.following ? 'plain' : 'primary'}
        icon={list.following ? <Pause aria-hidden="true" /> : <ArrowDownToLine aria-hidden="true" />}
        onClick={() => (list.following ? list.pause() : list.follow())}
        data-following={list.following}
      >
        {list.following
          ? t('log.pause')
          : list.behind === 0
            ? t('log.follow')
            : t('log.newLines', { count: list.behind, number: number(list.behind) })}
      </Button>
    </div>
  );
}

function FootRefusal({ view, snapshot }: { view: LogView; snapshot: LogSnapshot }) {
  const { t } = useTranslation();
  return (
    <>
      <span role="alert" className="tone-bad">
        {t(`refusals.${snapshot.refusal?.code ?? 'internal_error'}`)}
      </span>
      <Button onClick={view.retry}>{t('app.retry')}</Button>
    </>
  );
}
