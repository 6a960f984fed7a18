/** How many lines there were over time: where the warnings are, and a way to get there. */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogHistogram as Histogram } from '../../../contract/console/index.ts';
import { useFormats } from '../../messages/formats.ts';
import { useMethod } from '../../store/queries.ts';
import { barsOf, type Bar } from './histogram-bars.ts';

const barCount = 60;
/** While lines come, it is counted anew so often. */
const everyMs = 5_000;
const delayMs = 1_000;

interface HistogramProps {
  from: string | null;
  until: string | null;
  onSelect: (from: string, until: string) => void;
}

export function LogHistogram({ from, until, onSelect }: HistogramProps) {
  const { data } = useMethod(
    'logHistogram',
    { from, until, bars: barCount },
    { isAbout: (change) => change.kind === 'log' && until === null, delayMs, everyMs },
  );
  if (data === null || data.span === null) return <div className="log-histogram" />;
  // Another span begins anew, with nothing chosen.
  return <Bars key={`${from} ${until}`} histogram={data} onSelect={onSelect} />;
}

function Bars({ histogram, onSelect }: { histogram: Histogram; onSelect: HistogramProps['onSelect'] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  /** Bars that are chosen: where it began, and where it is now. */
  const [chosen, setChosen] = useState<{ from: number; to: number } | null>(null);
  const dragging = useRef(false);
  const bars = barsOf(histogram);
  const first = bars[0];
  const last = bars.at(-1);
  if (first === undefined || last === undefined) return null;
  const low = chosen === null ? -1 : Math.min(chosen.from, chosen.to);
  const high = chosen === null ? -1 : Math.max(chosen.from, chosen.to);

  const choose = (from: Bar | undefined, to: Bar | undefined) => {
    setChosen(null);
    if (from !== undefined && to !== undefined) onSelect(from.from, to.until);
  };
  const labelOf = (some: readonly Bar[]) => {
    const sum = (what: 'lines' | 'warnings' | 'errors') =>
      formats.number(some.reduce((total, bar) => total + bar[what], 0));
    return t('log.bar', {
      span: formats.range(some[0]?.from ?? '', some.at(-1)?.until ?? ''),
      lines: sum('lines'),
      warnings: sum('warnings'),
      errors: sum('errors'),
    });
  };
  const indexOf = (target: EventTarget) =>
    target instanceof Element ? Number(target.closest<HTMLElement>('[data-bar]')?.dataset['bar'] ?? -1) : -1;
  const onKeyDown = (event: React.KeyboardEvent) => {
    const at = chosen?.to ?? bars.length;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key];
    if (to !== undefined) {
      const inside = Math.min(Math.max(to, 0), bars.length - 1);
      setChosen({ from: event.shiftKey ? (chosen?.from ?? inside) : inside, to: inside });
    } else if (event.key === 'Enter' && chosen !== null) choose(bars[low], bars[high]);
    else if (event.key === 'Escape' && chosen !== null) setChosen(null);
    else return;
    event.preventDefault();
  };
  return (
    <div className="log-histogram">
      <div
        className="log-bars"
        role="listbox"
        aria-label={t('log.histogram')}
        aria-description={t('log.histogramHint')}
        aria-orientation="horizontal"
        aria-multiselectable="true"
        aria-activedescendant={chosen === null ? undefined : `log-bar-${chosen.to}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setChosen(null)}
        onPointerDown={(event) => {
          const bar = indexOf(event.target);
          if (bar < 0 || event.button !== 0) return;
          // Bars that the pointer goes over are to be told of, so it must not be captured by the first.
          if (event.target instanceof Element) event.target.releasePointerCapture(event.pointerId);
          dragging.current = true;
          setChosen({ from: bar, to: bar });
        }}
        onPointerOver={({ target }) => {
          const bar = indexOf(target);
          if (dragging.current && bar >= 0) setChosen((now) => now && { ...now, to: bar });
        }}
        onPointerUp={() => {
          if (dragging.current) choose(bars[low], bars[high]);
          dragging.current = false;
        }}
        onPointerLeave={() => {
          if (dragging.current) setChosen(null);
          dragging.current = false;
        }}
      >
        {bars.map((bar, index) => (
          <BarMark
            key={bar.from}
            bar={bar}
            index={index}
            selected={index >= low && index <= high}
            label={labelOf([bar])}
          />
        ))}
      </div>
      <div className="log-histogram-ends" aria-hidden="true">
        <span>{formats.dateTime(first.from)}</span>
        <span>{chosen !== null && labelOf(bars.slice(low, high + 1))}</span>
        <span>{formats.dateTime(last.until)}</span>
      </div>
    </div>
  );
}

function BarMark({
  bar,
  index,
  selected,
  label,
}: {
  bar: Bar;
  index: number;
  selected: boolean;
  label: string;
}) {
  const heightOf = (share: number) => ({ height: `${share * 100}%` });
  return (
    <div
      role="option"
      id={`log-bar-${index}`}
      className="log-bar"
      aria-selected={selected}
      aria-label={label}
      title={label}
      data-bar={index}
    >
      {bar.errorShare > 0 && <i className="log-bar-error" style={heightOf(bar.errorShare)} />}
      {bar.warningShare > 0 && <i className="log-bar-warn" style={heightOf(bar.warningShare)} />}
      {bar.lineShare > 0 && <i className="log-bar-line" style={heightOf(bar.lineShare)} />}
    </div>
  );
}
