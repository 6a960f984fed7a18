/**
 * A terminal of Transbank POS Integrado (Chile) at the other end of a line. It speaks the protocol and keeps its own
 * ledger; it knows nothing of the bridge. A new connection takes the place of the one before, and what is under way goes
 * on: the terminal does not notice who is at the end of its cable.
 */
import type { Clock } from '../../base/clock.ts';
import { currencyExponent, type Currency } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import type { TransbankMessage } from '../../bridge/terminals/transbank/wire/index.ts';
import type { ExchangeServer } from '../acked-exchange.ts';
import { LedgerError } from '../ledger-file.ts';
import { createOutage, type Reach } from '../outage.ts';
import type { ReachableSimulator } from '../reachable-simulator.ts';
import { createSocket } from '../socket.ts';
import { scenarioOf, type Scenario } from '../scenarios.ts';
import { serveClose, serveLoadKeys, serveTotals } from './batch.ts';
import { transbankDialects, type TransbankDialect } from './dialects.ts';
import { draftSale, draftSettlement, draftVoid } from './drafts.ts';
import { serveDetail, serveLastProviderSale, serveLastSale } from './enquiries.ts';
import { createTransbankExchanges, type Exchange } from './exchange.ts';
import { openLedger, type LedgerEntry } from './ledger.ts';
import { canHold, serveSale } from './sale.ts';
import { createTerminalMemory, type BatchTotals } from './terminal-memory.ts';
import {
  defaultTransbankTimings,
  noFaults,
  type Faults,
  type Terminal,
  type TransbankTimings,
} from './terminal.ts';
import { serveVoid, voidProblem } from './void.ts';

export interface TransbankSimulatorOptions {
  /** JSON lines; also the terminal's whole memory. Its folder is made when it is missing. */
  ledgerFile: string;
  /** 1: a sale takes about a second; 0: no time at all. Scenarios have durations of their own (`timings`). */
  timeScale: number;
  clock: Clock;
  log: Log;
  /** By default CLP. Amounts on the wire are whole, so only a currency without a minor unit will do. */
  currency?: Currency | undefined;
  /** Eight letters and digits; by default TB000001. With another id it is another terminal, whose memory is empty. */
  terminalId?: string | undefined;
  /** How it differs from the documentation; by default not at all (`transbankDialects.strict`). */
  dialect?: TransbankDialect | undefined;
  timings?: Partial<TransbankTimings> | undefined;
  /** Hears of each command that is carried out. */
  onCommand?: ((command: string) => void) | undefined;
}

export interface TransbankSimulator extends ReachableSimulator {
  /** A sale without the till; throws when the terminal is busy or its batch full. Gives the operation number. */
  payManually(amountMinor: number): string;
  /** A void without the till; throws when the terminal is busy or cannot undo this sale. */
  reverseManually(operationNumber: string): void;
  /** Closes the batch without the till; throws when the terminal is busy. */
  closeDayManually(): void;
  /** Puts another device in its place: another id, and only the memory that the ledger has of that id. */
  replaceTerminal(terminalId: string): void;
  /** Somebody at the terminal switches it back after 0300. */
  returnToIntegratedMode(): void;
  /** From the next sale on it asks for keys (code 26), as in the morning. */
  forgetKeys(): void;
  /** Now, at whatever step it is: what the host has not approved is undone, and nobody can connect for so long. */
  losePower(durationMs: number): void;
  /** Now, at whatever step it is: the line ends, and nobody can connect for so long; the terminal goes on. */
  cutLine(durationMs: number): void;
  /** The next sale, void or close goes through this scenario, whatever its amount. */
  queueScenario(scenario: Scenario): void;
  /** From now on it does these things wrong; what is not named stays as it is. */
  misbehave(faults: Partial<Faults>): void;
  state(): TransbankSimulatorState;
}

interface TransbankSimulatorState {
  terminalId: string;
  reach: Reach;
  busy: boolean;
  mode: Terminal['mode'];
  wantsKeys: boolean;
  openBatch: BatchTotals;
  /** How many of each command have been carried out. */
  commands: Readonly<Record<string, number>>;
}

const defaultTerminalId = 'TB000001';

type CommandHandler = (terminal: Terminal, exchange: Exchange) => Promise<void>;

/** What it serves; anything else it does not answer. */
const handlers: Readonly<Record<string, CommandHandler>> = {
  // The ACK says it all.
  '0100': async () => {},
  '0200': serveSale,
  '0250': serveLastSale,
  '0260': serveDetail,
  '0270': serveSale,
  '0280': serveLastProviderSale,
  '0300': async (terminal) => {
    terminal.log.info('the terminal has left its integrated mode');
    terminal.mode = 'normal';
  },
  '0500': serveClose,
  '0700': serveTotals,
  '0800': serveLoadKeys,
  '1200': serveVoid,
};

/** Those that the ACK has answered: the next request may follow at once. */
const acknowledgedOnly: ReadonlySet<string> = new Set(['0100', '0300']);

