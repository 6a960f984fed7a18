/** Which page is shown: the part of the address behind `#`, so that every page has one and Back works. */
import { useSyncExternalStore } from 'react';

export const pageNames = ['till', 'payments', 'batches', 'log', 'settings'] as const;
export type PageName = (typeof pageNames)[number];

export interface Route {
  page: PageName;
  /** What the page shows of many: a payment's transaction id. */
  id: string | null;
  query: URLSearchParams;
}

export function href(page: PageName, id?: string, query?: Record<string, string>): string {
  const rest = id === undefined ? '' : `/${encodeURIComponent(id)}`;
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  return `#/${page}${rest}${search}`;
}

export function goTo(page: PageName, id?: string, query?: Record<string, string>): void {
  window.location.hash = href(page, id, query);
}

export function useRoute(): Route {
  return routeOf(useSyncExternalStore(watchHash, readHash));
}

export function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first = '', id] = path.split('/');
  const page = pageNames.find((name) => name === first) ?? 'till';
  return {
    page,
    id: id === undefined || id === '' ? null : safelyDecoded(id),
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

function watchHash(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

function readHash(): string {
  return window.location.hash;
}
