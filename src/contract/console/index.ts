/** The console's interface: the methods that the window may invoke, and the changes that it is sent. */
export * from './page-access.ts';
export * from './api.ts';
export * from './batch-money.ts';
export * from './build-texts.ts';
export * from './diagnosis.ts';
export * from '../log.ts';
export * from '../payment-queries.ts';
export * from './manual-decision.ts';
export * from './page-policy.ts';
export * from './payments.ts';
export * from './reports.ts';
export * from './settings.ts';
export * from './state.ts';
export * from './updates.ts';
