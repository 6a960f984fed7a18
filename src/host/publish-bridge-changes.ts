/** Publishes what happens in a bridge as changes for the console. */
import type { Bridge } from '../bridge/bridge.ts';
import { JournalWriteError, type PaymentRow } from '../bridge/journal/index.ts';
import type { PaymentsEvent } from '../bridge/payments/index.ts';
import type { JournalEvent } from '../contract/journal-events.ts';
import type { ConsoleChanges } from './console-changes.ts';
import { paymentView } from './views/payment-view.ts';

export interface BridgeChanges {
  /** The payment that ended last. */
  readonly lastPaymentId: string | null;
  stop(): void;
}

/** A close can settle more payments than are worth publishing one by one; the window queries again after a batch. */
const maxSettledPublished = 200;
/** How far back the payment that ended last is looked for at the start. */
const recentPayments = 50;

export function publishBridgeChanges(bridge: Bridge, changes: ConsoleChanges): BridgeChanges {
  let lastPaymentId = lastEnded(bridge);

  function onPaymentsEvent(paymentsEvent: PaymentsEvent) {
    if (paymentsEvent.kind === 'journal_event')
      onJournalEvent(paymentsEvent.stored.event, paymentsEvent.payment);
    changes.stateChanged();
  }

  function onJournalEvent(event: JournalEvent, payment: PaymentRow | null) {
    if (payment !== null) {
      if (event.type === 'operation_ended') lastPaymentId = payment.transactionId;
      if (changes.hasSubscribers) changes.publish({ kind: 'payment', payment: paymentView(payment) });
      return;
    }
    if (!('operationId' in event) || event.type === 'discrepancy_found') return;
    changes.publish({ kind: 'batch' });
    if (event.type === 'operation_ended' && changes.hasSubscribers) publishSettled(event.settled);
  }

  function publishSettled(transactionIds: string[]) {
    for (const transactionId of transactionIds.slice(0, maxSettledPublished)) {
      const row = orNull(() => bridge.journal?.payment(transactionId) ?? null);
      if (row !== null) changes.publish({ kind: 'payment', payment: paymentView(row) });
    }
  }

  return {
    get lastPaymentId() {
      return lastPaymentId;
    },
    stop: bridge.payments.subscribe(onPaymentsEvent),
  };
}

function lastEnded({ journal }: Bridge): string | null {
  const rows = orNull(() => journal?.payments({ limit: recentPayments }) ?? null) ?? [];
  const ended = rows.filter((row) => row.completedAt !== null);
  const [last] = ended.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  return last?.transactionId ?? null;
}

/** That a journal cannot be read is in the state. */
function orNull<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof JournalWriteError) return null;
    throw error;
  }
}
