/** The charts of the day: payments by hour, and how long the terminal took from the card to the result; the table behind each has all its figures. */
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import type { DaySummary } from '../../../contract/console/index.ts';
import type { Currency } from '../../../contract/money.ts';
import { useFormats } from '../../messages/formats.ts';
import {
  Chart,
  type Ink,
  dayAxis,
  dayScale,
  fromZero,
  hourMs,
  valueAxis,
} from '../../components/chart/chart.tsx';
import { medianOf, type ShownHour } from './day-figures.ts';

const bars = uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 });
const outlines = uPlot.paths.bars?.({ size: [0.92, 52], radius: 0.15 });

/**
 * All payments of an hour as a bar, the approved part of it in the strong colour; around it, as an outline, those of the
 * same hour a week before.
 */
export function HoursChart({ hours, currency }: { hours: readonly ShownHour[]; currency: Currency }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const weekday = formats.weekday(hours[0]?.from ?? new Date().toISOString());
  const span = useHourSpan();
  const isCompared = hours.some(({ before }) => before !== null && before > 0);
  const data = useMemo<uPlot.AlignedData>(
    () => [
      hours.map(({ from }) => Date.parse(from) + hourMs / 2),
      hours.map(({ before }) => before),
      hours.map(({ count }) => count),
      hours.map(({ approved }) => approved),
    ],
    [hours],
  );
  const plot = useCallback(
    (ink: Ink) => {
      const bar = (look: uPlot.Series, paths: uPlot.Series.PathBuilder | undefined): uPlot.Series => ({
        ...look,
        points: { show: false },
        ...(paths === undefined ? {} : { paths }),
      });
      return {
        series: [
          {},
          bar({ stroke: ink('--line-strong'), width: 1 }, outlines),
          bar({ fill: ink('--chart-rest'), width: 0 }, bars),
          bar({ fill: ink('--accent'), width: 0 }, bars),
        ],
        scales: { x: dayScale(hours), y: fromZero },
        axes: [dayAxis(hours, formats, ink), valueAxis(ink, 34, formats.number, true)],
      };
    },
    [hours, formats],
  );
  const describe = (index: number) => {
    const hour = hours[index];
    if (hour === undefined) return [];
    const { from, count, approved, sumMinor, before } = hour;
    const payments = t('till.payments', { count, number: formats.number(count) });
    return [
      span(from),
      t('till.hourFigures', { payments, approved: formats.number(approved) }),
      formats.money(sumMinor, currency),
      ...(isCompared ? [t('till.hourLastWeek', { weekday, count: before ?? 0 })] : []),
    ];
  };
  return (
    <figure className="till-chart">
      <figcaption>
        <h3>{t('till.byHour')}</h3>
        <p className="chart-legend" aria-hidden="true">
          <span className="chart-key chart-key-first">{t('till.approvedOnes')}</span>
          <span className="chart-key chart-key-rest">{t('till.otherOnes')}</span>
          {isCompared && (
            <span className="chart-key chart-key-before">{t('till.lastWeekKey', { weekday })}</span>
          )}
        </p>
      </figcaption>
      <Chart label={t('till.byHour')} plot={plot} data={data} describe={describe} />
      <div className="visually-hidden">
        <table>
          <caption>{t('till.byHour')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('till.hour')}</th>
              <th scope="col">{t('till.count')}</th>
              <th scope="col">{t('till.approvedOnes')}</th>
              <th scope="col">{t('till.sum')}</th>
              {isCompared && <th scope="col">{t('till.lastWeekKey', { weekday })}</th>}
            </tr>
          </thead>
          <tbody>
            {hours
              .filter(({ count, before }) => count > 0 || (before ?? 0) > 0)
              .map(({ from, count, approved, sumMinor, before }) => (
                <tr key={from}>
                  <th scope="row">{span(from)}</th>
                  <td>{formats.number(count)}</td>
                  <td>{formats.number(approved)}</td>
                  <td>{formats.money(sumMinor, currency)}</td>
                  {isCompared && <td>{formats.number(before ?? 0)}</td>}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** "08:00 – 09:00", for the hour that begins then. */
function useHourSpan(): (from: string) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  return (from) => {
    const until = new Date(Date.parse(from) + hourMs).toISOString();
    return t('till.hourSpan', { from: formats.shortTime(from), until: formats.shortTime(until) });
  };
}

type ResponseTimes = DaySummary['responseTimes'];

/** From the card to the result. */
interface CardTime {
  at: string;
  ms: number;
}

/** From the card to the result, a point for each payment: a slow host is seen at once. Below it the terminal's first answer. */
export function ResponseChart({
  hours,
  responseTimes,
}: {
  hours: readonly ShownHour[];
  responseTimes: ResponseTimes;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const cardTimes = useMemo(
    () =>
      responseTimes.flatMap(({ at, cardMs }): CardTime[] => (cardMs === null ? [] : [{ at, ms: cardMs }])),
    [responseTimes],
  );
  const data = useMemo<uPlot.AlignedData>(
    () => [cardTimes.map(({ at }) => Date.parse(at)), cardTimes.map(({ ms }) => ms / 1_000)],
    [cardTimes],
  );
  const plot = useCallback(
    (ink: Ink) => ({
      series: [
        {},
        { paths: () => null, points: { show: true, size: 6, width: 0, fill: ink('--accent') } },
      ] satisfies uPlot.Series[],
      scales: { x: dayScale(hours), y: fromZero },
      axes: [dayAxis(hours, formats, ink), valueAxis(ink, 34, formats.number, false)],
    }),
    [hours, formats],
  );
  const describe = (index: number) => {
    const payment = cardTimes[index];
    return payment === undefined ? [] : [formats.time(payment.at), formats.duration(payment.ms)];
  };
  const summary = (durations: number[]) => {
    const median = medianOf(durations);
    if (median === null) return null;
    return t('till.responseSummary', {
      median: formats.duration(median),
      slowest: formats.duration(Math.max(...durations)),
    });
  };
  const cards = summary(cardTimes.map(({ ms }) => ms));
  const answers = summary(responseTimes.map(({ answerMs }) => answerMs));
  return (
    <figure className="till-chart">
      <figcaption>
        <h3>{t('till.responseTime')}</h3>
        {cards !== null && <p className="calm">{cards}</p>}
      </figcaption>
      {cards === null ? (
        <p className="calm till-chart-empty">
          {t(answers === null ? 'till.noResponseTimes' : 'till.noCardTimes')}
        </p>
      ) : (
        <>
          <Chart label={t('till.responseTime')} plot={plot} data={data} describe={describe} />
          <ResponseTable hours={hours} cardTimes={cardTimes} />
        </>
      )}
      {answers !== null && (
        <p className="calm till-chart-note">{t('till.answerTime', { summary: answers })}</p>
      )}
    </figure>
  );
}

/** Hour by hour: five hundred rows would help nobody. */
function ResponseTable({
  hours,
  cardTimes,
}: {
  hours: readonly ShownHour[];
  cardTimes: readonly CardTime[];
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const span = useHourSpan();
  const rows = hours.flatMap(({ from }) => {
    const startMs = Date.parse(from);
    const durations = cardTimes
      .filter(({ at }) => Date.parse(at) >= startMs && Date.parse(at) < startMs + hourMs)
      .map(({ ms }) => ms);
    const median = medianOf(durations);
    return median === null ? [] : [{ from, median, slowest: Math.max(...durations) }];
  });
  return (
    <div className="visually-hidden">
      <table>
        <caption>{t('till.responseTime')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('till.hour')}</th>
            <th scope="col">{t('till.usual')}</th>
            <th scope="col">{t('till.slowest')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ from, median, slowest }) => (
            <tr key={from}>
              <th scope="row">{span(from)}</th>
              <td>{formats.duration(median)}</td>
              <td>{formats.duration(slowest)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
