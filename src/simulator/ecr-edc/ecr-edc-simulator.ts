/**
 * An ECR-EDC terminal (Thailand and around it) at the other end of a line. It speaks the protocol and keeps its own
 * ledger; it knows nothing of the bridge. A new connection takes the place of the one before, and what is under way goes
 * on: the terminal does not notice who is at the end of its cable.
 */
import { pause, type Clock } from '../../base/clock.ts';
import { currencyExponent, type Currency } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import {
  decodeMessage,
  edcProfile,
  encodeMessage,
  fieldType,
  type EdcCommandName,
  type EdcMessage,
  type MessageParts,
} from '../../bridge/terminals/ecr-edc/wire/index.ts';
import { LedgerError } from '../ledger-file.ts';
import { createOutage, type Reach } from '../outage.ts';
import type { ReachableSimulator } from '../reachable-simulator.ts';
import { createSocket } from '../socket.ts';
import type { Scenario } from '../scenarios.ts';
import { defaultTimings, type SimulatorTimings } from '../simulated-terminal.ts';
import { ecrEdcDialects, type EcrEdcDialect } from './dialects.ts';
import { saleFields } from './answers.ts';
import { openLedger, type LedgerEntry } from './ledger.ts';
import { draftSale, draftSettlement, draftVoid, handlers, voidProblem } from './requests.ts';
import type { Exchange, Terminal } from './terminal.ts';
import { createTerminalEnd, noFaults, type Faults, type TerminalEnd } from './terminal-end.ts';
import { createTerminalMemory, type BatchTotals } from './terminal-memory.ts';

export interface EcrEdcSimulatorOptions {
  /** JSON lines; also the terminal's whole memory. Its folder is made when it is missing. */
  ledgerFile: string;
  /** 1: a sale takes about a second; 0: no time at all. Scenarios have durations of their own (`timings`). */
  timeScale: number;
  clock: Clock;
  log: Log;
  /** `generic` or `kbtg`; `generic` when left out. */
  profile?: string | undefined;
  /** By default THB. Any with two decimals will do. */
  currency?: Currency | undefined;
  /** Eight digits; by default 70000001. */
  terminalId?: string | undefined;
  /** By default `ecrEdcDialects.strict`. */
  dialect?: EcrEdcDialect | undefined;
  timings?: Partial<SimulatorTimings> | undefined;
  /** Hears of each request that is carried out, by its transaction code. */
  onCommand?: ((txCode: string) => void) | undefined;
}

export interface EcrEdcSimulator extends ReachableSimulator {
  /** A sale without the till; throws when the terminal is busy. Gives the invoice number. */
  payManually(amountMinor: number): string;
  /** Sends the answer to the sale with this invoice number, which nobody has asked for, or not again. */
  answerUnasked(invoice: string): void;
  /** A void without the till; throws when the terminal is busy or cannot undo this sale. */
  reverseManually(invoice: string): void;
  /** Closes the batch without the till; throws when the terminal is busy. */
  closeDayManually(): void;
  /** Puts another device in its place: another id, and only the memory that the ledger has of that id. */
  replaceTerminal(terminalId: string): void;
  /** Now, at whatever step it is: what the host has not approved is undone, and nobody can connect for so long. */
  losePower(durationMs: number): void;
  /** Now, at whatever step it is: the line ends, and nobody can connect for so long; the terminal goes on. */
  cutLine(durationMs: number): void;
  /** The next sale, void or close goes through this scenario, whatever its amount. */
  queueScenario(scenario: Scenario): void;
  /** From now on it does these things wrong; what is not named stays as it is. */
  misbehave(faults: Partial<Faults>): void;
  state(): EcrEdcSimulatorState;
}

interface EcrEdcSimulatorState {
  terminalId: string;
  reach: Reach;
  busy: boolean;
  openBatch: BatchTotals;
  /** How many requests of each transaction code have been carried out. */
  commands: Readonly<Record<string, number>>;
}

const defaultTerminalId = '70000001';
const frameGapMs = 2_000;

