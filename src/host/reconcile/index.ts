/** The money of the closed batches: what the host reads and keeps for it. */
export { decideMoney } from './decide.ts';
export type { KeptResults } from './kept-results.ts';
export { lookForMoney, maxDays } from './look-for-money.ts';
export { moneyColumns, moneyCsv, moneyRows, type MoneyRow } from './money-csv.ts';
export { readRulesFile, rulesFileName } from './money-files.ts';
export { readServiceAccess, type AccessFlags, type Read } from './service-access.ts';
export { serviceEntries } from './service-entries.ts';
