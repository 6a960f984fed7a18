/** The batches from the newest on, and what is open; asked for again when one of them or a payment changes. */
import { useEffect, useRef, useState } from 'react';
import type { BatchesResponse, BatchView, ConsoleRefusal } from '../../../contract/console/index.ts';
import { useChanges, useClient } from '../../store/console-context.tsx';
import { useMethod } from '../../store/queries.ts';

const pageSize = 20;
/** A close changes its batch and every payment that it covers: one question for all of them. */
const gatherMs = 150;

export interface Batches {
  /** Newest first. */
  batches: BatchView[];
  /** Null until the first answer. */
  open: BatchesResponse['open'] | null;
  more: boolean;
  busy: boolean;
  refusal: ConsoleRefusal | null;
  retry: () => void;
  loadMore: () => void;
}

export function useBatches(): Batches {
  const client = useClient();
  const { result, retry } = useMethod('batches', { before: null, limit: pageSize });
  // What lies behind the first page; closed long ago, so it does not change.
  const [older, setOlder] = useState<{ batches: BatchView[]; next: number | null } | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ConsoleRefusal | null>(null);
  const [first, setFirst] = useState<BatchesResponse | null>(null);
  useEffect(() => {
    if (result.kind === 'answered') setFirst(result.value);
  }, [result]);

  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  useChanges((change) => {
    if ((change.kind !== 'batch' && change.kind !== 'payment') || timer.current !== null) return;
    timer.current = setTimeout(() => {
      timer.current = null;
      retry();
    }, gatherMs);
  });

  const next = older === null ? (first?.next ?? null) : older.next;
  const loadMore = async () => {
    setBusy(true);
    const result = await client.invoke('batches', { before: next, limit: pageSize });
    setBusy(false);
    setRefusal(result.ok ? null : result.refusal);
    if (result.ok)
      setOlder((before) => ({
        batches: [...(before?.batches ?? first?.batches ?? []), ...result.value.batches],
        next: result.value.next,
      }));
  };

  return {
    batches: newest(first?.batches ?? [], older?.batches ?? []),
    open: first?.open ?? null,
    more: next !== null,
    busy,
    refusal: result.kind === 'refused' ? result.refusal : refusal,
    retry: () => {
      setRefusal(null);
      retry();
    },
    loadMore: () => void loadMore(),
  };
}

/** Each once; the first page is the one that is asked for again, so its view of a batch is the newer one. */
function newest(first: BatchView[], older: BatchView[]): BatchView[] {
  const known = new Set(first.map(({ operationId }) => operationId));
  return [...first, ...older.filter(({ operationId }) => !known.has(operationId))];
}
