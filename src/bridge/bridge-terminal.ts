/**
 * One terminal of the bridge: a journal of its own, the payments module on it, and the line with its driver. Terminals
 * share nothing but the process and the listener above them.
 */
import { join } from 'node:path';
import type { Chance } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import type { Configuration } from '../contract/configuration.ts';
import type { Refused } from '../contract/errors.ts';
import type { ProtocolName } from '../contract/protocols.ts';
import { mainTerminal } from '../contract/terminal-name.ts';
import type { Log } from '../log/index.ts';
import type { Capture } from './capture/index.ts';
import { type Journal, openJournal } from './journal/index.ts';
import { type Line, lockLine, openWithBackoff } from './lines/index.ts';
import { type PaymentsApi, createPayments, createUnavailablePayments } from './payments/index.ts';
import { overLine } from './terminals/over-line.ts';
import type { ProtocolConnection } from './terminals/create-protocol.ts';
import { loadProtocol } from './terminals/protocols.ts';

/** What may be asked of the journal beside the payments module: pages, timelines, sums. */
export type JournalReading = Omit<Journal, 'append' | 'close' | 'subscribe'>;

export interface BridgeTerminal {
  /** As the header `x-terminal` has it. */
  readonly name: string;
  readonly payments: PaymentsApi;
  /** Null while the journal is damaged. */
  readonly journal: JournalReading | null;
  /** A damaged journal was set aside: no payment is taken until a person has chosen. Null when all is well. */
  readonly damage: string | null;
  /** It is in the configuration no more: its line stays closed, and what its journal knows still counts. */
  readonly retired: boolean;
}

/** A terminal as the configuration has it, with its line. */
export interface TerminalOptions {
  name: string;
  /** Of this terminal. */
  configuration: Configuration;
  /** Null for one that the configuration has no more. */
  line: {
    line: Line;
    /** How the terminal is reached, as far as that is the protocol's business. */
    connection: ProtocolConnection;
    /** A terminal that has no line has answered. */
    onHeard?: () => void;
  } | null;
  simulated: boolean;
  /** Where its journal is. */
  dataFolder: string;
}

export interface OpenedTerminal {
  terminal: BridgeTerminal;
  /** Begins to connect. */
  start(): void;
  /** Lets the running operation finish, bounded by `stopTimeoutMs`, and signs off. */
  stop(): Promise<void>;
  closeJournal(): void;
}

export type TerminalOpening =
  | { kind: 'opened'; opened: OpenedTerminal }
  /** `waitsForPerson`: it fails each time until somebody does something about it. */
  | { kind: 'failed'; message: string; waitsForPerson: boolean };

export async function openTerminal(
  options: TerminalOptions,
  surroundings: {
    log: Log;
    clock: Clock;
    chance: Chance;
    version: string;
    /** For recordings of the line. */
    captureFolder: string;
    elsewhere(reference: string): Refused | null;
  },
): Promise<TerminalOpening> {
  const { name, configuration, line, simulated, dataFolder } = options;
  const { log, clock, chance, version, captureFolder, elsewhere } = surroundings;
  const load = (protocol: ProtocolName) =>
    loadProtocol(protocol, {
      connection: line?.connection ?? nowhere,
      settings: configuration,
      clock,
      chance,
      log,
      onHeard: line?.onHeard ?? (() => {}),
    });
  // Before the journal is open, so that a protocol that cannot be loaded leaves nothing behind.
  const configured = await load(configuration.protocol);
  const opening = openJournal({ folder: dataFolder, clock, log: log.with({ source: 'journal' }), version });
  if (opening.kind === 'locked' || opening.kind === 'too_new')
    return { kind: 'failed', message: opening.message, waitsForPerson: opening.kind === 'too_new' };

  const journal = opening.kind === 'opened' ? opening.journal : null;
  const damage = opening.kind === 'damaged' ? opening.message : null;
  let capture: Capture | null = null;
  const closeJournal = () => {
    capture?.close();
    journal?.close();
  };
  // Nobody else closes it where this terminal does not come about, and no later start would get it.
  try {
    if (damage !== null) log.error(damage, { source: 'bridge' });
    const lineName = line?.line.name ?? name;
    // One that is no longer configured is known by its journal alone.
    const shown = line === null ? journal?.terminalState().terminal?.protocol : undefined;
    const protocol = shown === undefined ? configured : await load(shown);
    if (configuration.capture && journal !== null && line !== null) {
      // Few shops record.
      const { startCapture } = await import('./capture/index.ts');
      capture = startCapture(protocol, {
        file: join(captureFolder, name === mainTerminal ? 'capture.jsonl' : `capture-${name}.jsonl`),
        program: version,
        connection: line.connection,
        settings: configuration,
        clock,
        log,
      });
    }
    const usable =
      journal === null
        ? null
        : createPayments({
            journal,
            clock,
            chance,
            log: log.with({ source: 'payments' }),
            currency: configuration.currency,
            maxTipPercent: configuration.maxTipPercent,
            simulated,
            elsewhere,
            runner: { heartbeatMs: configuration.heartbeatMs },
            stopTimeoutMs: configuration.stopTimeoutMs,
            environment: {
              lineName,
              lockLine: () =>
                line === null
                  ? notConfigured(name)
                  : (line.line.lock?.() ?? lockLine(lineName, { clock, dataFolder })),
              ...overLine(capture?.protocol ?? protocol, async (signal, onFailure) =>
                line === null
                  ? null
                  : openWithBackoff(line.line, { clock, signal, onFailure, random: chance.fraction }),
              ),
              clock,
              log: log.with({ source: 'terminal' }),
            },
          });
    const unavailable = () => createUnavailablePayments({ text: damage ?? '', lineName, simulated });
    const payments = usable === null ? unavailable() : line === null ? retired(usable) : usable;
    return {
      kind: 'opened',
      opened: {
        terminal: { name, payments, journal, damage, retired: line === null },
        start: () => usable?.start(),
        stop: () => usable?.stop() ?? Promise.resolve(),
        closeJournal,
      },
    };
  } catch (error) {
    closeJournal();
    throw error;
  }
}

/** Nothing asks such a terminal what became of a payment, so each doubt on it is for a person. */
function retired(payments: PaymentsApi): PaymentsApi {
  return {
    ...payments,
    operationsInDoubt: () =>
      payments.operationsInDoubt().map((inDoubt) => ({ ...inDoubt, needsDecision: true, retired: true })),
  };
}

/** Takes the place of the lock: the line of such a terminal is never opened. */
function notConfigured(name: string): { kind: 'unreachable'; message: string } {
  return {
    kind: 'unreachable',
    message: `The terminal "${name}" is no longer in the configuration, so its line stays closed.`,
  };
}

/** Never connected to; a protocol of requests wants an address. */
const nowhere: ProtocolConnection = { kind: 'http', host: '127.0.0.1', port: 1 };
