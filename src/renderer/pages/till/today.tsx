/** The day in figures and two small charts. */
import { ChartColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DaySummary } from '../../../contract/console/index.ts';
import { Empty } from '../../components/empty.tsx';
import { Refused } from '../../components/refused.tsx';
import { useChanges } from '../../store/console-context.tsx';
import { useMethod } from '../../store/queries.ts';
import { useFormats } from '../../messages/formats.ts';
import { HoursChart } from './hours-chart.tsx';
import { ResponseChart } from './response-chart.tsx';
import { useDay } from './use-day.ts';
import { useThrottled } from './use-throttled.ts';

/** Figures of the day may be this old while payments come one after the other. */
const figuresEveryMs = 500;

export function Today() {
  const { t } = useTranslation();
  const { result, retry } = useMethod('today', useDay());
  const retrySoon = useThrottled(retry, figuresEveryMs);
  useChanges((change) => {
    if (change.kind === 'payment') retrySoon();
  });
  return (
    <section className="till-today card" aria-labelledby="till-today-title">
      <div className="till-today-head">
        <h2 id="till-today-title">{t('till.today')}</h2>
        {result.kind === 'answered' && <Figures day={result.value} />}
      </div>
      {result.kind === 'loading' && <Empty title={t('app.loading')} />}
      {result.kind === 'refused' && <Refused refusal={result.refusal} retry={retry} />}
      {result.kind === 'answered' && <Charts day={result.value} />}
    </section>
  );
}

function Figures({ day: { count, sumMinor, currency, approved, decided } }: { day: DaySummary }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const figures = [
    ['count', formats.number(count)],
    ['sum', formats.money(sumMinor, currency)],
    ['share', decided === 0 ? '–' : formats.share(shareOf(approved, decided))],
  ] as const;
  return (
    <dl className="till-figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`till.${name}`)}</dt>
          <dd data-figure={name}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** In whole percent, rounded down: all of them is not said when one was not approved. */
function shareOf(part: number, whole: number): number {
  return Math.floor((part * 100) / whole) / 100;
}

function Charts({ day }: { day: DaySummary }) {
  const { t } = useTranslation();
  if (day.count === 0) {
    return (
      <Empty icon={<ChartColumn className="mark tone-calm" aria-hidden="true" />} title={t('till.noneToday')}>
        {t('till.noneTodayText')}
      </Empty>
    );
  }
  return (
    <div className="till-charts">
      <HoursChart hours={day.hours} />
      <ResponseChart day={day} />
    </div>
  );
}
