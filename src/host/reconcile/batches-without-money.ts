/** How many closed batches have no money, as it was found last: for whoever watches many shops by /metrics. */
import type { BatchesWithoutMoney } from '../../contract/batches-without-money.ts';
import type { KeptResults } from './kept-results.ts';
import type { MoneyPlace } from '../money-place.ts';
import { createResultsReader } from './results-reader.ts';

const states = ['waiting', 'late', 'unclear'] as const;

/** None where nobody has looked yet, or what was found cannot be read. */
export function countBatchesWithoutMoney(place: MoneyPlace): () => readonly BatchesWithoutMoney[] {
  const read = createResultsReader();
  return () => {
    const found = read(place);
    return found.ok && found.value !== null ? countsIn(found.value) : [];
  };
}

function countsIn({ batches, closed }: KeptResults): BatchesWithoutMoney[] {
  const terminalOf = new Map(closed.map(({ id, terminal }) => [id, terminal]));
  return [...new Set(terminalOf.values())].flatMap((terminal) =>
    states.map((state) => ({
      terminal,
      state,
      count: batches.filter((batch) => batch.state === state && terminalOf.get(batch.batchId) === terminal)
        .length,
    })),
  );
}