/** Throws `LedgerError` when the ledger is damaged, or of another protocol or currency. */
export function createEcrEdcSimulator(options: EcrEdcSimulatorOptions): EcrEdcSimulator {
  const { clock, currency = 'THB', dialect = ecrEdcDialects.strict } = options;
  if (currencyExponent(currency) !== 2) throw new Error(`${currency} has no two decimals`);
  const name = options.profile ?? 'generic';
  const found = edcProfile(name);
  if (found?.commands.sale === undefined) throw new Error(`there is no terminal of the profile ${name}`);
  const profile = found;
  const log = options.log.with({ source: 'simulator' });
  const timings = { ...defaultTimings, byteGapMs: frameGapMs, ...options.timings };
  const ledger = openLedger(options.ledgerFile, log);
  const foreign = ledger.entries.find((entry) => entry.currency !== currency);
  if (foreign !== undefined)
    throw new LedgerError(
      `the ledger ${options.ledgerFile} is kept in ${foreign.currency}, not in ${currency}`,
    );
  const entries: LedgerEntry[] = [...ledger.entries];
  const outage = createOutage(clock, () => log.info('the terminal can be reached again'));
  const socket = createSocket({
    outage,
    log,
    newLine: () => end.newLine(),
    receive: (bytes) => end.receive(bytes),
  });
  const faults: Faults = { ...noFaults };
  const commands: Record<string, number> = {};
  let queuedScenario: Scenario | null = null;
  /** What it is carrying out. */
  let running: { stop(): boolean } | null = null;
  let serving: Promise<void> = Promise.resolve();
  let power = new AbortController();

  const terminal: { -readonly [Key in keyof Terminal]: Terminal[Key] } = {
    clock,
    log,
    profile,
    dialect,
    timings,
    timeScale: options.timeScale,
    currency,
    terminalId: options.terminalId ?? defaultTerminalId,
    memory: createTerminalMemory(dialect.invoicesBeginAnew),
    faults,
    record,
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
  let end = plugIn();

  /** What the ledger knows of this device. */
  function useTerminal(terminalId: string): void {
    if (!/^\d{8}$/.test(terminalId)) throw new Error(`a terminal id has eight digits, not "${terminalId}"`);
    terminal.terminalId = terminalId;
    terminal.memory = createTerminalMemory(dialect.invoicesBeginAnew);
    for (const entry of entries) if (entry.terminal_id === terminalId) terminal.memory.apply(entry);
  }

  function record(entry: LedgerEntry): void {
    ledger.append([entry]);
    entries.push(entry);
    terminal.memory.apply(entry);
    log.info(`terminal: ${entry.event}`, { amount: entry.event === 'settled' ? entry.total : entry.amount });
  }

  function plugIn(): TerminalEnd {
    return createTerminalEnd({
      lrcIncludesStx: profile.lrcIncludesStx,
      write: socket.write,
      onMessage: (bytes) => onRequest(decodeMessage(bytes)),
      isBusy: () => running !== null,
      clock,
      timings,
      log,
      faults,
    });
  }

  function onRequest(request: EdcMessage): void {
    const { txCode } = request;
    const command = commandOf(request);
    if (request.requestResponse !== '0') return log.debug('a request was not understood', { txCode });
    if (running !== null && command === 'cancel') return stop(request, running);
    if (running !== null || faults.ignored > 0) {
      if (running === null) faults.ignored -= 1;
      return log.debug('a request was not heard, because another one is under way', { txCode });
    }
    commands[txCode] = (commands[txCode] ?? 0) + 1;
    options.onCommand?.(txCode);
    if (faults.lostAcks > 0) faults.lostAcks -= 1;
    // The customer takes longer than a till waits for an ACK.
    else end.acknowledge(dialect.gluedAck && command !== 'sale' ? 'with_next' : 'now');
    serving = Promise.all([serving, serve(request, command)]).then(() => {});
  }

  function commandOf({ txCode }: EdcMessage): EdcCommandName | null {
    const entry = Object.entries(profile.commands).find(([, command]) => command?.txCode === txCode);
    return entry === undefined ? null : (entry[0] as EdcCommandName);
  }

  /** Two NULs: it is stopped; anything else: too late. */
  function stop(request: EdcMessage, what: { stop(): boolean }): void {
    end.acknowledge('now');
    end.send(messageOf(request, { responseCode: what.stop() ? '\0\0' : 'NA' }));
  }

  function messageOf({ transport, txCode, formatVersion }: EdcMessage, parts: Partial<MessageParts>) {
    return encodeMessage({ transport, formatVersion, requestResponse: '1', txCode, ...parts });
  }

  async function serve(request: EdcMessage, command: EdcCommandName | null): Promise<void> {
    const { signal } = power;
    const mine = end;
    const stopping = new AbortController();
    let stoppable = command === 'sale';
    const exchange: Exchange = {
      request,
      pause: (delayMs) =>
        delayMs <= 0 ? Promise.resolve() : pause(clock, delayMs, AbortSignal.any([signal, stopping.signal])),
      get ended() {
        return signal.aborted;
      },
      get stopped() {
        return stopping.signal.aborted;
      },
      passPointOfNoReturn() {
        stoppable = false;
      },
      send: (parts, on) => mine.send(messageOf(request, parts), on),
      disturb: (noise) => mine.disturb(noise),
    };
    const own = {
      stop() {
        if (stoppable) stopping.abort();
        return stoppable;
      },
    };
    running = own;
    try {
      const handler = command === null ? undefined : handlers[command];
      if (handler === undefined) exchange.send({ responseCode: 'NA' });
      else await handler(terminal, exchange);
    } catch (error) {
      log.error('a request failed inside the simulator', { command: request.txCode, err: error });
    } finally {
      mine.disturb(null);
      if (running === own) running = null;
    }
  }

  /** What was under way is forgotten. */
  function startAgain(): void {
    power.abort();
    power = new AbortController();
    end.end();
    running = null;
    end = plugIn();
  }

  function losePower(durationMs: number): void {
    log.info('the terminal has lost power', { duration_ms: durationMs });
    startAgain();
    socket.cutLine(durationMs);
  }

  function requireIdle(): void {
    if (running !== null) throw new Error('the terminal is busy with a command of the till');
  }

  return {
    attach: socket.attach,
    get accepting() {
      return socket.accepting;
    },
    payManually(amountMinor) {
      requireIdle();
      const sale = draftSale(terminal, amountMinor, null);
      record(sale);
      return sale.receipt_number;
    },
    answerUnasked(invoice) {
      requireIdle();
      const stored = terminal.memory.byInvoice(invoice);
      const { txCode = '' } = profile.commands.sale ?? {};
      if (stored === null) throw new Error(`there is no invoice ${invoice}`);
      const { reference1 } = stored.sale;
      const returned = reference1 === null ? [] : [[fieldType.reference1, reference1.padEnd(20)] as const];
      const fields = [...saleFields(terminal, stored.sale), ...returned];
      end.send(encodeMessage({ requestResponse: '1', txCode, fields }));
    },
    reverseManually(invoice) {
      requireIdle();
      const stored = terminal.memory.byInvoice(invoice);
      if (stored === null || voidProblem(stored) !== null)
        throw new Error(`invoice ${invoice} cannot be voided`);
      record(draftVoid(terminal, stored.sale));
    },
    closeDayManually() {
      requireIdle();
      record(draftSettlement(terminal));
    },
    replaceTerminal(terminalId) {
      requireIdle();
      startAgain();
      socket.unplug();
      useTerminal(terminalId);
    },
    losePower,
    cutLine: socket.cutLine,
    queueScenario(scenario) {
      queuedScenario = scenario;
    },
    misbehave(more) {
      Object.assign(faults, more);
    },
    state: () => ({
      terminalId: terminal.terminalId,
      reach: outage.reach,
      busy: running !== null,
      openBatch: terminal.memory.totals(),
      commands: { ...commands },
    }),
    async close() {
      power.abort();
      end.end();
      const unplugged = socket.close();
      outage.end();
      await Promise.all([unplugged, serving]);
    },
  };
}
