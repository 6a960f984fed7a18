/** Stands in for the payments module while the journal is damaged: every command says so, and nothing is sent. */
import { refuse } from '../../contract/errors.ts';
import type { PaymentsApi } from './payments-api.ts';

const notUsed = 'The terminal is not used while the journal is damaged.';

export function createUnavailablePayments(options: {
  text: string;
  lineName: string;
  simulated: boolean;
}): PaymentsApi {
  const refused = refuse('journal_unavailable', options.text);
  return {
    createPayment: () => Promise.resolve(refused),
    cancelPayment: () => Promise.resolve(refused),
    voidPayment: () => Promise.resolve(refused),
    submitBatch: () => Promise.resolve(refused),
    admission: () => null,
    queryPayment: () => refused,
    waitForNews: () => Promise.resolve(refused),
    paymentState: () => 'unknown',
    operationsInDoubt: () => [],
    checkTerminal: () => Promise.resolve({ kind: 'not_connected', text: notUsed }),
    discrepancies: () => [],
    salesHeld: () => false,
    mayMissPayments: () => true,
    discrepancyOf: () => null,
    acknowledge: () => refused,
    resolve: () => refused,
    status: () => ({
      terminal: {
        connection: 'stopped',
        text: notUsed,
        line: options.lineName,
        terminal: null,
        simulated: options.simulated,
        progress: null,
        progressStep: null,
      },
      journal: { writable: false, text: options.text },
      inDoubt: 0,
      discrepancies: 0,
      currentOperation: null,
    }),
    subscribe: () => () => {},
    eventsAfter: () => [],
    lastSeq: () => null,
    paymentOfOperation: () => null,
  };
}
