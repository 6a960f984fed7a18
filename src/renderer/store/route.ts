/** Which page is shown: the part of the address behind `#`, so that every page has one and Back works. */
import { useSyncExternalStore } from 'react';

export const pageNames = ['till', 'payments', 'batches', 'money', 'log', 'settings', 'help'] as const;
export type PageName = (typeof pageNames)[number];

export interface Route {
  page: PageName;
  /** What the page shows of many: a payment's transaction id. */
  id: string | null;
  /** What of that one is shown, if not all of it: a payment's receipt, a batch's report, a day's (of the page Till). */
  part: RoutePart | null;
  query: URLSearchParams;
}

const routeParts = ['receipt', 'report'] as const;
export type RoutePart = (typeof routeParts)[number];

export function href(page: PageName, id?: string, query?: Record<string, string>, part?: RoutePart): string {
  const rest = [id, part].map((each) => (each === undefined ? '' : `/${encodeURIComponent(each)}`)).join('');
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  return `#/${page}${rest}${search}`;
}

/** The same as a whole address, to be handed on. Null in the desktop app, whose window has no bar to put it in. */
export function linkTo(page: PageName, id?: string, query?: Record<string, string>): string | null {
  const { protocol, origin } = window.location;
  return protocol.startsWith('http') ? `${origin}/${href(page, id, query)}` : null;
}

export function goTo(page: PageName, id?: string, query?: Record<string, string>, part?: RoutePart): void {
  window.location.hash = href(page, id, query, part);
}

/** Takes something out of the address once it has been done: loaded again, or gone back to, it is not done again. */
export function dropFromAddress(name: string): void {
  const [path = '', search = ''] = readHash().split('?');
  const query = new URLSearchParams(search);
  query.delete(name);
  shown = query.size === 0 ? path : `${path}?${query.toString()}`;
  window.history.replaceState(null, '', shown);
  // The browser tells of no change that a script has made so. Nobody goes anywhere, so nobody is held.
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  return routeOf(useSyncExternalStore(watchHash, readHash));
}

function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first = '', id, last] = path.split('/');
  const page = pageNames.find((name) => name === first) ?? 'till';
  return {
    page,
    id: id === undefined || id === '' ? null : safelyDecoded(id),
    part: routeParts.find((name) => name === last) ?? null,
    query: new URLSearchParams(search),
  };
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address that is shown: the browser's own may be ahead of it for a moment. */
let shown: string | null = null;
let guard: ((hash: string) => boolean) | null = null;

/**
 * Whoever wants to go to another page is held if `holds` says so of the address it leads to: the page stays, and so does
 * its address. One at a time; the result ends it.
 */
export function holdRoute(holds: (hash: string) => boolean): () => void {
  guard = holds;
  return () => {
    if (guard === holds) guard = null;
  };
}

function watchHash(listener: () => void): () => void {
  const onChange = () => {
    const { hash } = window.location;
    if (hash !== readHash() && guard?.(hash) === true) {
      window.history.pushState(null, '', readHash());
      return;
    }
    shown = hash;
    listener();
  };
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}

function readHash(): string {
  shown ??= window.location.hash;
  return shown;
}
