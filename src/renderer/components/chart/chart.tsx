/**
 * A uPlot chart in the theme's colours and in the size of its place. Figures are shown under the pointer and with the
 * arrow keys; all of them stand in a table beside it.
 */
import { useEffect, useId, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import type { DaySummary } from '../../../contract/console/index.ts';
import type { Formats } from '../../messages/formats.ts';
import 'uplot/dist/uPlot.min.css';
import './chart.css';

/** Gives the colour that a token of `tokens.css` has now. */
export type Ink = (token: string) => string;

interface Plot {
  series: uPlot.Series[];
  scales: uPlot.Scales;
  axes: uPlot.Axis[];
}

interface ChartProps {
  /** What it is called, for who comes by keyboard. */
  label: string;
  plot: (ink: Ink) => Plot;
  /** The first row is what the others stand above. */
  data: uPlot.AlignedData;
  /** What the point with this index says, a line each: under the pointer, and with the arrow keys. */
  describe: (index: number) => readonly string[];
}

/** Where the figures are shown that somebody looks at, in the chart's own pixels. */
interface Spot {
  index: number;
  left: number;
}

export function Chart({ label, plot, data, describe }: ChartProps) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot | null>(null);
  const [spot, setSpot] = useState<Spot | null>(null);
  const hintId = useId();
  const theme = useThemeKey();
  const count = data[0].length;
  /** Where the keyboard begins: the last that has anything. */
  const newest = data.at(-1)?.findLastIndex((value) => typeof value === 'number' && value > 0) ?? 0;
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    const size = () => ({ width: host.clientWidth, height: host.clientHeight });
    const chart = new uPlot(
      {
        ...size(),
        ...plot((token) => inkOf(host, token)),
        legend: { show: false },
        cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
        hooks: {
          setCursor: [({ cursor }) => setSpot(spotOf(chart, (cursor.left ?? -1) < 0 ? null : cursor.idx))],
        },
        padding: [8, 8, 0, 0],
      },
      data,
      host,
    );
    drawn.current = chart;
    const observer = new ResizeObserver(() => chart.setSize(size()));
    observer.observe(host);
    return () => {
      observer.disconnect();
      drawn.current = null;
      chart.destroy();
    };
  }, [plot, data, theme]);

  const goTo = (index: number) => setSpot(spotOf(drawn.current, Math.min(Math.max(index, 0), count - 1)));
  const onKeyDown = (event: KeyboardEvent) => {
    const at = spot?.index ?? newest;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    goTo(to);
  };
  const lines = spot === null || spot.index >= count ? [] : describe(spot.index);
  return (
    <div
      className="chart"
      role="group"
      tabIndex={0}
      aria-label={label}
      aria-describedby={hintId}
      onKeyDown={onKeyDown}
      onFocus={({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) goTo(newest);
      }}
      onBlur={() => setSpot(null)}
    >
      <div className="chart-place" ref={place} aria-hidden="true" />
      {lines.length > 0 && spot !== null && (
        <span className="chart-line" style={{ left: `${spot.left}px` }} aria-hidden="true" />
      )}
      <div
        role="status"
        className="chart-figures"
        hidden={lines.length === 0}
        data-side={spot !== null && spot.left > (place.current?.clientWidth ?? 0) / 2 ? 'left' : 'right'}
        style={{ '--left': `${spot?.left ?? 0}px` }}
      >
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <span className="visually-hidden" id={hintId}>
        {t('till.chartKeys')}
      </span>
    </div>
  );
}

function spotOf(chart: uPlot | null, index: number | null | undefined): Spot | null {
  const value = index === null || index === undefined ? undefined : chart?.data[0][index];
  if (chart === null || value === undefined || typeof index !== 'number') return null;
  const { left } = chart.bbox;
  return { index, left: left / devicePixelRatio + chart.valToPos(value, 'x') };
}

/** An axis as all charts here have it. */
function axis(ink: Ink, changes: uPlot.Axis): uPlot.Axis {
  return {
    stroke: ink('--text-calm'),
    font: '12px "Inter Variable", system-ui, sans-serif',
    grid: { show: false },
    ticks: { show: false },
    ...changes,
  };
}

/** A canvas knows no `var()` and no `light-dark()`: the browser works the colour out on an element. */
function inkOf(host: HTMLElement, token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

type Hours = readonly Pick<DaySummary['hours'][number], 'from'>[];
export const hourMs = 3_600_000;
/** As many hours have a label, about. */
const labels = 5;

/** The hours of the day along the bottom, the same in both charts. */
export function dayScale(hours: Hours): uPlot.Scale {
  const starts = hours.map(({ from }) => Date.parse(from));
  const [first = 0] = starts;
  return { time: false, range: [first, (starts.at(-1) ?? first) + hourMs] };
}

export function dayAxis(hours: Hours, formats: Formats, ink: Ink): uPlot.Axis {
  const starts = hours.map(({ from }) => Date.parse(from));
  return timeAxis(starts, ink, (instantMs) => formats.hour(new Date(instantMs).toISOString()));
}

/** Instants along the bottom, in milliseconds since 1970; about five of them with a label. */
export function timeAxis(
  instants: readonly number[],
  ink: Ink,
  label: (instantMs: number) => string,
): uPlot.Axis {
  const every = Math.ceil(instants.length / labels);
  const labelled = instants.filter((_, index) => index % every === 0);
  return axis(ink, {
    size: 30,
    gap: 8,
    splits: () => labelled,
    values: (_, splits) => splits.map(label),
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

const darkSystem = window.matchMedia('(prefers-color-scheme: dark)');

/** Changes with the theme, whether a person or the computer changes it. */
function useThemeKey(): string {
  return useSyncExternalStore(watch, read);
}

function watch(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  darkSystem.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    darkSystem.removeEventListener('change', listener);
  };
}

function read(): string {
  return `${document.documentElement.dataset['theme'] ?? 'system'} ${darkSystem.matches}`;
}
