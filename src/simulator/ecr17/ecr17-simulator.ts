/**
 * An ECR17 terminal (Italy) at the other end of a line. It speaks the protocol and keeps its own ledger; it knows nothing of
 * the bridge. A new connection takes the place of the one before; what is under way goes on, and its result is told again
 * only to who asks for it.
 */
import type { Clock } from '../../base/clock.ts';
import { currencyExponent, type Currency } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import {
  createParser,
  decodeMessage,
  encodeAnswer,
  encodeFrame,
  type Ecr17Message,
} from '../../bridge/terminals/ecr17/wire/index.ts';
import { createExchangeServer, type ExchangeServer, type Judgement } from '../acked-exchange.ts';
import { LedgerError } from '../ledger-file.ts';
import { createOutage, type Reach } from '../outage.ts';
import type { ReachableSimulator } from '../reachable-simulator.ts';
import { createSocket } from '../socket.ts';
import { scenarioOf, type Scenario } from '../scenarios.ts';
import { ecr17Dialects, type Ecr17Dialect } from './dialects.ts';
import { draftRefusal, draftReversal, draftSale, draftSettlement, resultOfInstallation } from './drafts.ts';
import { openLedger, type LedgerEntry } from './ledger.ts';
import { commands as served } from './requests.ts';
import {
  defaultEcr17Timings,
  noFaults,
  type Ecr17Timings,
  type Exchange,
  type Faults,
  type Terminal,
} from './terminal.ts';
import { createTerminalMemory, type BatchTotals } from './terminal-memory.ts';

export interface Ecr17SimulatorOptions {
  /** JSON lines; also the terminal's whole memory. Its folder is made when it is missing. */
  ledgerFile: string;
  /** 1: a payment takes about a second; 0: no time at all. Scenarios have durations of their own (`timings`). */
  timeScale: number;
  clock: Clock;
  log: Log;
  /** By default EUR, which is the only one of real terminals. Any with two decimals will do. */
  currency?: Currency | undefined;
  /** Eight digits; by default 17000001. With another id it is another terminal, whose memory is empty. */
  terminalId?: string | undefined;
  /** How it differs from the documentation; by default not at all (`ecr17Dialects.strict`). */
  dialect?: Ecr17Dialect | undefined;
  timings?: Partial<Ecr17Timings> | undefined;
  /** Hears of each request that is carried out, by its code. */
  onCommand?: ((code: string) => void) | undefined;
}

export interface Ecr17Simulator extends ReachableSimulator {
  /** A payment without the till; throws when the terminal is busy. Gives its STAN. */
  payManually(amountMinor: number): string;
  /** A payment without the till that is refused; throws when the terminal is busy. */
  declineManually(): void;
  /** Reverses its last operation without the till; throws when the terminal is busy or there is nothing to reverse. */
  reverseManually(): void;
  /** Closes the batch without the till; throws when the terminal is busy. */
  closeDayManually(): void;
  /** Puts another device in its place: another id, and only the memory that the ledger has of that id. */
  replaceTerminal(terminalId: string): void;
  /** What `s` tells from now on: 0 to 6; 2 is ready. It takes no money with 0, 1, 3 and 4. */
  setStatus(status: string): void;
  /** Now, at whatever step it is: what the host has not approved is undone, and nobody can connect for so long. */
  losePower(durationMs: number): void;
  /** Now, at whatever step it is: the line ends, and nobody can connect for so long; the terminal goes on. */
  cutLine(durationMs: number): void;
  /** The next payment, reversal or close goes through this scenario, whatever its amount. */
  queueScenario(scenario: Scenario): void;
  /** From now on it does these things wrong; what is not named stays as it is. */
  misbehave(faults: Partial<Faults>): void;
  state(): Ecr17SimulatorState;
}

interface Ecr17SimulatorState {
  terminalId: string;
  reach: Reach;
  busy: boolean;
  status: string;
  openBatch: BatchTotals;
  /** How many requests of each code have been carried out. */
  commands: Readonly<Record<string, number>>;
  /** How many connections there have been. */
  connections: number;
}

const defaultTerminalId = '17000001';
const anyTerminalId = '00000000';
/** It has to be set up first, or by its service: it takes no money. */
const notOperative: ReadonlySet<string> = new Set(['0', '1', '3', '4']);

