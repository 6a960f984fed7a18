/** Counts the payments of a filter part by part, beside whatever else the bridge does, and again when they change. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { PaymentFilter } from '../../../contract/console/index.ts';
import { ofTerminal } from '../../store/chosen-terminal.ts';
import { useTerminalName } from '../../store/terminal-context.tsx';
import { useClient, useView } from '../../store/console-context.tsx';
import { fetchMethod } from '../../store/queries.ts';
import { sumOf, type CountedPart, type Sum } from './payment-totals.ts';
import type { HeardChanges } from './use-payment-list.ts';

/** Between two parts, so that a till on the same computer is not kept waiting. */
const pauseMs = 20;
/** Parts (of some thousand payments each) that are counted without being asked to. */
const partsAtOnce = 100;
/** So long after a change, for all changes that come together. */
const recountMs = 1_000;
/** Days that were scrolled out of sight are known for so long. */
const keptMs = 300_000;

export interface PaymentSum extends Sum {
  /** `unknown`: nothing has been counted, or it cannot be. `partly`: it stopped on the way, at `reachedAt`. */
  phase: 'unknown' | 'counting' | 'partly' | 'whole';
  reachedAt: string | null;
  goOn: () => void;
}

export function usePaymentTotals(filter: PaymentFilter, { load, changes, latest }: HeardChanges): PaymentSum {
  const client = useClient();
  const { connected } = useView();
  const [allowed, setAllowed] = useState({ load, parts: partsAtOnce });
  const allowedParts = allowed.load === load ? allowed.parts : partsAtOnce;
  const of = ofTerminal(useTerminalName());
  const query = useInfiniteQuery({
    queryKey: ['paymentTotals', load, filter],
    async queryFn({ pageParam: before }): Promise<CountedPart> {
      const heard = latest();
      if (before !== null) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return { ...(await fetchMethod(client, 'paymentTotals', { filter, before, ...of })), heard };
    },
    initialPageParam: null as number | null,
    getNextPageParam: (part) => part.next,
    enabled: connected,
    staleTime: Infinity,
    gcTime: keptMs,
  });
  const { data, hasNextPage, isFetching, error, fetchNextPage, refetch } = query;
  const parts = data?.pages;
  const sum = useMemo(() => sumOf(parts ?? [], changes, filter), [parts, changes, filter]);
  const isReady = connected && parts !== undefined && !isFetching && error === null;
  const goesOn = isReady && hasNextPage && parts.length < allowedParts;
  useEffect(() => {
    if (goesOn) void fetchNextPage({ cancelRefetch: false });
  }, [goesOn, fetchNextPage]);
  const isOutdated = isReady && !goesOn && sum.isOutdated;
  useEffect(() => {
    if (!isOutdated) return;
    const timer = setTimeout(() => void refetch(), recountMs);
    return () => clearTimeout(timer);
  }, [isOutdated, changes, refetch]);

  const phase =
    parts === undefined ? 'unknown' : !hasNextPage ? 'whole' : isFetching || goesOn ? 'counting' : 'partly';
  return {
    count: sum.count,
    taken: sum.taken,
    phase,
    reachedAt: parts?.at(-1)?.nextAt ?? null,
    goOn: () => setAllowed({ load, parts: (parts?.length ?? 0) + partsAtOnce }),
  };
}
