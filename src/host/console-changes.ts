/** Emits changes to the console's windows: soon, in order, and never on the way of a payment. */
import type { Clock } from '../base/clock.ts';
import { createEmitter } from '../base/emitter.ts';
import type { Bridge, BridgeTerminal } from '../bridge/bridge.ts';
import { JournalWriteError, type PaymentRow } from '../bridge/journal/index.ts';
import type { PaymentsEvent } from '../bridge/payments/index.ts';
import type { ConsoleChange, ConsoleState, LastEnded } from '../contract/console/index.ts';
import type { StoredEvent } from '../contract/journal-events.ts';
import type { Log } from '../log/index.ts';
import { onTerminalOf, paymentView } from './views/payment-views.ts';

/** The state is emitted at most this often: about once for each picture that a screen shows. */
const stateEveryMs = 16;

export interface ConsoleChanges {
  /** False: nothing needs to be put together. */
  readonly hasSubscribers: boolean;
  subscribe(listener: (change: ConsoleChange) => void): () => void;
  /** Returns at once; listeners are called in a later turn of the event loop. */
  publish(change: ConsoleChange): void;
  /** Something in the state is different. Emitted at once, unless it was emitted just before. */
  stateChanged(): void;
}

export function createConsoleChanges(options: {
  state(): ConsoleState;
  clock: Clock;
  log: Log;
}): ConsoleChanges {
  const { state, clock, log } = options;
  const emitter = createEmitter<ConsoleChange>({
    // It would also get the line of the log that tells of its fault, fail again, and so on for ever.
    endOnFault: true,
    onFault: (err) => log.error('a subscriber of the console failed on a change and gets no more', { err }),
  });
  let pending: ConsoleChange[] = [];
  let scheduled = false;
  let stateDue = false;
  let stateEmittedMs = Number.NEGATIVE_INFINITY;
  let stateTimer: (() => void) | null = null;

  function schedule() {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush() {
    scheduled = false;
    const changes = pending;
    pending = [];
    emitter.emit(...changes);
    if (stateDue) emitState();
  }

  function emitState() {
    const nowMs = clock.elapsed();
    const restMs = stateEmittedMs + stateEveryMs - nowMs;
    if (restMs > 0) {
      stateTimer ??= clock.after(restMs, () => {
        stateTimer = null;
        if (stateDue) emitState();
      });
      return;
    }
    stateDue = false;
    stateEmittedMs = nowMs;
    try {
      emitter.emit({ kind: 'state', state: state() });
    } catch (err) {
      log.error('the state cannot be emitted', { err });
    }
  }

  return {
    get hasSubscribers() {
      return emitter.hasSubscribers;
    },
    subscribe: emitter.subscribe,
    publish(change) {
      if (!emitter.hasSubscribers) return;
      pending.push(change);
      schedule();
    },
    stateChanged() {
      if (!emitter.hasSubscribers) return;
      stateDue = true;
      schedule();
    },
  };
}

export interface LastOnTerminal {
  /** The payment that ended last. */
  paymentId: string | null;
  /** The operation that ended last; null while none has, since this bridge runs. */
  ended: LastEnded | null;
}

export const nothingEnded: LastOnTerminal = { paymentId: null, ended: null };

export interface BridgeChanges {
  /** What ended last on the terminal of this name. */
  last(terminal: string): LastOnTerminal;
  stop(): void;
}

/** A close can settle more payments than are worth publishing one by one; the window queries again after a batch. */
const maxSettledPublished = 200;
/** How far back the payment that ended last is looked for at the start. */
const recentPayments = 50;

/** Publishes what happens in `bridge` from now on. */
export function publishBridgeChanges(bridge: Bridge, changes: ConsoleChanges): BridgeChanges {
  const followed = bridge.terminals.map((terminal) => publishTerminalChanges(terminal, changes));
  return {
    last: (name) => followed.find(({ terminal }) => terminal === name)?.last ?? nothingEnded,
    stop() {
      for (const { stop } of followed) stop();
    },
  };
}

function publishTerminalChanges(terminal: BridgeTerminal, changes: ConsoleChanges) {
  const { name, payments, journal } = terminal;
  const last: LastOnTerminal = { paymentId: lastEndedPayment(terminal), ended: null };

  function onPaymentsEvent(paymentsEvent: PaymentsEvent) {
    if (paymentsEvent.kind === 'journal_event') onJournalEvent(paymentsEvent.stored, paymentsEvent.payment);
    changes.stateChanged();
  }

  function onJournalEvent({ event, at }: StoredEvent, payment: PaymentRow | null) {
    if (event.type === 'operation_ended')
      last.ended = { operationId: event.operationId, outcome: event.outcome, at };
    if (payment !== null) {
      if (event.type === 'operation_ended') last.paymentId = payment.transactionId;
      if (changes.hasSubscribers) publishPayment(payment);
      return;
    }
    if (!('operationId' in event) || event.type === 'discrepancy_found') return;
    changes.publish({ kind: 'batch', ...onTerminalOf(name) });
    if (event.type === 'operation_ended' && changes.hasSubscribers) publishSettled(event.settled);
  }

  function publishSettled(transactionIds: string[]) {
    for (const transactionId of transactionIds.slice(0, maxSettledPublished)) {
      const row = orNull(() => journal?.payment(transactionId) ?? null);
      if (row !== null) publishPayment(row);
    }
  }

  function publishPayment(row: PaymentRow) {
    const payment = orNull(() => paymentView(row, journal)) ?? paymentView(row, null);
    changes.publish({ kind: 'payment', payment: { ...payment, ...onTerminalOf(name) } });
  }

  return { terminal: name, last, stop: payments.subscribe(onPaymentsEvent) };
}

function lastEndedPayment({ journal }: BridgeTerminal): string | null {
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
