/** The money of the closed batches: what the host reads and keeps for it. */
export { readClosedBatches } from './closed-batches.ts';
export { decideMoney } from './decide.ts';
export { resultsSince, type KeptResults } from './kept-results.ts';
export { moneyColumns, moneyCsv, moneyRows, type MoneyRow } from './money-csv.ts';
export { keepResults, readDecisions, readRulesFile, rulesFileName } from './money-files.ts';
