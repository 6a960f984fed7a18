/** How long the terminal took, a point for each payment: slow hours and a slow line are seen at once. */
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import type { DaySummary } from '../../../contract/console/index.ts';
import { useFormats } from '../../messages/formats.ts';
import { Chart, type Ink } from './chart.tsx';
import { dayAxis, dayScale, fromZero, valueAxis } from './day-axis.ts';

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
