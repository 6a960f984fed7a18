/** electron-updater itself, with a real feed and a file that it replaces and starts: only Electron's network is Node's here. */
import { request as httpRequest, type RequestOptions } from 'node:http';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/log/log.ts';
import { readFeed } from '../../../src/updates/feed.ts';
import { waitFor } from '../../support/real-time.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { startFeed, type TestFeed } from '../../updates/test-feed.ts';

vi.mock('electron', () => ({ app: { releaseSingleInstanceLock() {} } }));
const { ElectronHttpExecutor } = await import('electron-updater/out/electronHttpExecutor.js');
const { createElectronInstaller, SafeAppImageUpdater } =
  await import('../../../src/main/updates/electron-installer.ts');

class NodeExecutor extends ElectronHttpExecutor {
  override createRequest(options: RequestOptions, callback: (response: never) => void) {
    return httpRequest(options, callback as never) as never;
  }
}

let feed: TestFeed;
beforeEach(async () => {
  feed = await startFeed();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await feed.close();
});

/** Notes that it was started, as the new version would. */
const program = Buffer.from('#!/bin/sh\nprintf started > "$0.note"\n');

function installation() {
  const folder = tempFolder('appimage');
  const appImage = path.join(folder, 'Tillbridge.AppImage');
  writeFileSync(appImage, 'the old program', { mode: 0o755 });
  writeFileSync(path.join(folder, 'app-update.yml'), 'updaterCacheDirName: tillbridge-updater\n');
  vi.stubEnv('APPIMAGE', appImage);
  const cache = path.join(folder, 'cache');
  mkdirSync(cache);
  const installer = createElectronInstaller(feed.feed, silentLog, () => {
    const updater = new SafeAppImageUpdater(null, {
      version: '0.1.0',
      name: 'Tillbridge',
      isPackaged: true,
      appUpdateConfigPath: path.join(folder, 'app-update.yml'),
      userDataPath: folder,
      baseCachePath: cache,
      whenReady: () => Promise.resolve(),
      relaunch() {},
      quit() {},
      onQuit() {},
    });
    Object.assign(updater, { httpExecutor: new NodeExecutor() });
    return updater;
  });
  return { appImage, installer };
}

async function newest() {
  const answer = await readFeed({
    feed: feed.feed,
    key: feed.key,
    channel: 'latest',
    version: '0.1.0',
    seen: null,
    platform: 'linux',
    arch: 'x64',
    fetch,
    clock: systemClock,
  });
  if (answer.kind !== 'newer') throw new Error(answer.kind);
  return answer.release;
}

describe.skipIf(process.platform !== 'linux')('an AppImage', () => {
  test('is fetched, replaced and started', async () => {
    feed.publish('0.2.0', { content: program });
    const { appImage, installer } = installation();
    await installer.download(await newest());
    expect(readFileSync(appImage, 'utf8')).toBe('the old program');
    installer.install();
    expect(readFileSync(appImage)).toEqual(program);
    expect(readdirSync(path.dirname(appImage)).filter((name) => name.endsWith('.new'))).toEqual([]);
    await waitFor(() => existsSync(`${appImage}.note`), 'the new version was started');
    // No list was read by electron-updater itself.
    expect(feed.asked.filter((name) => name.endsWith('.yml'))).toHaveLength(1);
  });

  test('is left as it is when the file is another one than the list names', async () => {
    feed.publish('0.2.0', { content: program });
    const release = await newest();
    feed.files.set('Tillbridge-0.2.0.AppImage', Buffer.from('#!/bin/sh\nprintf stolen > "$0.note"\n'));
    const { appImage, installer } = installation();
    await expect(installer.download(release)).rejects.toThrow('sha512 checksum mismatch');
    expect(() => installer.install()).toThrow('has not begun');
    expect(readFileSync(appImage, 'utf8')).toBe('the old program');
  });
});
