/** Puts the parts together: the bridge in a process of its own, the window before it, the tray beside it. */
import { app, nativeTheme, Notification, powerMonitor, Menu } from 'electron';
import packageJson from '../../package.json' with { type: 'json' };
import { writeFaultReport } from '../base/fault-report.ts';
import { systemClock } from '../base/clock.ts';
import type { AppSettings } from '../contract/console/index.ts';
import type { ConfigurationSources } from '../host/index.ts';
import { createAppBridge, type AppBridge } from './app-bridge.ts';
import { forkBridge } from './bridge-child.ts';
import { isStartedBySystem, startWithSystem } from './autostart.ts';
import { languageFor, translatorFor, type Translate } from '../locales/index.ts';
import { guardSession } from './guards.ts';
import { serveWindow } from './ipc.ts';
import { createMainWindow, type MainWindow, readMemory, writeMemory } from './main-window.ts';
import { builtPage, servePage } from './page.ts';
import { hasDevTools, type Places } from './places.ts';
import { confirmQuit, createQuitFlow, type QuitFlow } from './quit.ts';
import { createSecrets } from './secrets.ts';
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
}

/** Called once, when Electron is ready. */
export function runApp({ sources, places, page }: AppOptions): void {
  let language = 'system';
  const spoken = () => languageFor(language, [app.getLocale()]);
  const t = () => translatorFor(spoken());
  const locale = () => (language === 'system' ? app.getLocale() : spoken());

  let refreshTray = () => {};
  const bridge = createAppBridge({
    fork: () => forkBridge(places.bridgeFile, places.crashFolder),
    sources: bridgeSources(sources),
    version: packageJson.version,
    secrets: createSecrets(),
    clock: systemClock,
    fault: null,
    onFault(text) {
      const { version } = packageJson;
      writeFaultReport({ folder: places.crashFolder, part: 'bridge', version, text, nowMs: Date.now() });
    },
    onOutput: (text) => void process.stderr.write(text),
    onAppSettings(settings) {
      language = settings.language;
      apply(settings);
      refreshTray();
    },
  });
  const log = bridge.log.with({ source: 'app' });

  function apply(settings: AppSettings): void {
    nativeTheme.themeSource = settings.theme;
    try {
      startWithSystem(settings.startWithSystem);
    } catch (error) {
      log.error('starting with the system cannot be set', { err: error });
    }
  }

  setAppMenu();
  guardSession(page);
  if (page.href === builtPage.href) servePage(places.rendererFolder);

  const memory = readMemory(places.memoryFile);
  function remember(mainWindow: MainWindow): void {
    try {
      writeMemory(places.memoryFile, { ...memory, ...mainWindow.place() });
    } catch (error) {
      log.warn("the window's place cannot be kept", { err: error });
    }
  }
  const mainWindow = createMainWindow({
    page,
    preloadFile: places.preloadFile,
    memory,
    devTools: hasDevTools(process.env, app.isPackaged),
    hidden: isStartedBySystem(),
    log,
    onHidden() {
      if (!memory.toldStillRunning) notifyStillRunning(t());
      memory.toldStillRunning = true;
      remember(mainWindow);
    },
    onSessionQuery: () => bridge.state().currentOperation !== null,
    onSessionEnd: () => quitFlow.end(sessionEndLimitMs),
  });
  serveWindow(bridge, mainWindow, t);

  const quitFlow: QuitFlow = createQuitFlow({
    bridge,
    choose(currentOperation) {
      mainWindow.show();
      return confirmQuit(currentOperation, { window: mainWindow.window, t: t(), locale: locale() });
    },
    exit() {
      remember(mainWindow);
      tray.remove();
      app.exit(0);
    },
  });
  const tray = createTray(places.trayIconFolder, {
    open: mainWindow.show,
    startListener: () => void bridge.console.invoke('startListener', {}),
    stopListener: () => void bridge.console.invoke('stopListener', {}),
    quit: quitFlow.invoke,
  });
  refreshTray = () => tray.show(bridge.state(), t());
  bridge.console.subscribe((change) => {
    if (change.kind === 'state') tray.show(change.state, t());
  });
  refreshTray();

  followSystem(bridge, mainWindow, quitFlow);
  bridge.start();
}

/** Without what is not there: a message between processes keeps nothing that is undefined. */
function bridgeSources({ environment, currentFolder, defaultDataDir }: ConfigurationSources) {
  const set = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { environment: Object.fromEntries(set), currentFolder, defaultDataDir };
}

function followSystem(bridge: AppBridge, mainWindow: MainWindow, quitFlow: QuitFlow): void {
  app.on('second-instance', () => mainWindow.show());
  app.on('activate', () => mainWindow.show());
  // Hidden or not, the window is never gone; and without one the bridge would still be wanted.
  app.on('window-all-closed', () => {});
  app.on('before-quit', (event) => {
    event.preventDefault();
    quitFlow.invoke();
  });
  powerMonitor.on('suspend', () => void bridge.suspend());
  powerMonitor.on('resume', () => bridge.resume());
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

function notifyStillRunning(t: Translate): void {
  if (!Notification.isSupported()) return;
  new Notification({ title: t('stillRunning.title'), body: t('stillRunning.text') }).show();
}

/** The system names these entries itself. */
function setAppMenu(): void {
  if (process.platform !== 'darwin') {
    Menu.setApplicationMenu(null);
    return;
  }
  const menu = Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }]);
  Menu.setApplicationMenu(menu);
}
