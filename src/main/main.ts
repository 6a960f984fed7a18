/** Electron's main process: one instance; window, tray and dialogs. The bridge runs in a process of its own. */
// First: it goes back to the version before when this one does not come up.
import { isGoingBack } from './updates/guard.ts';
import { app, crashReporter, dialog } from 'electron';
import packageJson from '../../package.json' with { type: 'json' };
import { pause, systemClock } from '../base/clock.ts';
import { errorText } from '../base/error-text.ts';
import { languageFor, translatorFor } from '../locales/index.ts';
import { runApp } from './app.ts';
import { createFaultHandler, pauseAfter, removeOldDumps, takeFaultNote } from './faults.ts';
import { prepareGraphics } from './graphics.ts';
import { guardPages } from './guards.ts';
import { builtPage, registerPageScheme } from './page.ts';
import { devPage, findPlaces, provisionFileOf, settingSources, type Places } from './places.ts';

const appId = 'org.tillbridge.desktop';

app.setName('Tillbridge');
app.setAppUserModelId(appId);
const sources = settingSources(process.env, process.cwd());
if (!isGoingBack) open();

function open(): void {
  try {
    const provisionFile = provisionFileOf({
      environment: process.env,
      platform: process.platform,
      isPackaged: app.isPackaged,
      resourcesFolder: process.resourcesPath,
    });
    begin(findPlaces(sources, app.getAppPath(), provisionFile));
  } catch (error) {
    void endAtOnce(error);
  }
}

function begin(places: Places): void {
  app.setPath('userData', places.electronFolder);
  app.setPath('crashDumps', places.crashFolder);
  // Of all processes of the app, also those that no code of ours survives in. They stay on this computer.
  crashReporter.start({ uploadToServer: false });
  if (!app.requestSingleInstanceLock()) {
    // The first one shows its window.
    app.exit(0);
    return;
  }
  const before = takeFaultNote(places.faultNoteFile, process.argv);
  const faults = createFaultHandler({
    noteFile: places.faultNoteFile,
    reportFolder: places.crashFolder,
    version: packageJson.version,
    before,
  });
  process.on('uncaughtException', faults.handle);
  process.on('unhandledRejection', faults.handle);
  removeOldDumps(places.crashFolder);
  const page = devPage(process.env, app.isPackaged) ?? builtPage;
  const graphics = prepareGraphics(places.graphicsFile, Date.now());
  app.enableSandbox();
  registerPageScheme();
  guardPages(page);
  // Whoever starts the app by hand meanwhile wants it now.
  const asked = new AbortController();
  app.once('second-instance', () => asked.abort());
  const start = async () => {
    await app.whenReady();
    await pause(systemClock, pauseAfter(before), asked.signal);
    runApp({ sources, places, page, graphics, faults, before });
  };
  void start();
}

/** Without a data folder there is nowhere to note a fault, and starting again would not help: a person has to. */
async function endAtOnce(error: unknown): Promise<void> {
  process.stderr.write(`${errorText(error)}\n`);
  await app.whenReady();
  const t = translatorFor(languageFor('system', [app.getLocale()]));
  await dialog.showMessageBox({ type: 'error', message: t('app.cannotRun'), detail: errorText(error) });
  app.exit(1);
}
