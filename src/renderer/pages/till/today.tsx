/** The day in figures and small charts, beside the same day a week before. */
import { ChartColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DaySummary, Span } from '../../../contract/console/index.ts';
import { DayReportLink } from '../../components/day-report-link.tsx';
import { Empty, Refused } from '../../components/notices.tsx';
import { onTerminal, useMethod, type Refetch } from '../../store/queries.ts';
import { useFormats } from '../../messages/formats.ts';
import { HoursChart, ResponseChart } from './day-charts.tsx';
import { useEffect, useMemo, useState } from 'react';
import { useNow } from '../../situation/customer-step.ts';
import { ofTerminal } from '../../store/chosen-terminal.ts';
import { useView } from '../../store/console-context.tsx';
import { useTerminalName } from '../../store/terminal-context.tsx';
import { openingHours, shareOf, weekBefore, weekBeforeUntil } from './day-figures.ts';
import { SchemeTable } from './scheme-table.tsx';

/** Figures of the day may be half a second old while payments come one after the other. */
const refetchWithPayments: Refetch<DaySummary> = {
  isAbout: ({ kind }) => kind === 'payment',
  delayMs: 0,
  everyMs: 500,
};

export function Today() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { lostAtMs = null } = useView();
  const span = useDay();
  const name = useTerminalName();
  const of = ofTerminal(name);
  const {
    data: day,
    refusal,
    retry,
  } = useMethod('today', { ...span, ...of }, onTerminal(refetchWithPayments, name));
  const { data: before } = useMethod('today', { ...weekBefore(span), ...of });
  const asOf = lostAtMs === null ? null : new Date(lostAtMs).toISOString();
  return (
    <section
      className="till-today card"
      aria-labelledby="till-today-title"
      data-old={asOf !== null && day !== null}
    >
      <div className="till-today-head">
        <div>
          <h2 id="till-today-title">
            {t('till.today')}{' '}
            {asOf !== null && day !== null && (
              <time className="till-as-of" dateTime={asOf} title={formats.fullTime(asOf)}>
                {t('till.asOf', {
                  time: asOf < span.from ? formats.dateTime(asOf) : formats.shortTime(asOf),
                })}
              </time>
            )}
          </h2>
          {day !== null && refusal === null && before !== null && before.count > 0 && (
            <LastWeek span={span} />
          )}
        </div>
        {day !== null && refusal === null && <Figures day={day} />}
        <DayReportLink />
      </div>
      {refusal !== null ? (
        <Refused refusal={refusal} retry={retry} />
      ) : day === null ? (
        <Empty title={t('app.loading')} />
      ) : (
        <Charts day={day} before={before} />
      )}
    </section>
  );
}

/** What there was a week before, at this time of the day: a day that is not over is not compared with a whole one. */
function LastWeek({ span }: { span: Span }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const until = weekBeforeUntil(span, useNow());
  const { data } = useMethod('today', { ...until, ...ofTerminal(useTerminalName()) });
  if (data === null) return null;
  const { count, sumMinor, currency } = data;
  return (
    <p className="calm till-last-week">
      {t('till.lastWeek', {
        weekday: formats.weekday(until.from),
        time: formats.shortTime(until.until),
        payments: t('till.payments', { count, number: formats.number(count) }),
        sum: formats.money(sumMinor, currency),
      })}
    </p>
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

function Charts({ day, before }: { day: DaySummary; before: DaySummary | null }) {
  const { t } = useTranslation();
  const hours = useMemo(() => openingHours(day.hours, before?.hours ?? null), [day, before]);
  if (day.count === 0) {
    return (
      <Empty icon={<ChartColumn className="mark tone-calm" aria-hidden="true" />} title={t('till.noneToday')}>
        {t('till.noneTodayText')}
      </Empty>
    );
  }
  return (
    <div className="till-charts">
      <HoursChart hours={hours} currency={day.currency} />
      <SchemeTable day={day} />
      <ResponseChart hours={hours} responseTimes={day.responseTimes} />
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
