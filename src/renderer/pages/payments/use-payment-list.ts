/** The payments that fit a filter: loaded page by page, and kept as they are now by the changes that the host sends. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type {
  ConsoleRefusal,
  PaymentFilter,
  PaymentOrder,
  PaymentsResponse,
  PaymentView,
} from '../../../contract/console/index.ts';
import { isOnTerminal, ofTerminal } from '../../store/chosen-terminal.ts';
import { useChanges, useClient, useView } from '../../store/console-context.tsx';
import { fetchMethod, noConnection } from '../../store/queries.ts';
import { fitsWithoutText, listOf, type PaymentChange } from './payment-list.ts';

/** Payments in one response. */
const pageSize = 100;
/** As many are loaded beyond what is looked at. */
const ahead = 50;

export interface PaymentList {
  /** Of the filter that `payments` belong to. While another one's first page is on its way, the old ones stay. */
  key: string;
  /** They are of the filter asked for. */
  isCurrent: boolean;
  /** In the order asked for. */
  payments: PaymentView[];
  /** There is more than what has been loaded. */
  more: boolean;
  phase: 'loading' | 'idle' | 'stopped' | 'refused';
  /** Why, while the phase is `refused`. */
  refusal: ConsoleRefusal | null;
  /** Loads until there are so many, or no more. A search that finds few goes on by itself. */
  want: (count: number) => void;
  /** Ends a long search; `goOn` takes it up again. */
  stop: () => void;
  goOn: () => void;
  /** Loads once more from the start, after a refusal. */
  retry: () => void;
  /** What has changed since the load began that the list shows now, for whoever adds it up. */
  heard: HeardChanges;
}

export interface HeardChanges {
  /** Another load of another filter, or after a lost connection, has another one. */
  load: string;
  /** Each payment's latest. */
  changes: readonly HeardChange[];
  /** The number of the latest change so far. */
  latest: () => number;
}

export interface HeardChange extends PaymentChange {
  /** Grows with each change. */
  number: number;
}

/** `terminal` is the name of the one that has them. `order` null: it cannot be had of this filter, and nothing is loaded. */
export function usePaymentList(
  terminal: string,
  filter: PaymentFilter,
  order: PaymentOrder | null,
): PaymentList {
  const client = useClient();
  const queries = useQueryClient();
  const { connected } = useView();
  const key = JSON.stringify([terminal, filter, order]);
  const of = ofTerminal(terminal);

  // Each load from the start is a query of its own, so that all pages of a long list are never fetched again at once.
  const [round, setRound] = useState(0);
  const [wasConnected, setWasConnected] = useState(connected);
  if (wasConnected !== connected) {
    setWasConnected(connected);
    // What happened without a connection was not sent.
    if (connected) setRound(round + 1);
  }
  // So is each filter, also when it comes back: what has changed meanwhile was not noted for it.
  const [loading, setLoading] = useState({ key, count: 0 });
  if (loading.key !== key) setLoading({ key, count: loading.count + 1 });
  const load = `${round} ${loading.count} ${key}`;
  const queryKey = ['payments', load];
  const currentLoad = useRef(load);
  useEffect(() => {
    currentLoad.current = load;
  }, [load]);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: before }) =>
      fetchMethod(client, 'payments', {
        filter,
        order: order ?? undefined,
        before,
        limit: pageSize,
        ...of,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page: PaymentsResponse) => page.next,
    enabled: connected && order !== null,
    staleTime: Infinity,
    gcTime: 0,
  });
  const { data, hasNextPage, isFetching, error } = query;

  const [changes, setChanges] = useState<{ load: string; of: HeardChange[] }>({ load, of: [] });
  const known = changes.load === load ? changes.of : noChanges;
  const current = useMemo(
    () =>
      data === undefined
        ? null
        : { key, terminal, payments: listOf(data.pages, known, order ?? undefined), more: hasNextPage },
    [data, known, key, terminal, order, hasNextPage],
  );
  const [lastLoaded, setLast] = useState(current);
  // What another terminal has is never shown as that of this one.
  const last = lastLoaded?.terminal === terminal ? lastLoaded : null;
  useEffect(() => {
    if (current !== null) setLast(current);
  }, [current]);
  // Nothing is fetched as long as there is no connection, so nothing is loading either.
  const waits = !connected && current === null && last === null;
  const shown = current ?? last ?? { key: '', payments: [], more: true };

  const [wanted, setWanted] = useState({ load, count: pageSize });
  const wantedCount = wanted.load === load ? wanted.count : pageSize;
  const [stopped, setStopped] = useState<string | null>(null);
  const isStopped = stopped === load;
  // A page may be short although there is more; so it goes on until there are as many as are wanted.
  useEffect(() => {
    if (!connected || current === null || !hasNextPage || isFetching || isStopped || error !== null) return;
    if (current.payments.length < wantedCount) void query.fetchNextPage({ cancelRefetch: false });
  });

  const latest = useRef(0);
  const note = (change: HeardChange) =>
    setChanges((before) => ({
      load,
      of: [...(before.load === load ? withoutPayment(before.of, change.payment) : []), change],
    }));
  useChanges((change) => {
    if (change.kind !== 'payment' || !isOnTerminal(change, terminal)) return;
    const { payment } = change;
    const number = (latest.current += 1);
    if (!fitsWithoutText(filter, payment)) note({ payment, fits: false, number });
    else if (filter.text === null) note({ payment, fits: true, number });
    else void look(payment, number);
  });

  /** Lets the host say whether the payment fits the text. */
  const look = async (payment: PaymentView, number: number) => {
    const result = await client.invoke('payments', {
      filter,
      before: payment.position + 1,
      limit: 1,
      ...of,
    });
    if (!result.ok || currentLoad.current !== load) return;
    const found = result.value.payments.find(({ position }) => position === payment.position);
    note({ payment: found ?? payment, fits: found !== undefined, number });
  };

  return {
    ...shown,
    isCurrent: current !== null,
    phase: phaseOf(),
    refusal: error?.refusal ?? (waits ? noConnection : null),
    want: (count) => setWanted({ load, count: Math.max(wantedCount, count + ahead) }),
    stop() {
      setStopped(load);
      void queries.cancelQueries({ queryKey });
    },
    goOn() {
      setStopped(null);
      void (current === null ? query.refetch() : query.fetchNextPage());
    },
    retry: () => setRound(round + 1),
    heard: { load, changes: known, latest: () => latest.current },
  };

  function phaseOf(): PaymentList['phase'] {
    if (isFetching) return 'loading';
    if (error !== null || waits) return 'refused';
    if (isStopped) return 'stopped';
    return current === null ? 'loading' : 'idle';
  }
}

const noChanges: HeardChange[] = [];

function withoutPayment(changes: HeardChange[], { position }: PaymentView): HeardChange[] {
  return changes.filter(({ payment }) => payment.position !== position);
}
