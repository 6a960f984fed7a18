/** The two charts of the day: payments by hour, and how long the terminal took. */
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

/** A point for each payment: slow hours and a slow line are seen at once. */
export function ResponseChart({ day: { hours, responseTimes } }: { day: DaySummary }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const data = useMemo<uPlot.AlignedData>(
    () => [
      responseTimes.map(({ at }) => Date.parse(at)),
      responseTimes.map(({ durationMs }) => durationMs / 1_000),
    ],
    [responseTimes],
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
  const sorted = responseTimes.map(({ durationMs }) => durationMs).toSorted((one, other) => one - other);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  const slowest = sorted.at(-1);
  return (
    <figure className="till-chart">
      <figcaption>
        <h3>{t('till.responseTime')}</h3>
        {median !== undefined && slowest !== undefined && (
          <p className="calm">
            {t('till.responseSummary', {
              median: formats.duration(median),
              slowest: formats.duration(slowest),
            })}
          </p>
        )}
      </figcaption>
      {median === undefined ? (
        <p className="calm till-chart-empty">{t('till.noResponseTimes')}</p>
      ) : (
        <Chart plot={plot} data={data} />
      )}
    </figure>
  );
}
