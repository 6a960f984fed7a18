/** What the console's methods work with, and what they return: a value, or a refusal with the reason. */
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { printableLine } from '../../base/printable-text.ts';
import type { BridgeTerminal, JournalReading } from '../../bridge/bridge.ts';
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
import { mainTerminal, normalTerminalName } from '../../contract/terminal-name.ts';
import type { Log } from '../../log/index.ts';
import type { BridgeSupervisor, RunningBridge } from '../bridge-supervisor.ts';
import type { HostLog } from '../host-log.ts';
import type { OfficeStatus } from '../office/index.ts';
import type { PrintedReceipts } from '../printed-receipts.ts';
import type { MoneyPlace } from '../money-place.ts';
import type { MoneyWatch } from '../money-watch.ts';
import type { RunningTerminal } from '../running-terminals.ts';
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
  /** Of the terminal with this name, whose journal is in `folder`. */
  printedReceipts(terminal: Pick<RunningTerminal, 'name' | 'folder'>): PrintedReceipts;
  /** Whose money is shown: that of the simulator's batches while it is the terminal. */
  moneyPlace(): MoneyPlace;
  moneyWatch: MoneyWatch;
  /** What the head office has of the journals; null: there is none in the settings. */
  officeStatus(): OfficeStatus | null;
  /** Of the process. */
  environment: Readonly<Record<string, string | undefined>>;
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

/** A terminal of the bridge that runs, with what the bridge and the host know of it. */
export type ChosenTerminal = BridgeTerminal & RunningTerminal;

type Handled<T> = ConsoleResult<T> | Promise<ConsoleResult<T>>;

/** All terminals, the main one first. */
export function terminalsOf({ bridge, terminals }: RunningBridge): ChosenTerminal[] {
  return bridge.terminals.flatMap((terminal) => {
    const own = terminals.find(({ name }) => name === terminal.name);
    return own === undefined ? [] : [{ ...terminal, ...own }];
  });
}

/** `named` as in `ofTerminal`; left out, the main one. A name that no terminal has is a refusal. */
export function onTerminal<T>(
  context: MethodContext,
  named: string | undefined,
  handle: (terminal: ChosenTerminal, running: RunningBridge) => Handled<T>,
): Handled<T> {
  return onBridge(context, (running) => {
    const terminals = terminalsOf(running);
    const wanted = normalTerminalName(named ?? mainTerminal);
    const found = terminals.find(({ name }) => name === wanted);
    if (found !== undefined) return handle(found, running);
    const names = terminals.map(({ name }) => `"${name}"`).join(', ');
    return refused(
      'unknown_terminal',
      `This bridge has no terminal "${printableLine(wanted, 40)}". Its terminals: ${names}.`,
    );
  });
}

/** A journal that is damaged or cannot be read is a refusal. */
export function onJournal<T>(
  context: MethodContext,
  named: string | undefined,
  handle: (journal: JournalReading, terminal: ChosenTerminal) => Handled<T>,
): Handled<T> {
  return onTerminal(context, named, async (terminal) => readJournal(terminal, handle));
}

async function readJournal<T>(
  terminal: ChosenTerminal,
  handle: (journal: JournalReading, terminal: ChosenTerminal) => Handled<T>,
): Promise<ConsoleResult<T>> {
  const { journal, damage } = terminal;
  if (journal === null) return refused('journal_unavailable', damage ?? 'The journal cannot be read.');
  try {
    return await handle(journal, terminal);
  } catch (error) {
    if (error instanceof JournalWriteError) return refused('journal_unavailable', error.message);
    throw error;
  }
}

/**
 * Of all journals the one in which `find` finds something. Not found is a refusal; so is a journal that cannot be read,
 * where no other one has it.
 */
export function onFound<T, F>(
  context: MethodContext,
  what: string,
  find: (journal: JournalReading) => F | null,
  handle: (found: F, journal: JournalReading, terminal: ChosenTerminal) => ConsoleResult<T>,
): Handled<T> {
  return onBridge(context, async (running) => {
    let unread: ConsoleResult<T> | null = null;
    for (const terminal of terminalsOf(running)) {
      const result = await readJournal<T | null>(terminal, (journal) => {
        const found = find(journal);
        return found === null ? done(null) : handle(found, journal, terminal);
      });
      if (!result.ok) {
        if (result.refusal.code !== 'journal_unavailable') return result;
        unread ??= result;
      } else if (result.value !== null) return done(result.value);
    }
    return unread ?? refused('payment_not_found', `There is no such ${what}.`);
  });
}

/** A payment that is on no terminal is a refusal as well. */
export function onPayment<T>(
  context: MethodContext,
  transactionId: string,
  handle: (row: PaymentRow, journal: JournalReading, terminal: ChosenTerminal) => ConsoleResult<T>,
): Handled<T> {
  return onFound(context, 'payment', (journal) => journal.payment(transactionId), handle);
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
