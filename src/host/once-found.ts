/** What reads the results about the money of closed batches: loaded where there are any, which in most shops is never. */
import { existsSync } from 'node:fs';
import { moneyFiles, type MoneyPlace } from './money-place.ts';

type Reconcile = typeof import('./reconcile/index.ts');

/** Made once, when something has been found at `place`; null until then. Rejects when its code cannot be loaded. */
export function onceFound<T>(place: () => MoneyPlace, make: (code: Reconcile) => T): () => Promise<T | null> {
  let made: Promise<T> | null = null;
  return async () => {
    if (made === null && !existsSync(moneyFiles(place()).results)) return null;
    made ??= import('./reconcile/index.ts').then(make);
    return made;
  };
}
