/** The hours of the day along the bottom, the same in both charts. */
import type uPlot from 'uplot';
import type { DaySummary } from '../../../contract/console/index.ts';
import type { Formats } from '../../messages/formats.ts';
import { axis, type Ink } from './chart.tsx';

type Hours = DaySummary['hours'];
export const hourMs = 3_600_000;
/** A label for each so many hours. */
const labelEvery = 6;

export function dayScale(hours: Hours): uPlot.Scale {
  const starts = hours.map(({ from }) => Date.parse(from));
  const [first = 0] = starts;
  return { time: false, range: [first, (starts.at(-1) ?? first) + hourMs] };
}

export function dayAxis(hours: Hours, formats: Formats, ink: Ink): uPlot.Axis {
  const labelled = hours.filter((_, index) => index % labelEvery === 0).map(({ from }) => Date.parse(from));
  return axis(ink, {
    size: 30,
    gap: 8,
    splits: () => labelled,
    values: (_, splits) => splits.map((split) => formats.hour(new Date(split).toISOString())),
  });
}

/** Few quiet lines across, from nothing up. */
export function valueAxis(
  ink: Ink,
  size: number,
  label: (value: number) => string,
  whole: boolean,
): uPlot.Axis {
  return axis(ink, {
    size,
    gap: 6,
    space: 32,
    ...(whole ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000] } : {}),
    grid: { show: true, stroke: ink('--line'), width: 1 },
    values: (_, splits) => splits.map(label),
  });
}

export const fromZero: uPlot.Scale = { range: (_, __, max) => [0, Math.max(1, max) * 1.1] };
