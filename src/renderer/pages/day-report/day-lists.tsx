/** What a person should look at again: each list with what it is about, and the way to the payment. */
import { useTranslation } from 'react-i18next';
import type { DayReport } from '../../../contract/console/index.ts';
import type { Currency } from '../../../contract/money.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { href } from '../../store/route.ts';
import { LeftOut, ReportSection } from '../../components/report/report-frame.tsx';
import { ReportTable } from '../../components/report/report-table.tsx';

interface About {
  kind: DayReport['doubts']['items'][number]['kind'];
  reference: string | null;
  transactionId: string | null;
}

/** The payment that it is about, as a link; a batch close has none. */
function Subject({ about: { kind, reference, transactionId } }: { about: About }) {
  const { t } = useTranslation();
  if (reference === null || transactionId === null) return t('report.kind.batch_close');
  return (
    <>
      {kind === 'void' && `${t('report.kind.void')} `}
      <a href={href('payments', transactionId)}>{reference}</a>
    </>
  );
}

function useColumns() {
  const { t } = useTranslation();
  return {
    at: { label: t('report.at') },
    subject: { label: t('report.subject') },
    amount: { label: t('report.amount'), figures: true as const },
    outcome: { label: t('report.outcome') },
    who: { label: t('report.who'), prose: true as const },
    why: { label: t('report.why'), prose: true as const },
  };
}

function useAmount(): (amountMinor: number | null, currency: Currency | null) => string {
  const formats = useFormats();
  return (amountMinor, currency) =>
    amountMinor === null || currency === null ? '–' : formats.money(amountMinor, currency);
}

export function Decisions({ count, items }: DayReport['decisions']) {
  const { t } = useTranslation();
  const { at, subject, amount, outcome, who, why } = useColumns();
  const amountOf = useAmount();
  const title = t('report.decisions', { count });
  return (
    <ReportSection title={title} empty={count === 0}>
      <ReportTable
        label={title}
        columns={[at, subject, amount, outcome, who, why]}
        rows={items.map((item) => ({
          key: `${item.operationId} ${item.at}`,
          cells: [
            <Time key="at" at={item.at} />,
            <Subject key="subject" about={item} />,
            amountOf(item.amountMinor, item.currency),
            t(`outcome.${item.outcome}`),
            item.by,
            item.reason,
          ],
        }))}
      />
      <LeftOut count={count} shown={items.length} />
    </ReportSection>
  );
}

export function Doubts({ count, items }: DayReport['doubts']) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { at, subject, amount, outcome } = useColumns();
  const amountOf = useAmount();
  const title = t('report.doubts', { count });
  return (
    <ReportSection title={title} empty={count === 0}>
      <ReportTable
        label={title}
        columns={[at, subject, amount, outcome]}
        rows={items.map((item) => ({
          key: item.operationId,
          cells: [
            <Time key="at" at={item.at} />,
            <Subject key="subject" about={item} />,
            amountOf(item.amountMinor, item.currency),
            item.outcome === null || item.endedAt === null ? (
              <strong key="outcome" className="tone-warn">
                {t('report.stillOpen')}
              </strong>
            ) : (
              `${t(`outcome.${item.outcome}`)}, ${formats.dateTime(item.endedAt)}`
            ),
          ],
        }))}
      />
      <LeftOut count={count} shown={items.length} />
    </ReportSection>
  );
}

export function Discrepancies({ count, items }: DayReport['discrepancies']) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { at, outcome, who, why } = useColumns();
  const title = t('report.discrepancies', { count });
  return (
    <ReportSection title={title} empty={count === 0}>
      <ReportTable
        label={title}
        columns={[at, { label: t('report.what'), prose: true }, outcome, who, why]}
        rows={items.map(({ discrepancyId, foundAt, kind, message, acknowledged }) => ({
          key: discrepancyId,
          cells: [
            <Time key="at" at={foundAt} show="dateTime" />,
            <div key="what">
              {t(`discrepancy.kind.${kind}`)}
              <p className="calm">
                <BridgeText text={message} />
              </p>
            </div>,
            acknowledged === null ? (
              <strong key="outcome" className="tone-warn">
                {t('report.stillOpen')}
              </strong>
            ) : (
              t('report.acknowledged', { at: formats.dateTime(acknowledged.at) })
            ),
            acknowledged?.by ?? '–',
            acknowledged?.reason ?? '–',
          ],
        }))}
      />
      <LeftOut count={count} shown={items.length} />
    </ReportSection>
  );
}

export function Voids({ count, items }: DayReport['voids']) {
  const { t } = useTranslation();
  const { at, subject, amount, outcome } = useColumns();
  const amountOf = useAmount();
  const title = t('report.voids', { count });
  return (
    <ReportSection title={title} empty={count === 0}>
      <ReportTable
        label={title}
        columns={[at, subject, amount, outcome]}
        rows={items.map((item) => ({
          key: item.operationId,
          cells: [
            <Time key="at" at={item.at} />,
            <Subject key="subject" about={item} />,
            amountOf(item.amountMinor, item.currency),
            t(item.byHand ? 'report.voidedByHand' : 'report.voidedAtTerminal'),
          ],
        }))}
      />
      <LeftOut count={count} shown={items.length} />
    </ReportSection>
  );
}

export function Batches({ count, items }: DayReport['batches']) {
  const { t } = useTranslation();
  const { at, amount, outcome } = useColumns();
  const amountOf = useAmount();
  const title = t('report.batches', { count });
  return (
    <ReportSection title={title} empty={count === 0}>
      <ReportTable
        label={title}
        columns={[
          at,
          { label: t('report.batch') },
          { label: t('report.count'), figures: true },
          amount,
          outcome,
        ]}
        rows={items.map(({ operationId, endedAt, startedAt, result, expected, currency }) => ({
          key: operationId,
          cells: [
            <Time key="at" at={endedAt ?? startedAt} />,
            <a key="batch" href={href('batches', operationId, undefined, 'report')}>
              {result === null ? t('batches.noNumber') : t('batches.number', { number: result.batchNumber })}
            </a>,
            String(result?.count ?? expected.count),
            amountOf(result?.totalMinor ?? expected.totalMinor, currency),
            result === null
              ? '–'
              : t(
                  result.reconciled
                    ? 'batches.reconciled'
                    : result.differences.length === 0
                      ? 'batches.notCompared'
                      : 'batches.notReconciled',
                ),
          ],
        }))}
      />
      <LeftOut count={count} shown={items.length} />
    </ReportSection>
  );
}
