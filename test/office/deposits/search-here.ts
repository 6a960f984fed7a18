/** The search for money as the engine itself does it, called directly: what comes from a thread is compared with it. */
import { findMoney, type FoundMoney, type LookRows } from '../../../src/office/deposits/find-money.ts';
import type { OpenMoneySearch } from '../../../src/office/deposits/money-search.ts';

export const searchHere: OpenMoneySearch = () => {
  const rows: LookRows = { batches: [], statements: [] };
  let pieces: FoundMoney['pieces'] | null = null;
  return {
    give({ batches = [], statements = [] }) {
      rows.batches.push(...batches);
      rows.statements.push(...statements);
    },
    find(head) {
      const { message, accounts, pieces: found } = findMoney(structuredClone(head), rows);
      pieces = found;
      return Promise.resolve({ message, accounts });
    },
    next() {
      const next = pieces?.next();
      return Promise.resolve(next?.done === false ? next.value : null);
    },
    end: () => Promise.resolve(),
  };
};
