/** How many closed batches have no money, as it was found last: for whoever watches many shops by /metrics. */
import type { BatchesWithoutMoney } from '../../contract/batches-without-money.ts';
import { moneyFiles, moneyFolder, readResults, type MoneyPlace } from './money-files.ts';
import { stampOf } from './money-watch.ts';

const states = ['waiting', 'late', 'unclear'] as const;

/** The file is read again only when it is another one. None where nobody has looked yet, or it cannot be read. */
export function countBatchesWithoutMoney(place: MoneyPlace): () => readonly BatchesWithoutMoney[] {
  const { results } = moneyFiles(place);
  let last: { stamp: string; counts: BatchesWithoutMoney[] } | null = null;
  return () => {
    const stamp = stampOf([results]);
    if (last?.stamp !== stamp) last = { stamp, counts: countsIn(moneyFolder(place)) };
    return last.counts;
  };
}

function countsIn(folder: string): BatchesWithoutMoney[] {
  const found = readResults(folder);
  if (!found.ok || found.value === null) return [];
  const { batches, closed } = found.value;
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
