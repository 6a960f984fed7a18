/** Which view is shown: the part of the address behind `#`, so that each has one, it can be handed on, and Back works. */
import { useSyncExternalStore } from 'react';

export const viewNames = [
  'overview',
  'search',
  'open',
  'alarms',
  'deposits',
  'decisions',
  'versions',
  'audit',
] as const;
export type ViewName = (typeof viewNames)[number];

export interface OfficeRoute {
  view: ViewName;
  /** A shop's id in the overview, a payment's in the search. */
  id: string | null;
  query: URLSearchParams;
}

export function officeHref(view: ViewName, id?: string, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${view}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search === '' ? '' : `?${search}`}`;
}

export function goToView(view: ViewName, id?: string, query?: Record<string, string>): void {
  window.location.hash = officeHref(view, id, query);
}

export function useOfficeRoute(): OfficeRoute {
  const hash = useSyncExternalStore(watchHash, () => window.location.hash);
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first = '', id] = path.split('/');
  return {
    view: viewNames.find((name) => name === first) ?? 'overview',
    id: id === undefined || id === '' ? null : id,
    query: new URLSearchParams(search),
  };
}

function watchHash(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
