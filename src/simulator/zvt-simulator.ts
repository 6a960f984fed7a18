/**
 * A ZVT terminal at the other end of a line. It speaks the protocol and keeps its own ledger; it knows nothing of the
 * bridge. One connection at a time: a new one takes the place of an idle one, and is refused while a command runs.
 */
import type { Clock } from '../base/clock.ts';
import type { Currency } from '../contract/money.ts';
import type { Log } from '../log/index.ts';
import type { TextEncoding } from '../bridge/terminals/zvt/wire/index.ts';
import { createSimulatorConnection, type SimulatorConnection } from './simulator-connection.ts';
import {
  capacityProblem,
  unregistered,
  type Registration,
  type Terminal,
  defaultTimings,
  type SimulatorTimings,
} from './simulated-terminal.ts';
import { dialects, type Dialect } from './dialects.ts';
import {
  closedDayOfInstallation,
  draftPayment,
  draftRefund,
  draftReversal,
  draftSettlement,
} from './drafts.ts';
import { LedgerError } from './ledger-file.ts';
import { type LedgerEntry, openLedger } from './ledger.ts';
import { createOutage, type Reach } from './outage.ts';
import type { ReachableSimulator } from './reachable-simulator.ts';
import type { Scenario } from './scenarios.ts';
import {
  createTerminalMemory,
  type BatchTotals,
  type LastRecord,
  type Numbers,
  type TerminalMemory,
} from './terminal-memory.ts';

export interface ZvtSimulatorOptions {
  /** JSON lines; also the terminal's whole memory. Its folder is made when it is missing. */
  ledgerFile: string;
  framing: 'serial' | 'tcp';
  /** 1: a payment takes about a second; 0: no time at all. Scenarios have durations of their own (`timings`). */
  timeScale: number;
  clock: Clock;
  log: Log;
  currency: Currency;
  /** Eight digits; by default 68000001. With another id it is another terminal, whose memory is empty. */
  terminalId?: string | undefined;
  /** Six digits; by default 000000. */
  password?: string | undefined;
  textEncoding?: TextEncoding | undefined;
  timings?: Partial<SimulatorTimings> | undefined;
  /** How it differs from what the documents say; by default not at all (`dialects.strict`). */
  dialect?: Dialect | undefined;
  /** Hears of each command when it has come, by its control field; repeats of one frame count once. */
  onCommand?: ((ctrl: string) => void) | undefined;
}

/** Does not accept a connection while a command runs on another one, either. */
export interface ZvtSimulator extends ReachableSimulator {
  /** A payment without the till; throws when the terminal is busy or its batch full. Gives the receipt number. */
  payManually(amountMinor: number): string;
  /** A reversal without the till; throws when the terminal is busy or does not have this payment. */
  reverseManually(receiptNumber: string): void;
  /** An end of day without the till; throws when the terminal is busy. */
  closeDayManually(): void;
  /** Puts another device in its place: another id, and only the memory that the ledger has of that id. */
  replaceTerminal(terminalId: string): void;
  /** Money back on a card without the till and without a payment that it would undo; throws when the terminal is busy. */
  refundManually(amountMinor: number): void;
  /** Now, at whatever step it is: what is not final is undone, and nobody can connect for so long. */
  losePower(durationMs: number): void;
  /** Now, at whatever step it is: the line ends, and nobody can connect for so long; the terminal goes on. */
  cutLine(durationMs: number): void;
  /** A restart so short that the line stays: what is not final is undone, and the registration is forgotten. */
  reboot(): void;
  /** The next payment, reversal or end of day goes through this scenario, whatever its amount. */
  queueScenario(scenario: Scenario): void;
  state(): SimulatorState;
}

interface SimulatorState {
  terminalId: string;
  reach: Reach;
  busy: boolean;
  registration: Registration;
  /** The last numbers used. */
  numbers: Numbers;
  lastRecord: LastRecord | null;
  openBatch: BatchTotals;
  /** How many of each command have been received, by control field; repeats of one frame count once. */
  commands: Readonly<Record<string, number>>;
}

const defaultTerminalId = '68000001';
const defaultPassword = '000000';

