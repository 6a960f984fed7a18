/** The payments module: decides what happens to money. */
export { acknowledge, maxListedDiscrepancies, openDiscrepancies } from './acknowledge.ts';
export { approvedMinor } from './approved-amount.ts';
export { createPayments, type Payments, type PaymentsOptions } from './payments.ts';
export type {
  DiscrepancyView,
  InDoubtView,
  PaymentsEvent,
  PaymentsApi,
  PaymentsStatus,
  TerminalConnection,
  TerminalStatus,
} from './payments-api.ts';
export { createResolver, listOperationsInDoubt, type Resolver } from './resolve.ts';
export { createUnavailablePayments } from './unavailable.ts';
export type { Caller, MoneyCommand, PaymentRow } from './payments-api.ts';
export { openBatch, totalOf } from './batch.ts';
