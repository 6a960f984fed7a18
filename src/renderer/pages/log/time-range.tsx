/** From when to when the log is shown. */
import { Clock, X } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogFilter } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { TimeField } from '../../components/date-field/index.ts';
import { useFormats } from '../../messages/formats.ts';
import { spanOf } from './log-address.ts';

type Span = Pick<LogFilter, 'from' | 'until'>;

/** So far back the buttons lead. */
const lastMinutes = { tenMinutes: 10, hour: 60, day: 24 * 60 } as const;
const lastNames = Object.keys(lastMinutes) as (keyof typeof lastMinutes)[];

export function TimeRange({ span, onChange }: { span: Span; onChange: (span: Span) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const limited = span.from != null || span.until != null;
  const said = () => {
    if (span.from != null && span.until != null) return formats.range(span.from, span.until);
    if (span.from != null) return t('log.spanFrom', { from: formats.dateTime(span.from) });
    return span.until != null
      ? t('log.spanUntil', { until: formats.dateTime(span.until) })
      : t('log.allTimes');
  };
  const field = (name: 'from' | 'until') => (
    <TimeField
      label={t(`log.${name}`)}
      instant={span[name] ?? null}
      withoutTime={name === 'from' ? 'first' : 'last'}
      onChange={(instant) => onChange(spanOf(...bothOf({ ...span, [name]: instant })))}
    />
  );
  return (
    <div className="log-time-range">
      <Button
        icon={<Clock aria-hidden="true" />}
        popoverTarget={`${id}-times`}
        aria-label={`${t('log.times')}: ${said()}`}
      >
        {said()}
      </Button>
      <div id={`${id}-times`} className="popover log-popover" popover="auto">
        {field('from')}
        {field('until')}
        <div className="log-popover-actions">
          {lastNames.map((name) => (
            <Button
              key={name}
              onClick={() =>
                onChange({ from: new Date(Date.now() - lastMinutes[name] * 60_000).toISOString() })
              }
            >
              {t(`log.last.${name}`)}
            </Button>
          ))}
        </div>
        <Button look="quiet" onClick={() => onChange({})}>
          {t('log.everyTime')}
        </Button>
      </div>
      {/* After what the button opens, which Tab reaches first. */}
      {limited && (
        <button
          type="button"
          className="icon-button"
          aria-label={t('log.everyTime')}
          onClick={({ currentTarget }) => {
            // It goes with this; the focus stays beside it.
            currentTarget.parentElement?.querySelector('button')?.focus();
            onChange({});
          }}
        >
          <X aria-hidden="true" />
        </button>
      )}
    </div>
  );
}

function bothOf({ from, until }: Span): [string | null | undefined, string | null | undefined] {
  return [from, until];
}
