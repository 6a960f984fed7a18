/** Did the money of the closed batches arrive? */
export { reconcile } from './reconcile.ts';
export { ReconcileInputError } from './input.ts';
export * from './types.ts';
export { decidedBy } from './decisions.ts';
export { readRules, type Rules } from './rules.ts';
export { transactionReader } from './transactions.ts';
export { accountNumber } from './account-number.ts';
export { minorOf } from './amounts.ts';
export { dateOf, dayOf, localTime } from './banking-days.ts';
export { calendarOf } from './receivables.ts';
