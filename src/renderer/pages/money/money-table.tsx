/** A row for each batch, or where several pay for one, for each of them. The day leads to all that is known of it. */
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { MoneyRow } from '../../../contract/console/index.ts';
import { MoneyStatus, useDayText } from '../../components/money-status.tsx';
import { LeftOut } from '../../components/report/report-frame.tsx';
import { ReportTable } from '../../components/report/report-table.tsx';
import { useTerminalTitle } from '../../components/terminal-choice/index.ts';
import { useFormats } from '../../messages/formats.ts';
import { startOf } from '../../messages/local-day.ts';
import { href } from '../../store/route.ts';
import { DecidedSince, daysBetween, feeOf } from './money-words.tsx';

export function MoneyTable({
  rows,
  rowCount,
  withTerminal,
  withAcquirer,
}: {
  rows: readonly MoneyRow[];
  rowCount: number;
  withTerminal: boolean;
  withAcquirer: boolean;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  const titleOf = useTerminalTitle();
  return (
    <div className="money-table">
      <ReportTable
        label={t('money.batches')}
        columns={[
          { label: t('money.closed') },
          { label: t('report.batch') },
          { label: t('money.stateAndCertainty') },
          { label: t('money.expected'), figures: true },
          { label: t('money.arrived'), figures: true },
          { label: t('money.fee'), figures: true },
          { label: t('money.days'), figures: true },
        ]}
        rows={rows.map((row) => {
          const { batch, part } = row;
          const day = part.closedOn ?? batch.closedAt.slice(0, 10);
          return {
            key: `${batch.id} ${part.acquirer ?? ''}`,
            cells: [
              <a key="day" href={href('money', batch.id)}>
                {dayText(day)}
              </a>,
              <Fragment key="batch">
                {batch.number ?? '–'}
                {withTerminal && (
                  <span className="money-below calm">{titleOf(batch.terminal) ?? batch.terminal}</span>
                )}
              </Fragment>,
              <Fragment key="state">
                <MoneyStatus state={part.state} />
                <Certainty row={row} />
              </Fragment>,
              <Fragment key="expected">
                {part.expectedMinor === null ? '–' : formats.money(part.expectedMinor, batch.currency)}
                {withAcquirer && part.acquirer !== null && (
                  <span className="money-below calm">{part.acquirer}</span>
                )}
              </Fragment>,
              <ArrivedCell key="arrived" row={row} />,
              <FeeCell key="fee" row={row} />,
              <DaysCell key="days" row={row} />,
            ],
          };
        })}
      />
      <LeftOut count={rowCount} shown={rows.length} />
    </div>
  );
}

function Certainty({ row: { part, decidedSince } }: { row: MoneyRow }) {
  const { t } = useTranslation();
  if (decidedSince) return <DecidedSince />;
  return (
    part.match !== null && (
      <span className="money-below calm">{t(`money.certainty.${part.match.certainty}`)}</span>
    )
  );
}

/** What has come, and below it how much less or more than expected that is. */
function ArrivedCell({ row: { batch, part, arrivedMinor } }: { row: MoneyRow }) {
  const { t } = useTranslation();
  const { money } = useFormats();
  const { state, expectedMinor } = part;
  if (arrivedMinor === null) return '–';
  const isWrong = state === 'short' || state === 'over';
  return (
    <>
      {money(arrivedMinor, batch.currency)}
      {isWrong && expectedMinor !== null && (
        <span className={`money-below tone-${state === 'short' ? 'bad' : 'warn'}`}>
          {t(`money.differs.${state}`, {
            amount: money(Math.abs(arrivedMinor - expectedMinor), batch.currency),
          })}
        </span>
      )}
    </>
  );
}

/** What was kept back, and below it what was agreed where that is not the same. */
function FeeCell({ row: { part, arrivedMinor } }: { row: MoneyRow }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { agreed, taken, apart } = feeOf(part, arrivedMinor);
  if (apart) return <span className="calm">{t('money.apart')}</span>;
  if (agreed === null || taken === null) return '–';
  const isAsAgreed = formats.rate(taken) === formats.rate(agreed);
  return (
    <>
      {formats.rate(taken)}
      {!isAsAgreed && (
        <span className="money-below tone-warn">{t('money.agreed', { rate: formats.rate(agreed) })}</span>
      )}
    </>
  );
}

function DaysCell({ row: { part, batch } }: { row: MoneyRow }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  const { match, dueBy, closedOn } = part;
  if (match?.arrivedOn == null) {
    const due = dueBy === null ? null : startOf(dueBy);
    if (due === null) return '–';
    return <span className="calm">{t('money.dueBy', { day: formats.dayAndMonth(due) })}</span>;
  }
  const days = daysBetween(closedOn ?? batch.closedAt.slice(0, 10), match.arrivedOn);
  return (
    <>
      <span title={dayText(match.arrivedOn)}>{formats.number(days)}</span>
      {match.bankingDaysLate > 0 && (
        <span className="money-below tone-warn">{t('money.daysLate', { count: match.bankingDaysLate })}</span>
      )}
    </>
  );
}
