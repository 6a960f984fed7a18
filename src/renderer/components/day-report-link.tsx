import { FileText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { href } from '../store/route.ts';
import { todayName } from '../messages/local-day.ts';

/** To the report of a local day ("2026-05-12"), of today without one. */
export function DayReportLink({ day }: { day?: string | null }) {
  const { t } = useTranslation();
  return (
    <a className="button" href={href('till', day ?? todayName, undefined, 'report')}>
      <FileText aria-hidden="true" />
      <span>{t('report.link')}</span>
    </a>
  );
}
