/** Puts the parts together: the bridge in a process of its own, the window before it, the tray beside it. */
import { app, nativeTheme, powerMonitor } from 'electron';
import packageJson from '../../package.json' with { type: 'json' };
import { writeFaultReport } from '../base/fault-report.ts';
import { systemClock } from '../base/clock.ts';
import type { AppSettings } from '../contract/console/index.ts';
import type { ConfigurationSources } from '../host/index.ts';
import { createAppBridge, type AppBridge } from './app-bridge.ts';
import { forkBridge } from './bridge-child.ts';
import { isStartedBySystem, startWithSystem } from './autostart.ts';
import { languageFor, translatorFor } from '../locales/index.ts';
import { faultOf, relaunch, type FaultHandler, type FaultNote } from './faults.ts';
import type { Graphics } from './graphics.ts';
import { guardSession } from './guards.ts';
import { serveWindow } from './ipc.ts';
import { createMainWindow, type MainWindow, readMemory, writeMemory } from './main-window.ts';
import { offerContextMenu, setAppMenu } from './menus.ts';
import { createNotifications } from './notifications.ts';
import { builtPage, servePage } from './page.ts';
import { hasDevTools, type Places } from './places.ts';
import { confirmQuit, createQuitFlow, type QuitFlow } from './quit.ts';
import { createSecrets } from './secrets.ts';
import { createSessionEnd } from './session-end.ts';
import { followPower } from './power.ts';
import { createSmallWindow } from './small-window.ts';
import { createAppUpdates } from './updates/app-updates.ts';
import { createTray } from './tray.ts';

/** Windows ends a process that takes longer than five seconds. */
const sessionEndLimitMs = 4_000;

/**
 * One press of Ctrl-C can arrive twice: from the console, and passed on by what started the app. A signal after this
 * time is another one, and ends at once.
 */
const samePressMs = 300;

interface AppOptions {
  sources: ConfigurationSources;
  places: Places;
  page: URL;
  graphics: Graphics;
  faults: FaultHandler;
  /** What ended the app before this start; null: nothing did. */
  before: FaultNote | null;
}

