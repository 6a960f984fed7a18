/** Closing the day: what it would cover now, and every close so far with the terminal's totals beside the journal's. */
import { Archive } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Refused } from '../../components/refused.tsx';
import { BatchCard } from './batch-card.tsx';
import { OpenBatch } from './open-batch.tsx';
import { useBatches } from './use-batches.ts';
import './batches.css';

export function BatchesPage() {
  const { t } = useTranslation();
  const { batches, open, more, busy, refusal, retry, loadMore } = useBatches();
  return (
    <div className="batches">
      <h1>{t('pages.batches')}</h1>
      {refusal !== null && <Refused refusal={refusal} retry={retry} />}
      {open === null ? (
        refusal === null && <Empty title={t('app.loading')} />
      ) : (
        <>
          <OpenBatch open={open} onEnded={retry} />
          {batches.length === 0 ? (
            <Empty
              icon={<Archive className="mark mark-large tone-calm" aria-hidden="true" />}
              title={t('batches.nothingYet')}
            >
              {t('batches.nothingYetText')}
            </Empty>
          ) : (
            <section className="batch-list" aria-labelledby="earlier-batches">
              <h2 id="earlier-batches">{t('batches.earlier')}</h2>
              {batches.map((batch) => (
                <BatchCard key={batch.operationId} batch={batch} />
              ))}
              {more && (
                <Button busy={busy} onClick={loadMore}>
                  {t('app.more')}
                </Button>
              )}
            </section>
          )}
        </>
      )}
    </div>
  );
}
