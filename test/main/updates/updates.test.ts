/** The way of a new version in the desktop app, with a stand-in for what installs: told, fetched, and never into a payment. */
import path from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { UpdateState } from '../../../src/contract/console/index.ts';
import { createUpdates, type InstallWay } from '../../../src/main/updates/updates.ts';
import { openSeenVersions, publicKeyText, signList } from '../../../src/updates/index.ts';
import { createNotingLog } from '../../support/noting-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { listFile, listText } from '../../updates/test-feed.ts';

vi.mock('electron', () => ({ app: { isPackaged: false } }));
const { wayBack } = await import('../../../src/main/updates/guard.ts');
const { installWay } = await import('../../../src/main/updates/app-updates.ts');

const { privateKey } = generateKeyPairSync('ed25519');
const settings = {
  feed: 'https://updates.example/',
  key: publicKeyText(privateKey),
  channel: 'latest',
  hours: '22:00-06:00' as string | null,
  mode: 'install' as 'off' | 'tell' | 'install',
} as const;
/** Local time, as the hours are. */
const noon = new Date(2026, 2, 10, 12).getTime();
const at = (hour: number, minute = 0, day = 10) => new Date(2026, 2, day, hour, minute).toISOString();

function setUp({
  way = 'unattended',
  failedBefore = [],
}: { way?: InstallWay; failedBefore?: string[] } = {}) {
  const clock = createVirtualClock({ startsAt: noon, besideIo: true });
  const seen: string[] = [];
  const log = createNotingLog((level, message) => void (level === 'error' && seen.push(message)));
  const till = {
    clock,
    seen,
    state: null as UpdateState | null,
    onTerminal: false,
    offered: '0.2.0',
    file: 'right' as 'right' | 'wrong',
    installing: 'works' as 'works' | 'fails',
    reached: (kind: string, limitMs = 40 * 3_600_000) =>
      clock.until(() => till.state?.step.kind === kind, kind, limitMs),
    /** The app has stopped its bridge. */
    ends() {
      updates.beforeExit();
    },
    follow: (changes: Partial<typeof settings> = {}) => updates.follow({ ...settings, ...changes }),
    act: (action: 'install' | 'later') => updates.act(action),
  };
  const updates = createUpdates({
    version: '0.1.0',
    way,
    clock,
    log,
    seen: openSeenVersions(path.join(tempFolder('updates'), 'seen.json'), log),
    fetch({ pathname }) {
      const list = Buffer.from(listText(till.offered, Buffer.from('program')));
      return Promise.resolve(
        new Response(pathname.endsWith(listFile) ? list : signList(listFile, list, privateKey)),
      );
    },
    platform: 'linux',
    arch: 'x64',
    failedBefore: () => failedBefore,
    news: () => null,
    onFailed: () => void seen.push('failed'),
    loadInstaller: () =>
      Promise.resolve({
        download({ version }) {
          seen.push(`download ${version}`);
          return till.file === 'right' ? Promise.resolve('/fetched') : Promise.reject(new Error('sha512'));
        },
        install() {
          seen.push('install');
          if (till.installing === 'fails') throw new Error('no');
        },
      }),
    isIdle: () => !till.onTerminal,
    quit: () => void seen.push('quit'),
    prepare: ({ version }, file) => void seen.push(`prepare ${version} from ${file}`),
    onChange: (state) => void (till.state = state),
    onReady: (_release, installsAt) => void seen.push(`ready for ${installsAt?.toISOString() ?? 'a person'}`),
  });
  return till;
}

