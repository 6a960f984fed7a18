/** Stands in for the payments room while the journal is damaged: every command says so, and nothing is sent. */
import { refuse } from '../../contract/errors.ts';
import type { PaymentsApi } from './payments-api.ts';

export function createUnavailablePayments(options: {
  text: string;
  lineName: string;
  simulated: boolean;
}): PaymentsApi {
  const refusal = refuse('journal_unavailable', options.text);
  return {
    createPayment: () => Promise.resolve(refusal),
    cancelPayment: () => Promise.resolve(refusal),
    voidPayment: () => Promise.resolve(refusal),
    submitBatch: () => Promise.resolve(refusal),
    admission: () => null,
    queryPayment: () => refusal,
    waitUntilDecided: () => Promise.resolve(refusal),
    paymentState: () => 'unknown',
    doubts: () => [],
    discrepancies: () => [],
    salesHeld: () => false,
    discrepancyOf: () => null,
    acknowledge: () => refusal,
    resolve: () => refusal,
    status: () => ({
      terminal: {
        connection: 'stopped',
        text: 'The terminal is not used while the journal is damaged.',
        line: options.lineName,
        terminal: null,
        simulated: options.simulated,
        progress: null,
        progressStep: null,
      },
      journal: { writable: false, text: options.text },
      inDoubt: 0,
      discrepancies: 0,
      inHand: null,
    }),
    subscribe: () => () => {},
    eventsAfter: () => [],
    lastSeq: () => 0,
    paymentOfOperation: () => null,
  };
}
