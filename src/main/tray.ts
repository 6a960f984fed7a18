/** The icon in the notification area: the state in one shape and one sentence, and the way to open and quit. */
import path from 'node:path';
import { Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron';
import { currentOperations, type ConsoleState, type TerminalState } from '../contract/console/index.ts';
import type { Translate } from '../locales/index.ts';
import { terminalsOf } from '../notifications/index.ts';

interface TrayActions {
  open(): void;
  startListener(): void;
  stopListener(): void;
  quit(): void;
}

interface StateTray {
  /** Draws again only what differs. */
  show(state: ConsoleState, t: Translate): void;
  remove(): void;
}

/** One file for each shape and system, see `trayIconFile`; `NAME@2x.png` beside it is taken for dense screens. */
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
    nativeImage.createFromPath(path.join(iconFolder, trayIconFile(icons[state], process.platform)));
  const tray = new Tray(imageOf('starting'));
  let shown = '';
  // Windows and most of Linux: a click opens the window; macOS opens the menu by itself.
  if (process.platform !== 'darwin') tray.on('click', actions.open);

  return {
    show(state, t) {
      const trayState = trayStateOf(state);
      const simulated = state.terminal?.simulated === true;
      const sentence = t(`tray.state.${trayState}`);
      const template = menuOf({ sentence, simulated, state, t, actions });
      const appearance = JSON.stringify([
        trayState,
        simulated,
        template.map(({ label, enabled }) => [label, enabled]),
      ]);
      if (appearance === shown) return;
      shown = appearance;
      tray.setImage(imageOf(trayState));
      tray.setToolTip(
        simulated ? `Tillbridge: ${sentence}\n${t('banner.simulator')}` : `Tillbridge: ${sentence}`,
      );
      tray.setContextMenu(Menu.buildFromTemplate(template));
    },
    remove: () => tray.destroy(),
  };
}

/**
 * macOS draws a template (Electron knows it by its name) in the colour of its menu bar; Windows takes the size that its
 * scale asks for out of an icon file.
 */
export function trayIconFile(name: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return `${name}Template.png`;
  return platform === 'win32' ? `${name}.ico` : `${name}.png`;
}

function menuOf(parts: {
  sentence: string;
  simulated: boolean;
  state: ConsoleState;
  t: Translate;
  actions: TrayActions;
}): MenuItemConstructorOptions[] {
  const { sentence, simulated, state, t, actions } = parts;
  return [
    { label: sentence, enabled: false },
    ...(simulated ? [{ label: t('banner.simulator'), enabled: false }] : []),
    { type: 'separator' },
    { label: t('tray.open'), click: actions.open },
    listenerItem(state, t, actions),
    { type: 'separator' },
    { label: t('tray.quit'), click: actions.quit },
  ];
}

function listenerItem(state: ConsoleState, t: Translate, actions: TrayActions): MenuItemConstructorOptions {
  const { kind } = state.listener;
  const enabled = state.bridge.kind === 'running' && kind !== 'starting' && kind !== 'stopping';
  if (kind === 'on' || kind === 'stopping') {
    return { label: t('tray.stopListener'), enabled, click: actions.stopListener };
  }
  return { label: t('tray.startListener'), enabled, click: actions.startListener };
}

export type TrayState =
  'starting' | 'ready' | 'working' | 'attention' | 'connecting' | 'listener_off' | 'stopped';

/** The first that holds, the most urgent first: work that goes on, then what only a person can end. */
export function trayStateOf(state: ConsoleState): TrayState {
  const { bridge, listener } = state;
  if (currentOperations(state).length > 0) return 'working';
  if (bridge.kind === 'first_start' || bridge.kind === 'failed') return 'attention';
  if (bridge.kind === 'starting') return 'starting';
  if (bridge.kind === 'stopped') return 'stopped';
  if (needsDecision(state)) return 'attention';
  if (listener.kind === 'off' || listener.kind === 'stopping') return 'listener_off';
  const states =
    state.terminal === null ? ['starting'] : connectionsOf(state).map((each) => ofConnection[each]);
  return urgency.find((each) => states.includes(each)) ?? 'starting';
}

/** Of several terminals the one that needs somebody most is shown. */
const urgency = ['attention', 'connecting', 'working', 'starting', 'ready'] as const;
const ofConnection: Record<TerminalState['connection'], (typeof urgency)[number]> = {
  ready: 'ready',
  operating: 'working',
  recovering: 'working',
  attention: 'attention',
  lost: 'connecting',
  connecting: 'starting',
  preparing: 'starting',
  stopped: 'starting',
};

function connectionsOf(state: ConsoleState): TerminalState['connection'][] {
  return terminalsOf(state).flatMap(({ terminal }) => (terminal === null ? [] : [terminal.connection]));
}

function needsDecision(state: ConsoleState): boolean {
  const { doubts, discrepancyCount, journal, heldElsewhere, listener, otherTerminals = [] } = state;
  return (
    doubts.some((doubt) => doubt.needsDecision) ||
    discrepancyCount > 0 ||
    journal.damaged ||
    !journal.writable ||
    heldElsewhere !== null ||
    otherTerminals.some((other) => !other.journal.writable) ||
    listener.kind === 'failed'
  );
}
