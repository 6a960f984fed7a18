/** A day on one sheet: what was taken, how, and all that a person should look at again. */
import { ChevronLeft, ChevronRight, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DayReport } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { DateField } from '../../components/date-field/index.ts';
import { TerminalField } from '../../components/terminal-choice/index.ts';
import { Empty, Refused } from '../../components/notices.tsx';
import { useFormats } from '../../messages/formats.ts';
import { ofTerminal } from '../../store/chosen-terminal.ts';
import { useTerminalName } from '../../store/terminal-context.tsx';
import { onTerminal, useMethod, type Refetch } from '../../store/queries.ts';
import { goTo, href, useRoute } from '../../store/route.ts';
import { dayOf, shiftDay, todayName } from '../../messages/local-day.ts';
import { CurrencyReport } from './currency-report.tsx';
import { Batches, Decisions, Discrepancies, Doubts, Voids } from './day-lists.tsx';
import { ReportFrame } from '../../components/report/report-frame.tsx';
import { reportDays } from './report-days.ts';

const refetchWithPayments: Refetch<DayReport> = {
  isAbout: ({ kind }) => kind === 'payment' || kind === 'batch',
  delayMs: 300,
  everyMs: 2_000,
};

export function DayReportPage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { id } = useRoute();
  const days = reportDays(id, useMinute());
  const { day, request, isToday } = days;
  const name = useTerminalName();
  const of = ofTerminal(name);
  const {
    data: report,
    refusal,
    retry,
  } = useMethod('dayReport', { ...request, ...of }, onTerminal(refetchWithPayments, name));
  const compared = isToday
    ? t('report.comparedUntil', {
        day: formats.day(request.compared.from),
        time: formats.time(request.compared.until),
      })
    : t('report.comparedWith', { day: formats.day(request.compared.from) });
  return (
    <ReportFrame
      title={t('report.day')}
      of={`${formats.day(request.span.from)} · ${compared}`}
      terminal={name}
      back={{ href: href('till'), label: t('pages.till') }}
      choice={
        <>
          <TerminalField />
          <DayChoice day={day} />
        </>
      }
      table={report === null ? null : { kind: 'day_report', ...request, ...of }}
      fileName={`${t('report.dayFile')}-${day}`}
    >
      {refusal !== null && report === null ? (
        <Refused refusal={refusal} retry={retry} />
      ) : report === null ? (
        <Empty title={t('app.loading')} />
      ) : (
        <div className="card report-card">
          {!report.complete && (
            <p className="note note-warn report-note" role="status">
              <TriangleAlert aria-hidden="true" />
              <span>{t('report.incomplete')}</span>
            </p>
          )}
          {report.currencies.map((each) => (
            <CurrencyReport key={each.day.currency} {...each} />
          ))}
          <Decisions {...report.decisions} />
          <Doubts {...report.doubts} />
          <Discrepancies {...report.discrepancies} />
          <Voids {...report.voids} />
          <Batches {...report.batches} />
        </div>
      )}
    </ReportFrame>
  );
}

function DayChoice({ day }: { day: string }) {
  const { t } = useTranslation();
  const today = dayOf(new Date());
  const go = (next: string) => goTo('till', next >= today ? todayName : next, undefined, 'report');
  return (
    <div className="report-day">
      <button
        type="button"
        className="icon-button"
        aria-label={t('payments.previousDay')}
        title={t('payments.previousDay')}
        onClick={() => go(shiftDay(day, -1))}
      >
        <ChevronLeft aria-hidden="true" />
      </button>
      <DateField
        label={t('payments.day')}
        day={day}
        max={today}
        required
        onChange={(next) => go(next ?? day)}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={t('payments.nextDay')}
        title={t('payments.nextDay')}
        disabled={day >= today}
        onClick={() => go(shiftDay(day, 1))}
      >
        <ChevronRight aria-hidden="true" />
      </button>
      <Button look="quiet" aria-pressed={day === today} onClick={() => go(today)}>
        {t('payments.today')}
      </Button>
    </div>
  );
}

/** The time now, to the minute. */
function useMinute(): Date {
  const [minute, setMinute] = useState(minuteNow);
  useEffect(() => {
    const timer = setInterval(() => setMinute(minuteNow()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return new Date(minute);
}

function minuteNow(): number {
  return Math.floor(Date.now() / 60_000) * 60_000;
}
