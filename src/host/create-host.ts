/** The host: runs the bridge as its settings say, starts it again when they change, and answers the console. */
import type { Bridge } from '../bridge/bridge.ts';
import type { ConsoleState, SettingsView, UpdateState } from '../contract/console/index.ts';
import { mainTerminal } from '../contract/terminal-name.ts';
import { createBridgeSupervisor, type StartOptions } from './bridge-supervisor.ts';
import {
  createConsoleChanges,
  nothingEnded,
  publishBridgeChanges,
  type BridgeChanges,
} from './console-changes.ts';
import { dataDirOf } from './settings/load-configuration.ts';
import type { Host, HostOptions, HostStart } from './host-api.ts';
import { createHostLog } from './host-log.ts';
import type { MethodContext } from './methods/context.ts';
import { createConsoleSettings } from './settings/console-settings.ts';
import { createHostMoney } from './host-money.ts';
import type { MoneyPlace } from './money-place.ts';
import { createStartRetries } from './start-retries.ts';
import { createPrintedReceipts, type PrintedReceipts } from './printed-receipts.ts';
import type { RunningTerminal } from './running-terminals.ts';
import { createOffice } from './office/index.ts';
import { createSettingsSaver } from './settings/save-settings.ts';
import { consoleState } from './views/console-state.ts';
import { errorText } from '../base/error-text.ts';
import { provisionFromMachine } from './provisioning/machine-file.ts';
import path from 'node:path';
import { pause } from '../base/clock.ts';
import { loadOnce } from '../base/load-once.ts';
import { keepMemoryLow } from './memory-upkeep.ts';
import { createUpdateNotice, openSeenVersions, type UpdateNotice } from '../updates/index.ts';
import { createEmitter } from '../base/emitter.ts';
import { createSerialQueue } from '../base/serial-queue.ts';

/** How long a start waits for the key store before it goes on without. */
const keyStoreWaitMs = 2_000;

