/** Electron's main process: one instance, with the bridge in it. */
import { app, dialog } from 'electron';
import { languageFor, translatorFor } from '../locales/index.ts';
import { runApp } from './app.ts';
import { guardPages } from './guards.ts';
import { builtPage, registerPageScheme } from './page.ts';
import { devPage, findPlaces, settingSources } from './places.ts';
import { errorStack, errorText } from '../base/error-text.ts';
import { drainLogs } from '../log/index.ts';

const appId = 'org.tillbridge.desktop';

process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

app.setName('Tillbridge');
app.setAppUserModelId(appId);
const sources = settingSources(process.env, process.cwd());
const places = findPlaces(sources, app.getAppPath());
app.setPath('userData', places.electronFolder);

if (!app.requestSingleInstanceLock()) {
  // The first one shows its window.
  app.exit(0);
} else {
  const page = devPage(process.env, app.isPackaged) ?? builtPage;
  app.enableSandbox();
  registerPageScheme();
  guardPages(page);
  void app.whenReady().then(() => runApp({ sources, places, page }));
}

/** A fault of the program. The journal is whole whenever the process ends; the operation on the terminal is in doubt. */
function fail(error: unknown): void {
  // The box below stays until somebody has read it.
  drainLogs();
  process.stderr.write(`${errorStack(error)}\n`);
  dialog.showErrorBox(
    translatorFor(languageFor('system', [app.getLocale()]))('app.cannotRun'),
    errorText(error),
  );
  app.exit(1);
}
