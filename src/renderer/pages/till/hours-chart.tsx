/** Payments by hour: all of them as bars, the approved part of each in the strong colour. */
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import type { DaySummary } from '../../../contract/console/index.ts';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { Chart, type Ink } from './chart.tsx';
import { dayAxis, dayScale, fromZero, hourMs, valueAxis } from './day-axis.ts';

const bars = uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 });

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
