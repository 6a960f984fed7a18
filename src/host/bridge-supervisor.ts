/** Starts and stops one bridge with all that belongs to it: its log, its line, its control channel, its listener. */
import { UnsafeFileError } from '../base/private-files.ts';
import { startBridge, type Bridge } from '../bridge/bridge.ts';
import { JournalWriteError } from '../bridge/journal/index.ts';
import type { Log } from '../log/index.ts';
import type { Chance } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import { codeOf } from '../base/connect-error.ts';
import { errorText } from '../base/error-text.ts';
import { settings, type Configuration } from '../contract/configuration.ts';
import type { ConsoleState } from '../contract/console/index.ts';
import { mainTerminal } from '../contract/terminal-name.ts';
import { valueAt, withValueAt } from '../contract/dotted-keys.ts';
import { serveControl, type ConsoleLinks, type ControlServer } from './control/server.ts';
import { prepareDataFolder, journalLocation } from './data-folder.ts';
import {
  backlogWarnings,
  noBacklog,
  watchRealTerminalBacklog,
  type WatchedBacklog,
} from './real-terminal-backlog.ts';
import type { HostLog } from './host-log.ts';
import { createHostListener, type HostListener } from './host-listener.ts';
import type { BatchesWithoutMoney } from '../contract/batches-without-money.ts';
import type { MoneyPlace } from './money-place.ts';
import { onceFound } from './once-found.ts';
import { createSuspendableLine, type SuspendableLine } from './suspendable-line.ts';
import {
  inOwnCurrency,
  otherTerminals,
  retiredWarnings,
  type OtherTerminals,
  type RunningTerminal,
} from './running-terminals.ts';
import { createTerminalLine, type TerminalLine } from './terminal-line.ts';

export interface RunningBridge {
  bridge: Bridge;
  configuration: Configuration;
  /** Of its journal and its log. */
  folder: string;
  /** When it was started, by the host's clock: its journal was looked at then. */
  startedMs: number;
  line: SuspendableLine;
  /** All its terminals, the main one first: what stands above is of that one. */
  terminals: readonly RunningTerminal[];
  /** Why its line stays closed until another bridge takes its place; null: it does not. */
  lineHeld: string | null;
  /** What waits on the real terminal, while this is the simulator. */
  realTerminalBacklog: WatchedBacklog;
}

type BridgeState = ConsoleState['bridge'];

export interface StartOptions {
  configuration: Configuration;
  /** Open the listener with it. */
  listen: boolean;
  /** A listener that cannot open ends the bridge; otherwise the bridge runs and the listener says what is wrong. */
  mustListen: boolean;
  /** Why the line stays closed for now; null: it is opened. */
  lineHeld: string | null;
}

type SupervisedStart =
  | { kind: 'started'; warnings: string[] }
  /** `waitsForPerson`: another try would fail as well. */
  | { kind: 'failed'; message: string; waitsForPerson: boolean };

export interface BridgeSupervisor {
  readonly state: BridgeState;
  readonly running: RunningBridge | null;
  readonly listener: HostListener;
  /** Whether an operation is under way on any terminal of the bridge. */
  operationRuns(): boolean;
  start(options: StartOptions): Promise<SupervisedStart>;
  /** Lets the current operation end, bounded by `stopTimeoutMs`. */
  stop(): Promise<void>;
  /** Takes over the settings of `configuration` that apply at once; the others need another bridge. */
  applyAtOnce(configuration: Configuration): void;
  /** What is shown while no bridge runs. */
  show(state: BridgeState): void;
  suspend(): Promise<void>;
  resume(): void;
}

export interface BridgeSupervisorOptions {
  hostLog: HostLog;
  clock: Clock;
  chance: Chance;
  version: string;
  consoleLinks: () => ConsoleLinks | null;
  saveSupportBundle: () => Promise<string>;
  onChange(): void;
}

/** How often at most a new "last heard" alone counts as a change. */
const lastHeardEveryMs = 5_000;

