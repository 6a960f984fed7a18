/** The one place that puts the bridge together: open the journal, open the listener, recover behind it. */
import { join } from 'node:path';
import type { Chance } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import type { Configuration } from '../contract/configuration.ts';
import { type Journal, openJournal } from './journal/index.ts';
import { type Line, lockLine, openWithBackoff } from './lines/index.ts';
import { type Listener, createListener } from './listener/index.ts';
import type { Log } from '../log/index.ts';
import { type PaymentsApi, createPayments, createUnavailablePayments } from './payments/index.ts';
import { overLine } from './terminals/over-line.ts';
import type { ProtocolConnection } from './terminals/create-protocol.ts';
import { loadProtocol } from './terminals/protocols.ts';

export interface BridgeOptions {
  configuration: Configuration;
  line: Line;
  /** How the terminal is reached, as far as that is the protocol's business. */
  connection: ProtocolConnection;
  simulated: boolean;
  log: Log;
  clock: Clock;
  chance: Chance;
  version: string;
  /** Where this bridge's journal is. */
  dataFolder: string;
  /** False: the listener is made and stays closed until it is started. */
  listen?: boolean;
  /** A terminal that has no line has answered. */
  onHeard?: () => void;
  /** A web page was refused because its origin is not allowed; at most once in ten seconds for each origin. */
  onBlockedOrigin?: (origin: string) => void;
}

/** What may be asked of the journal beside the payments module: pages, timelines, sums. */
export type JournalReading = Omit<Journal, 'append' | 'close' | 'subscribe'>;

export interface Bridge {
  readonly payments: PaymentsApi;
  readonly listener: Listener;
  /** Null while the journal is damaged. */
  readonly journal: JournalReading | null;
  /** A damaged journal was set aside: no payment is taken until a person has chosen. Null when all is well. */
  readonly damage: string | null;
  /** Lets the running operation finish, bounded by `stopTimeoutMs`; signs off; closes listener, line and journal. */
  stop(): Promise<void>;
}

export type BridgeStart =
  | { kind: 'started'; bridge: Bridge }
  /**
   * `portTaken`: another program has the listener's port. `waitsForPerson`: it fails each time until somebody does
   * something about it.
   */
  | { kind: 'failed'; message: string; portTaken: boolean; waitsForPerson: boolean };

export async function startBridge(options: BridgeOptions): Promise<BridgeStart> {
  const { configuration, clock, chance, line, version } = options;
  const log = options.log.with({ source: 'bridge' });
  const protocol = await loadProtocol(configuration.protocol, {
    connection: options.connection,
    settings: configuration,
    clock,
    chance,
    log: options.log,
    onHeard: options.onHeard ?? (() => {}),
  });
  const opened = openJournal({
    folder: options.dataFolder,
    clock,
    log: options.log.with({ source: 'journal' }),
    version,
  });
  if (opened.kind === 'locked' || opened.kind === 'too_new')
    return {
      kind: 'failed',
      message: opened.message,
      portTaken: false,
      waitsForPerson: opened.kind === 'too_new',
    };

  const journal = opened.kind === 'opened' ? opened.journal : null;
  const damage = opened.kind === 'damaged' ? opened.message : null;
  if (damage !== null) log.error(damage);

  const usable =
    journal === null
      ? null
      : createPayments({
          journal,
          clock,
          chance,
          log: options.log.with({ source: 'payments' }),
          currency: configuration.currency,
          maxTipPercent: configuration.maxTipPercent,
          simulated: options.simulated,
          runner: { heartbeatMs: configuration.heartbeatMs },
          stopTimeoutMs: configuration.stopTimeoutMs,
          environment: {
            lineName: line.name,
            lockLine: () => line.lock?.() ?? lockLine(line.name, { clock, dataFolder: options.dataFolder }),
            ...overLine(protocol, (signal, onFailure) =>
              openWithBackoff(line, { clock, signal, onFailure, random: chance.fraction }),
            ),
            clock,
            log: options.log.with({ source: 'terminal' }),
          },
        });
  const payments: PaymentsApi =
    usable ??
    createUnavailablePayments({ text: damage ?? '', lineName: line.name, simulated: options.simulated });

  const listener = createListener({
    payments,
    log: options.log.with({ source: 'listener' }),
    clock,
    chance,
    version,
    port: configuration.port,
    host: configuration.host,
    allowedHosts: configuration.allowedHosts,
    allowedOrigins: configuration.allowedOrigins,
    currency: configuration.currency,
    makeReferences: configuration.makeReferences,
    tokensFile: join(configuration.dataDir, 'tokens.json'),
    onBlockedOrigin: options.onBlockedOrigin ?? (() => {}),
  });
  if (options.listen !== false) {
    const listening = await listener.start();
    if (listening.kind === 'failed') {
      journal?.close();
      const portTaken = listening.code === 'port_in_use';
      return { kind: 'failed', message: listening.message, portTaken, waitsForPerson: false };
    }
  }
  usable?.start();

  let stopped: Promise<void> | null = null;
  async function stop() {
    // Payments stop first, so that a caller who waits for the running payment still gets its answer.
    await usable?.stop();
    await listener.stop();
    journal?.close();
    log.info('the bridge has stopped');
  }
  return {
    kind: 'started',
    bridge: {
      payments,
      listener,
      journal,
      damage,
      stop: () => (stopped ??= stop()),
    },
  };
}
