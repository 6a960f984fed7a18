/** The bars of the histogram: when each begins and ends, and how high it is. */
import type { LogHistogram } from '../../../contract/console/index.ts';

export interface Bar {
  /** ISO 8601, UTC; the next bar begins at `until`. */
  from: string;
  until: string;
  lines: number;
  warnings: number;
  errors: number;
  /** Shares of the full height, from 0 to 1, one above the other: lines that are neither, warnings, errors. */
  lineShare: number;
  warningShare: number;
  errorShare: number;
}

/** What is there at all is seen, so that one error among a million lines is. */
const leastShare = 0.09;

export function barsOf({ span, bars }: LogHistogram): Bar[] {
  if (span === null) return [];
  const fromMs = Date.parse(span.from);
  const barMs = (Date.parse(span.until) - fromMs) / bars.length;
  const time = (index: number) => new Date(fromMs + index * barMs).toISOString();
  const most = Math.max(1, ...bars.map(({ lines }) => lines));
  return bars.map((bar, index) => {
    // A few lines in one bar, thousands in another: by roots both are seen.
    const whole = bar.lines === 0 ? 0 : Math.max(leastShare, Math.sqrt(bar.lines / most));
    const part = (count: number) =>
      count === 0 ? 0 : Math.max(leastShare, (whole * count) / Math.max(1, bar.lines));
    const errorShare = part(bar.errors);
    const warningShare = part(bar.warnings);
    const lineShare = Math.max(0, whole - errorShare - warningShare);
    const over = Math.max(1, lineShare + warningShare + errorShare);
    return {
      ...bar,
      from: time(index),
      until: time(index + 1),
      lineShare: lineShare / over,
      warningShare: warningShare / over,
      errorShare: errorShare / over,
    };
  });
}
