/**
 * The shops as tiles, as many beside each other as there is room for. Only the rows that can be seen are there; one of the
 * tiles takes the focus, and the arrow keys move it.
 */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShopSummary } from '../../../contract/office-page.ts';
import { useFormats } from '../../messages/formats.ts';
import { officeHref } from '../route.ts';
import { StateMark, toneOf } from './state-mark.tsx';
import { useNow } from './use-now.ts';

const tileHeightPx = 76;
const leastTileWidthPx = 210;
const gapPx = 8;

export function ShopMap({
  shops,
  marksTrials,
}: {
  shops: readonly ShopSummary[];
  /** Says of each trial that it is one. */
  marksTrials: boolean;
}) {
  const { t } = useTranslation();
  const now = useNow();
  const scroller = useRef<HTMLDivElement>(null);
  const tilesInRow = useTilesInRow(scroller);
  const [activeId, setActiveId] = useState<string | null>(null);
  /** The keys have moved it: the tile takes the focus once it is there. */
  const [moved, setMoved] = useState(0);
  const found = shops.findIndex(({ shopId }) => shopId === activeId);
  const active = found < 0 ? 0 : found;
  const rows = Math.ceil(shops.length / tilesInRow);
  const activeRow = Math.floor(active / tilesInRow);
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => tileHeightPx + gapPx,
    overscan: 4,
    useFlushSync: false,
    // The tile that takes the focus is always there: Tab leads to it.
    rangeExtractor(range) {
      const shown = defaultRangeExtractor(range);
      return activeRow >= rows || shown.includes(activeRow) ? shown : [activeRow, ...shown];
    },
  });

  useEffect(() => {
    if (moved > 0) scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [moved]);

  const move = (to: number) => {
    const next = Math.min(Math.max(to, 0), shops.length - 1);
    setActiveId(shops[next]?.shopId ?? null);
    virtualizer.scrollToIndex(Math.floor(next / tilesInRow));
    setMoved((last) => last + 1);
  };
  const page = () =>
    Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / (tileHeightPx + gapPx))) * tilesInRow;
  const keys: Record<string, () => void> = {
    ArrowRight: () => move(active + 1),
    ArrowLeft: () => move(active - 1),
    ArrowDown: () => move(active + tilesInRow),
    ArrowUp: () => move(active - tilesInRow),
    PageDown: () => move(active + page()),
    PageUp: () => move(active - page()),
    Home: () => move(0),
    End: () => move(shops.length - 1),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };

  return (
    <div ref={scroller} className="shop-map" onKeyDown={onKeyDown}>
      <div
        role="list"
        aria-label={t('office.overview.map')}
        aria-description={t('office.overview.keys')}
        className="shop-map-body"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer
          .getVirtualItems()
          .flatMap(({ index: row, start }) =>
            shops
              .slice(row * tilesInRow, (row + 1) * tilesInRow)
              .map((shop, column) => (
                <Tile
                  key={shop.shopId}
                  shop={shop}
                  isTrial={marksTrials && shop.simulated}
                  now={now}
                  place={row * tilesInRow + column}
                  total={shops.length}
                  isActive={row * tilesInRow + column === active}
                  top={start}
                  left={column / tilesInRow}
                  width={1 / tilesInRow}
                  onFocus={() => setActiveId(shop.shopId)}
                />
              )),
          )}
      </div>
    </div>
  );
}

function Tile({
  shop,
  isTrial,
  now,
  place,
  total,
  isActive,
  top,
  left,
  width,
  onFocus,
}: {
  shop: ShopSummary;
  isTrial: boolean;
  now: number;
  place: number;
  total: number;
  isActive: boolean;
  /** Of the map, in pixels. */
  top: number;
  /** Of its width. */
  left: number;
  width: number;
  onFocus: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { shopId, name, state, since, inDoubt, discrepancies, findings } = shop;
  const counts = [
    inDoubt > 0 && t('office.overview.counts.inDoubt', { count: inDoubt }),
    findings > 0 && t('office.overview.counts.findings', { count: findings }),
    discrepancies > 0 && t('office.overview.counts.discrepancies', { count: discrepancies }),
  ].filter((text) => text !== false);
  // What is worst; the shop's own page has the rest.
  const [word = t(`office.state.${state}`)] = counts;
  return (
    <div
      role="listitem"
      aria-posinset={place + 1}
      aria-setsize={total}
      className="shop-tile"
      data-state={state}
      style={{
        transform: `translateY(${top}px)`,
        left: `calc((100% + ${gapPx}px) * ${left})`,
        width: `calc((100% + ${gapPx}px) * ${width} - ${gapPx}px)`,
        height: tileHeightPx,
      }}
    >
      <a
        href={officeHref('overview', shopId)}
        tabIndex={isActive ? 0 : -1}
        title={t(`office.stateMeaning.${state}`)}
        onFocus={onFocus}
      >
        <StateMark state={state} />
        <span className="shop-tile-name">{name}</span>
        {isTrial && <span className="shop-tile-trial">{t('office.state.trial')}</span>}
        <span className={`shop-tile-state tone-${toneOf(state)}`}>
          {word}
          {since !== null && (
            <span className="calm">
              {' '}
              {t('office.overview.since', { span: formats.span(Math.max(0, now - Date.parse(since))) })}
            </span>
          )}
        </span>
      </a>
    </div>
  );
}

function useTilesInRow(scroller: React.RefObject<HTMLDivElement | null>): number {
  const [count, setCount] = useState(1);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = () => setCount(Math.max(1, Math.floor(element.clientWidth / (leastTileWidthPx + gapPx))));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return count;
}
