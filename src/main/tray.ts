/** The icon in the notification area: the state in one shape and one sentence, and the way to open and quit. */
import path from 'node:path';
import { Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron';
import type { ConsoleState } from '../contract/console/index.ts';
import { trayStateOf, type TrayState } from './tray-state.ts';
import type { Words } from './words.ts';

export interface TrayActions {
  open(): void;
  startListener(): void;
  stopListener(): void;
  quit(): void;
}

export interface StateTray {
  /** Draws again only what differs. */
  show(state: ConsoleState, words: Words): void;
  remove(): void;
}

/** One file for each shape; `NAME@2x.png` beside it is taken for dense screens. */
const icons: Record<TrayState, string> = {
  starting: 'waiting',
  ready: 'ready',
  working: 'working',
  attention: 'attention',
  connecting: 'waiting',
  listener_off: 'off',
  stopped: 'off',
};

/** `iconFolder`: with the files above. A missing icon leaves an empty place, with its sentence and menu. */
export function createTray(iconFolder: string, actions: TrayActions): StateTray {
  const imageOf = (state: TrayState) =>
    nativeImage.createFromPath(path.join(iconFolder, `${icons[state]}.png`));
  const tray = new Tray(imageOf('starting'));
  let shown = '';
  // Windows and most of Linux: a click opens the window; macOS opens the menu by itself.
  if (process.platform !== 'darwin') tray.on('click', actions.open);

  return {
    show(state, words) {
      const trayState = trayStateOf(state);
      const simulated = state.terminal?.simulated === true;
      const sentence = words.tray[trayState];
      const template = menuOf({ sentence, simulated, state, words, actions });
      const appearance = JSON.stringify([
        trayState,
        simulated,
        template.map(({ label, enabled }) => [label, enabled]),
      ]);
      if (appearance === shown) return;
      shown = appearance;
      tray.setImage(imageOf(trayState));
      tray.setToolTip(simulated ? `Tillbridge: ${sentence}\n${words.simulator}` : `Tillbridge: ${sentence}`);
      tray.setContextMenu(Menu.buildFromTemplate(template));
    },
    remove: () => tray.destroy(),
  };
}

function menuOf(parts: {
  sentence: string;
  simulated: boolean;
  state: ConsoleState;
  words: Words;
  actions: TrayActions;
}): MenuItemConstructorOptions[] {
  const { sentence, simulated, state, words, actions } = parts;
  return [
    { label: sentence, enabled: false },
    ...(simulated ? [{ label: words.simulator, enabled: false }] : []),
    { type: 'separator' },
    { label: words.open, click: actions.open },
    listenerItem(state, words, actions),
    { type: 'separator' },
    { label: words.quit, click: actions.quit },
  ];
}

function listenerItem(state: ConsoleState, words: Words, actions: TrayActions): MenuItemConstructorOptions {
  const { kind } = state.listener;
  const enabled = state.bridge.kind === 'running' && kind !== 'starting' && kind !== 'stopping';
  if (kind === 'on' || kind === 'stopping') {
    return { label: words.stopListener, enabled, click: actions.stopListener };
  }
  return { label: words.startListener, enabled, click: actions.startListener };
}
