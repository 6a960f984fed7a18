/** A version on trial: it comes up, or it is replaced by the one before, unless the journal forbids that. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { ConsoleChange } from '../../../src/contract/console/index.ts';
import { watchCameUp } from '../../../src/main/updates/came-up.ts';
import { openTrial } from '../../../src/main/updates/trial.ts';
import { consoleState } from '../../support/console-data.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const open = (appImage: string, pid?: number) => openTrial({ kind: 'app_image', appImage }, pid);

/** Version 0.1.0 is installed, with a journal, and 0.2.0 has just taken its place. */
function updated() {
  const folder = tempFolder('trial');
  const appImage = path.join(folder, 'Tillbridge.AppImage');
  const journal = path.join(folder, 'journal.sqlite');
  writeFileSync(appImage, 'version 0.1.0', { mode: 0o755 });
  setFormat(journal, 5);
  const trial = open(appImage);
  trial.begin({ version: '0.2.0', notes: 'Better.' }, path.join(folder, 'fetched'), '0.1.0', [
    journal,
    path.join(folder, 'none.sqlite'),
  ]);
  writeFileSync(appImage, 'version 0.2.0');
  const starts = (version = '0.2.0', pid = gone) => open(appImage, pid).countStart(version);
  return { folder, appImage, journal, starts, content: () => readFileSync(appImage, 'utf8') };
}

