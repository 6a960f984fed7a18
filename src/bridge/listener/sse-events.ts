/** Journal events as server-sent events: what changed, for whom, how much. No card data, no receipts. */
import { eventMessage } from '../../http/index.ts';
import { formatAmount } from '../../contract/money.ts';
import type { TransactionStatus } from '../../contract/operation.ts';
import type { PaymentsApi, PaymentsEvent } from '../payments/index.ts';
import type { Payment } from './payment-sentences.ts';

export type StoredEvent = Extract<PaymentsEvent, { kind: 'journal_event' }>['stored'];
type TerminalState = Extract<PaymentsEvent, { kind: 'terminal' }>['terminal'];
type Started = Extract<StoredEvent['event'], { type: 'operation_started' }>;
type Ended = Extract<StoredEvent['event'], { type: 'operation_ended' }>;
type Found = Extract<StoredEvent['event'], { type: 'discrepancy_found' }>;

/** The name of the terminal that an event is of; empty where the bridge has one only. */
export type AboutTerminal = { terminal?: string };

/** What a journal event means to those who listen; null for one that changes no payment, no batch and no discrepancy. */
export type EventMeaning =
  | { kind: 'payment'; status: TransactionStatus; payment: PaymentIdentity }
  | { kind: 'batch'; data: Record<string, unknown>; settled: number }
  | { kind: 'discrepancy'; data: Record<string, unknown> }
  | null;

/** The parts of a payment that never change, so that a replay says what was said when it happened. */
type PaymentIdentity = Pick<
  Payment,
  'reference' | 'transactionId' | 'conditionCode' | 'amountMinor' | 'currency' | 'simulated'
>;

/** `known` is the payment that came with the event, if any; otherwise `payments` is asked for it. */
export function meaningOf(stored: StoredEvent, known: Payment | null, payments: PaymentsApi): EventMeaning {
  const { event } = stored;
  switch (event.type) {
    case 'operation_started':
      return startedMeaning(event, known, payments);
    case 'operation_in_doubt': {
      const payment = known ?? payments.paymentOfOperation(event.operationId);
      if (payment === null) return batchMeaning({ operation_id: event.operationId, batch_status: 'unknown' });
      const isSale = payment.transactionId === event.operationId;
      return { kind: 'payment', status: isSale ? 'unknown' : 'voiding', payment };
    }
    case 'operation_ended': {
      if (event.outcome === 'closed' || event.outcome === 'not_closed') return endedBatchMeaning(event);
      const payment = known ?? payments.paymentOfOperation(event.operationId);
      if (payment === null) return null;
      return {
        kind: 'payment',
        status: event.outcome === 'not_voided' ? 'approved' : event.outcome,
        payment,
      };
    }
    case 'cancel_requested':
    case 'result_received':
    case 'evidence_found':
    case 'terminal_ready':
    case 'terminal_lost':
    case 'record_seen':
    case 'journal_opened':
    case 'journal_repaired':
    case 'result_acknowledged':
    case 'late_result_received':
    case 'terminal_trait_learned':
      return null;
    case 'discrepancy_found':
      return { kind: 'discrepancy', data: foundData(event) };
    case 'discrepancy_acknowledged': {
      const { discrepancyId, by, reason } = event;
      return {
        kind: 'discrepancy',
        data: { id: discrepancyId, discrepancy_status: 'acknowledged', by, reason },
      };
    }
  }
}

/**
 * One event in the form of the EventSource specification; empty where there is nothing to tell. `id` is what a reader
 * comes back with; `about` the terminal that it is of, where there are several.
 */
export function journalEventMessage(
  stored: StoredEvent,
  meaning: EventMeaning,
  id: string,
  about: AboutTerminal,
): string {
  if (meaning === null) return '';
  if (meaning.kind !== 'payment') {
    return eventMessage({ name: meaning.kind, data: { ...about, ...meaning.data, at: stored.at }, id });
  }
  const { payment, status } = meaning;
  const data = {
    ...about,
    retrieval_reference_number: payment.reference,
    condition_code: payment.conditionCode,
    transaction_id: payment.transactionId,
    transaction_status: status,
    amount: formatAmount(payment.amountMinor, payment.currency),
    currency: payment.currency,
    simulated: payment.simulated,
    at: stored.at,
  };
  return eventMessage({ name: 'payment', data, id });
}

/** The state of the terminal, which is not in the journal; `id` says from where the stream goes on. */
export function terminalMessage(terminal: TerminalState, id: string | null, about: AboutTerminal): string {
  const data = {
    ...about,
    connection: terminal.connection,
    text: terminal.text,
    progress: terminal.progress,
    line: terminal.line,
    protocol: terminal.terminal?.protocol ?? null,
    terminal_id: terminal.terminal?.terminalId ?? null,
    simulated: terminal.simulated,
  };
  return eventMessage({ name: 'terminal', data, id });
}

/** The reader's place is one in another journal; `id` is the one from where the stream goes on. */
export function journalChangedMessage(id: string, about: AboutTerminal): string {
  const text =
    'This journal is not the one that you have read: it was put back, repaired or replaced. You may have missed events. ' +
    'Ask QueryPayment for each payment that you wait for.';
  return eventMessage({ name: 'journal', data: { ...about, journal_status: 'changed', text }, id });
}

function startedMeaning(event: Started, known: Payment | null, payments: PaymentsApi): EventMeaning {
  switch (event.kind) {
    case 'sale':
      return {
        kind: 'payment',
        status: 'in_progress',
        payment: { ...event, transactionId: event.operationId },
      };
    case 'void': {
      const payment = known ?? payments.paymentOfOperation(event.operationId);
      return payment === null ? null : { kind: 'payment', status: 'voiding', payment };
    }
    case 'batch_close':
      return batchMeaning({ operation_id: event.operationId, batch_status: 'in_progress' });
  }
}

function endedBatchMeaning(event: Ended): EventMeaning {
  const { batch } = event;
  const totalMinor = batch?.totalMinor ?? null;
  const data = {
    operation_id: event.operationId,
    batch_status: event.outcome,
    batch_number: batch?.batchNumber ?? null,
    count: batch?.count ?? null,
    total: totalMinor === null || batch === null ? null : formatAmount(totalMinor, batch.currency),
    currency: batch?.currency ?? null,
    // Each of these payments is `settled` now.
    settled_transaction_ids: event.settled,
  };
  return { kind: 'batch', data, settled: event.settled.length };
}

/** What was found, without the terminal's record: that has card data in it, if masked. */
function foundData(found: Found): Record<string, unknown> {
  const { amountMinor, currency } = found;
  return {
    id: found.discrepancyId,
    discrepancy_status: 'open',
    kind: found.kind,
    message: found.message,
    operation_id: found.operationId,
    retrieval_reference_numbers: found.references,
    amount: amountMinor === null || currency === null ? null : formatAmount(amountMinor, currency),
    currency,
  };
}

function batchMeaning(data: Record<string, unknown>): EventMeaning {
  return { kind: 'batch', data, settled: 0 };
}