/** Throws `LedgerError` when the ledger is damaged or is of another currency. */
export function createZvtSimulator(options: ZvtSimulatorOptions): ZvtSimulator {
  const { clock, currency, password = defaultPassword } = options;
  const log = options.log.with({ source: 'simulator' });
  const timings = { ...defaultTimings, ...options.timings };
  const dialect = options.dialect ?? dialects.strict;
  const ledger = openLedger(options.ledgerFile, log);
  const entries: LedgerEntry[] = [...ledger.entries];
  const commands: Record<string, number> = {};
  const outage = createOutage(clock, () => log.info('the terminal can be reached again'));
  let current: SimulatorConnection | null = null;
  let queuedScenario: Scenario | null = null;
  let closed = false;

  const foreign = entries.find((entry) => entry.currency !== currency);
  if (foreign !== undefined) {
    throw new LedgerError(
      `the ledger ${options.ledgerFile} is kept in ${foreign.currency}, not in ${currency}`,
    );
  }

  const terminal: Terminal & { terminalId: string; memory: TerminalMemory } = {
    clock,
    log,
    timings,
    dialect,
    timeScale: options.timeScale,
    currency,
    terminalId: options.terminalId ?? defaultTerminalId,
    password,
    textEncoding: options.textEncoding ?? 'cp437',
    memory: createTerminalMemory(null),
    registration: unregistered,
    record(more) {
      ledger.append(more);
      for (const entry of more) {
        entries.push(entry);
        terminal.memory.apply(entry);
        log.info(`terminal: ${entry.event.replace('_', ' ')}`, {
          amount: entry.event === 'settled' ? entry.total : entry.amount,
          trace_number: entry.trace_number,
        });
      }
    },
    takeScenario(fallback) {
      const scenario = queuedScenario ?? fallback;
      queuedScenario = null;
      if (scenario !== 'approved') log.info('the simulator plays a scenario', { scenario });
      return scenario;
    },
    cutLine: () => cutLine(timings.cutMs),
    losePower: () => losePower(timings.cutMs),
    hang() {
      log.info('the terminal has stopped answering', { duration_ms: timings.silenceMs });
      outage.begin('deaf', timings.silenceMs);
      current?.restart();
    },
    lineBack: () => outage.over(),
  };
  useTerminal(terminal.terminalId);

  /** What the ledger knows of this device. */
  function useTerminal(terminalId: string): void {
    if (!/^\d{8}$/.test(terminalId)) throw new Error(`a terminal id has eight digits, not "${terminalId}"`);
    terminal.terminalId = terminalId;
    const closedDay = closedDayOfInstallation(terminalId, currency);
    terminal.memory = createTerminalMemory(dialect.firstRecord === 'closed_day' ? closedDay : null);
    terminal.registration = unregistered;
    for (const entry of entries) if (entry.terminal_id === terminalId) terminal.memory.apply(entry);
  }

  function cutLine(durationMs: number): void {
    log.info('the line is cut', { duration_ms: durationMs });
    outage.begin('cut', durationMs);
    if (current?.unpluggable === true) current.unplug();
  }

  function losePower(durationMs: number): void {
    log.info('the terminal has lost power', { duration_ms: durationMs });
    terminal.registration = unregistered;
    outage.begin('cut', durationMs);
    forgetConnection();
    if (dialect.afterPowerLoss === 'record_before') terminal.memory.forgetLastRecord();
  }

  /** Nothing is left of what was said on the connection, and of the connection itself where it can be unplugged. */
  function forgetConnection(): void {
    if (current?.unpluggable === true) current.unplug();
    else current?.restart();
  }

  function requireIdle(): void {
    if (current?.busy === true) throw new Error('the terminal is busy with a command of the till');
  }

  return {
    attach(connection, { unpluggable = true } = {}) {
      if (!accepts()) {
        void connection.close();
        return;
      }
      current?.unplug();
      const mine = createSimulatorConnection({
        connection,
        unpluggable,
        framing: options.framing,
        terminal,
        reachable: () => outage.reach === 'reachable',
        onCommand(ctrl) {
          commands[ctrl] = (commands[ctrl] ?? 0) + 1;
          options.onCommand?.(ctrl);
        },
        onClosed() {
          if (current === mine) current = null;
        },
      });
      current = mine;
    },
    get accepting() {
      return accepts();
    },
    payManually(amountMinor) {
      requireIdle();
      if (capacityProblem(terminal, amountMinor) !== null) throw new Error('the batch is full');
      const payment = draftPayment(terminal, amountMinor);
      terminal.record([payment]);
      return payment.receipt_number;
    },
    reverseManually(receiptNumber) {
      requireIdle();
      const entry = terminal.memory.find(receiptNumber);
      if (entry === null || entry.reversed) throw new Error(`receipt ${receiptNumber} cannot be reversed`);
      terminal.record([draftReversal(terminal, entry.payment)]);
    },
    closeDayManually() {
      requireIdle();
      terminal.record([draftSettlement(terminal)]);
    },
    refundManually(amountMinor) {
      requireIdle();
      terminal.record([draftRefund(terminal, amountMinor)]);
    },
    losePower,
    cutLine,
    reboot() {
      log.info('the terminal has started again');
      terminal.registration = unregistered;
      current?.restart();
    },
    replaceTerminal(terminalId) {
      requireIdle();
      forgetConnection();
      useTerminal(terminalId);
    },
    queueScenario(scenario) {
      queuedScenario = scenario;
    },
    state: () => ({
      terminalId: terminal.terminalId,
      reach: outage.reach,
      busy: current?.busy === true,
      registration: terminal.registration,
      numbers: terminal.memory.numbers,
      lastRecord: terminal.memory.lastRecord,
      openBatch: terminal.memory.totals(),
      commands: { ...commands },
    }),
    async close() {
      closed = true;
      const last = current;
      last?.unplug();
      outage.end();
      await last?.gone();
    },
  };

  function accepts(): boolean {
    return !closed && outage.reach !== 'cut' && current?.busy !== true;
  }
}
