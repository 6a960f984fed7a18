/** Batches whose money is overdue, and a person is needed, as it was found last: each is told in the log once, and shown to whoever is notified. */
import type { Log } from '../../log/index.ts';
import type { MoneyState, ReceivableResult } from '../../reconcile/index.ts';
import type { MoneyPlace } from '../money-place.ts';
import { createResultsReader } from './results-reader.ts';

/** The oldest; nobody reads the names of more. */
const maxShown = 100;

export interface OverdueBatches {
  /** Reads what was found last, where it is another file than before. True: other batches are overdue now. */
  look(): boolean;
  /** Their ids, oldest first. */
  readonly ids: readonly string[];
}

export function createOverdueBatches({ place, log }: { place(): MoneyPlace; log: Log }): OverdueBatches {
  const read = createResultsReader();
  const told = new Set<string>();
  let seen: ReturnType<typeof read> | null = null;
  let ids: readonly string[] = [];

  return {
    get ids() {
      return ids;
    },
    look() {
      const found = read(place());
      if (found === seen) return false;
      seen = found;
      // Who cannot read them says so where they are shown.
      const { batches = [], closed = [] } = (found.ok ? found.value : null) ?? {};
      const parts = new Map(batches.map(({ batchId, parts: all }) => [batchId, all.filter(isOverdue)]));
      const overdue = closed.filter(({ id }) => (parts.get(id) ?? []).length > 0);
      for (const { id, terminal, number, closedAt } of overdue) {
        if (told.has(id)) continue;
        told.add(id);
        const states = new Set((parts.get(id) ?? []).map(({ state }) => state));
        log.warn(lineOf(states), { terminal, batch_number: number, closed_at: closedAt });
      }
      const before = ids;
      ids = overdue.slice(0, maxShown).map(({ id }) => id);
      return before.join(' ') !== ids.join(' ');
    },
  };
}

/** Whatever is found next: it stays overdue until the money has come, or somebody has decided. */
function isOverdue({ state, needsPerson, pastDue }: ReceivableResult): boolean {
  return needsPerson && (state === 'late' || state === 'short' || (state === 'unclear' && pastDue));
}

/** The worst first. */
function lineOf(states: ReadonlySet<MoneyState>): string {
  if (states.has('late')) return 'the money of a batch is overdue';
  if (states.has('short')) return 'a part of the money of a batch is overdue';
  return 'the money of a batch is overdue, and it is unclear whether it has come';
}
