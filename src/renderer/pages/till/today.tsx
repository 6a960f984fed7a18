/** The day in figures and two small charts. */
import { ChartColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DaySummary, Span } from '../../../contract/console/index.ts';
import { Empty, Refused } from '../../components/notices.tsx';
import { useMethod, type Refetch } from '../../store/queries.ts';
import { useFormats } from '../../messages/formats.ts';
import { HoursChart, ResponseChart } from './day-charts.tsx';
import { useEffect, useState } from 'react';

/** Figures of the day may be half a second old while payments come one after the other. */
const refetchWithPayments: Refetch<DaySummary> = {
  isAbout: ({ kind }) => kind === 'payment',
  delayMs: 0,
  everyMs: 500,
};

export function Today() {
  const { t } = useTranslation();
  const { data: day, refusal, retry } = useMethod('today', useDay(), refetchWithPayments);
  return (
    <section className="till-today card" aria-labelledby="till-today-title">
      <div className="till-today-head">
        <h2 id="till-today-title">{t('till.today')}</h2>
        {day !== null && refusal === null && <Figures day={day} />}
      </div>
      {refusal !== null ? (
        <Refused refusal={refusal} retry={retry} />
      ) : day === null ? (
        <Empty title={t('app.loading')} />
      ) : (
        <Charts day={day} />
      )}
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

/** To a tenth of a percent: all of them, or none, is not said when it was one more or less. */
function shareOf(part: number, whole: number): number {
  if (part === 0 || part === whole) return part / whole;
  return Math.min(Math.max(Math.round((part * 1_000) / whole), 1), 999) / 1_000;
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

/** The local day that it is now, as instants; another one when midnight has come. */
function useDay(): Span {
  const [day, setDay] = useState(today);
  useEffect(() => {
    // After sleep the timer is late, but then somebody looks at the window again.
    const look = () => setDay((before) => (before.from === today().from ? before : today()));
    const midnight = setTimeout(look, Math.max(0, Date.parse(day.until) - Date.now()) + 50);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(midnight);
      document.removeEventListener('visibilitychange', look);
    };
  }, [day]);
  return day;
}

/** From midnight to midnight by the computer's clock and zone: 23 or 25 hours when the clocks change. */
function today(): Span {
  const from = new Date();
  from.setHours(0, 0, 0, 0);
  const until = new Date(from);
  until.setDate(until.getDate() + 1);
  return { from: from.toISOString(), until: until.toISOString() };
}
