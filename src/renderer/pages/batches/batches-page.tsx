/** Closing the day: what it would cover now, and every close so far with the terminal's totals beside the journal's. */
import { Archive } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { Empty, Refused } from '../../components/notices.tsx';
import { BatchCard } from './batch-card.tsx';
import { DayReportLink } from '../../components/day-report-link.tsx';
import { OpenBatch } from './open-batch.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchesResponse, BatchView, ConsoleRefusal } from '../../../contract/console/index.ts';
import { PageTitle } from '../../components/terminal-choice/index.ts';
import { ofTerminal } from '../../store/chosen-terminal.ts';
import { useClient } from '../../store/console-context.tsx';
import { useTerminalName } from '../../store/terminal-context.tsx';
import { fetchMethod, onTerminal, useMethod, type Refetch } from '../../store/queries.ts';
import './batches.css';

export function BatchesPage() {
  const { t } = useTranslation();
  return (
    <div className="batches">
      <div className="page-head">
        <PageTitle title={t('pages.batches')} />
        <DayReportLink />
      </div>
      {/* Nothing of one terminal is left on the page of another one. */}
      <BatchesOfTerminal key={useTerminalName()} />
    </div>
  );
}

function BatchesOfTerminal() {
  const { t } = useTranslation();
  const { batches, open, more, busy, refusal, retry, loadMore } = useBatches();
  return (
    <>
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
    </>
  );
}

const pageSize = 20;
/** A close changes its batch and every payment that it covers: one request for all of them. */
const refetchWithBatches: Refetch<BatchesResponse> = {
  isAbout: ({ kind }) => kind === 'batch' || kind === 'payment',
  delayMs: 150,
  everyMs: 0,
};

interface Batches {
  /** Newest first. */
  batches: BatchView[];
  /** Null until the first response. */
  open: BatchesResponse['open'] | null;
  more: boolean;
  busy: boolean;
  refusal: ConsoleRefusal | null;
  retry: () => void;
  loadMore: () => void;
}

/** The batches from the newest on, and what is open; fetched again when one of them or a payment changes. */
function useBatches(): Batches {
  const client = useClient();
  const name = useTerminalName();
  const of = ofTerminal(name);
  const newest = useMethod(
    'batches',
    { before: null, limit: pageSize, ...of },
    onTerminal(refetchWithBatches, name),
  );
  // What lies behind the first page as it was then; closed long ago, so it is fetched once.
  const [first, setFirst] = useState<BatchesResponse | null>(null);
  const older = useInfiniteQuery({
    queryKey: ['olderBatches', name, first?.next ?? null],
    queryFn: ({ pageParam: before }) => fetchMethod(client, 'batches', { before, limit: pageSize, ...of }),
    initialPageParam: first?.next ?? null,
    getNextPageParam: (page: BatchesResponse) => page.next,
    enabled: first !== null,
    staleTime: Infinity,
    gcTime: 0,
  });
  const loadOlder = () => (older.data === undefined ? older.refetch() : older.fetchNextPage());
  const olderPages = [...(first === null ? [] : [first]), ...(older.data?.pages ?? [])];
  return {
    batches: eachOnce([...(newest.data?.batches ?? []), ...olderPages.flatMap(({ batches }) => batches)]),
    open: newest.data?.open ?? null,
    more: older.data === undefined ? (newest.data?.next ?? null) !== null : older.hasNextPage,
    busy: older.isFetching,
    refusal: newest.refusal ?? older.error?.refusal ?? null,
    retry() {
      newest.retry();
      if (older.error !== null) void loadOlder();
    },
    loadMore() {
      if (first === null) setFirst(newest.data);
      else void loadOlder();
    },
  };
}

/** The first view of a batch counts: the first page is fetched again, so it has the newer one. */
function eachOnce(batches: BatchView[]): BatchView[] {
  const known = new Map<string, BatchView>();
  for (const batch of batches) {
    if (!known.has(batch.operationId)) known.set(batch.operationId, batch);
  }
  return [...known.values()];
}
