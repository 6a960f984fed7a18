/** The payments module: decides what happens to money. */
export { batchToClose, totalOf } from './batch.ts';
export {
  acknowledge,
  createResolver,
  listOperationsInDoubt,
  maxListedDiscrepancies,
  openDiscrepancies,
} from './manual-decisions.ts';
export { approvedMinor } from './money-state.ts';
export { createPayments, type Payments } from './payments.ts';
export type {
  Caller,
  DiscrepancyView,
  InDoubtView,
  MoneyCommand,
  PaymentRow,
  PaymentsApi,
  PaymentsEvent,
  PaymentsStatus,
  TerminalStatus,
} from './payments-api.ts';
export { createUnavailablePayments } from './unavailable.ts';
