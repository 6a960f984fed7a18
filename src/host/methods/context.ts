/** What the console's methods work with, and what they return: a value, or a refusal with the reason. */
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import type { JournalReading } from '../../bridge/bridge.ts';
import { JournalWriteError, type PaymentRow } from '../../bridge/journal/index.ts';
import type {
  ConsoleRefusal,
  ConsoleResult,
  ConsoleState,
  MethodName,
  RequestOf,
  ResponseOf,
  Settings,
  SettingsView,
} from '../../contract/console/index.ts';
import type { Result } from '../../contract/errors.ts';
import type { Log } from '../../log/index.ts';
import type { BridgeSupervisor, RunningBridge } from '../bridge-supervisor.ts';
import type { HostLog } from '../host-log.ts';
import type { PrintedReceipts } from '../printed-receipts.ts';
import type { ConsoleSettings } from '../settings/console-settings.ts';

export interface MethodContext {
  version: string;
  clock: Clock;
  chance: Chance;
  dataDir: string;
  settings: ConsoleSettings;
  supervisor: BridgeSupervisor;
  hostLog: HostLog;
  /** With the source `console`. */
  log: Log;
  printedReceipts: PrintedReceipts;
  state(): ConsoleState;
  settingsView(): SettingsView;
  saveSettings(settings: Settings): Promise<ConsoleResult<SettingsView>>;
  allowOrigin(origin: string): Promise<ConsoleResult<SettingsView>>;
}

/** Implementations of some of the console's methods. */
export type MethodHandlers<N extends MethodName> = {
  [K in N]: (request: RequestOf<K>) => ConsoleResult<ResponseOf<K>> | Promise<ConsoleResult<ResponseOf<K>>>;
};

export function onBridge<T>(
  { supervisor }: MethodContext,
  handle: (running: RunningBridge) => ConsoleResult<T> | Promise<ConsoleResult<T>>,
): ConsoleResult<T> | Promise<ConsoleResult<T>> {
  const { running } = supervisor;
  if (running !== null) return handle(running);
  return refused(
    'no_bridge',
    'No bridge runs. Choose a terminal in the settings, or correct what is wrong there.',
  );
}

/** A journal that is damaged or cannot be read is a refusal. */
export function onJournal<T>(
  context: MethodContext,
  handle: (journal: JournalReading, running: RunningBridge) => ConsoleResult<T> | Promise<ConsoleResult<T>>,
): ConsoleResult<T> | Promise<ConsoleResult<T>> {
  return onBridge(context, async (running) => {
    const { journal, damage } = running.bridge;
    if (journal === null) return refused('journal_unavailable', damage ?? 'The journal cannot be read.');
    try {
      return await handle(journal, running);
    } catch (error) {
      if (error instanceof JournalWriteError) return refused('journal_unavailable', error.message);
      throw error;
    }
  });
}

/** A payment that is not there is a refusal as well. */
export function onPayment<T>(
  context: MethodContext,
  transactionId: string,
  handle: (row: PaymentRow, journal: JournalReading, running: RunningBridge) => ConsoleResult<T>,
): ConsoleResult<T> | Promise<ConsoleResult<T>> {
  return onJournal(context, (journal, running) => {
    const row = journal.payment(transactionId);
    return row === null
      ? refused('payment_not_found', 'There is no such payment.')
      : handle(row, journal, running);
  });
}

export function done<T>(value: T): ConsoleResult<T> {
  return { ok: true, value };
}

export function refused(
  code: ConsoleRefusal['code'],
  message: string,
  issues?: NonNullable<ConsoleRefusal['issues']>,
): { ok: false; refusal: ConsoleRefusal } {
  return { ok: false, refusal: { code, message, ...(issues === undefined ? {} : { issues }) } };
}

/** A result of `payments`, its value as the console wants it. */
export function consoleResultOf<T, U>(answer: Result<T>, read: (value: T) => U): ConsoleResult<U> {
  if (answer.ok) return done(read(answer.value));
  const { code, message, issues } = answer.refusal;
  return refused(code, message, issues);
}
