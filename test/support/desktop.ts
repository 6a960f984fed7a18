/**
 * The desktop app under test: on the double of Electron, or on Electron itself where `TILLBRIDGE_ELECTRON=real` says so.
 * Each has a home and a data folder of its own.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import type {
  ResponseOf,
  ConsoleState,
  MethodName,
  ConsoleResult,
  RequestOf,
} from '../../src/contract/console/index.ts';
import { builtApp } from './built-app.ts';
import { needs } from './needs.ts';
import { waitFor } from './real-time.ts';
import { createTill, type Till } from './till.ts';

/** Tests that look at what only the double records are skipped on real Electron. */
export const onRealElectron = process.env['TILLBRIDGE_ELECTRON'] === 'real';

/** How long anything here is waited for, in milliseconds; tests fail then, they are not slowed down. */
const patienceMs = 60_000;
const exitLimitMs = 30_000;

export interface DesktopOptions {
  /** Null: none is named, as on the first start. Default: the simulator, at its fastest. */
  terminal?: string | null;
  /** Keeps what an earlier start left; by default a new folder. */
  home?: string;
  environment?: Record<string, string>;
  /** Arguments of the app itself. */
  arguments?: string[];
  /** The app's folder; by default the one that is built from the sources. */
  appFolder?: string;
}

export interface Desktop {
  readonly app: ElectronApplication;
  /** The page of the window, with the door open. */
  readonly window: Page;
  /** Where `dist/main.js` is. */
  readonly appFolder: string;
  readonly home: string;
  readonly dataDir: string;
  /** Asks the host as the page does, and takes what it says as true. Throws on a refusal. */
  invoke<N extends MethodName>(name: N, request: RequestOf<N>): Promise<ResponseOf<N>>;
  /** The state once it fits. */
  stateWith(fits: (state: ConsoleState) => boolean): Promise<ConsoleState>;
  /** A till at this app's listener, once that is on and the terminal is ready. */
  till(): Promise<Till>;
  /** All that the process printed so far. */
  output(): string;
  /** Resolves with the exit code when the process is gone. */
  readonly exited: Promise<number | null>;
  /** Ends it at once, whatever it does, and removes its folders unless `home` was given. May be called twice. */
  close(): Promise<void>;
}

/** Whether the app can be started here; says what is missing, or throws where `CI` is set. */
export function canLaunchDesktop(): boolean {
  return onRealElectron || needs('chromium');
}

export function electronExecutable(): string {
  if (!onRealElectron) return path.join(import.meta.dirname, 'electron-double', 'electron');
  const installed = path.dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? path.join(installed, 'dist');
  const names = ['electron', 'electron.exe', 'Electron.app/Contents/MacOS/Electron'];
  const executable = names.map((name) => path.join(folder, name)).find((file) => existsSync(file));
  if (executable === undefined)
    throw new Error(`There is no Electron in ${folder}; "npx install-electron" gets it.`);
  return executable;
}

/** Environment of an app that knows nothing of this computer's user but what is in `home`. */
export function desktopEnvironment(home: string, options: DesktopOptions): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('TILLBRIDGE_'),
  );
  const chromium = process.env['TILLBRIDGE_CHROMIUM'];
  const { terminal = 'simulator' } = options;
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    LANG: 'en_US.UTF-8',
    LANGUAGE: 'en',
    ELECTRON_DOUBLE_PROFILES: path.join(home, 'profiles'),
    ...(chromium === undefined ? {} : { TILLBRIDGE_CHROMIUM: chromium }),
    TILLBRIDGE_DATA_DIR: path.join(home, 'data'),
    TILLBRIDGE_PORT: '0',
    TILLBRIDGE_PACE: '0',
    ...(terminal === null ? {} : { TILLBRIDGE_TERMINAL: terminal }),
    ...options.environment,
  };
}

/** Starts the app and waits for its window's door. */
export async function launchDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  const appFolder = options.appFolder ?? builtApp();
  const home = options.home ?? mkdtempSync(path.join(os.tmpdir(), 'tillbridge-desktop-'));
  mkdirSync(path.join(home, 'profiles'), { recursive: true });
  const app = await _electron.launch({
    executablePath: electronExecutable(),
    args: [appFolder, ...(options.arguments ?? [])],
    env: desktopEnvironment(home, options),
    // The app's own theme decides.
    colorScheme: null,
    timeout: patienceMs,
  });
  const child = app.process();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece: Buffer) => (output += piece.toString()));
  }
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));

  async function close(): Promise<void> {
    // By its own hand, so that it takes its browser along; that one would go on writing into its folder.
    app.evaluate(({ app }) => app.exit(0)).catch(() => {});
    const limit = setTimeout(() => child.kill('SIGKILL'), exitLimitMs);
    await exited;
    clearTimeout(limit);
    if (options.home === undefined) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }

  let window: Page;
  try {
    window = await app.firstWindow({ timeout: patienceMs });
    await window.waitForFunction(() => 'tillbridge' in globalThis, null, { timeout: patienceMs });
  } catch (error) {
    await close();
    throw new Error(`The window did not open. The app printed:\n${output}`, { cause: error });
  }

  async function invoke<N extends MethodName>(name: N, request: RequestOf<N>): Promise<ResponseOf<N>> {
    const reply = await window.evaluate(
      ([name, request]) =>
        (
          globalThis as unknown as { tillbridge: { invoke(name: string, request: unknown): unknown } }
        ).tillbridge.invoke(name, request),
      [name, request] as const,
    );
    const { ok, ...rest } = reply as ConsoleResult<ResponseOf<N>>;
    if (!ok) throw new Error(`"${name}" was refused: ${JSON.stringify(rest)}`);
    return (rest as { value: ResponseOf<N> }).value;
  }

  async function stateWith(fits: (state: ConsoleState) => boolean): Promise<ConsoleState> {
    let state: ConsoleState | null = null;
    return await waitFor(
      async () => {
        state = await invoke('state', {});
        return fits(state) && state;
      },
      'the state of the console',
      { limitMs: patienceMs, about: () => JSON.stringify(state) },
    );
  }

  return {
    app,
    window,
    appFolder,
    home,
    dataDir: path.join(home, 'data'),
    invoke,
    stateWith,
    async till() {
      const { listener } = await stateWith(
        (state) => state.listener.kind === 'on' && state.terminal?.connection === 'ready',
      );
      return createTill(listener.kind === 'on' ? (listener.addresses[0] ?? '') : '');
    },
    output: () => output,
    exited,
    close,
  };
}
