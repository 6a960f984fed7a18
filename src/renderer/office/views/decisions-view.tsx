/** What people decided by hand at the tills: who, why, and about which payment. */
import { useTranslation } from 'react-i18next';
import type { DecisionView } from '../../../contract/office-page.ts';
import { operationOutcomeSchema } from '../../../contract/operation.ts';
import { Empty } from '../../components/notices.tsx';
import { Time } from '../../components/time.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { More } from '../parts/more.tsx';
import { NotThere } from '../parts/refused.tsx';
import { ShopLink } from '../parts/shop-link.tsx';
import { usePages } from '../parts/use-pages.ts';
import { officeHref } from '../route.ts';
import { useRefetchOnChanges } from '../session.tsx';

const everyMs = 5_000;
const pageLength = 100;
const key = '/decisions';

export function DecisionsView() {
  const { t } = useTranslation();
  const decisions = usePages<{ decisions: DecisionView[] }, DecisionView>(key, {
    pathOf: (before) => `/decisions?limit=${pageLength}${before === undefined ? '' : `&before=${before}`}`,
    itemsOf: (page) => page.decisions,
    nextOf: (page) =>
      page.decisions.length < pageLength ? null : (page.decisions.at(-1)?.decided_at ?? null),
  });
  useRefetchOnChanges(key, { everyMs });
  const { data } = decisions;
  return (
    <>
      <div className="page-head">
        <h1>{t('office.page.decisions')}</h1>
      </div>
      {data === null ? (
        <NotThere asked={decisions} />
      ) : data.length === 0 ? (
        <Empty title={t('office.decisions.none')} />
      ) : (
        <>
          <DataTable
            label={t('office.decisions.table')}
            rows={data}
            keyOf={({ shop_id, terminal, decided_at, reason }) => shop_id + terminal + decided_at + reason}
            columns={[
              {
                name: 'time',
                label: t('office.decisions.column.time'),
                width: '11.5rem',
                cell: ({ decided_at }) => <Time at={decided_at} show="dateTime" />,
              },
              {
                name: 'shop',
                label: t('office.decisions.column.shop'),
                width: 'minmax(7rem, 1fr)',
                cell: (decision) => <ShopLink place={decision} />,
              },
              {
                name: 'what',
                label: t('office.decisions.column.what'),
                width: 'minmax(9rem, 1fr)',
                cell: (decision) => <What decision={decision} />,
              },
              {
                name: 'by',
                label: t('office.decisions.column.by'),
                width: 'minmax(6rem, 10rem)',
                cell: ({ decided_by }) => decided_by,
              },
              {
                name: 'reason',
                label: t('office.decisions.column.reason'),
                width: 'minmax(0, 2fr)',
                cell: ({ reason }) => reason,
              },
            ]}
          />
          <More pages={decisions} />
        </>
      )}
    </>
  );
}

/** Those that have a message of their own, beside an operation's outcome. */
const kinds = ['discrepancy', 'repair'] as const;

function What({ decision: { kind, outcome, payment_id } }: { decision: DecisionView }) {
  const { t } = useTranslation();
  const known = operationOutcomeSchema.safeParse(outcome);
  const text = known.success
    ? t(`outcome.${known.data}`)
    : t(`office.decisions.${kinds.find((each) => each === kind) ?? 'other'}`);
  return payment_id === null ? text : <a href={officeHref('search', payment_id)}>{text}</a>;
}
