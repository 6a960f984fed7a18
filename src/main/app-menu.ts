/** The application's menu: macOS must have one, elsewhere the window has all that is needed. */
import { Menu } from 'electron';

/** The system names these entries itself. */
export function setAppMenu(): void {
  if (process.platform !== 'darwin') {
    Menu.setApplicationMenu(null);
    return;
  }
  const menu = Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }]);
  Menu.setApplicationMenu(menu);
}