export function createBridgeSupervisor(options: BridgeSupervisorOptions): BridgeSupervisor {
  const { hostLog, clock, version, onChange } = options;
  const listener = createHostListener(clock, onChange);
  let state: BridgeState = { kind: 'stopped' };
  let current:
    (RunningBridge & { closeLines: () => Promise<void>; controls: readonly ControlServer[] }) | null = null;
  let suspended = false;
  /** Whose lines close while the computer sleeps: from when they are made, which is before the bridge runs. */
  let sleepers: readonly RunningTerminal[] = [];
  let lastHeardEmittedMs = Number.NEGATIVE_INFINITY;

  /** An idle terminal answers each heartbeat and changes nothing else by that. */
  function onBytesReceived() {
    const nowMs = clock.elapsed();
    if (nowMs - lastHeardEmittedMs < lastHeardEveryMs) return;
    lastHeardEmittedMs = nowMs;
    onChange();
  }

  function show(next: BridgeState) {
    state = next;
    onChange();
  }

  async function start({
    configuration,
    listen,
    mustListen,
    lineHeld,
  }: StartOptions): Promise<SupervisedStart> {
    show({ kind: 'starting' });
    const { folder } = journalLocation(configuration.dataDir, configuration.terminal.kind === 'simulator');
    let terminal: TerminalLine | null = null;
    let others: OtherTerminals | null = null;
    let bridge: Bridge | null = null;
    let controls: readonly ControlServer[] = [];
    let backlog = noBacklog;
    let message: string;
    let waitsForPerson = false;
    let fault: unknown = null;
    try {
      // The simulator's folder lies in the one that holds settings and tokens.
      const ownWarnings = folder === configuration.dataDir ? [] : prepareDataFolder(configuration.dataDir);
      const opened = await hostLog.open(folder, configuration.logLevel);
      const { log } = opened;
      terminal = await createTerminalLine({ configuration, folder, clock, log });
      const line = createSuspendableLine(terminal.line, clock, onBytesReceived);
      others = await otherTerminals({ configuration, clock, log, onBytes: onBytesReceived });
      const main = { name: mainTerminal, configuration, folder, line };
      const terminals: RunningTerminal[] = [main, ...others.running];
      // Lines that are held stay closed when it wakes up.
      if (lineHeld !== null) await suspendLines(terminals, lineHeld);
      else {
        sleepers = terminals;
        if (suspended) await suspendLines(sleepers);
      }
      const { connection, simulated } = terminal;
      const started = await startBridge({
        configuration,
        line: line.line,
        connection,
        onHeard: line.noteHeard,
        simulated,
        log,
        clock,
        chance: options.chance,
        version,
        dataFolder: folder,
        batchesWithoutMoney: batchesWithoutMoney({ dataDir: configuration.dataDir, simulated }, log),
        others: others.options,
        listen: listen && mustListen,
        onBlockedOrigin: (origin) => listener.addBlockedOrigin(origin, new Date(clock.now()).toISOString()),
      });
      if (started.kind === 'started') {
        ({ bridge } = started);
        const { warnings, ...served } = await tryToServeControl(bridge, terminals, log);
        ({ controls } = served);
        if (simulated) backlog = watchRealTerminalBacklog(configuration.dataDir, { clock, log, onChange });
        warnings.push(
          ...ownWarnings,
          ...opened.warnings,
          ...others.warnings,
          ...backlogWarnings(backlog.now, configuration.dataDir),
          ...retiredWarnings(bridge.terminals, configuration.dataDir, log),
        );
        const startedMs = clock.now();
        current = {
          bridge,
          configuration,
          folder,
          startedMs,
          line,
          terminals: inOwnCurrency(terminals, bridge.terminals),
          lineHeld,
          closeLines: closerOf(terminal, others),
          controls,
          realTerminalBacklog: backlog,
        };
        listener.follow(bridge, configuration.port);
        await (listen ? listener.start() : listener.stop());
        show({ kind: 'running' });
        return { kind: 'started', warnings };
      }
      ({ waitsForPerson } = started);
      message = (started.portTaken ? await tillbridgeHasPort(configuration.port) : null) ?? started.message;
    } catch (error) {
      // The disk refuses the journal or the simulator's ledger: no fault of the program, and the message has the reason.
      const reason = errorText(error).replace(/\.$/, '');
      message = isForbidden(error, configuration.dataDir)
        ? `The bridge cannot start: ${reason}. Start it as the user that the data folder belongs to, or choose another data folder.`
        : `The bridge cannot start: ${reason}.`;
      if (!isExpected(error)) fault = error;
    }
    backlog.end();
    // Whatever came about before it failed: the next start needs the same journals, lines and ports.
    current = null;
    sleepers = [];
    if (bridge !== null) {
      listener.leave();
      await bridge.stop();
      listener.follow(null, configuration.port);
    }
    for (const control of controls) await control.close();
    await terminal?.close();
    await others?.close();
    show({ kind: 'failed', text: message });
    if (fault !== null) throw fault;
    hostLog.log.error(message, { source: 'app' });
    return { kind: 'failed', message, waitsForPerson };
  }

  /** That it is one of us is what a person needs to know: nobody would look for a second one. */
  async function tillbridgeHasPort(port: number): Promise<string | null> {
    // Only where it is asked: a start has no time to load what it does not need.
    const diagnosis = await import('./diagnosis/port-taken.ts');
    return diagnosis.tillbridgeHasPort(port, clock);
  }

  async function stop() {
    const old = current;
    if (old === null) return;
    listener.leave();
    old.realTerminalBacklog.end();
    await old.bridge.stop();
    current = null;
    sleepers = [];
    listener.follow(null, old.configuration.port);
    for (const control of old.controls) await control.close();
    await old.closeLines();
    show({ kind: 'stopped' });
  }

  function applyAtOnce(next: Configuration) {
    if (current === null) return;
    for (const { key, appliesAtOnce } of settings) {
      if (appliesAtOnce) current.configuration = withValueAt(current.configuration, key, valueAt(next, key));
    }
    listener.setAllowedOrigins(next.allowedOrigins);
  }

  /** One beside each journal. A bridge without its control channel takes payments all the same. */
  async function tryToServeControl(
    bridge: Bridge,
    terminals: readonly RunningTerminal[],
    log: Log,
  ): Promise<{ controls: ControlServer[]; warnings: string[] }> {
    const controls: ControlServer[] = [];
    try {
      for (const { name, folder } of terminals) {
        const payments = bridge.terminals.find((one) => one.name === name)?.payments;
        if (payments === undefined) continue;
        controls.push(
          await serveControl({
            folder,
            payments,
            consoleLinks: options.consoleLinks,
            saveSupportBundle: options.saveSupportBundle,
            version,
            chance: options.chance,
            log: log.with({ source: 'control' }),
          }),
        );
      }
      return { controls, warnings: [] };
    } catch (error) {
      log.error('the control channel cannot be opened', { source: 'control', err: error });
      const warning =
        'The commands "doubts" and "resolve" cannot reach this bridge while it runs: see its log.';
      return { controls, warnings: [warning] };
    }
  }

  return {
    get state() {
      return state;
    },
    get running() {
      return current;
    },
    listener,
    operationRuns: () =>
      current?.bridge.terminals.some(({ payments }) => payments.status().currentOperation !== null) === true,
    start,
    stop,
    applyAtOnce,
    show,
    async suspend() {
      suspended = true;
      await suspendLines(sleepers);
    },
    resume() {
      suspended = false;
      for (const { line } of sleepers) line?.resume();
    },
  };
}

