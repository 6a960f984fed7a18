/** What reads the results about the money of closed batches, where there are any: a start does not wait for it. */
import { existsSync } from 'node:fs';
import { loadOnce } from '../base/load-once.ts';
import { moneyFiles, type MoneyPlace } from './money-place.ts';

type Reconcile = typeof import('./reconcile/index.ts');

/**
 * Calls `make` once, as soon as there are results at `place`; resolves with null until then. Rejects when the code cannot be
 * loaded, which the next call tries again.
 */
export function onceFound<T>(
  place: () => MoneyPlace,
  make: (code: Reconcile) => T,
  load: () => Promise<Reconcile> = () => import('./reconcile/index.ts'),
): () => Promise<T | null> {
  const made = loadOnce(async () => make(await load()));
  let found = false;
  return async () => {
    found ||= existsSync(moneyFiles(place()).results);
    return found ? made() : null;
  };
}
