/** Batches whose money is overdue, as it was found last: each is told in the log once, and shown to whoever is notified. */
import type { Log } from '../../log/index.ts';
import { moneyFiles, moneyFolder, readResults, type MoneyPlace } from './money-files.ts';
import { stampOf } from './money-watch.ts';

/** The oldest; nobody reads the names of more. */
const maxShown = 100;

export interface OverdueBatches {
  /** Reads what was found last, where it is another file than before. True: other batches are overdue now. */
  look(): boolean;
  /** Their ids, oldest first. */
  readonly ids: readonly string[];
}

export function createOverdueBatches({ place, log }: { place(): MoneyPlace; log: Log }): OverdueBatches {
  const told = new Set<string>();
  let stamp: string | null = null;
  let ids: readonly string[] = [];

  return {
    get ids() {
      return ids;
    },
    look() {
      const { results } = moneyFiles(place());
      const now = `${results} ${stampOf([results])}`;
      if (now === stamp) return false;
      stamp = now;
      const found = readResults(moneyFolder(place()));
      // Who cannot read them says so where they are shown.
      const kept = found.ok ? found.value : null;
      const late = new Set(
        (kept?.batches ?? [])
          .filter(({ parts }) => parts.some(({ state }) => state === 'late'))
          .map(({ batchId }) => batchId),
      );
      const batches = (kept?.closed ?? []).filter(({ id }) => late.has(id));
      for (const { id, terminal, number, closedAt } of batches) {
        if (told.has(id)) continue;
        told.add(id);
        log.warn('the money of a batch is overdue', { terminal, batch_number: number, closed_at: closedAt });
      }
      const before = ids;
      ids = batches.slice(0, maxShown).map(({ id }) => id);
      return before.join(' ') !== ids.join(' ');
    },
  };
}
