/**
 * The small window above other programs: the console's page at `#/mini`, with the guards of every window. It never takes
 * the focus by itself, because somebody types into the POS; a click or Alt-Tab gives it the focus, for Cancel by keyboard.
 */
import { BrowserWindow, screen, type Rectangle, type WebFrameMain } from 'electron';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../log/index.ts';
import { isSenderOf, pagePreferences } from './main-window.ts';
import { createSmallWindowRule, type SmallWindowRule } from './small-window-rule.ts';

export interface SmallWindow extends SmallWindowRule {
  /** To its page; dropped when there is none. */
  send(channel: string, value: unknown): void;
  isSender(event: { sender: unknown; senderFrame: WebFrameMain | null }): boolean;
  /** Where it lies, for the next start; null: it has never been shown. */
  bounds(): Rectangle | null;
}

interface SmallWindowOptions {
  page: URL;
  preloadFile: string;
  devTools: boolean;
  /** Where it was; null: at the lower right of the first screen. */
  bounds: Rectangle | null;
  log: Log;
}

const firstSize = { width: 340, height: 210 };
const minSize = { minWidth: 240, minHeight: 130 };
const marginPixels = 16;

export function createSmallWindow(options: SmallWindowOptions): SmallWindow {
  const { page, log } = options;
  const onMac = process.platform === 'darwin';
  /** Made when it is needed for the first time, and again after a fault. */
  let window: BrowserWindow | null = null;
  let bounds = options.bounds;
  let isWanted = false;
  /** An empty window would flash. */
  let isDrawn = false;

  function make(): BrowserWindow {
    const made = new BrowserWindow({
      ...seen(bounds),
      ...minSize,
      show: false,
      frame: false,
      alwaysOnTop: true,
      // In the taskbar, so that Alt-Tab reaches it.
      skipTaskbar: false,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      // One click cancels, although another program has the focus.
      acceptFirstMouse: true,
      // A panel of macOS lies above programs that fill the screen, and does not bring the app to the front.
      ...(onMac ? { type: 'panel' } : {}),
      title: 'Tillbridge',
      backgroundColor: '#15191e',
      autoHideMenuBar: true,
      webPreferences: pagePreferences(options),
    });
    made.setAlwaysOnTop(true, 'screen-saver');
    if (onMac)
      made.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
    isDrawn = false;
    made.once('ready-to-show', () => {
      isDrawn = true;
      if (isWanted) present(made);
    });
    made.on('close', (event) => {
      event.preventDefault();
      rule.closed();
    });
    const keep = () => (bounds = made.getBounds());
    made.on('moved', keep);
    made.on('resized', keep);
    made.webContents.on('render-process-gone', (_event, { reason }) => {
      log.error('the small window has broken down; the bridge is not touched', { reason });
      made.destroy();
      window = null;
      // The next operation brings another one.
      rule.closed();
    });
    // It lies above the POS: one that hangs would show what was, and take no click.
    made.on('unresponsive', () => {
      log.warn('the small window does not answer and is closed; the bridge is not touched');
      made.webContents.forcefullyCrashRenderer();
    });
    made.loadURL(new URL('#/mini', page).href).catch((error: unknown) => {
      log.error('the page cannot be loaded', { err: error });
    });
    return made;
  }

  function present(shown: BrowserWindow): void {
    shown.setBounds(seen(bounds));
    shown.showInactive();
  }

  const rule = createSmallWindowRule({
    clock: systemClock,
    show() {
      isWanted = true;
      if (window === null) window = make();
      else if (isDrawn) present(window);
    },
    hide() {
      isWanted = false;
      if (window === null) return;
      bounds = window.getBounds();
      window.hide();
    },
  });

  /** A screen was unplugged, or has another size. */
  function bringBack(): void {
    if (window?.isVisible() === true) window.setBounds(seen(window.getBounds()));
  }
  screen.on('display-removed', bringBack);
  screen.on('display-metrics-changed', bringBack);

  return {
    ...rule,
    send(channel, value) {
      if (window !== null && !window.isDestroyed()) window.webContents.send(channel, value);
    },
    isSender: (event) => window !== null && isSenderOf(window, page, event),
    bounds: () => bounds,
  };
}

/** The whole of it on the screen that has most of it; without a place, at the lower right of the first screen. */
function seen(bounds: Rectangle | null): Rectangle {
  if (bounds === null) {
    const { workArea } = screen.getPrimaryDisplay();
    return within(
      workArea,
      { ...firstSize, x: workArea.x + workArea.width, y: workArea.y + workArea.height },
      marginPixels,
    );
  }
  return within(screen.getDisplayMatching(bounds).workArea, bounds, 0);
}

/** `wanted`, moved and made smaller until all of it lies in `area`, `margin` pixels from its edges. */
export function within(area: Rectangle, wanted: Rectangle, margin: number): Rectangle {
  const width = Math.min(Math.max(wanted.width, minSize.minWidth), area.width);
  const height = Math.min(Math.max(wanted.height, minSize.minHeight), area.height);
  const inside = (at: number, from: number, room: number) =>
    Math.round(Math.min(Math.max(at, from + margin), Math.max(from, from + room - margin)));
  return {
    x: inside(wanted.x, area.x, area.width - width),
    y: inside(wanted.y, area.y, area.height - height),
    width,
    height,
  };
}
