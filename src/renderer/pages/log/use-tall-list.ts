/** Shows a LogView in a scrolling element: which rows are on the screen, and whether the end is followed. */
import { observeElementOffset, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { inNextFrame, notInNextFrame, type LogView } from './log-view.ts';
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

/**
 * Tells a jump of the scroll bar from a way that a hand has scrolled, however many of its steps come as one event: a page
 * that is slow, or a fling, makes a long way of them. A browser tells of the step before it scrolls.
 */

interface HandScroll {
  /** The furthest, in pixels, that the next scroll event can have come by hand. */
  furthest(): number;
  /** The element was scrolled by so much, in pixels. */
  moved(distance: number): void;
  stop(): void;
}

/** A page that is zoomed out moves further than its wheel events say. */
const perWheelPixel = 2;
/** Of a wheel that counts in lines or in whole pages instead of pixels. */
const lineHeight = 40;

function watchHandScroll(element: HTMLElement): HandScroll {
  let left = 0;

  function onWheel(event: WheelEvent) {
    if (event.ctrlKey) return;
    const { deltaMode } = event;
    const unit =
      deltaMode === WheelEvent.DOM_DELTA_LINE
        ? lineHeight
        : deltaMode === WheelEvent.DOM_DELTA_PAGE
          ? element.clientHeight
          : 1;
    left += Math.abs(event.deltaY) * unit * perWheelPixel;
  }

  function onPointerDown(event: PointerEvent) {
    if (isOnScrollBar(event)) left = 0;
    // A finger's fling goes on without an event; so does the middle button's scrolling.
    else if (event.pointerType !== 'mouse' || event.button === 1) left = Infinity;
  }

  function isOnScrollBar({ target, offsetX }: PointerEvent): boolean {
    return target === element && (offsetX < 0 || offsetX >= element.clientWidth);
  }

  element.addEventListener('wheel', onWheel, { passive: true });
  element.addEventListener('pointerdown', onPointerDown, { passive: true });
  return {
    furthest: () => left,
    moved(distance) {
      left = Math.max(0, left - distance);
    },
    stop() {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('pointerdown', onPointerDown);
    },
  };
}
