/**
 * Results of queries that still hold: tills, people and each poll of the terminal ask the same again and again. A result
 * lives until a table is written that its query reads.
 */
import type { CachedQuery, QueryValue } from './journal-queries.ts';
import { tablesReadBy, type QueryName } from './query-sql.ts';

/** Results that are kept of one query, at most. */
const maxResults = 1_000;

export interface QueryCache {
  cached: CachedQuery;
  /** These tables have been written. */
  invalidate(written: ReadonlySet<string>): void;
  /** Nobody knows what has been written. */
  clear(): void;
}

export function makeQueryCache(): QueryCache {
  const known = new Map<QueryName, Map<string, unknown>>();
  return {
    cached<T>(name: QueryName, values: readonly QueryValue[], run: () => T): T {
      let results = known.get(name);
      if (results === undefined) known.set(name, (results = new Map()));
      const key = values.join(' ');
      if (results.has(key)) return results.get(key) as T;
      const result = run();
      if (results.size >= maxResults) results.clear();
      results.set(key, result);
      return result;
    },
    invalidate(written) {
      for (const [name, results] of known) {
        if (results.size > 0 && tablesReadBy(name).some((table) => written.has(table))) results.clear();
      }
    },
    clear: () => known.clear(),
  };
}