describe('by itself', () => {
  test('it is fetched, told, and installed when its hours begin', async () => {
    const till = setUp();
    till.follow();
    await till.reached('ready');
    expect(till.state?.step).toMatchObject({ installsAt: at(22) });
    await till.reached('installing');
    expect(new Date(till.clock.now()).toISOString()).toBe(at(22));
    till.ends();
    expect(till.seen).toEqual([
      'download 0.2.0',
      `ready for ${at(22)}`,
      'quit',
      'prepare 0.2.0 from /fetched',
      'install',
    ]);
  });

  test('never while something is on the terminal, and not after its hours', async () => {
    const till = setUp();
    till.follow();
    await till.reached('ready');
    till.onTerminal = true;
    await till.reached('installing');
    await till.clock.advance(7 * 3_600_000);
    expect(till.seen).not.toContain('quit');
    await till.clock.until(() => till.state?.step.kind === 'ready', 'its hours are over', 2 * 3_600_000);
    expect(till.state?.step).toMatchObject({ installsAt: at(22, 0, 11) });
    till.onTerminal = false;
    await till.reached('installing');
    expect(till.seen).toContain('quit');
  });

  test('without hours a person has some minutes to say "later", and then some hours', async () => {
    const till = setUp();
    till.follow({ hours: null });
    await till.reached('ready');
    expect(till.state?.step).toMatchObject({
      installsAt: new Date(till.clock.now() + 600_000).toISOString(),
    });
    till.act('later');
    await till.reached('installing');
    expect(till.clock.now() - noon).toBeGreaterThan(4 * 3_600_000);
  });

  test('within hours "later" is the next day', async () => {
    const till = setUp();
    till.follow();
    await till.reached('ready');
    till.act('later');
    expect(till.state?.step).toMatchObject({ installsAt: at(22, 0, 11) });
    await till.clock.advance(11 * 3_600_000);
    expect(till.seen).not.toContain('quit');
  });

  test('not when a person quits the app beforehand', async () => {
    const till = setUp();
    till.follow();
    await till.reached('ready');
    till.ends();
    expect(till.seen).not.toContain('install');
  });

  test('not a version that did not come up here before', async () => {
    const till = setUp({ failedBefore: ['0.2.0'] });
    till.follow();
    await till.reached('available');
    await till.clock.advance(30 * 3_600_000);
    expect(till.seen).toEqual([]);
    till.act('install');
    await till.reached('installing');
  });

  test('not where the system asks a person: it is fetched, and waits', async () => {
    const till = setUp({ way: 'attended' });
    till.follow();
    await till.reached('ready');
    await till.clock.advance(20 * 3_600_000);
    expect(till.seen).toEqual(['download 0.2.0', 'ready for a person']);
  });
});

test('told only, it is fetched and installed when a person says so, whatever the hours', async () => {
  const till = setUp();
  till.follow({ mode: 'tell' });
  await till.reached('available');
  expect([till.state?.step, till.seen]).toMatchObject([{ byHand: false }, []]);
  till.onTerminal = true;
  till.act('install');
  await till.reached('installing');
  await till.clock.advance(60_000);
  expect(till.seen).toEqual(['download 0.2.0']);
  till.onTerminal = false;
  await till.clock.until(() => till.seen.includes('quit'), 'the terminal is idle');
});

test('a file that is not the one of the list is refused', async () => {
  const till = setUp();
  till.file = 'wrong';
  till.follow();
  await till.reached('refused');
  expect(till.state?.step).toMatchObject({ reason: 'wrong_file', version: '0.2.0' });
  await till.clock.advance(12 * 3_600_000);
  till.ends();
  expect(till.seen).not.toContain('install');
});

test('one that cannot be installed is noted, and the app runs again', async () => {
  const till = setUp();
  till.installing = 'fails';
  till.follow({ hours: null });
  await till.reached('installing');
  till.ends();
  expect(till.seen.slice(-3)).toEqual(['install', 'the new version could not be installed', 'failed']);
});

test('switched off, nothing more happens, also with what was fetched before', async () => {
  const till = setUp();
  till.follow();
  await till.reached('ready');
  till.follow({ mode: 'off' });
  await till.clock.advance(12 * 3_600_000);
  till.act('install');
  till.ends();
  expect([till.state, till.seen]).toEqual([null, ['download 0.2.0', `ready for ${at(22)}`]]);
});

test('hours that are changed count at once', async () => {
  const till = setUp();
  till.follow();
  await till.reached('ready');
  till.follow({ hours: '13:00-14:00' });
  expect(till.state?.step).toMatchObject({ kind: 'ready', installsAt: at(13) });
  till.follow({ hours: '13:00-14:00', mode: 'tell' });
  expect(till.state?.step).toMatchObject({ kind: 'ready', installsAt: null });
});

test('what a version before comes back by', () => {
  const appImage = '/opt/Tillbridge.AppImage';
  expect(wayBack('linux', { APPIMAGE: appImage })).toEqual({ kind: 'app_image', appImage });
  const folder = String.raw`C:\Users\till\AppData\Local\tillbridge\updates`;
  expect(wayBack('win32', { LOCALAPPDATA: String.raw`C:\Users\till\AppData\Local` })).toEqual({
    kind: 'installer',
    folder,
  });
  expect([wayBack('linux', {}), wayBack('darwin', {}), wayBack('win32', {})]).toEqual([null, null, null]);
});

test('what an installation can do', () => {
  expect(installWay('linux', true, { APPIMAGE: '/opt/Tillbridge.AppImage' })).toBe('unattended');
  expect(installWay('linux', true, {})).toBe('elsewhere');
  expect(installWay('win32', true, {})).toBe('attended');
  expect(installWay('darwin', true, {})).toBe('elsewhere');
  expect(installWay('linux', false, { APPIMAGE: '/opt/Tillbridge.AppImage' })).toBe('elsewhere');
});