/** Throws `LedgerError` when the ledger is damaged, or of another protocol or currency. */
export function createEcr17Simulator(options: Ecr17SimulatorOptions): Ecr17Simulator {
  const { clock, currency = 'EUR', dialect = ecr17Dialects.strict } = options;
  if (currencyExponent(currency) !== 2) throw new Error(`${currency} has no two decimals`);
  const log = options.log.with({ source: 'simulator' });
  const timings = { ...defaultEcr17Timings, ...options.timings };
  const ledger = openLedger(options.ledgerFile, log);
  const entries: LedgerEntry[] = [...ledger.entries];
  const commands: Record<string, number> = {};
  const outage = createOutage(clock, () => log.info('the terminal can be reached again'));
  const socket = createSocket({
    outage,
    log,
    newLine() {
      connections += 1;
      exchanges.newLine();
    },
    receive: (bytes) => exchanges.receive(bytes),
  });
  const past: Promise<void>[] = [];
  let connections = 0;
  let queuedScenario: Scenario | null = null;
  /** The noisy scenario damages the request once on its way to the terminal. */
  let damagedOnce = false;

  const foreign = entries.find((entry) => entry.currency !== currency);
  if (foreign !== undefined)
    throw new LedgerError(
      `the ledger ${options.ledgerFile} is kept in ${foreign.currency}, not in ${currency}`,
    );

  const terminal: { -readonly [Key in keyof Terminal]: Terminal[Key] } = {
    clock,
    log,
    timings,
    dialect,
    timeScale: options.timeScale,
    currency,
    terminalId: defaultTerminalId,
    memory: createTerminalMemory(null),
    faults: { ...noFaults },
    status: '2',
    printsOnTill: false,
    serviceTicket: null,
    record(entry) {
      ledger.append([entry]);
      entries.push(entry);
      terminal.memory.apply(entry);
      log.info(`terminal: ${entry.event}`, {
        amount: entry.event === 'settled' ? entry.total : entry.event === 'refused' ? null : entry.amount,
      });
    },
    takeScenario(fallback) {
      const scenario = queuedScenario ?? fallback;
      queuedScenario = null;
      if (scenario !== 'approved') log.info('the simulator plays a scenario', { scenario });
      return scenario;
    },
    hangUp: socket.hangUp,
    cutLine: () => socket.cutLine(timings.cutMs),
    losePower: () => losePower(timings.cutMs),
    hang() {
      log.info('the terminal has stopped answering', { duration_ms: timings.silenceMs });
      outage.begin('deaf', timings.silenceMs);
      startAgain();
    },
  };
  useTerminal(options.terminalId ?? defaultTerminalId);
  let exchanges = begin();

  /** What the ledger knows of this device. */
  function useTerminal(terminalId: string): void {
    if (!/^\d{8}$/.test(terminalId) || terminalId === anyTerminalId)
      throw new Error(`a terminal id has eight digits, and not only zeros, not "${terminalId}"`);
    terminal.terminalId = terminalId;
    terminal.memory = createTerminalMemory(
      dialect.hasFirstResult ? resultOfInstallation({ terminalId, currency }) : null,
    );
    for (const entry of entries) if (entry.terminal_id === terminalId) terminal.memory.apply(entry);
  }

  function begin(): ExchangeServer {
    return createExchangeServer<Ecr17Message>({
      clock,
      timings,
      log,
      faults: terminal.faults,
      write: socket.write,
      parser: createParser(dialect.lrc),
      encodeFrame: (data) => encodeFrame(data, dialect.lrc),
      encodeAnswer: (as) => (dialect.answersInRange ? encodeAnswer(as, dialect.lrc) : encodeAnswer(as)),
      decode: (data) => decodeMessage(data, 'to_terminal'),
      commandOf: ({ code }) => code,
      judge,
      answersDamage: (isBusy) => !isBusy || dialect.whenBusy === 'nak',
      answersOnItsOwnLine: true,
      serve,
    });
  }

  async function serve(exchange: Exchange): Promise<void> {
    const { code } = exchange.request;
    commands[code] = (commands[code] ?? 0) + 1;
    options.onCommand?.(code);
    await served[code]?.serve(terminal, exchange);
    if (dialect.hangsUp && exchange.isHeard && !exchange.ended) socket.hangUp();
  }

  function judge(request: Ecr17Message, isBusy: boolean): Judgement {
    const { code } = request;
    const command = Object.hasOwn(served, code) ? served[code] : undefined;
    if (isBusy) return dialect.whenBusy;
    const refusal =
      command === undefined ? 'not offered' : (addressRefusal(request) ?? refusalOf(command, request));
    if (refusal !== null || command === undefined) {
      log.debug('a request was refused', { code, reason: refusal });
      return 'nak';
    }
    // Where nothing follows, it is the answer.
    if (dialect.ack === 'first' || code === 'E' || code === 'R') return 'serve';
    if (dialect.ack === 'left_out') return 'serve_without_ack';
    // The customer takes longer than a till waits for an ACK.
    return command.movesMoney === true ? 'serve' : 'serve_with_glued_ack';
  }

  function addressRefusal({ complete, terminalId }: Ecr17Message): string | null {
    if (!complete) return 'wrong form';
    const isMeant =
      terminalId === terminal.terminalId || (terminalId === anyTerminalId && !dialect.checksTerminalId);
    return isMeant ? null : 'another terminal';
  }

  function refusalOf(command: (typeof served)[string], request: Ecr17Message): string | null {
    const { code, values } = request;
    if (values.cashRegisterId !== undefined && !/^\d{8}$/.test(values.cashRegisterId)) return 'no till';
    if (command.movesMoney === true && notOperative.has(terminal.status)) return 'not operative';
    if (terminal.faults.naks > 0) {
      terminal.faults.naks -= 1;
      return 'a fault that a test wants';
    }
    const isPayment = code === 'P' || code === 'X';
    damagedOnce = isPayment && !damagedOnce && scenarioOf(Number(values.amount)) === 'noise';
    if (damagedOnce) return 'noise';
    return command.refusal?.(terminal, request) ?? null;
  }

  /** What was under way is forgotten. */
  function startAgain(): void {
    exchanges.end();
    past.push(exchanges.idle());
    terminal.printsOnTill = false;
    if (dialect.forgetsLast) terminal.memory.forgetLast();
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
      const sale = draftSale(terminal, amountMinor, null);
      terminal.record(sale);
      return sale.receipt_number;
    },
    declineManually() {
      requireIdle();
      terminal.record(draftRefusal(terminal, { code: '01', text: 'CARTA RIFIUTATA' }, null));
    },
    reverseManually() {
      requireIdle();
      const { reversible } = terminal.memory;
      if (reversible === null) throw new Error('there is nothing that can be reversed');
      terminal.record(draftReversal(terminal, reversible, false));
    },
    closeDayManually() {
      requireIdle();
      terminal.record(draftSettlement(terminal));
    },
    replaceTerminal(terminalId) {
      requireIdle();
      startAgain();
      socket.unplug();
      useTerminal(terminalId);
    },
    setStatus(status) {
      terminal.status = status;
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
      status: terminal.status,
      openBatch: terminal.memory.totals(),
      commands: { ...commands },
      connections,
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
