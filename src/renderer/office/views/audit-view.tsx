/** Who has read which payment, what was searched for, and who did what at the office. */
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { auditActs, type AuditEntry } from '../../../contract/office-page.ts';
import { Button } from '../../components/button.tsx';
import { Time } from '../../components/time.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { More } from '../parts/more.tsx';
import { NotThere } from '../parts/refused.tsx';
import { usePages } from '../parts/use-pages.ts';
import { officeHref } from '../route.ts';

const pageLength = 100;

export function AuditView() {
  const { t } = useTranslation();
  const entries = usePages<{ entries: AuditEntry[] }, AuditEntry>('/audit', {
    pathOf: (before) => `/audit?limit=${pageLength}${before === undefined ? '' : `&before=${before}`}`,
    itemsOf: (page) => page.entries,
    nextOf: (page) => (page.entries.length < pageLength ? null : String(page.entries.at(-1)?.entry ?? 0)),
  });
  return (
    <>
      <div className="page-head">
        <h1>{t('office.page.audit')}</h1>
        <Button look="quiet" icon={<RefreshCw aria-hidden="true" />} onClick={entries.retry}>
          {t('office.again')}
        </Button>
      </div>
      {entries.data === null ? (
        <NotThere asked={entries} />
      ) : (
        <>
          <DataTable
            label={t('office.audit.table')}
            rows={entries.data}
            keyOf={({ entry }) => entry}
            columns={[
              {
                name: 'time',
                label: t('office.audit.column.time'),
                width: '11.5rem',
                cell: ({ at }) => <Time at={at} show="dateTime" />,
              },
              {
                name: 'person',
                label: t('office.audit.column.person'),
                width: 'minmax(9rem, 14rem)',
                cell: ({ person, role, signed_in_by }) => (
                  <>
                    <strong>{person}</strong>
                    <p className="calm">
                      {t(`office.role.${role}`)}, {t(`office.audit.by.${signed_in_by}`)}
                    </p>
                  </>
                ),
              },
              {
                name: 'act',
                label: t('office.audit.column.act'),
                width: 'minmax(8rem, 12rem)',
                cell: ({ act }) => (auditActs.includes(act) ? t(`office.audit.act.${act}`) : act),
              },
              {
                name: 'about',
                label: t('office.audit.column.about'),
                width: 'minmax(0, 1fr)',
                cell: (entry) => <About entry={entry} />,
              },
            ]}
          />
          <More pages={entries} />
        </>
      )}
    </>
  );
}

/** As it was asked, by the names that the interface has: whoever reads this compares it with other logs. */
function About({ entry: { act, about } }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const { paymentId, reference, shop } = about;
  if (act === 'payment_read' && typeof paymentId === 'string') {
    return (
      <>
        <a href={officeHref('search', paymentId)}>
          {t('office.payment.title', { reference: String(reference) })}
        </a>{' '}
        <span className="calm">{String(shop)}</span>
      </>
    );
  }
  const parts = Object.entries(about).map(([name, value]) => `${name}: ${String(value)}`);
  return <span className="calm">{parts.join(' · ')}</span>;
}
