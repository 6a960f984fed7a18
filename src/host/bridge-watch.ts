/** Turns what happens in a bridge into changes for the console. */
import type { Bridge } from '../bridge/bridge.ts';
import { JournalWriteError, type PaymentRow } from '../bridge/journal/index.ts';
import type { PaymentsEvent } from '../bridge/payments/index.ts';
import type { JournalEvent } from '../contract/journal-events.ts';
import type { Changes } from './changes.ts';
import { paymentView } from './views/payment-view.ts';

export interface BridgeWatch {
  /** The payment that ended last. */
  readonly lastPaymentId: string | null;
  stop(): void;
}

/** A close can settle more payments than are worth telling one by one; the window looks again after a batch. */
const maxSettledTold = 200;
/** How far back the payment that ended last is looked for at the start. */
const recentPayments = 50;

export function watchBridge(bridge: Bridge, changes: Changes): BridgeWatch {
  let lastPaymentId = lastEnded(bridge);

  function hear(paymentsEvent: PaymentsEvent) {
    if (paymentsEvent.kind === 'fact') hearFact(paymentsEvent.stored.event, paymentsEvent.payment);
    changes.stateChanged();
  }

  function hearFact(event: JournalEvent, payment: PaymentRow | null) {
    if (payment !== null) {
      if (event.type === 'operation_ended') lastPaymentId = payment.transactionId;
      if (changes.heard) changes.publish({ kind: 'payment', payment: paymentView(payment) });
      return;
    }
    if (!('operationId' in event) || event.type === 'discrepancy_found') return;
    changes.publish({ kind: 'batch' });
    if (event.type === 'operation_ended' && changes.heard) tellSettled(event.settled);
  }

  function tellSettled(transactionIds: string[]) {
    for (const transactionId of transactionIds.slice(0, maxSettledTold)) {
      const row = orNull(() => bridge.journal?.payment(transactionId) ?? null);
      if (row !== null) changes.publish({ kind: 'payment', payment: paymentView(row) });
    }
  }

  return {
    get lastPaymentId() {
      return lastPaymentId;
    },
    stop: bridge.payments.subscribe(hear),
  };
}

function lastEnded({ journal }: Bridge): string | null {
  const rows = orNull(() => journal?.payments({ limit: recentPayments }) ?? null) ?? [];
  const ended = rows.filter((row) => row.completedAt !== null);
  const [last] = ended.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  return last?.transactionId ?? null;
}

/** A journal that cannot be read is told of by the state. */
function orNull<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof JournalWriteError) return null;
    throw error;
  }
}