export function createHost(options: HostOptions): Host {
  const { kind, sources, clock, chance, memory, version } = options;
  const { flags } = sources;
  const found = dataDirOf({ ...sources, dataDir: textOrNull(flags['dataDir']) });
  const dataDir = found.ok ? found.dataDir : sources.defaultDataDir;
  const hostLog = createHostLog(clock);
  const log = hostLog.log.with({ source: 'console' });
  const settings = createConsoleSettings({ ...options, dataDir });
  const provisionWarnings = provisionFromMachine(options.provisionFile ?? null, dataDir, {
    clock,
    chance,
    store: settings.store,
  });
  const settingsWarnings = [...settings.store.warnings, ...provisionWarnings];
  const changes = createConsoleChanges({ state, clock, log });
  const supervisor = createBridgeSupervisor({
    hostLog,
    clock,
    chance,
    version,
    consoleLinks: options.consoleLinks ?? (() => null),
    saveSupportBundle,
    onChange() {
      changes.stateChanged();
      office.stateChanged();
    },
  });
  const office = createOffice({
    clock,
    chance,
    version,
    log: hostLog.log.with({ source: 'app' }),
    fetch: options.officeFetch ?? fetch,
    dataDir,
    source: supervisor,
  });
  const money = createHostMoney({ clock, log, place: moneyPlace, changes });
  const bridgeEmitter = createEmitter<Bridge | null>({
    onFault: (err) =>
      hostLog.log.error('a subscriber failed on a change of the bridge', { err, source: 'app' }),
  });
  /** The desktop app asks by itself, because it also installs. */
  const updates = kind === 'desktop' ? null : newUpdates();
  let shownUpdate: UpdateState | null = null;
  let bridgeChanges: BridgeChanges | null = null;
  /** Starts, stops and saves take their turn. */
  const queue = createSerialQueue();
  let stopped: Promise<void> | null = null;
  const retries = createStartRetries(clock, () => void queue.run(startAgain));
  let endMemoryUpkeep = () => {};
  let unfollowLog: (() => void) | null = null;

  /** Lines are read for the console only while there is one. */
  function followLog() {
    if (!changes.hasSubscribers) {
      unfollowLog?.();
      unfollowLog = null;
      return;
    }
    unfollowLog ??= hostLog.subscribe((lines) => {
      const last = lines.at(-1);
      if (last !== undefined) changes.publish({ kind: 'log', lines, last: last.id });
    });
  }

  function newUpdates(): UpdateNotice {
    const updateLog = hostLog.log.with({ source: 'app' });
    return createUpdateNotice({
      version,
      clock,
      log: updateLog,
      seen: openSeenVersions(path.join(dataDir, 'seen-versions.json'), updateLog),
      fetch: options.fetch ?? fetch,
      platform: process.platform,
      arch: process.arch,
      onChange: () => changes.stateChanged(),
    });
  }

  function followUpdates() {
    const { updates: wanted } = settings.inForce().configuration;
    updates?.follow(wanted);
    options.onUpdateSettings?.(wanted);
  }

  function followOffice() {
    office.follow(settings.inForce().configuration);
  }

  function state(): ConsoleState {
    return consoleState({
      version,
      kind,
      supervisor,
      nextTryAt: retries.nextTryAt,
      currency: () => settings.inForce().configuration.currency,
      last: (name) => bridgeChanges?.last(name) ?? nothingEnded,
      fault: options.fault ?? null,
      update: updates?.state() ?? shownUpdate,
      overdueBatches: money.overdueBatches,
    });
  }

  function settingsView(): SettingsView {
    return {
      ...settings.view(),
      warnings: [...settingsWarnings, ...settings.missedSecrets()],
      dataDir,
      logFile: hostLog.file,
      canStartWithSystem: options.canStartWithSystem,
    };
  }

  function announceBridge() {
    bridgeChanges?.stop();
    const bridge = supervisor.running?.bridge ?? null;
    bridgeChanges = bridge === null ? null : publishBridgeChanges(bridge, changes);
    bridgeEmitter.emit(bridge);
    followOffice();
    money.look();
    changes.stateChanged();
  }

  const startsListening = () => settings.store.stored.app.startListener;

  async function startBridge(wanted: StartOptions) {
    const started = await supervisor.start(wanted);
    if (started.kind === 'failed' && !started.waitsForPerson) retries.failed();
    else retries.over();
    announceBridge();
    return started;
  }

  async function stopBridge() {
    if (supervisor.running === null) return;
    await supervisor.stop();
    announceBridge();
  }

  /**
   * The key store is asked only where a secret is stored, and usually answers at once. One that waits for a person gets no
   * say in when the bridge starts: it does so with its line closed, because the terminal would refuse another password.
   * Where the terminal needs a secret (KPay) there is nothing to start with: the bridge follows once the secret is there.
   */
  async function lineHeld(): Promise<string | null> {
    if (!settings.store.locked) return null;
    const unlocked = settings.store.unlock();
    const waited = new AbortController();
    await Promise.race([unlocked, pause(clock, keyStoreWaitMs, waited.signal)]);
    waited.abort();
    if (settings.store.locked) void unlocked.then(() => queue.run(secretsOpened));
    return heldReason();
  }

  function heldReason(): string | null {
    return settings.store.locked
      ? 'The key store of this computer has not given the password of the terminal yet.'
      : null;
  }

  /** A stored secret counted as not set until now. */
  async function secretsOpened(): Promise<void> {
    if (stopped !== null) return;
    followUpdates();
    changes.publish({ kind: 'settings', view: settingsView() });
    if (supervisor.running === null) await startAgain();
    else if (supervisor.running.lineHeld !== null) await releaseLine();
  }

  async function releaseLine(): Promise<void> {
    const loaded = settings.load();
    if (!loaded.ok) return;
    for (const warning of loaded.warnings) log.warn(warning);
    await stopBridge();
    const listen = supervisor.listener.wanted ?? startsListening();
    await startBridge({ configuration: loaded.configuration, listen, mustListen: false, lineHeld: null });
  }

  async function start(): Promise<HostStart> {
    options.onAppSettings?.(settings.store.stored.app);
    const started = await begin(kind === 'headless');
    if (memory != null) endMemoryUpkeep = keepMemoryLow({ clock, memory, isBusy: supervisor.operationRuns });
    return started;
  }

  /** After a failure: what kept the bridge from starting may have gone away. */
  async function startAgain(): Promise<void> {
    const isOver = stopped !== null || supervisor.running !== null || supervisor.state.kind !== 'failed';
    if (!isOver) await begin(false);
  }

  async function begin(mustListen: boolean): Promise<HostStart> {
    const held = await lineHeld();
    followUpdates();
    const loaded = settings.load();
    const warnings = [...settingsWarnings, ...loaded.warnings];
    if (!loaded.ok) {
      const { noTerminal, errors } = loaded;
      if (noTerminal && errors.length === 0 && options.mayStartEmpty !== false) return firstStart(warnings);
      // For a person to correct; saving the settings starts the bridge. It may be that only a held secret is missing.
      retries.over();
      const messages = held === null || errors.length === 0 ? errors : [held];
      const text = messages.join(' ');
      supervisor.show(text === '' ? { kind: 'first_start' } : { kind: 'failed', text });
      return { kind: 'failed', usage: true, noTerminal, messages, warnings };
    }
    const { configuration } = loaded;
    const listen = supervisor.listener.wanted ?? startsListening();
    const started = await startBridge({ configuration, listen, mustListen, lineHeld: held });
    if (started.kind === 'failed')
      return { kind: 'failed', usage: false, noTerminal: false, messages: [started.message], warnings };
    for (const warning of warnings) log.warn(warning);
    return { kind: 'running', warnings: [...warnings, ...started.warnings] };
  }

  async function firstStart(warnings: string[]): Promise<HostStart> {
    const { configuration } = settings.inForce();
    try {
      await hostLog.open(dataDir, configuration.logLevel);
      retries.over();
    } catch (error) {
      retries.failed();
      const text = `The folder ${dataDir} cannot be used: ${errorText(error)}`;
      supervisor.show({ kind: 'failed', text });
      return { kind: 'failed', usage: false, noTerminal: true, messages: [text], warnings };
    }
    supervisor.show({ kind: 'first_start' });
    followOffice();
    for (const warning of warnings) log.warn(warning);
    return { kind: 'first_start', warnings };
  }

  const saver = createSettingsSaver({
    settings,
    supervisor,
    log,
    settingsView,
    async restart(configuration) {
      // Saved while the host stops: they count from the next start on.
      if (stopped !== null) return;
      await stopBridge();
      const listen = supervisor.listener.wanted ?? startsListening();
      await startBridge({ configuration, listen, mustListen: false, lineHeld: heldReason() });
    },
    onSaved(app) {
      options.onAppSettings?.(app);
      followUpdates();
    },
    onChange(view) {
      changes.publish({ kind: 'settings', view });
      changes.stateChanged();
    },
  });

  const context: MethodContext = {
    version,
    clock,
    chance,
    dataDir,
    settings,
    supervisor,
    hostLog,
    log,
    printedReceipts,
    moneyPlace,
    moneyWatch: money.watch,
    officeStatus: () => office.status(),
    environment: sources.environment,
    state,
    settingsView,
    saveSettings: (wanted) => queue.run(() => saver.save(wanted)),
    allowOrigin: (origin) => queue.run(() => saver.allowOrigin(origin)),
  };

  const receiptsByFolder = new Map<string, PrintedReceipts>();
  function printedReceipts({ name, folder }: Pick<RunningTerminal, 'name' | 'folder'>): PrintedReceipts {
    // Positions of payments are those of one journal. The main terminal's file has always been in the data folder itself.
    const own = name === mainTerminal ? dataDir : folder;
    const known = receiptsByFolder.get(own) ?? createPrintedReceipts(own, log);
    receiptsByFolder.set(own, known);
    return known;
  }

  function moneyPlace(): MoneyPlace {
    const { configuration, terminal } = settings.inForce();
    return { dataDir, simulated: terminal !== null && configuration.terminal.kind === 'simulator' };
  }

  async function saveSupportBundle(): Promise<string> {
    const { bundleOnDisk } = await import('./saved-files/bundle-on-disk.ts');
    return await bundleOnDisk(context);
  }

  const methods = loadOnce(async () => (await import('./methods/invoke.ts')).createInvoke(context));

  async function stop() {
    endMemoryUpkeep();
    retries.over();
    updates?.stop();
    money.watch.stop();
    office.stop();
    await stopBridge();
    await hostLog.close();
  }

  return {
    console: {
      // What only the console needs is loaded when it asks for the first time.
      invoke: async (name, request) => (await methods())(name, request),
      subscribe(listener) {
        const end = changes.subscribe(listener);
        followLog();
        return () => {
          end();
          followLog();
        };
      },
      async makeFile(request) {
        const { makeFile } = await import('./saved-files/make-file.ts');
        return makeFile(context, request);
      },
    },
    log: hostLog.log,
    get bridge() {
      return supervisor.running?.bridge ?? null;
    },
    get running() {
      if (supervisor.running === null) return null;
      const { configuration, folder } = supervisor.running;
      return { configuration, folder, logFile: hostLog.file };
    },
    dataDir,
    state,
    appSettings: () => settings.store.stored.app,
    start: () => queue.run(start),
    onBridge: bridgeEmitter.subscribe,
    saveSupportBundle,
    showUpdate(update) {
      shownUpdate = update;
      changes.stateChanged();
    },
    async loadRest() {
      await Promise.all([
        methods(),
        import('./reconcile/index.ts'),
        import('../bridge/capture/index.ts'),
        import('../http/express-app.ts'),
        import('./saved-files/make-file.ts'),
        import('./saved-files/bundle-on-disk.ts'),
      ]);
    },
    suspend: () => supervisor.suspend(),
    resume: () => supervisor.resume(),
    stop: () => (stopped ??= queue.run(stop)),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
