/** The host's methods as queries and actions: loading, refusals, and what is fetched again when something changes. */
import {
  QueryClient,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
  type Mutation,
  type QueryKey,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type {
  ConsoleChange,
  ConsoleRefusal,
  MethodName,
  RequestOf,
  ResponseOf,
} from '../../contract/console/index.ts';
import { isOnTerminal } from './chosen-terminal.ts';
import type { ConsoleClient } from './console-client.ts';
import { useChanges, useClient, useView } from './console-context.tsx';

/** A refusal as the query library wants it: thrown. */
class RefusalError extends Error {
  readonly refusal: ConsoleRefusal;
  constructor(refusal: ConsoleRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: RefusalError;
  }
}

/** The host is this computer's own: an internet connection says nothing about it, and its refusals are for a person. */
export function createQueryClient(): QueryClient {
  const local = { networkMode: 'always', retry: false } as const;
  return new QueryClient({
    defaultOptions: {
      queries: { ...local, refetchOnWindowFocus: false, refetchOnReconnect: false },
      mutations: local,
    },
  });
}

/** The response of the host. Throws a `RefusalError`. */
export async function fetchMethod<N extends MethodName>(
  client: ConsoleClient,
  name: N,
  request: RequestOf<N>,
): Promise<ResponseOf<N>> {
  const result = await client.invoke(name, request);
  if (!result.ok) throw new RefusalError(result.refusal);
  return result.value;
}

/** Both null: it is loading. Both there: the latest request was refused, and `data` is what was known before. */
export interface MethodQuery<N extends MethodName> {
  data: ResponseOf<N> | null;
  refusal: ConsoleRefusal | null;
  retry: () => void;
}

/** Which changes make the data out of date, and how soon it is fetched again. */
export interface Refetch<T> {
  /** `data` is what is shown now; null while nothing is. */
  isAbout: (change: ConsoleChange, data: T | null) => boolean;
  /** So long after a change, so that one request serves all changes that come together. */
  delayMs: number;
  /** Not more often than this. */
  everyMs: number;
}

/** The same, for what is about one terminal only. */
export function onTerminal<T>(refetch: Refetch<T>, terminal: string): Refetch<T> {
  return {
    ...refetch,
    isAbout: (change, data) => isOnTerminal(change, terminal) && refetch.isAbout(change, data),
  };
}

export const noConnection: ConsoleRefusal = {
  code: 'not_connected',
  message: 'No connection to the bridge.',
};

/**
 * Invokes a method when a component is shown, whenever the request changes, and when a lost connection is back. While
 * another request is under way the last data stays.
 */
export function useMethod<N extends MethodName>(
  name: N,
  request: RequestOf<N>,
  refetch?: Refetch<ResponseOf<N>>,
): MethodQuery<N> {
  const client = useClient();
  const { connected } = useView();
  const queryKey = [name, request];
  const query = useQuery({
    queryKey,
    queryFn: () => fetchMethod(client, name, request),
    enabled: connected,
    // What another terminal has is never shown as that of this one.
    placeholderData: keepOfTerminal(terminalIn(request)),
  });
  const data = query.data ?? null;
  useRefetch(queryKey, data, refetch);
  // Nothing is fetched as long as there is no connection, so nothing is loading either.
  const waits = data === null && !connected;
  return {
    data,
    refusal: query.error?.refusal ?? (waits ? noConnection : null),
    retry: () => void (connected && query.refetch()),
  };
}

function keepOfTerminal(terminal: unknown) {
  return <T>(last: T | undefined, lastQuery: { queryKey: QueryKey } | undefined): T | undefined =>
    terminalIn(lastQuery?.queryKey[1]) === terminal ? last : undefined;
}

/** The terminal that a request names. */
function terminalIn(request: unknown): unknown {
  return typeof request === 'object' && request !== null && 'terminal' in request
    ? request.terminal
    : undefined;
}

function useRefetch<T>(queryKey: QueryKey, data: T | null, refetch: Refetch<T> | undefined): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const lastMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  useChanges((change) => {
    if (refetch === undefined || timer.current !== null || !refetch.isAbout(change, data)) return;
    const { delayMs, everyMs } = refetch;
    const run = () => {
      // What is under way may be from before the change: another one follows it, so that a slow host is not overrun.
      if (queries.isFetching({ queryKey }) > 0) {
        timer.current = setTimeout(run, Math.max(delayMs, everyMs));
        return;
      }
      timer.current = null;
      lastMs.current = performance.now();
      void queries.invalidateQueries({ queryKey });
    };
    const waitMs = Math.max(delayMs, lastMs.current + everyMs - performance.now());
    if (waitMs <= 0) run();
    else timer.current = setTimeout(run, waitMs);
  });
}

/** A method that a person invokes by a button. */
interface Action<N extends MethodName> {
  busy: boolean;
  refusal: ConsoleRefusal | null;
  /** The response, or null when it was refused; then `refusal` says why. A second run while one is under way gives null. */
  run: (request: RequestOf<N>) => Promise<ResponseOf<N> | null>;
  clear: () => void;
}

export function useAction<N extends MethodName>(name: N): Action<N> {
  const client = useClient();
  const { isPending, error, mutateAsync, reset } = useMutation({
    mutationFn: (request: RequestOf<N>) => fetchMethod(client, name, request),
  });
  return {
    busy: isPending,
    refusal: error?.refusal ?? null,
    run: useOneAtATime((request: RequestOf<N>) => mutateAsync(request)),
    clear: reset,
  };
}

/** The second click of two comes before anything was shown of the first, and gives null, as what is refused does. */
export function useOneAtATime<Request, Response>(
  act: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response | null> {
  const running = useRef(false);
  return async (request) => {
    if (running.current) return null;
    running.current = true;
    try {
      return await act(request);
    } catch {
      return null;
    } finally {
      running.current = false;
    }
  };
}

interface KeptAction<N extends MethodName> extends Action<N> {
  /** Of the last run; null before it has ended, and where it was refused. */
  response: ResponseOf<N> | null;
}

/** So long after its page was left an answer still waits for somebody; later it would be taken for one of today's. */
const keptMs = 3_600_000;

/** An action on one terminal that may outlast its page: how the last run ended is told when this terminal is shown again. */
export function useKeptAction<N extends MethodName>(name: N, terminal: string): KeptAction<N> {
  const client = useClient();
  const runs = useQueryClient().getMutationCache();
  const mutationKey = [name, terminal];
  const { mutateAsync } = useMutation({
    mutationKey,
    mutationFn: (request: RequestOf<N>) => fetchMethod(client, name, request),
    gcTime: keptMs,
  });
  const last = useMutationState({
    filters: { mutationKey, exact: true },
    select: (run: Mutation<ResponseOf<N>>) => run.state,
  }).at(-1);
  const busy = last?.status === 'pending';
  const runOne = useOneAtATime((request: RequestOf<N>) => mutateAsync(request));
  return {
    busy,
    refusal: last?.error?.refusal ?? null,
    response: last?.data ?? null,
    // That of another page may still be under way.
    run: async (request) => (busy ? null : await runOne(request)),
    clear() {
      for (const run of runs.findAll({ mutationKey, exact: true })) {
        if (run.state.status !== 'pending') runs.remove(run);
      }
    },
  };
}