function setFormat(file: string, format: number): void {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA user_version = ${format}`);
  database.close();
}

const start = { act: 'start' };
/** Of a process that is over: no system gives such a number. */
const gone = 2 ** 30;

test('three starts that did not come up, and the fourth goes back; the version is remembered', () => {
  const { appImage, starts, content } = updated();
  for (let count = 0; count < 3; count += 1) expect(starts()).toEqual(start);
  expect(content()).toBe('version 0.2.0');
  expect(starts()).toEqual({ act: 'go_back', file: appImage });
  expect(content()).toBe('version 0.1.0');
  const before = open(appImage);
  expect(before.countStart('0.1.0')).toEqual(start);
  expect([before.failed(), before.news(), before.isOnTrial]).toEqual([
    ['0.2.0'],
    { kind: 'went_back', version: '0.2.0', from: '0.1.0', notes: null },
    false,
  ]);
});

test('one that has come up stays, and nothing is kept of the version before', () => {
  const { folder, appImage, starts, content } = updated();
  expect(starts()).toEqual(start);
  const now = open(appImage);
  now.passed();
  expect(now.news()).toEqual({ kind: 'installed', version: '0.2.0', from: '0.1.0', notes: 'Better.' });
  for (let count = 0; count < 5; count += 1) expect(starts()).toEqual(start);
  expect(content()).toBe('version 0.2.0');
  // What was good news in one run is none in the next.
  expect(open(appImage).news()).toBeNull();
  expect(existsSync(path.join(folder, '.tillbridge-update/previous.AppImage'))).toBe(false);
});

test('a second start beside the app that runs does not count', () => {
  const { starts, content } = updated();
  expect(starts('0.2.0', process.pid)).toEqual(start);
  for (let count = 0; count < 5; count += 1) expect(starts()).toEqual(start);
  expect(content()).toBe('version 0.2.0');
});

test.each(['newer', 'unreadable', 'gone'])('with a journal that is %s it stays, and says so', (what) => {
  const { appImage, journal, starts, content } = updated();
  if (what === 'newer') setFormat(journal, 6);
  else {
    rmSync(journal);
    if (what === 'unreadable') mkdirSync(journal);
  }
  for (let count = 0; count < 6; count += 1) expect(starts()).toEqual(start);
  expect(content()).toBe('version 0.2.0');
  expect(open(appImage).news()?.kind).toBe('cannot_go_back');
});

test('a format that only the log beside the journal has is seen', () => {
  const { journal, starts, content } = updated();
  const open = new DatabaseSync(journal);
  open.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 6');
  expect(readFileSync(journal).readUInt32BE(60)).toBe(5);
  for (let count = 0; count < 4; count += 1) expect(starts()).toEqual(start);
  expect(content()).toBe('version 0.2.0');
  open.close();
});

test('a version that was never started was not installed; one that was put there by hand is left alone', () => {
  const { appImage, starts } = updated();
  expect(starts('0.1.0')).toEqual(start);
  expect(open(appImage).news()?.kind).toBe('install_failed');
  const started = updated();
  started.starts();
  started.starts('0.1.0');
  expect(open(started.appImage).news()?.kind).toBe('went_back');
  const other = updated();
  expect(other.starts('0.3.0')).toEqual(start);
  expect([open(other.appImage).isOnTrial, open(other.appImage).failed()]).toEqual([false, []]);
});

test('an installation that fails half-way leaves the version before', () => {
  const { appImage, content } = updated();
  rmSync(appImage);
  open(appImage).abandon();
  const now = open(appImage);
  expect([content(), now.isOnTrial]).toEqual(['version 0.1.0', false]);
  // Told at the next start, and never again tried by itself.
  expect(now.countStart('0.1.0')).toEqual(start);
  expect(now.news()).toEqual({ kind: 'install_failed', version: '0.2.0', from: '0.1.0', notes: null });
  expect(now.failed()).toEqual(['0.2.0']);
});

describe('where an installer of the system replaces the app', () => {
  function installs(folder: string, version: string, from: string, journals: string[] = []) {
    const fetched = path.join(folder, 'fetched.exe');
    writeFileSync(fetched, `installer of ${version}`);
    openTrial({ kind: 'installer', folder: path.join(folder, 'updates') }).begin(
      { version, notes: null },
      fetched,
      from,
      journals,
    );
  }
  const here = (folder: string) =>
    openTrial({ kind: 'installer', folder: path.join(folder, 'updates') }, gone);
  const installers = (folder: string) =>
    readdirSync(path.join(folder, 'updates')).filter((name) => name.endsWith('.exe'));

  /** 0.1.0 was brought by an update, and 0.2.0 after it. */
  function updatedTwice(journals: string[] = []) {
    const folder = tempFolder('trial');
    installs(folder, '0.1.0', '0.0.9');
    here(folder).countStart('0.1.0');
    here(folder).passed();
    installs(folder, '0.2.0', '0.1.0', journals);
    return folder;
  }

  test('after three starts the window says where the installer of the version before is kept', () => {
    const folder = updatedTwice();
    for (let count = 0; count < 4; count += 1) expect(here(folder).countStart('0.2.0')).toEqual(start);
    const { kind, file } = here(folder).news() ?? {};
    expect(kind).toBe('go_back_by_hand');
    expect(readFileSync(file ?? '', 'utf8')).toBe('installer of 0.1.0');
    expect([here(folder).failed(), here(folder).isOnTrial]).toEqual([['0.2.0'], false]);
  });

  test('once it has come up, only its own installer is kept', () => {
    const folder = updatedTwice();
    expect(installers(folder)).toEqual(['Tillbridge-0.1.0.exe', 'Tillbridge-0.2.0.exe']);
    here(folder).countStart('0.2.0');
    here(folder).passed();
    expect(installers(folder)).toEqual(['Tillbridge-0.2.0.exe']);
  });

  test('after the first update there is none yet; nor does one help where the journal is newer', () => {
    const first = tempFolder('trial');
    installs(first, '0.2.0', '0.1.0');
    const newer = path.join(tempFolder('trial'), 'journal.sqlite');
    setFormat(newer, 5);
    const second = updatedTwice([newer]);
    setFormat(newer, 6);
    for (const folder of [first, second]) {
      for (let count = 0; count < 4; count += 1) here(folder).countStart('0.2.0');
      expect(here(folder).news()?.kind).toBe('cannot_go_back');
    }
  });

  test('an administrator who says no is told of as a version that was not installed', () => {
    const folder = updatedTwice();
    expect(here(folder).countStart('0.1.0')).toEqual(start);
    expect(here(folder).news()?.kind).toBe('install_failed');
  });
});

test('it has come up when its bridge and its listener were there for a minute; five minutes are given', async () => {
  const clock = createVirtualClock();
  const seen: string[] = [];
  const follow = () => {
    let tell: (change: ConsoleChange) => void = () => {};
    watchCameUp({
      subscribe(listener) {
        tell = listener;
        return () => void (tell = () => {});
      },
      clock,
      passed: () => void seen.push('passed'),
      overdue: () => void seen.push('overdue'),
    });
    return (changes: Parameters<typeof consoleState>[0]) =>
      tell({ kind: 'state', state: consoleState(changes) });
  };
  const first = follow();
  first({ bridge: { kind: 'starting' } });
  first({});
  await clock.advance(50_000);
  first({ bridge: { kind: 'starting' } });
  first({});
  await clock.advance(50_000);
  expect(seen).toEqual([]);
  await clock.advance(10_000);
  expect(seen).toEqual(['passed']);
  const second = follow();
  second({ listener: { kind: 'failed', code: 'other', port: 8080, text: '' } });
  await clock.advance(400_000);
  expect(seen).toEqual(['passed', 'overdue']);
});
