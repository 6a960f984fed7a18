/** Updates in Electron's main process: what they need of the app, its places and its windows. */
import path from 'node:path';
import { app } from 'electron';
import packageJson from '../../../package.json' with { type: 'json' };
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';
import type { Translate } from '../../locales/index.ts';
import { openSeenVersions } from '../../updates/index.ts';
import type { AppBridge } from '../app-bridge.ts';
import { relaunch } from '../faults.ts';
import { watchCameUp } from './came-up.ts';
import { feedFetch } from './feed-fetch.ts';
import { trial } from './guard.ts';
import { createUpdates, type InstallWay, type Updates } from './updates.ts';

/** An AppImage is one file that its owner may replace; Windows asks for an administrator; all others have an installer of their own. */
export function installWay(
  platform: string,
  isPackaged: boolean,
  environment: NodeJS.ProcessEnv,
): InstallWay {
  if (!isPackaged) return 'elsewhere';
  if (platform === 'win32') return 'attended';
  return platform === 'linux' && (environment['APPIMAGE'] ?? '') !== '' ? 'unattended' : 'elsewhere';
}

/** Of the real terminal, and of the simulator. */
function journalFiles(dataDir: string): string[] {
  return [dataDir, path.join(dataDir, 'simulator')].map((folder) => path.join(folder, 'journal.sqlite'));
}

export function createAppUpdates(options: {
  bridge: Pick<AppBridge, 'onTerminals' | 'showUpdate' | 'console'>;
  dataDir: string;
  log: Log;
  t(): Translate;
  locale(): string;
  /** By a notification of the system, unless those are off. */
  notify(title: string, text: string): void;
  quit(): void;
  /** Ends the app once nothing is on the terminal, and starts it again. */
  restart(): void;
}): Updates {
  const { bridge, log, t } = options;
  const updates = createUpdates({
    version: packageJson.version,
    way: installWay(process.platform, app.isPackaged, process.env),
    clock: systemClock,
    log,
    seen: openSeenVersions(path.join(options.dataDir, 'seen-versions.json'), log),
    fetch: feedFetch,
    platform: process.platform,
    arch: process.arch,
    failedBefore: () => trial?.failed() ?? [],
    news: () => trial?.news() ?? null,
    async loadInstaller(feed) {
      const { createElectronInstaller } = await import('./electron-installer.ts');
      return createElectronInstaller(feed, log);
    },
    isIdle: () => bridge.onTerminals().length === 0,
    quit: options.quit,
    prepare: (release, file) =>
      trial?.begin(release, file, packageJson.version, journalFiles(options.dataDir)),
    onFailed() {
      trial?.abandon();
      relaunch([]);
    },
    onChange: bridge.showUpdate,
    onReady({ version }, installsAt) {
      const at = installsAt?.toLocaleString(options.locale(), { dateStyle: 'short', timeStyle: 'short' });
      const text = at === undefined ? t()('update.byPerson') : t()('update.at', { at });
      options.notify(t()('update.ready', { version }), text);
    },
  });
  if (trial?.isOnTrial === true) {
    watchCameUp({
      subscribe: bridge.console.subscribe,
      clock: systemClock,
      passed() {
        trial?.passed();
        log.info('the new version has started properly', { version: packageJson.version });
        updates.publish();
      },
      overdue() {
        log.error('the new version has not started properly and is started again', {
          version: packageJson.version,
        });
        options.restart();
      },
    });
  }
  return updates;
}
