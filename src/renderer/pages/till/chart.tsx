/** A uPlot chart in the theme's colours and in the size of its place. What it shows stands in words beside it. */
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useThemeKey } from './use-theme-key.ts';

/** Gives the colour that a token of `tokens.css` has now. */
export type Ink = (token: string) => string;

export interface Plot {
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
export function axis(ink: Ink, changes: uPlot.Axis): uPlot.Axis {
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
