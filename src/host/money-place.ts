/** Where the files about the money of closed batches are. */
import path from 'node:path';
import { journalLocation } from './data-folder.ts';

/** Whose journals, and whose decisions. */
export interface MoneyPlace {
  dataDir: string;
  /** Of the simulated terminals, or of the real ones. */
  simulated: boolean;
}

/** In the data folder, unless another is named. */
export const rulesFileName = 'reconcile-rules.json';
export const decisionsFileName = 'reconcile-decisions.jsonl';
export const resultsFileName = 'reconcile-results.json';

/** Where results and decisions are: beside the main terminal's journal. */
export function moneyFolder({ dataDir, simulated }: MoneyPlace): string {
  return journalLocation(dataDir, simulated).folder;
}

/** The files that a reconciliation reads and writes; if one of them changes, the answer may change. */
export function moneyFiles(place: MoneyPlace): { results: string; decisions: string; rules: string } {
  const folder = moneyFolder(place);
  return {
    results: path.join(folder, resultsFileName),
    decisions: path.join(folder, decisionsFileName),
    rules: path.join(place.dataDir, rulesFileName),
  };
}
