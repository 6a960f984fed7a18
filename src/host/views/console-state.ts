/** The one snapshot that the window shows at all times, put together from what runs. */
import type { JournalReading } from '../../bridge/bridge.ts';
import { JournalDamagedError, JournalWriteError } from '../../bridge/journal/index.ts';
import type { PaymentsStatus } from '../../bridge/payments/index.ts';
import type { AppFault, ConsoleState, LastEnded, UpdateState } from '../../contract/console/index.ts';
import { maxShownDiscrepancies } from '../../contract/discrepancy.ts';
import type { Currency } from '../../contract/money.ts';
import type { BridgeSupervisor, RunningBridge } from '../bridge-supervisor.ts';
import { paymentView } from './payment-views.ts';

export interface StateSources {
  version: string;
  kind: 'desktop' | 'headless';
  supervisor: BridgeSupervisor;
  /** Of a bridge that could not be started; null: it is not tried again by itself. */
  nextTryAt: string | null;
  /** The one in force while no bridge runs. */
  currency(): Currency;
  /** The payment that ended last. */
  lastPaymentId: string | null;
  /** The operation that ended last. */
  lastEnded: LastEnded | null;
  fault: AppFault | null;
  update: UpdateState | null;
}

/** Never throws for a journal that cannot be read: that is a state, too. */
export function consoleState(sources: StateSources): ConsoleState {
  const { version, kind, supervisor, nextTryAt } = sources;
  const { running } = supervisor;
  const shared = {
    version,
    host: kind,
    bridge:
      supervisor.state.kind === 'failed' && nextTryAt !== null
        ? { ...supervisor.state, nextTryAt }
        : supervisor.state,
    listener: supervisor.listener.state,
    blockedOrigins: supervisor.listener.blockedOrigins,
    ...(sources.fault === null ? {} : { fault: sources.fault }),
    ...(sources.update === null ? {} : { update: sources.update }),
  };
  if (running === null) {
    return {
      ...shared,
      terminal: null,
      journal: { writable: true, text: '', damaged: false },
      currency: sources.currency(),
      currentOperation: null,
      doubts: [],
      discrepancies: [],
      discrepancyCount: 0,
      salesHeld: false,
      doubtsElsewhere: 0,
      discrepanciesElsewhere: 0,
      lastPayment: null,
      lastEnded: null,
    };
  }
  const { bridge, configuration, line } = running;
  const status = bridge.payments.status();
  const fromJournal = journalState(running, status, sources.lastPaymentId);
  return {
    ...shared,
    terminal: {
      ...status.terminal,
      lastHeardAt: line.lastHeardMs === null ? null : new Date(line.lastHeardMs).toISOString(),
    },
    journal: {
      writable: status.journal.writable && bridge.damage === null,
      text: bridge.damage ?? status.journal.text,
      damaged: bridge.damage !== null || fromJournal.damaged,
    },
    currency: configuration.currency,
    currentOperation: fromJournal.currentOperation,
    doubts: bridge.payments.operationsInDoubt(),
    // Seldom any, so that usually the journal only counts them.
    discrepancies:
      status.discrepancies === 0 ? [] : bridge.payments.discrepancies().slice(0, maxShownDiscrepancies),
    discrepancyCount: status.discrepancies,
    salesHeld: bridge.payments.salesHeld(),
    doubtsElsewhere: running.realTerminalBacklog.inDoubt,
    discrepanciesElsewhere: running.realTerminalBacklog.discrepancies,
    lastPayment: fromJournal.lastPayment,
    lastEnded: sources.lastEnded,
  };
}

function journalState({ bridge }: RunningBridge, status: PaymentsStatus, lastId: string | null) {
  const { journal } = bridge;
  const nothing = { currentOperation: null, lastPayment: null };
  if (journal === null) return { ...nothing, damaged: true };
  try {
    const last = lastId === null ? null : journal.payment(lastId);
    return {
      currentOperation: currentOperation(journal, status),
      lastPayment: last === null ? null : paymentView(last, journal),
      damaged: false,
    };
  } catch (error) {
    if (error instanceof JournalWriteError) {
      return { ...nothing, damaged: error instanceof JournalDamagedError };
    }
    throw error;
  }
}

function currentOperation(journal: JournalReading, status: PaymentsStatus): ConsoleState['currentOperation'] {
  const current = status.currentOperation;
  const row = current === null ? null : journal.operation(current.operationId);
  if (current === null || row === null) return null;
  const { started } = row;
  return {
    operationId: current.operationId,
    kind: current.kind,
    reference: current.reference,
    amountMinor: started.kind === 'batch_close' ? null : started.amountMinor,
    currency: started.currency,
    startedAt: row.startedAt,
    cancelRequested: row.cancelRequested,
  };
}
