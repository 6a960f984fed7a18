/** electron-updater, which is given a list whose signature is right, and never looks for one itself. */
import path from 'node:path';
import { app } from 'electron';
import { AppImageUpdater, NsisUpdater, Provider, type AppUpdater } from 'electron-updater';
import type { Log } from '../../log/index.ts';
import { feedFolder, type FoundRelease } from '../../updates/index.ts';
import { replaceAppImage } from './replace-app-image.ts';
import type { Installer } from './updates.ts';

type Info = Awaited<ReturnType<Provider<never>['getLatestVersion']>>;
type RuntimeOptions = ConstructorParameters<new (options: never) => Provider<never>>[0];

/** `feed`: the only address from which a file is fetched. */
export function createElectronInstaller(feed: string, log: Log, createUpdater = platformUpdater): Installer {
  const folder = feedFolder(feed);
  const updater = createUpdater(folder);
  updater.logger = {
    info: (message: unknown) => log.debug(String(message)),
    warn: (message: unknown) => log.warn(String(message)),
    error: (message: unknown) => log.error(String(message)),
  };
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.disableWebInstaller = true;
  // The maps of blocks are not in the list that is signed.
  updater.disableDifferentialDownload = true;
  return {
    async download(release: FoundRelease) {
      class SignedProvider extends Provider<Info> {
        constructor(_options: unknown, _updater: unknown, runtime: RuntimeOptions) {
          super(runtime);
        }
        override getLatestVersion() {
          return Promise.resolve(release.list as unknown as Info);
        }
        override resolveFiles() {
          return release.list.files.map((info) => ({ url: new URL(info.url, folder), info }));
        }
      }
      updater.setFeedURL({ provider: 'custom', updateProvider: SignedProvider as never });
      const result = await updater.checkForUpdates();
      if (result?.isUpdateAvailable !== true) throw new Error('This version is not for this computer.');
      const [file = null] = await updater.downloadUpdate();
      return file;
    },
    install() {
      // The new one would take itself for a second instance.
      app.releaseSingleInstanceLock();
      if (!updater.install(true, true)) throw new Error('The installer has not begun.');
    },
  };
}

type Updater = AppUpdater & Pick<NsisUpdater, 'install'>;

/** electron-updater's own removes the old file first: power lost then would leave no app at all. */
export class SafeAppImageUpdater extends AppImageUpdater {
  protected override doInstall(options: Parameters<AppImageUpdater['doInstall']>[0]): boolean {
    const appImage = process.env['APPIMAGE'] ?? '';
    const file = this.installerPath;
    if (file === null || !path.isAbsolute(appImage)) return false;
    const program = replaceAppImage(appImage, file);
    // As electron-updater starts it: without the questions that an AppImage may ask at its first start.
    if (options.isForceRunAfter)
      this.spawnLog(program, [], { ...process.env, APPIMAGE_SILENT_INSTALL: 'true' }).catch((error: Error) =>
        this.dispatchError(error),
      );
    return true;
  }
}

function platformUpdater({ origin }: URL): Updater {
  const updater = process.platform === 'win32' ? new NsisUpdater() : new SafeAppImageUpdater();
  // A file comes from where its list came from: a redirect to another place is cut off.
  updater.netSession.webRequest.onBeforeRequest(({ url }, decide) =>
    decide({ cancel: new URL(url).origin !== origin }),
  );
  return updater;
}
