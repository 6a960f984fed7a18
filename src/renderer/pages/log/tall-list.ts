/**
 * A list of any number of rows in a box that a browser can make. Browsers stop at about 33 million pixels of the screen
 * (half as many of a page at 200 %), so the box holds at most `maxBoxRows` rows and stands for a part of the list:
 *
 *     list   0 ─────────── base ════════════════ base + boxRows ─────────── rows
 *     box                  0 ═══════ top ═══════ boxRows × rowHeight
 *
 * A way scrolled by hand scrolls the box alone. A jump of the scroll bar stands for the same share of the whole list. Near
 * an end of the box that is not one of the list the box is moved along, so that a hand never meets it.
 */

/** In CSS pixels; the same for every row. */
export const rowHeight = 28;
const maxBoxRows = 100_000;
/** A move of the box leaves so many heights of the view to an end of it that is not an end of the list … */
const marginViews = 40;
/** … and is made when fewer than these are left. */
const leastViews = 20;

export interface Place {
  /** The row of the list that is the first of the box. */
  base: number;
  /** Where the box is scrolled to, in pixels. */
  top: number;
}

export interface Measure {
  rows: number;
  viewHeight: number;
}

export function boxRowsOf(rows: number): number {
  return Math.min(rows, maxBoxRows);
}

/** The furthest that the box can be scrolled. */
export function maxTop({ rows, viewHeight }: Measure): number {
  return Math.max(0, boxRowsOf(rows) * rowHeight - viewHeight);
}

/** Where the box stands and is scrolled to when the list is scrolled to `offset` pixels. */
export function placeOf(offset: number, measure: Measure): Place {
  const { rows, viewHeight } = measure;
  const whole = Math.max(0, rows * rowHeight - viewHeight);
  const within = maxTop(measure);
  const wanted = Math.min(Math.max(offset, 0), whole);
  if (whole === within) return { base: 0, top: wanted };
  const margin = Math.min(marginViews * viewHeight, within / 2);
  const share = (wanted / whole) * within;
  const fromStart = Math.max(share, Math.min(wanted, margin));
  const top = Math.min(fromStart, within - Math.min(whole - wanted, margin));
  const base = Math.min(Math.max(Math.round((wanted - top) / rowHeight), 0), rows - boxRowsOf(rows));
  return { base, top: wanted - base * rowHeight };
}

/**
 * Where the list is after the box, standing at `base`, was scrolled from `before` to `top` by a person: a jump, if that is
 * further than `byHand` pixels and two heights of the view.
 */
export function placeAfterScroll(
  base: number,
  before: number,
  top: number,
  measure: Measure,
  byHand = 0,
): Place {
  const { rows, viewHeight } = measure;
  const within = maxTop(measure);
  const lastBase = rows - boxRowsOf(rows);
  if (lastBase === 0) return { base: 0, top };
  const jumped = Math.abs(top - before) > 2 * viewHeight + byHand;
  if (jumped) {
    const whole = rows * rowHeight - viewHeight;
    return placeOf(top >= within - 1 ? whole : (top / within) * whole, measure);
  }
  const least = leastViews * viewHeight;
  const atEdge = (top < least && base > 0) || (top > within - least && base < lastBase);
  return atEdge ? placeOf(base * rowHeight + top, measure) : { base, top };
}
