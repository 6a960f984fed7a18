/** The one window. Closing hides it: the bridge goes on behind it, and so does the window's page. */
import { BrowserWindow, screen, type WebFrameMain, type WebPreferences } from 'electron';
import type { Log } from '../log/index.ts';
import { channels } from './channels.ts';
import { isOwnPage } from './page.ts';
import { z } from 'zod';
import { readPlainFile } from '../base/private-files.ts';
import { replaceFile } from '../base/atomic-file.ts';

export interface MainWindow {
  readonly window: BrowserWindow;
  show(): void;
  /** Shows it with a place of the console: the part of its address behind `#`, with it. */
  showPlace(place: string): void;
  /** To the page; dropped when there is none. */
  send(channel: string, value: unknown): void;
  /** Whether a message comes from the page of this window: its top frame, with our page in it. */
  isSender(event: { sender: unknown; senderFrame: WebFrameMain | null }): boolean;
  /** How it lies on the screen, for the next start. */
  place(): Pick<WindowMemory, 'bounds' | 'maximized'>;
}

interface MainWindowOptions {
  page: URL;
  preloadFile: string;
  memory: WindowMemory;
  devTools: boolean;
  /** Starts with the computer: stays hidden until it is asked for. */
  hidden: boolean;
  log: Log;
  /** The user has closed it, and it has been hidden. */
  onHidden(): void;
  /** Windows: the session is about to end; true holds it up. */
  onSessionQuery(): boolean;
  /** Windows: the session ends now. */
  onSessionEnd(): void;
}

/** Smaller, and the console cannot be used. */
const minWidth = 640;
const minHeight = 480;
const firstWidth = 1_180;
const firstHeight = 780;

/** A page that breaks again at once is not loaded for ever. */
const maxCrashes = 5;
const crashSpanMs = 60_000;

/** Of every window of ours: its page is shut off from the computer. */
export function pagePreferences({
  preloadFile,
  devTools,
}: Pick<MainWindowOptions, 'preloadFile' | 'devTools'>): WebPreferences {
  return {
    preload: preloadFile,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    spellcheck: false,
    navigateOnDragDrop: false,
    devTools,
  };
}

/** Whether a message comes from the page of `window`: its top frame, with our page in it. */
export function isSenderOf(
  window: BrowserWindow,
  page: URL,
  { sender, senderFrame }: { sender: unknown; senderFrame: WebFrameMain | null },
): boolean {
  if (window.isDestroyed() || sender !== window.webContents || senderFrame === null) return false;
  return senderFrame.parent === null && isOwnPage(senderFrame.url, page);
}

export function createMainWindow(options: MainWindowOptions): MainWindow {
  const { page, memory, log } = options;
  const window = new BrowserWindow({
    width: firstWidth,
    height: firstHeight,
    ...onScreen(memory.bounds),
    minWidth,
    minHeight,
    show: false,
    title: 'Tillbridge',
    backgroundColor: '#15191e',
    autoHideMenuBar: true,
    webPreferences: pagePreferences(options),
  });
  const contents = window.webContents;

  if (!options.hidden) {
    window.once('ready-to-show', () => {
      if (memory.maximized) window.maximize();
      window.show();
    });
  }
  window.on('close', (event) => {
    event.preventDefault();
    hideWindow(window, process.platform);
    options.onHidden();
  });
  window.on('query-session-end', (event) => {
    if (options.onSessionQuery()) event.preventDefault();
  });
  window.on('session-end', () => options.onSessionEnd());

  const crashTimes: number[] = [];
  contents.on('render-process-gone', (_event, details) => {
    log.error('the window has broken down; the bridge is not touched', { reason: details.reason });
    const now = performance.now();
    crashTimes.push(now);
    if (crashTimes.filter((time) => now - time < crashSpanMs).length <= maxCrashes) contents.reload();
  });
  window.on('unresponsive', () => {
    log.warn('the window does not answer and is loaded again; the bridge is not touched');
    // Without this, the reload would wait for the page that hangs.
    contents.forcefullyCrashRenderer();
  });
  void load();

  async function load() {
    try {
      await window.loadURL(page.href);
    } catch (error) {
      log.error('the page cannot be loaded', { err: error });
    }
  }

  function show(): void {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    // A page that broke too often is tried again when somebody looks.
    if (contents.isCrashed()) contents.reload();
  }

  function send(channel: string, value: unknown): void {
    if (!window.isDestroyed() && !contents.isCrashed()) contents.send(channel, value);
  }

  return {
    window,
    show,
    showPlace(place) {
      show();
      send(channels.goTo, place);
    },
    send,
    isSender: (event) => isSenderOf(window, page, event),
    place: () => ({ bounds: window.getNormalBounds(), maximized: window.isMaximized() }),
  };
}

/** On macOS full screen is left first: a window that is hidden in it leaves an empty, black screen behind. */
export function hideWindow(
  window: Pick<BrowserWindow, 'hide' | 'isFullScreen' | 'setFullScreen' | 'once'>,
  platform: NodeJS.Platform,
): void {
  if (platform !== 'darwin' || !window.isFullScreen()) return window.hide();
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}

/** Where it was, if some of that is still on a screen. */
function onScreen(bounds: WindowMemory['bounds']): Partial<NonNullable<WindowMemory['bounds']>> {
  if (bounds === null || bounds.width < minWidth || bounds.height < minHeight) return {};
  const { workArea } = screen.getDisplayMatching(bounds);
  const isSeen =
    bounds.x < workArea.x + workArea.width &&
    bounds.x + bounds.width > workArea.x &&
    bounds.y >= workArea.y - 1 &&
    bounds.y < workArea.y + workArea.height;
  return isSeen ? bounds : {};
}

const pixels = z.number().int().min(-100_000).max(100_000);
const rectangle = z.object({ x: pixels, y: pixels, width: pixels, height: pixels });
const memorySchema = z.object({
  bounds: rectangle.nullable().catch(null),
  maximized: z.boolean().catch(false),
  /** Of the small window. */
  smallBounds: rectangle.nullable().catch(null),
  /** The user has been told that closing the window does not quit. */
  toldStillRunning: z.boolean().catch(false),
});
type WindowMemory = z.infer<typeof memorySchema>;

const maxFileBytes = 64 * 1024;

const nothing: WindowMemory = {
  bounds: null,
  maximized: false,
  smallBounds: null,
  toldStillRunning: false,
};

/** Nothing to remember when there is no file, or none that can be read. */
export function readMemory(file: string): WindowMemory {
  try {
    return memorySchema.parse(JSON.parse(readPlainFile(file, { maxBytes: maxFileBytes }).toString('utf8')));
  } catch {
    return nothing;
  }
}

/** Throws what the file system throws. */
export function writeMemory(file: string, memory: WindowMemory): void {
  replaceFile(file, JSON.stringify(memory));
}
