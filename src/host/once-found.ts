/** What reads the results about the money of closed batches, where there are any: a start does not wait for it. */
import { existsSync } from 'node:fs';
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
  let made: Promise<T> | null = null;
  return async () => {
    if (made === null && !existsSync(moneyFiles(place()).results)) return null;
    made ??= load().then(make);
    try {
      return await made;
    } catch (error) {
      made = null;
      throw error;
    }
  };
}
