/** Who is signed in, whether the page hears of changes, and what it asks for again when there are some. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { linkMark } from '../../contract/console/index.ts';
import type { OfficeChange, Session, SignInWays } from '../../contract/office-page.ts';
import { askOffice, RefusedError, type RefusalCode } from './office-client.ts';

export type SignInState =
  | { kind: 'asking' }
  | { kind: 'in'; session: Session }
  | { kind: 'out'; why: 'no_session' | 'link_used' | 'link_unknown' | 'ended'; ways: SignInWays }
  /** The office does not answer; it is asked again. */
  | { kind: 'unreachable' };

interface OfficeContext {
  session: Session;
  /** Changes come as they happen. */
  live: boolean;
  /** Ends the session, here and at the office. */
  signOut: () => Promise<void>;
  /** The office said that nobody is signed in any more. */
  ended: () => void;
  subscribe: (listener: (change: OfficeChange) => void) => () => void;
}

const Context = createContext<OfficeContext | null>(null);

export function useOffice(): OfficeContext {
  const office = useContext(Context);
  if (office === null) throw new Error('Nobody is signed in.');
  return office;
}

const againMs = 3_000;

/** `link`: what the page was opened with. The function is for whoever has found that nobody is signed in any more. */
export function useSignIn(link: string | null): [SignInState, (why: 'no_session' | 'ended') => void] {
  const [state, setState] = useState<SignInState>({ kind: 'asking' });
  const [attempt, setAttempt] = useState(0);
  /** One at a time: the link works once. */
  const entering = useRef<Promise<Session> | null>(null);
  const spent = useRef(link === null);

  const out = useCallback(async (why: Extract<SignInState, { kind: 'out' }>['why']) => {
    const ways = await askOffice<SignInWays>('/sign-in');
    setState({ kind: 'out', why, ways });
  }, []);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const signIn = async () => {
      entering.current ??=
        link !== null && !spent.current ? enterOrStay(link) : askOffice<Session>('/session');
      try {
        const session = await entering.current;
        spent.current = true;
        setState({ kind: 'in', session });
      } catch (error) {
        const code = refusalOf(error);
        if (code === 'no_session' || code === 'link_used' || code === 'link_unknown') {
          spent.current = true;
          return await out(code);
        }
        throw error;
      } finally {
        entering.current = null;
      }
    };
    signIn().catch(() => {
      setState({ kind: 'unreachable' });
      timer = setTimeout(() => setAttempt((last) => last + 1), againMs);
    });
    return () => {
      if (timer !== null) clearTimeout(timer);
    };
  }, [attempt, link, out]);

  useEffect(() => {
    // A link that is opened where the page is shown already changes only what is behind "#".
    const onLink = () => {
      if (window.location.hash.startsWith(linkMark)) window.location.reload();
    };
    window.addEventListener('hashchange', onLink);
    return () => window.removeEventListener('hashchange', onLink);
  }, []);

  const leave = useCallback(
    (why: 'no_session' | 'ended') => void out(why).catch(() => setState({ kind: 'unreachable' })),
    [out],
  );
  return [state, leave];
}

/** The same link, opened again in the browser that it has let in, does no harm. */
async function enterOrStay(link: string): Promise<Session> {
  try {
    return await askOffice<Session>('/enter', { link });
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code === 'not_connected') throw error;
    return await askOffice<Session>('/session').catch(() => {
      throw error;
    });
  }
}

/** Around all that is shown to somebody who is signed in. */
export function OfficeProvider({
  session,
  onOut,
  children,
}: {
  session: Session;
  onOut: (why: 'no_session' | 'ended') => void;
  children: ReactNode;
}) {
  const queries = useQueryClient();
  const [live, setLive] = useState(true);
  const listeners = useRef(new Set<(change: OfficeChange) => void>());

  const leave = useCallback(
    (why: 'no_session' | 'ended') => {
      queries.clear();
      onOut(why);
    },
    [queries, onOut],
  );

  useEffect(() => {
    const emit = (change: OfficeChange) => {
      for (const listener of listeners.current) listener(change);
    };
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let missed = false;
    const connect = () => {
      source = new EventSource('office/v1/changes');
      source.addEventListener('message', ({ data }) => emit(JSON.parse(String(data)) as OfficeChange));
      source.addEventListener('open', () => {
        setLive(true);
        if (missed) emit({ shops: null });
        missed = false;
      });
      source.addEventListener('error', () => {
        setLive(false);
        missed = true;
        // The browser comes back by itself after a connection that broke, not after a refusal.
        if (source?.readyState === EventSource.CLOSED) timer = setTimeout(lookWhy, againMs);
      });
    };
    const lookWhy = () => {
      askOffice<Session>('/session').then(connect, (error: unknown) => {
        if (refusalOf(error) === 'no_session') leave('ended');
        else timer = setTimeout(lookWhy, againMs);
      });
    };
    connect();
    return () => {
      source?.close();
      if (timer !== null) clearTimeout(timer);
    };
  }, [leave]);

  const value = useMemo<OfficeContext>(
    () => ({
      session,
      live,
      ended: () => leave('ended'),
      async signOut() {
        await askOffice('/sign-out', {}).catch(() => {});
        leave('no_session');
      },
      subscribe(listener) {
        listeners.current.add(listener);
        return () => void listeners.current.delete(listener);
      },
    }),
    [session, live, leave],
  );
  return <Context value={value}>{children}</Context>;
}

export interface Asked<T> {
  /** Null: it is loading, or was refused. */
  data: T | null;
  refusal: RefusalCode | null;
  retry: () => void;
}

/** So long after a change, so that one request serves all that come together. */
const gatherMs = 300;

/**
 * Asks when a component is shown, and again after changes, not more often than `everyMs`; null: only when it is shown anew.
 * `shop`: changes of other shops do not count.
 */
export function useAsked<T>(
  path: string,
  { everyMs, shop }: { everyMs: number | null; shop?: string },
): Asked<T> {
  const query = useQuery({ queryKey: [path], queryFn: () => askOffice<T>(path) });
  useRefetchOnChanges(path, { everyMs, ...(shop === undefined ? {} : { shop }) });
  return askedOf(query);
}

/** `key` is the first part of the query's. */
export function useRefetchOnChanges(
  key: string,
  { everyMs, shop }: { everyMs: number | null; shop?: string },
): void {
  const { subscribe } = useOffice();
  const queries = useQueryClient();
  useEffect(() => {
    if (everyMs === null) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let lastMs = Number.NEGATIVE_INFINITY;
    const end = subscribe(({ shops }) => {
      if (timer !== null || (shop !== undefined && shops !== null && !shops.includes(shop))) return;
      timer = setTimeout(
        () => {
          timer = null;
          lastMs = performance.now();
          void queries.invalidateQueries({ queryKey: [key] });
        },
        Math.max(gatherMs, lastMs + everyMs - performance.now()),
      );
    });
    return () => {
      end();
      if (timer !== null) clearTimeout(timer);
    };
  }, [subscribe, queries, key, everyMs, shop]);
}

/** What a query of the library means for the page. */
export function askedOf<T>(query: {
  data: T | undefined;
  error: unknown;
  refetch: () => Promise<unknown>;
}): Asked<T> {
  return {
    data: query.data ?? null,
    refusal: query.error === null ? null : refusalOf(query.error),
    retry: () => void query.refetch(),
  };
}

export function refusalOf(error: unknown): RefusalCode {
  return error instanceof RefusedError ? error.code : 'not_connected';
}
