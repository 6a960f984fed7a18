/**
 * The one place that puts the bridge together: open the journals, open the listener, recover behind it.
 *
 *     listener ──► one table of terminals ──┬─► main: payments ─► driver ─► line     journal
 *                  (by name, by reference)  ├─► bar:  payments ─► driver ─► line     journal
 *                                           └─► …
 */
import { join } from 'node:path';
import type { Chance } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import type { BatchesWithoutMoney } from '../contract/batches-without-money.ts';
import type { Configuration } from '../contract/configuration.ts';
import { refuse, refuseAsMaybePaid, type Refused } from '../contract/errors.ts';
import { mainTerminal } from '../contract/terminal-name.ts';
import {
  openTerminal,
  type BridgeTerminal,
  type OpenedTerminal,
  type TerminalOptions,
} from './bridge-terminal.ts';
import type { Line } from './lines/index.ts';
import type { ProtocolConnection } from './terminals/create-protocol.ts';
import { type Listener, createListener } from './listener/index.ts';
import type { Log } from '../log/index.ts';

export type { BridgeTerminal, JournalReading, TerminalOptions } from './bridge-terminal.ts';

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
  /** Further terminals, each with a journal of its own; those before are what the main one has. */
  others?: readonly TerminalOptions[];
  /** False: the listener is made and stays closed until it is started. */
  listen?: boolean;
  /** The main terminal, which has no line, has answered. */
  onHeard?: () => void;
  /** As it was found last, for /metrics; left out: nobody looks for it. */
  batchesWithoutMoney?: () => readonly BatchesWithoutMoney[] | Promise<readonly BatchesWithoutMoney[]>;
  /** A web page was refused because its origin is not allowed; at most once in ten seconds for each origin. */
  onBlockedOrigin?: (origin: string) => void;
}

/** Of its terminals the main one is also at hand by itself: `payments`, `journal` and `damage` are of that one. */
export interface Bridge extends Omit<BridgeTerminal, 'name' | 'retired'> {
  readonly listener: Listener;
  /** The main one first, then as in the configuration, then those that are in it no more. */
  readonly terminals: readonly BridgeTerminal[];
  /** Lets running operations finish, bounded by `stopTimeoutMs`; signs off; closes listener, lines and journals. */
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
  const opened: OpenedTerminal[] = [];
  let listener: Listener | null = null;
  async function stopAll() {
    try {
      // Payments stop first, so that a caller who waits for the running payment still gets its answer.
      await Promise.all(opened.map((one) => one.stop()));
      await listener?.stop();
    } finally {
      for (const { closeJournal } of opened) closeJournal();
    }
  }

  // What is open already must not stay so where the bridge does not come about: no later start would get it.
  try {
    const failed = await openTerminals(options, opened);
    if (failed !== null) {
      await stopAll();
      return failed;
    }
    const made = (listener = listenerOn(options, opened));
    if (options.listen !== false) {
      const listening = await made.start();
      if (listening.kind === 'failed') {
        await stopAll();
        const portTaken = listening.code === 'port_in_use';
        return { kind: 'failed', message: listening.message, portTaken, waitsForPerson: false };
      }
    }
    for (const { start } of opened) start();

    let stopped: Promise<void> | null = null;
    async function stop() {
      await stopAll();
      options.log.info('the bridge has stopped', { source: 'bridge' });
    }
    const terminals = opened.map(({ terminal }) => terminal);
    const [{ payments, journal, damage }] = terminals as [BridgeTerminal];
    return {
      kind: 'started',
      bridge: { payments, journal, damage, listener: made, terminals, stop: () => (stopped ??= stop()) },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** The main terminal and then the others, each added to `opened` as soon as it is open. Null: all are. */
async function openTerminals(
  { configuration, line, connection, onHeard, simulated, dataFolder, others = [], ...options }: BridgeOptions,
  opened: OpenedTerminal[],
): Promise<Extract<BridgeStart, { kind: 'failed' }> | null> {
  const { log, clock, chance, version } = options;
  const mainLine = { line, connection, ...(onHeard === undefined ? {} : { onHeard }) };
  const main = { name: mainTerminal, configuration, line: mainLine, simulated, dataFolder };
  for (const wanted of [main, ...others]) {
    const { name } = wanted;
    const opening = await openTerminal(wanted, {
      log: name === mainTerminal ? log : log.with({ terminal: name }),
      clock,
      chance,
      version,
      captureFolder: join(dataFolder, 'logs'),
      elsewhere: (reference) => takenElsewhere(opened, name, reference),
    });
    if (opening.kind === 'failed') return { ...opening, portTaken: false };
    opened.push(opening.opened);
  }
  return null;
}

function listenerOn(options: BridgeOptions, opened: readonly OpenedTerminal[]): Listener {
  const { configuration, log, clock, chance, version, others } = options;
  const [main, ...further] = opened.map(({ terminal }) => terminal) as [BridgeTerminal, ...BridgeTerminal[]];
  return createListener({
    payments: main.payments,
    otherTerminals: further.map(({ name, payments, retired }, index) => ({
      name,
      payments,
      retired,
      currency: others?.[index]?.configuration.currency ?? configuration.currency,
    })),
    log: log.with({ source: 'listener' }),
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
    batchesWithoutMoney: options.batchesWithoutMoney ?? (() => []),
    onBlockedOrigin: options.onBlockedOrigin ?? (() => {}),
  });
}

/**
 * Why a sale with this reference may not start on the terminal `asking`: one terminal at most ever has it, also one that
 * the configuration has no more. Whether that is so of every new reference, `heldElsewhere` tells beforehand.
 */
function takenElsewhere(
  opened: readonly OpenedTerminal[],
  asking: string,
  reference: string,
): Refused | null {
  for (const { terminal } of opened) {
    const { name, payments } = terminal;
    if (name === asking) continue;
    const found = payments.queryPayment(reference);
    if (found.ok)
      return refuse(
        'reference_on_other_terminal',
        `Reference ${reference} is of a payment on the terminal "${name}", so nothing was started on "${asking}". ` +
          `Query it; for another payment use a new reference.`,
      );
    // That a journal which has lost events does not know it says nothing, until a person has looked.
    if (found.refusal.code === 'payment_unresolved')
      return refuseAsMaybePaid(
        `The journal of the terminal "${name}" has lost events, so nobody can tell whether this reference was paid there. ` +
          `Until a person has acknowledged that, no new payment is started on "${asking}" either.`,
      );
    if (found.refusal.code !== 'payment_not_found')
      return refuse(
        'journal_unavailable',
        `Nobody can tell whether this reference was paid on the terminal "${name}": ${found.refusal.message}`,
      );
  }
  return null;
}
