/** The latest batches of a shop: when each was closed, what was in it, and whether terminal and journal agree. */
import { useTranslation } from 'react-i18next';
import type { ShopBatch } from '../../../contract/office-page.ts';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { useAsked } from '../session.tsx';
import { DataTable } from './data-table.tsx';
import { moneyText } from './money-text.ts';
import { NotThere } from './refused.tsx';

const everyMs = 2_000;

export function ShopBatches({ shopId }: { shopId: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const asked = useAsked<{ batches: ShopBatch[] }>(`/shops/${shopId}/batches`, { everyMs, shop: shopId });
  const batches = asked.data?.batches;
  const title = t('office.shop.batches');
  return (
    <section className="office-section" aria-labelledby="batches">
      <h2 id="batches">{title}</h2>
      {batches === undefined ? (
        <NotThere asked={asked} />
      ) : batches.length === 0 ? (
        <p className="calm">{t('office.shop.noBatch')}</p>
      ) : (
        <DataTable
          label={title}
          rows={batches}
          keyOf={({ batch_id }) => batch_id}
          columns={[
            {
              name: 'time',
              label: t('office.shop.batch.time'),
              width: '11.5rem',
              cell: ({ ended_at, started_at }) => <Time at={ended_at ?? started_at} show="dateTime" />,
            },
            {
              name: 'batch',
              label: t('office.shop.batch.batch'),
              width: 'minmax(8rem, 12rem)',
              cell: ({ batch_number, terminal, simulated }) => (
                <>
                  {batch_number === null
                    ? t('batches.noNumber')
                    : t('batches.number', { number: batch_number })}
                  <p className="calm">
                    {terminal}
                    {simulated && ` · ${t('terminal.simulator')}`}
                  </p>
                </>
              ),
            },
            {
              name: 'amount',
              label: t('office.shop.batch.total'),
              width: 'minmax(8rem, 10rem)',
              // Where the terminal told nothing, what the journal has.
              cell: ({ total_minor, expected_minor, count, expected_count, currency }) => (
                <>
                  <span data-figures>{moneyText(formats, total_minor ?? expected_minor, currency)}</span>
                  <p className="calm">{t('batches.payments', { count: count ?? expected_count })}</p>
                </>
              ),
            },
            {
              name: 'state',
              label: t('office.shop.batch.state'),
              width: 'minmax(0, 1fr)',
              cell: (batch) => <State batch={batch} />,
            },
          ]}
        />
      )}
    </section>
  );
}

function State({ batch: { outcome, in_doubt, reconciled, total_minor } }: { batch: ShopBatch }) {
  const { t } = useTranslation();
  if (in_doubt) return <span className="tone-bad">{t('batches.state.in_doubt')}</span>;
  if (outcome === null) return <span>{t('batches.state.running')}</span>;
  if (outcome !== 'closed') return <span className="tone-warn">{t('batches.state.not_closed')}</span>;
  return (
    <>
      {t('batches.state.closed')}
      <p className={reconciled === true ? 'calm' : 'tone-warn'}>
        {reconciled === true
          ? t('batches.reconciled')
          : t(total_minor === null ? 'batches.notCompared' : 'batches.notReconciled')}
      </p>
    </>
  );
}
