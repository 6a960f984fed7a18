/** A uPlot chart in the theme's colours and in the size of its place. What it shows stands in words beside it. */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import uPlot from 'uplot';
import type { DaySummary } from '../../../contract/console/index.ts';
import type { Formats } from '../../messages/formats.ts';
import 'uplot/dist/uPlot.min.css';

/** Gives the colour that a token of `tokens.css` has now. */
export type Ink = (token: string) => string;

interface Plot {
  series: uPlot.Series[];
  scales: uPlot.Scales;
  axes: uPlot.Axis[];
}

export function Chart({ plot, data }: { plot: (ink: Ink) => Plot; data: uPlot.AlignedData }) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useThemeKey();
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    const size = () => ({ width: host.clientWidth, height: host.clientHeight });
    const chart = new uPlot(
      {
        ...size(),
        ...plot((token) => inkOf(host, token)),
        legend: { show: false },
        cursor: { show: false },
        padding: [8, 8, 0, 0],
      },
      data,
      host,
    );
    const observer = new ResizeObserver(() => chart.setSize(size()));
    observer.observe(host);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [plot, data, theme]);
  return <div className="chart" ref={place} aria-hidden="true" />;
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

type Hours = DaySummary['hours'];
export const hourMs = 3_600_000;
/** A label for each so many hours. */
const labelEvery = 6;

/** The hours of the day along the bottom, the same in both charts. */
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
