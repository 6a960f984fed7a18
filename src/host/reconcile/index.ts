/** The money of the closed batches: what the host reads and keeps for it. */
export { readClosedBatches } from './closed-batches.ts';
export { countBatchesWithoutMoney } from './batches-without-money.ts';
export { decideMoney } from './decide.ts';
export { keepStatement } from './keep-statement.ts';
export type { KeptResults } from './kept-results.ts';
export { lookForMoney, maxDays, type MoneyOutcome } from './look-for-money.ts';
export { moneyColumns, moneyCsv, moneyRows, ownArrived, type MoneyRow } from './money-csv.ts';
export { readDecisions, readResults, readRulesFile } from './money-files.ts';
export { createOverdueBatches } from './overdue-batches.ts';
export { createResultsReader } from './results-reader.ts';
export { readServiceAccess, type AccessFlags, type Read, type ServiceAccess } from './service-access.ts';
export { serviceEntries } from './service-entries.ts';
export { statementsFolder } from './statement-entries.ts';
