/** Shows a LogView in a scrolling element: which rows are on the screen, and whether the end is followed. */
import { observeElementOffset, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { inNextFrame, notInNextFrame } from './frame.ts';
import { watchHandScroll } from './hand-scroll.ts';
import type { LogView } from './log-view.ts';
import { boxRowsOf, maxTop, placeAfterScroll, placeOf, rowHeight, type Place } from './tall-list.ts';

export interface TallList {
  rows: number;
  /** The rows that are rendered: the first, and how many; `start` is where they begin in the box. */
  first: number;
  count: number;
  start: number;
  boxHeight: number;
  following: boolean;
  /** How many lines have come since the end is not followed any more. */
  behind: number;
  follow(): void;
  pause(): void;
  /** Brings the row into view, by the shortest way or into the middle, and stops following. */
  bringIntoView(row: number, where: 'nearest' | 'middle'): void;
  /** In pixels. */
  viewHeight: number;
  /** How many rows fit on the screen. */
  rowsPerView(): number;
}

interface Position {
  base: number;
  following: boolean;
  /** `arrived` of the view when following ended. */
  arrivedThen: number;
}

export function useTallList(view: LogView, element: RefObject<HTMLElement | null>): TallList {
  useSyncExternalStore(view.subscribe, view.version);
  const snapshot = view.snapshot();
  const rows = snapshot.rows ?? 0;
  const boxRows = boxRowsOf(rows);
  const [position, setPosition] = useState<Position>({ base: 0, following: true, arrivedThen: 0 });
  const base = position.following ? rows - boxRows : Math.min(position.base, rows - boxRows);

  /** What is on the screen, for what happens between two renderings. */
  const shown = useRef({ base, rows, top: 0, following: true, shift: snapshot.shift });
  const report = useRef<(() => void) | null>(null);
  // To ask the element itself for its height would lay the page out between two changes of it.
  const measure = () => ({ rows: shown.current.rows, viewHeight: virtualizer.scrollRect?.height ?? 0 });

  function scrollTo(top: number) {
    if (element.current === null || Math.abs(element.current.scrollTop - top) < 1) return;
    element.current.scrollTop = top;
    shown.current.top = element.current.scrollTop;
    report.current?.();
  }

  function stand({ base: nextBase, top }: Place, following: boolean) {
    const before = shown.current;
    const ended = before.following && !following;
    shown.current = { ...before, base: nextBase, following };
    view.follow(following);
    setPosition((old) => {
      const arrivedThen = ended ? view.snapshot().arrived : old.arrivedThen;
      const same = old.base === nextBase && old.following === following && old.arrivedThen === arrivedThen;
      return same ? old : { base: nextBase, following, arrivedThen };
    });
    scrollTo(top);
  }

  function onScrolled(top: number, byHand: number) {
    const { base: from, top: before, following } = shown.current;
    if (Math.abs(top - before) < 1) return;
    shown.current.top = top;
    const now = measure();
    const isEnd = from === now.rows - boxRowsOf(now.rows) && top >= maxTop(now) - 2;
    if (following && (top > before || isEnd)) return;
    const place = placeAfterScroll(from, before, top, now, byHand);
    const atEnd =
      place.base === now.rows - boxRowsOf(now.rows) && place.top >= maxTop(now) - 2 && top > before;
    stand(place, atEnd);
  }

  const virtualizer: Virtualizer<HTMLElement, Element> = useVirtualizer({
    count: boxRows,
    getScrollElement: () => element.current,
    estimateSize: () => rowHeight,
    overscan: 25,
    // `inNextFrame` renders, everything together.
    useFlushSync: false,
    // The browser's event is the one way in, so that box and list never disagree.
    observeElementOffset(instance, onOffset) {
      const scrolling = instance.scrollElement;
      if (scrolling === null) return;
      const hand = watchHandScroll(scrolling);
      let scrolled = false;
      let isScrolling = false;
      const takeOver = () => {
        const top = scrolling.scrollTop;
        const moved = Math.abs(top - shown.current.top);
        if (scrolled) onScrolled(top, hand.furthest());
        hand.moved(moved);
        scrolled = false;
        onOffset(shown.current.top, isScrolling);
      };
      report.current = () => onOffset(shown.current.top, false);
      const stop = observeElementOffset(instance, (_, isNow) => {
        isScrolling = isNow;
        scrolled ||= isNow;
        inNextFrame(takeOver);
      });
      return () => {
        hand.stop();
        stop?.();
        notInNextFrame(takeOver);
      };
    },
  });
  const items = virtualizer.getVirtualItems();
  const viewHeight = virtualizer.scrollRect?.height ?? 0;

  // Before the browser paints: the end stays in view, and what is read stays where it is when rows come or go at the top.
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { ...before, base, rows, following: position.following, shift: snapshot.shift };
    if (position.following) {
      scrollTo(maxTop(measure()));
    } else if (snapshot.shift !== before.shift) {
      const moved = (snapshot.shift - before.shift) * rowHeight;
      stand(placeOf(before.base * rowHeight + before.top + moved, measure()), false);
    }
  }, [rows, base, position.following, snapshot.shift, viewHeight]);

  const first = items[0]?.index ?? 0;
  const count = items.length;
  useEffect(() => {
    if (count > 0) view.show(base + first, base + first + count - 1);
  }, [view, base, first, count]);

  return {
    rows,
    first: base + first,
    count,
    start: items[0]?.start ?? 0,
    boxHeight: boxRows * rowHeight,
    following: position.following,
    behind: position.following ? 0 : Math.max(0, snapshot.arrived - position.arrivedThen),
    follow() {
      const now = measure();
      stand({ base: now.rows - boxRowsOf(now.rows), top: maxTop(now) }, true);
    },
    pause() {
      if (shown.current.following) stand(shown.current, false);
    },
    bringIntoView(row, where) {
      const now = measure();
      const offset = shown.current.base * rowHeight + shown.current.top;
      const start = row * rowHeight;
      let wanted = offset;
      if (where === 'middle') wanted = start - (now.viewHeight - rowHeight) / 2;
      else if (start < offset) wanted = start;
      else if (start + rowHeight > offset + now.viewHeight) wanted = start + rowHeight - now.viewHeight;
      stand(wanted === offset ? shown.current : placeOf(wanted, now), false);
    },
    viewHeight,
    rowsPerView: () => Math.max(1, Math.floor(measure().viewHeight / rowHeight) - 1),
  };
}
