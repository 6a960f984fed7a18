/** One close of the day on paper: the terminal's totals beside the journal's, and the payments that it settled. */
import { useTranslation } from 'react-i18next';
import { takenMinor, type BatchReport } from '../../../contract/console/index.ts';
import { ManualDecisions } from '../../components/decisions/manual-decisions.tsx';
import { Empty, Refused } from '../../components/notices.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { cardText } from '../../../contract/terminal.ts';
import './batches.css';
import { useMethod } from '../../store/queries.ts';
import { href, useRoute } from '../../store/route.ts';
import { BatchCard } from './batch-card.tsx';
import { LeftOut, ReportFrame, ReportSection } from '../../components/report/report-frame.tsx';
import { ReportTable } from '../../components/report/report-table.tsx';

export function BatchReportPage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { id } = useRoute();
  const operationId = id ?? '';
  const { data, refusal, retry } = useMethod(
    'batchReport',
    { operationId },
    { isAbout: ({ kind }) => kind === 'batch', delayMs: 150, everyMs: 0 },
  );
  const report = data?.batch.operationId === operationId ? data : null;
  const number = report?.batch.result?.batchNumber ?? null;
  return (
    <ReportFrame
      title={number === null ? t('batches.noNumber') : t('batches.number', { number })}
      of={report === null ? '' : formats.dateTime(report.batch.endedAt ?? report.batch.startedAt)}
      terminal={report?.batch.onTerminal}
      back={{ href: href('batches'), label: t('pages.batches') }}
      table={report === null ? null : { kind: 'batch_report', operationId }}
      fileName={`${t('report.batchFile')}-${number ?? operationId.slice(0, 8)}`}
    >
      {refusal !== null && report === null ? (
        <Refused refusal={refusal} retry={retry} />
      ) : report === null ? (
        <Empty title={t('app.loading')} />
      ) : (
        <Shown report={report} />
      )}
    </ReportFrame>
  );
}

function Shown({ report: { batch, decision, payments } }: { report: BatchReport }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { count, items } = payments;
  const title = t('report.batchPayments', { count });
  return (
    <>
      <ManualDecisions decisions={decision === null ? [] : [decision]} />
      <div className="batches">
        <BatchCard batch={batch} whole />
      </div>
      <div className="card report-card">
        <ReportSection title={title} empty={count === 0}>
          <ReportTable
            label={title}
            columns={[
              { label: t('report.at') },
              { label: t('report.subject') },
              { label: t('payments.column.card') },
              { label: t('payments.field.receiptNumber') },
              { label: t('report.amount'), figures: true },
            ]}
            rows={items.map((payment) => ({
              key: payment.transactionId,
              cells: [
                <Time key="at" at={payment.createdAt} show="dateTime" />,
                <a key="subject" href={href('payments', payment.transactionId)}>
                  {payment.reference}
                </a>,
                cardText(payment) ?? '–',
                payment.receiptNumber ?? '–',
                formats.money(takenMinor(payment), payment.currency),
              ],
            }))}
          />
          <LeftOut count={count} shown={items.length} />
        </ReportSection>
      </div>
    </>
  );
}
