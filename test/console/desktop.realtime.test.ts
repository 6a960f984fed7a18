/** On the double of Electron (Chromium and Node), or on Electron itself with TILLBRIDGE_ELECTRON=real. */
import { describe } from 'vitest';
import { canLaunchDesktop, onRealElectron } from '../support/desktop.ts';
import { consoleSpecs } from './specs.ts';
import { desktopWay } from './way.ts';

const name = onRealElectron ? 'desktop app on Electron' : 'desktop app on the double of Electron';
describe.skipIf(!canLaunchDesktop())('through IPC', () => {
  consoleSpecs(desktopWay(name));
});
