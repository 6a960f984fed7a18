/**
 * The application's menu, hidden until Alt is pressed where windows have a bar, and the menu of the right mouse button. Both
 * name everything themselves: Electron's own names are English everywhere but on macOS.
 */
import { Menu, type BrowserWindow, type ContextMenuParams, type MenuItemConstructorOptions } from 'electron';
import type { Translate } from '../locales/index.ts';

export interface MenuParts {
  t: Translate;
  /** Developer tools are allowed. */
  devTools: boolean;
  /** Windows are drawn by the graphics card, from the next start on. */
  accelerated: boolean;
  quit(): void;
  setAccelerated(accelerated: boolean): void;
}

/** Draws the application's menu anew: in another language, or with another tick. */
export function setAppMenu(parts: MenuParts): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(appMenu(parts, process.platform === 'darwin')));
}

function appMenu(parts: MenuParts, onMac: boolean): MenuItemConstructorOptions[] {
  const { t, quit } = parts;
  const quitItem: MenuItemConstructorOptions = {
    label: t('menu.quit'),
    accelerator: 'CommandOrControl+Q',
    click: quit,
  };
  // macOS names its own entries in the system's language, and has Quit where everybody looks for it.
  const first: MenuItemConstructorOptions = onMac
    ? { role: 'appMenu' }
    : {
        label: 'Tillbridge',
        submenu: [{ role: 'close', label: t('menu.close') }, { type: 'separator' }, quitItem],
      };
  return [
    first,
    { label: t('menu.edit'), submenu: editItems(t) },
    { label: t('menu.view'), submenu: viewItems(parts) },
    ...(onMac ? [{ role: 'windowMenu' } as const] : []),
  ];
}

function editItems(t: Translate): MenuItemConstructorOptions[] {
  return [
    { role: 'undo', label: t('menu.undo') },
    { role: 'redo', label: t('menu.redo') },
    { type: 'separator' },
    { role: 'cut', label: t('menu.cut') },
    { role: 'copy', label: t('app.copy') },
    { role: 'paste', label: t('menu.paste') },
    { role: 'selectAll', label: t('menu.selectAll') },
  ];
}

function viewItems({ t, devTools, accelerated, setAccelerated }: MenuParts): MenuItemConstructorOptions[] {
  return [
    { role: 'zoomIn', label: t('menu.zoomIn'), accelerator: 'CommandOrControl+Plus' },
    // Where "+" needs no Shift, and on the number pad.
    { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false, acceleratorWorksWhenHidden: true },
    {
      role: 'zoomIn',
      accelerator: 'CommandOrControl+numadd',
      visible: false,
      acceleratorWorksWhenHidden: true,
    },
    { role: 'zoomOut', label: t('menu.zoomOut'), accelerator: 'CommandOrControl+-' },
    {
      role: 'zoomOut',
      accelerator: 'CommandOrControl+numsub',
      visible: false,
      acceleratorWorksWhenHidden: true,
    },
    { role: 'resetZoom', label: t('menu.resetZoom'), accelerator: 'CommandOrControl+0' },
    { type: 'separator' },
    { role: 'togglefullscreen', label: t('menu.fullScreen') },
    {
      label: t('menu.accelerated'),
      type: 'checkbox',
      checked: accelerated,
      click: ({ checked }) => setAccelerated(checked),
    },
    ...(devTools
      ? [
          { type: 'separator' } as const,
          {
            role: 'toggleDevTools' as const,
            label: t('menu.devTools'),
            accelerator: 'CommandOrControl+Shift+I',
          },
        ]
      : []),
  ];
}

/** The right mouse button (and the menu key) in fields and on selected text; nothing where there is nothing to do. */
export function offerContextMenu(window: BrowserWindow, t: () => Translate): void {
  window.webContents.on('context-menu', (_event, params) => {
    const items = contextItems(params, t());
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window });
  });
}

function contextItems(
  {
    isEditable,
    selectionText,
    editFlags,
  }: Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>,
  t: Translate,
): MenuItemConstructorOptions[] {
  const copy: MenuItemConstructorOptions = { role: 'copy', label: t('app.copy'), enabled: editFlags.canCopy };
  const selectAll: MenuItemConstructorOptions = { role: 'selectAll', label: t('menu.selectAll') };
  if (isEditable) {
    return [
      { role: 'cut', label: t('menu.cut'), enabled: editFlags.canCut },
      copy,
      { role: 'paste', label: t('menu.paste'), enabled: editFlags.canPaste },
      { type: 'separator' },
      selectAll,
    ];
  }
  return selectionText.trim() === '' ? [] : [copy, selectAll];
}
