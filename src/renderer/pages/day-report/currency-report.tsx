import { useTranslation } from 'react-i18next';
import type { DayReport } from '../../../contract/console/index.ts';
import { PaymentStatus } from '../../components/status-mark.tsx';
import { useFormats } from '../../messages/formats.ts';
import { ReportSection } from '../../components/report/report-frame.tsx';
import { ReportTable } from '../../components/report/report-table.tsx';

type Sums = DayReport['currencies'][number]['day'];
type Line = { count: number; sumMinor: number } | undefined;

/** The payments of one currency: in figures, by status and by card scheme, each beside the other day's. */
export function CurrencyReport({ day, compared }: { day: Sums; compared: Sums }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { currency } = day;
  const money = (sums: Line) => formats.money(sums?.sumMinor ?? 0, currency);
  const number = (sums: Line) => formats.number(sums?.count ?? 0);
  const columns = (first: string) => [
    { label: first },
    { label: t('report.count'), figures: true as const },
    { label: t('report.amount'), figures: true as const },
    { label: t('report.countBefore'), figures: true as const },
    { label: t('report.amountBefore'), figures: true as const },
  ];
  const row = (key: string, name: React.ReactNode, sums: Line, before: Line) => ({
    key,
    cells: [name, number(sums), money(sums), number(before), money(before)],
  });
  const statuses = union(day.statuses, compared.statuses, ({ status }) => status);
  const schemes = union(day.schemes, compared.schemes, ({ scheme }) => scheme);
  return (
    <>
      <dl className="report-figures">
        <div>
          <dt>{t('report.taken', { currency })}</dt>
          <dd>{money(day)}</dd>
          <dd className="calm">{t('report.before', { value: money(compared) })}</dd>
        </div>
        <div>
          <dt>{t('report.payments')}</dt>
          <dd>{number(day)}</dd>
          <dd className="calm">{t('report.before', { value: number(compared) })}</dd>
        </div>
        <div>
          <dt>{t('report.approved')}</dt>
          <dd>{formats.number(day.approved)}</dd>
          <dd className="calm">{t('report.before', { value: formats.number(compared.approved) })}</dd>
        </div>
      </dl>
      <ReportSection title={t('report.byStatus')} empty={statuses.length === 0}>
        <ReportTable
          label={t('report.byStatus')}
          columns={columns(t('payments.status'))}
          rows={statuses.map((status) => {
            const of = (sums: Sums) => sums.statuses.find((each) => each.status === status);
            return row(status, <PaymentStatus status={status} />, of(day), of(compared));
          })}
        />
      </ReportSection>
      <ReportSection title={t('report.byScheme')} empty={schemes.length === 0}>
        <ReportTable
          label={t('report.byScheme')}
          columns={columns(t('batches.scheme'))}
          rows={schemes.map((scheme) => {
            const of = (sums: Sums) => sums.schemes.find((each) => each.scheme === scheme);
            return row(scheme ?? '', scheme ?? t('report.otherScheme'), of(day), of(compared));
          })}
        />
      </ReportSection>
    </>
  );
}

/** Those of both days, in the order of the first. */
function union<T, N>(day: T[], compared: T[], nameOf: (each: T) => N): N[] {
  return [...new Set([...day, ...compared].map(nameOf))];
}