/** All at once: a computer that goes to sleep does not wait for one after the other. */
async function suspendLines(terminals: readonly RunningTerminal[], reason?: string): Promise<void> {
  await Promise.all(terminals.map(async ({ line }) => line?.suspend(reason)));
}

function closerOf(main: TerminalLine, others: OtherTerminals): () => Promise<void> {
  return async () => {
    await main.close();
    await others.close();
  };
}

/** That this user may write nothing in the data folder, or make it. */
function isForbidden(error: unknown, dataDir: string): boolean {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return false;
  const isThere = error.path.startsWith(dataDir) || dataDir.startsWith(error.path);
  return isThere && ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error));
}

function isExpected(error: unknown): boolean {
  if (error instanceof JournalWriteError) return true;
  // By its name: the simulator is loaded only where it is the terminal.
  if (error instanceof Error && error.name === 'LedgerError') return true;
  if (error instanceof UnsafeFileError) return true;
  return error instanceof Error && 'syscall' in error;
}

/** As `tillbridge reconcile` found them last; none where that cannot be read. */
function batchesWithoutMoney(place: MoneyPlace, log: Log): () => Promise<readonly BatchesWithoutMoney[]> {
  const count = onceFound(
    () => place,
    (code) => code.countBatchesWithoutMoney(place),
  );
  return async () => {
    try {
      return (await count())?.() ?? [];
    } catch (err) {
      // The other metrics are still reported.
      log.error('what was found of the money cannot be read', { source: 'app', err });
      return [];
    }
  };
}