/** Called once, when Electron is ready. */
export function runApp({ sources, places, page, graphics, faults, before }: AppOptions): void {
  let language = 'system';
  const spoken = () => languageFor(language, [app.getLocale()]);
  const t = () => translatorFor(spoken());
  const locale = () => (language === 'system' ? app.getLocale() : spoken());

  /** Tray and menu, in the language and with the state of now. */
  let refresh = () => {};
  const bridge = createAppBridge({
    fork: () => forkBridge(places.bridgeFile, places.crashFolder),
    sources: bridgeSources(sources),
    version: packageJson.version,
    provisionFile: places.provisionFile,
    secrets: createSecrets(),
    clock: systemClock,
    fault: faultOf(before),
    onFault(text) {
      const { version } = packageJson;
      writeFaultReport({ folder: places.crashFolder, part: 'bridge', version, text, nowMs: Date.now() });
    },
    onOutput: (text) => void process.stderr.write(text),
    onAppSettings(settings) {
      language = settings.language;
      apply(settings);
      refresh();
    },
    onUpdateSettings: (settings) => updates.follow(settings),
    onUpdateAction: (action) => updates.act(action),
  });
  faults.bridge = bridge;
  const log = bridge.log.with({ source: 'app' });

  function apply(settings: AppSettings): void {
    nativeTheme.themeSource = settings.theme;
    notifications.turn(settings.notifications);
    smallWindow.setMode(settings.smallWindow);
    try {
      startWithSystem(settings.startWithSystem);
    } catch (error) {
      log.error('starting with the system cannot be set', { err: error });
    }
  }

  guardSession(page);
  if (page.href === builtPage.href) servePage(places.rendererFolder);

  const devTools = hasDevTools(process.env, app.isPackaged);
  const memory = readMemory(places.memoryFile);
  function remember(mainWindow: MainWindow): void {
    try {
      writeMemory(places.memoryFile, {
        ...memory,
        ...mainWindow.place(),
        smallBounds: smallWindow.bounds(),
      });
    } catch (error) {
      log.warn("the window's place cannot be kept", { err: error });
    }
  }
  const mainWindow = createMainWindow({
    page,
    preloadFile: places.preloadFile,
    memory,
    devTools,
    hidden: isStartedBySystem(),
    log,
    onHidden() {
      if (!memory.toldStillRunning) notifications.tell(t()('stillRunning.title'), t()('stillRunning.text'));
      memory.toldStillRunning = true;
      remember(mainWindow);
    },
    onSessionQuery: () => sessionEnd.query(),
    onSessionEnd: () => quitFlow.end(sessionEndLimitMs),
  });
  offerContextMenu(mainWindow.window, t);
  const smallWindow = createSmallWindow({
    page,
    preloadFile: places.preloadFile,
    devTools,
    bounds: memory.smallBounds,
    log,
  });
  const notifications = createNotifications({ mainWindow, t, log });
  const sessionEnd = createSessionEnd({
    bridge,
    show: mainWindow.show,
    setTitle: (title) => mainWindow.window.setTitle(title),
    t,
    tell: notifications.tell,
    log,
  });

  const quitFlow: QuitFlow = createQuitFlow({
    bridge,
    choose(operations) {
      mainWindow.show();
      return confirmQuit(operations, { window: mainWindow.window, t: t(), locale: locale() });
    },
    exit() {
      remember(mainWindow);
      tray.remove();
      updates.beforeExit();
      app.exit(0);
    },
  });
  const updates = createAppUpdates({
    bridge,
    dataDir: places.dataDir,
    log,
    t,
    locale,
    notify: notifications.tell,
    quit: () => quitFlow.whenIdle(() => {}),
    restart: () => quitFlow.whenIdle(() => relaunch([])),
  });
  const tray = createTray(places.trayIconFolder, {
    open: mainWindow.show,
    startListener: () => void bridge.console.invoke('startListener', {}),
    stopListener: () => void bridge.console.invoke('stopListener', {}),
    quit: quitFlow.invoke,
  });
  serveWindow(
    bridge,
    { mainWindow, smallWindow },
    {
      t,
      quit: quitFlow.invoke,
      tryNotification: notifications.tryOne,
    },
  );
  const showMenu = () =>
    setAppMenu({
      t: t(),
      devTools,
      accelerated: graphics.accelerated,
      quit: quitFlow.invoke,
      setAccelerated(accelerated) {
        graphics.setAccelerated(accelerated);
        log.info('hardware acceleration was set, for the next start', { accelerated });
      },
    });
  refresh = () => {
    tray.show(bridge.state(), t());
    showMenu();
  };
  bridge.console.subscribe((change) => {
    if (change.kind !== 'state') return;
    tray.show(change.state, t());
    notifications.look(change.state);
    smallWindow.look(change.state);
  });
  refresh();

  followGraphics(graphics, bridge, quitFlow);
  followSystem(mainWindow, quitFlow);
  followPower(bridge, systemClock);
  bridge.start();
}

/** Without what is not there: a message between processes keeps nothing that is undefined. */
function bridgeSources({ environment, currentFolder, defaultDataDir }: ConfigurationSources) {
  const set = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { environment: Object.fromEntries(set), currentFolder, defaultDataDir };
}

/** Chromium starts its graphics process again by itself, and after some crashes ends the whole app. */
function followGraphics(graphics: Graphics, bridge: AppBridge, quitFlow: QuitFlow): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (type !== 'GPU' || reason === 'clean-exit') return;
    bridge.log.error('the graphics process has ended by a fault', {
      source: 'app',
      reason,
      exit_code: exitCode,
    });
    if (!graphics.hasCrashed(Date.now())) return;
    bridge.log.warn('the app starts again without hardware acceleration, once the terminal is idle', {
      source: 'app',
    });
    quitFlow.whenIdle(() => relaunch([]));
  });
}

function followSystem(mainWindow: MainWindow, quitFlow: QuitFlow): void {
  app.on('second-instance', () => mainWindow.show());
  app.on('activate', () => mainWindow.show());
  // Hidden or not, the window is never gone; and without one the bridge would still be wanted.
  app.on('window-all-closed', () => {});
  app.on('before-quit', (event) => {
    event.preventDefault();
    quitFlow.invoke();
  });
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    // Linux and macOS wait then until the app has quit.
    event?.preventDefault();
    quitFlow.end(sessionEndLimitMs);
  });
  let firstSignalAt: number | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const now = performance.now();
      firstSignalAt ??= now;
      if (now === firstSignalAt) quitFlow.end(null);
      else if (now - firstSignalAt >= samePressMs) quitFlow.end(0);
    });
  }
}
