/** What came in day by day: the money of the batches, and what nothing explains. The table behind it has all figures. */
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import { currencyExponent, type Currency } from '../../../contract/money.ts';
import type { FoundMoney } from '../../../contract/console/index.ts';
import { useDayText } from '../../components/money-status.tsx';
import { Chart, timeAxis, valueAxis, type Ink } from '../../components/chart/chart.tsx';
import { useFormats } from '../../messages/formats.ts';
import { shiftDay, startOf } from '../../messages/local-day.ts';

const bars = uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 });
const halfDayMs = 43_200_000;
/** A chart of less says little of when money comes. */
const fewestDays = 14;

export function ArrivalCharts({ days }: { days: FoundMoney['days'] }) {
  const currencies = [...new Set(days.map(({ currency }) => currency))];
  return currencies.map((currency) => (
    <ArrivalChart key={currency} currency={currency} days={days} named={currencies.length > 1} />
  ));
}

/** In one of several currencies its name stands in the title. */
function ArrivalChart({
  currency,
  days: all,
  named,
}: {
  currency: Currency;
  days: FoundMoney['days'];
  named: boolean;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  const days = useMemo(() => all.filter((day) => day.currency === currency), [all, currency]);
  const isAllExplained = days.every(({ unexplainedMinor }) => unexplainedMinor === 0);
  const title = named ? t('money.chartIn', { currency }) : t('money.chart');
  const data = useMemo<uPlot.AlignedData>(() => {
    const major = 10 ** currencyExponent(currency);
    return [
      days.map(({ day }) => instantOf(day)),
      days.map(({ arrivedMinor, unexplainedMinor }) => (arrivedMinor + unexplainedMinor) / major),
      days.map(({ arrivedMinor }) => arrivedMinor / major),
    ];
  }, [days, currency]);
  const plot = useCallback(
    (ink: Ink) => {
      const calendar = calendarOf(days.map(({ day }) => day));
      const [first = 0] = calendar;
      const last = calendar.at(-1) ?? first;
      const bar = (fill: string): uPlot.Series => ({
        fill,
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      });
      return {
        series: [{}, bar(ink('--chart-rest')), bar(ink('--accent'))],
        scales: { x: { time: false, range: [first - halfDayMs, last + halfDayMs] }, y: aroundZero },
        axes: [
          timeAxis(calendar, ink, (instantMs) => formats.dayAndMonth(new Date(instantMs))),
          valueAxis(ink, 58, formats.number, false),
        ],
      } satisfies { series: uPlot.Series[]; scales: uPlot.Scales; axes: uPlot.Axis[] };
    },
    [days, formats],
  );
  const describe = (index: number) => {
    const day = days[index];
    if (day === undefined) return [];
    const { arrivedMinor, unexplainedMinor } = day;
    return [
      dayText(day.day),
      t('money.chartArrived', { amount: formats.money(arrivedMinor, currency) }),
      ...(unexplainedMinor === 0
        ? []
        : [t('money.chartUnexplained', { amount: formats.money(unexplainedMinor, currency) })]),
    ];
  };
  return (
    <figure className="money-chart">
      <figcaption>
        <h2>{title}</h2>
        <p className="chart-legend" aria-hidden="true">
          <span className="chart-key chart-key-first">{t('money.ofBatches')}</span>
          {!isAllExplained && <span className="chart-key chart-key-rest">{t('money.ofNoBatch')}</span>}
        </p>
      </figcaption>
      <Chart label={title} plot={plot} data={data} describe={describe} />
      <div className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t('money.day')}</th>
              <th scope="col">{t('money.ofBatches')}</th>
              <th scope="col">{t('money.ofNoBatch')}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, arrivedMinor, unexplainedMinor }) => (
              <tr key={day}>
                <th scope="row">{dayText(day)}</th>
                <td>{formats.money(arrivedMinor, currency)}</td>
                <td>{formats.money(unexplainedMinor, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** What was taken back is less than nothing. */
const aroundZero: uPlot.Scale = {
  range: (_, min, max) => [Math.min(0, min) * 1.1, Math.max(1, max) * 1.1],
};

/** Noon, so that a day stands where its label is. */
function instantOf(day: string): number {
  return (startOf(day)?.getTime() ?? Date.parse(day)) + halfDayMs;
}

/** Every day from the first of `days` to the last, and so many before it that there are enough to see something. */
function calendarOf(days: readonly string[]): number[] {
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return [];
  const enough = shiftDay(last, 1 - fewestDays);
  const calendar: number[] = [];
  for (let day = first < enough ? first : enough; day <= last; day = shiftDay(day, 1))
    calendar.push(instantOf(day));
  return calendar;
}