/** Throws `LedgerError` when the ledger is damaged, or of another protocol or currency. */
export function createTransbankSimulator(options: TransbankSimulatorOptions): TransbankSimulator {
  const { clock, currency = 'CLP' } = options;
  if (currencyExponent(currency) !== 0) throw new Error(`${currency} has a minor unit`);
  const log = options.log.with({ source: 'simulator' });
  const timings = { ...defaultTransbankTimings, ...options.timings };
  const dialect = options.dialect ?? transbankDialects.strict;
  const ledger = openLedger(options.ledgerFile, log);
  const entries: LedgerEntry[] = [...ledger.entries];
  const commands: Record<string, number> = {};
  const outage = createOutage(clock, () => log.info('the terminal can be reached again'));
  const socket = createSocket({
    outage,
    log,
    newLine: () => exchanges.newLine(),
    receive: (bytes) => exchanges.receive(bytes),
  });
  const past: Promise<void>[] = [];
  let queuedScenario: Scenario | null = null;
  /** The noisy scenario damages the request once on its way to the terminal. */
  let damagedOnce = false;

  const foreign = entries.find((entry) => entry.currency !== currency);
  if (foreign !== undefined) {
    throw new LedgerError(
      `the ledger ${options.ledgerFile} is kept in ${foreign.currency}, not in ${currency}`,
    );
  }

  const terminal: { -readonly [Key in keyof Terminal]: Terminal[Key] } = {
    clock,
    log,
    timings,
    dialect,
    timeScale: options.timeScale,
    currency,
    terminalId: options.terminalId ?? defaultTerminalId,
    memory: createTerminalMemory(),
    faults: { ...noFaults },
    wantsKeys: dialect.wantsKeys,
    mode: 'integrated',
    record(more) {
      ledger.append(more);
      for (const entry of more) {
        entries.push(entry);
        terminal.memory.apply(entry);
        log.info(`terminal: ${entry.event}`, {
          amount: entry.event === 'settled' ? entry.total : entry.amount,
        });
      }
    },
    takeScenario(fallback) {
      const scenario = queuedScenario ?? fallback;
      queuedScenario = null;
      if (scenario !== 'approved') log.info('the simulator plays a scenario', { scenario });
      return scenario;
    },
    cutLine: () => socket.cutLine(timings.cutMs),
    losePower: () => losePower(timings.cutMs),
    hang() {
      log.info('the terminal has stopped answering', { duration_ms: timings.silenceMs });
      outage.begin('deaf', timings.silenceMs);
      startAgain();
    },
  };
  useTerminal(terminal.terminalId);
  let exchanges = begin();

  /** What the ledger knows of this device. */
  function useTerminal(terminalId: string): void {
    if (!/^[A-Za-z0-9]{8}$/.test(terminalId)) {
      throw new Error(`a terminal id has eight letters or digits, not "${terminalId}"`);
    }
    terminal.terminalId = terminalId;
    terminal.memory = createTerminalMemory();
    for (const entry of entries) if (entry.terminal_id === terminalId) terminal.memory.apply(entry);
  }

  function begin(): ExchangeServer {
    return createTransbankExchanges({
      clock,
      timings,
      log,
      faults: terminal.faults,
      write: socket.write,
      judge,
      async serve(exchange) {
        const { command } = exchange.request;
        commands[command] = (commands[command] ?? 0) + 1;
        options.onCommand?.(command);
        if (!acknowledgedOnly.has(command)) await exchange.pause(timings.startMs * options.timeScale);
        if (!exchange.ended) await handlers[command]?.(terminal, exchange);
      },
    });
  }

  function judge({ command, values }: TransbankMessage, isBusy: boolean): 'ignore' | 'nak' | 'serve' {
    if (isBusy || !Object.hasOwn(handlers, command) || terminal.mode === 'normal') return 'ignore';
    if (terminal.faults.naks > 0) {
      terminal.faults.naks -= 1;
      return 'nak';
    }
    const isSale = command === '0200' || command === '0270';
    damagedOnce = isSale && !damagedOnce && scenarioOf(Number(values.amount)) === 'noise';
    return damagedOnce ? 'nak' : 'serve';
  }

  /** What was under way is forgotten. */
  function startAgain(): void {
    exchanges.end();
    past.push(exchanges.idle());
    exchanges = begin();
  }

  function losePower(durationMs: number): void {
    log.info('the terminal has lost power', { duration_ms: durationMs });
    startAgain();
    socket.cutLine(durationMs);
  }

  function requireIdle(): void {
    if (exchanges.busy) throw new Error('the terminal is busy with a command of the till');
  }

  return {
    attach: socket.attach,
    get accepting() {
      return socket.accepting;
    },
    payManually(amountMinor) {
      requireIdle();
      const { memory } = terminal;
      const sale = draftSale(terminal, { amountMinor, ticket: '', providerCommerceCode: null });
      if (!canHold(memory.sales.length, memory.totals().totalMinor, sale.amount_minor)) {
        throw new Error('the batch is full');
      }
      terminal.record([sale]);
      return sale.receipt_number;
    },
    reverseManually(operationNumber) {
      requireIdle();
      const stored = terminal.memory.find(operationNumber);
      if (stored === null || voidProblem(stored) !== null) {
        throw new Error(`operation ${operationNumber} cannot be voided`);
      }
      terminal.record([draftVoid(terminal, stored.sale)]);
    },
    closeDayManually() {
      requireIdle();
      terminal.record([draftSettlement(terminal)]);
      terminal.wantsKeys = false;
    },
    replaceTerminal(terminalId) {
      requireIdle();
      startAgain();
      socket.unplug();
      useTerminal(terminalId);
    },
    returnToIntegratedMode() {
      terminal.mode = 'integrated';
    },
    forgetKeys() {
      terminal.wantsKeys = true;
    },
    losePower,
    cutLine: socket.cutLine,
    queueScenario(scenario) {
      queuedScenario = scenario;
    },
    misbehave(faults) {
      Object.assign(terminal.faults, faults);
    },
    state: () => ({
      terminalId: terminal.terminalId,
      reach: outage.reach,
      busy: exchanges.busy,
      mode: terminal.mode,
      wantsKeys: terminal.wantsKeys,
      openBatch: terminal.memory.totals(),
      commands: { ...commands },
    }),
    async close() {
      exchanges.end();
      past.push(exchanges.idle());
      const unplugged = socket.close();
      outage.end();
      await Promise.all([unplugged, ...past]);
    },
  };
}
