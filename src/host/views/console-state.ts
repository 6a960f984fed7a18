/** The one snapshot that the window shows at all times, put together from what runs. */
import type { BridgeTerminal, JournalReading } from '../../bridge/bridge.ts';
import { JournalDamagedError, JournalWriteError } from '../../bridge/journal/index.ts';
import { heldElsewhere } from '../../bridge/listener/index.ts';
import type {
  DiscrepancyView,
  InDoubtView,
  PaymentsApi,
  PaymentsStatus,
} from '../../bridge/payments/index.ts';
import type {
  AppFault,
  ConsoleState,
  OtherTerminalState,
  UpdateState,
} from '../../contract/console/index.ts';
import { maxShownDiscrepancies } from '../../contract/discrepancy.ts';
import type { Currency } from '../../contract/money.ts';
import type { BridgeSupervisor } from '../bridge-supervisor.ts';
import type { LastOnTerminal } from '../console-changes.ts';
import { terminalsOf, type ChosenTerminal } from '../methods/context.ts';
import { onTerminalOf, paymentView } from './payment-views.ts';

export interface StateSources {
  version: string;
  kind: 'desktop' | 'headless';
  supervisor: BridgeSupervisor;
  /** Of a bridge that could not be started; null: it is not tried again by itself. */
  nextTryAt: string | null;
  /** The one in force while no bridge runs. */
  currency(): Currency;
  /** What ended last on the terminal of this name. */
  last(terminal: string): LastOnTerminal;
  fault: AppFault | null;
  update: UpdateState | null;
  overdueBatches: readonly string[];
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
    ...(sources.overdueBatches.length === 0 ? {} : { overdueBatches: [...sources.overdueBatches] }),
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
      heldElsewhere: null,
      doubtsElsewhere: 0,
      discrepanciesElsewhere: 0,
      lastPayment: null,
      lastEnded: null,
    };
  }
  const { bridge, realTerminalBacklog } = running;
  const elsewhere = realTerminalBacklog.now;
  const others = bridge.terminals.slice(1);
  const [main, ...shownOthers] = terminalsOf(running).map((terminal) => ({
    name: terminal.name,
    retired: terminal.retired,
    ...stateOfTerminal(terminal, sources.last(terminal.name)),
    heldElsewhere: heldElsewhere(bridge.terminals, terminal.name),
  }));
  if (main === undefined) throw new Error('A bridge has a main terminal.');
  const { name: _name, retired: _retired, ...ofMain } = main;
  return {
    ...shared,
    ...ofMain,
    // Of the main one some settings apply at once.
    currency: running.configuration.currency,
    ...(shownOthers.length === 0 ? {} : { otherTerminals: shownOthers }),
    doubts: [...bridge.payments.operationsInDoubt(), ...others.flatMap(doubtsOf)],
    discrepancies: openDiscrepancies(bridge.payments, others),
    discrepancyCount: bridge.terminals.reduce(
      (count, { payments }) => count + payments.status().discrepancies,
      0,
    ),
    doubtsElsewhere: elsewhere.inDoubt,
    discrepanciesElsewhere: elsewhere.discrepancies,
    ...(elsewhere.unreadable.length === 0
      ? {}
      : { unreadableElsewhere: elsewhere.unreadable.map(({ location }) => location.folder) }),
  };
}

function stateOfTerminal(
  { name, payments, journal, damage, configuration, line }: ChosenTerminal,
  last: LastOnTerminal,
): Omit<OtherTerminalState, 'name' | 'retired' | 'heldElsewhere'> {
  const status = payments.status();
  const heardMs = line?.lastHeardMs ?? null;
  const { damaged, lastPayment, currentOperation: current } = journalState(journal, status, last.paymentId);
  return {
    terminal: {
      ...status.terminal,
      lastHeardAt: heardMs === null ? null : new Date(heardMs).toISOString(),
    },
    journal: {
      writable: status.journal.writable && damage === null,
      text: damage ?? status.journal.text,
      damaged: damage !== null || damaged,
    },
    currency: configuration.currency,
    currentOperation: current,
    salesHeld: payments.salesHeld(),
    lastPayment: lastPayment === null ? null : { ...lastPayment, ...onTerminalOf(name) },
    lastEnded: last.ended,
  };
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

/**
 * Of each terminal the oldest, because the window asks for more of them by the number of the last one; and never so many
 * of the others that the main one's have no place.
 */
function openDiscrepancies(main: PaymentsApi, others: readonly BridgeTerminal[]): DiscrepancyView[] {
  // Seldom any, so that usually the journal only counts them.
  const open = (payments: PaymentsApi) =>
    payments.status().discrepancies === 0 ? [] : payments.discrepancies();
  const elsewhere = others
    .flatMap(({ name, payments }) => open(payments).map((found) => ({ ...found, onTerminal: name })))
    .slice(0, maxShownDiscrepancies / 2);
  return [...elsewhere, ...open(main).slice(0, maxShownDiscrepancies - elsewhere.length)];
}

function journalState(journal: JournalReading | null, status: PaymentsStatus, lastId: string | null) {
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
