/** A list that comes page by page, newest first; a page more is asked for by a person alone. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { askOffice } from '../office-client.ts';
import { askedOf, type Asked } from '../session.tsx';

export interface Pages<T, P = unknown> extends Asked<T[]> {
  /** Those that were read, as they came. */
  read: P[];
  /** Null: there are no more. */
  more: (() => void) | null;
  busy: boolean;
}

interface PagesOptions<P, T> {
  /** Of the page that follows on what `nextOf` gave of the one before; undefined: the first. */
  pathOf: (next: string | undefined) => string;
  itemsOf: (page: P) => T[];
  nextOf: (page: P) => string | null;
  /** What was found stays as it was found: coming back to it asks nothing again. */
  kept?: boolean;
}

/** `key` null: nothing is asked. */
export function usePages<P, T>(key: string | null, options: PagesOptions<P, T>): Pages<T, P> {
  const { pathOf, itemsOf, nextOf, kept = false } = options;
  const query = useInfiniteQuery({
    queryKey: [key],
    enabled: key !== null,
    queryFn: ({ pageParam }) => askOffice<P>(pathOf(pageParam)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: P) => nextOf(last) ?? undefined,
    ...(kept ? { staleTime: Number.POSITIVE_INFINITY } : {}),
  });
  const { error, refetch } = query;
  return {
    ...askedOf({ data: query.data?.pages.flatMap(itemsOf), error, refetch }),
    read: query.data?.pages ?? [],
    more: query.hasNextPage ? () => void query.fetchNextPage() : null,
    busy: query.isFetchingNextPage,
  };
}
