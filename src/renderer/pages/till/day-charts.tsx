/** The two charts of the day: payments by hour, and how long the terminal took from the card to the result. */
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import type { DaySummary } from '../../../contract/console/index.ts';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { Chart, type Ink, dayAxis, dayScale, fromZero, hourMs, valueAxis } from './chart.tsx';

const bars = uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 });

/** All payments of an hour as a bar, the approved part of it in the strong colour. */
export function HoursChart({ hours }: { hours: DaySummary['hours'] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const data = useMemo<uPlot.AlignedData>(
    () => [
      hours.map(({ from }) => Date.parse(from) + hourMs / 2),
      hours.map(({ count }) => count),
      hours.map(({ approved }) => approved),
    ],
    [hours],
  );
  const plot = useCallback(
    (ink: Ink) => {
      const bar = (token: string): uPlot.Series => ({
        fill: ink(token),
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      });
      return {
        series: [{}, bar('--chart-rest'), bar('--accent')],
        scales: { x: dayScale(hours), y: fromZero },
        axes: [dayAxis(hours, formats, ink), valueAxis(ink, 34, formats.number, true)],
      };
    },
    [hours, formats],
  );
  return (
    <figure className="till-chart">
      <figcaption>
        <h3>{t('till.byHour')}</h3>
        <p className="chart-legend" aria-hidden="true">
          <span className="chart-key chart-key-first">{t('till.approvedOnes')}</span>
          <span className="chart-key chart-key-rest">{t('till.otherOnes')}</span>
        </p>
      </figcaption>
      <Chart plot={plot} data={data} />
      <div className="visually-hidden">
        <table>
          <caption>{t('till.byHour')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('till.hour')}</th>
              <th scope="col">{t('till.count')}</th>
              <th scope="col">{t('till.approvedOnes')}</th>
            </tr>
          </thead>
          <tbody>
            {hours
              .filter(({ count }) => count > 0)
              .map(({ from, count, approved }) => (
                <tr key={from}>
                  <th scope="row">
                    <Time at={from} />
                  </th>
                  <td>{formats.number(count)}</td>
                  <td>{formats.number(approved)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** From the card to the result, a point for each payment: a slow host is seen at once. Below it the terminal's first answer. */
export function ResponseChart({ day: { hours, responseTimes } }: { day: DaySummary }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const cardTimes = useMemo(
    () => responseTimes.flatMap(({ at, cardMs }) => (cardMs === null ? [] : [{ at, ms: cardMs }])),
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
  const summary = (ms: number[]) => {
    const sorted = ms.toSorted((one, other) => one - other);
    const median = sorted[Math.floor((sorted.length - 1) / 2)];
    const slowest = sorted.at(-1);
    if (median === undefined || slowest === undefined) return null;
    return t('till.responseSummary', {
      median: formats.duration(median),
      slowest: formats.duration(slowest),
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
        <Chart plot={plot} data={data} />
      )}
      {answers !== null && (
        <p className="calm till-chart-note">{t('till.answerTime', { summary: answers })}</p>
      )}
    </figure>
  );
}
