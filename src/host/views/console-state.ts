/** The one snapshot that the window shows at all times, put together from what runs. */
import type { BridgeTerminal, JournalReading } from '../../bridge/bridge.ts';
import { JournalDamagedError, JournalWriteError } from '../../bridge/journal/index.ts';
import type {
  DiscrepancyView,
  InDoubtView,
  PaymentsApi,
  PaymentsStatus,
} from '../../bridge/payments/index.ts';
import type {
  AppFault,
  ConsoleState,
  LastEnded,
  OtherTerminalState,
  UpdateState,
} from '../../contract/console/index.ts';
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
  const others = bridge.terminals.slice(1);
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
    ...(others.length === 0 ? {} : { otherTerminals: others.map(otherTerminalState) }),
    doubts: [...bridge.payments.operationsInDoubt(), ...others.flatMap(doubtsOf)],
    discrepancies: openDiscrepancies(bridge.payments, others),
    discrepancyCount: bridge.terminals.reduce(
      (count, { payments }) => count + payments.status().discrepancies,
      0,
    ),
    salesHeld: bridge.payments.salesHeld(),
    doubtsElsewhere: running.realTerminalBacklog.inDoubt,
    discrepanciesElsewhere: running.realTerminalBacklog.discrepancies,
    lastPayment: fromJournal.lastPayment,
    lastEnded: sources.lastEnded,
  };
}

function otherTerminalState({ name, payments, damage, retired }: BridgeTerminal): OtherTerminalState {
  const { terminal, journal } = payments.status();
  const journalWritable = journal.writable && damage === null;
  const text = journalWritable ? terminal.text : (damage ?? journal.text);
  return { name, connection: terminal.connection, text, journalWritable, retired };
}

/** Of a terminal that cannot be asked now, or ever, recovery decides nothing: a person has to hear of it. */
function doubtsOf({ name, payments }: BridgeTerminal): InDoubtView[] {
  const { connection } = payments.status().terminal;
  const cannotBeAsked = ['stopped', 'connecting', 'lost'].includes(connection);
  return payments.operationsInDoubt().map((inDoubt) => ({
    ...inDoubt,
    needsDecision: inDoubt.needsDecision || cannotBeAsked,
    onTerminal: name,
  }));
}

/** Those of the main terminal last, because the window asks for more of them by the number of the last one. */
function openDiscrepancies(main: PaymentsApi, others: readonly BridgeTerminal[]): DiscrepancyView[] {
  // Seldom any, so that usually the journal only counts them.
  const open = (payments: PaymentsApi) =>
    payments.status().discrepancies === 0 ? [] : payments.discrepancies();
  const elsewhere = others
    .flatMap(({ name, payments }) => open(payments).map((found) => ({ ...found, onTerminal: name })))
    .slice(0, maxShownDiscrepancies / 2);
  return [...elsewhere, ...open(main).slice(0, maxShownDiscrepancies - elsewhere.length)];
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
