/**
 * Tells a jump of the scroll bar from a way that a hand has scrolled, however many of its steps come as one event: a page
 * that is slow, or a fling, makes a long way of them. A browser tells of the step before it scrolls.
 */

export interface HandScroll {
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

export function watchHandScroll(element: HTMLElement): HandScroll {
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
