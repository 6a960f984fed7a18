/** The console's interface: what the window may ask, and what it hears. */
export * from './access.ts';
export * from './api.ts';
export * from '../log.ts';
export * from '../payment-queries.ts';
export * from './page-policy.ts';
export * from './payments.ts';
export * from './settings.ts';
export * from './state.ts';
