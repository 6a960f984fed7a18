/** A version on trial: it comes up, or it is replaced by the one before, unless the journal forbids that. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { ConsoleChange } from '../../../src/contract/console/index.ts';
import { watchCameUp } from '../../../src/main/updates/came-up.ts';
import { openTrial } from '../../../src/main/updates/trial.ts';
import { consoleState } from '../../support/console-data.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

/** Version 0.1.0 is installed, with a journal, and 0.2.0 has just taken its place. */
function updated() {
  const folder = tempFolder('trial');
  const appImage = path.join(folder, 'Tillbridge.AppImage');
  const journal = path.join(folder, 'journal.sqlite');
  writeFileSync(appImage, 'version 0.1.0', { mode: 0o755 });
  setFormat(journal, 5);
  const trial = openTrial(appImage);
  trial.begin({ version: '0.2.0', notes: 'Better.' }, '0.1.0', [journal, path.join(folder, 'none.sqlite')]);
  writeFileSync(appImage, 'version 0.2.0');
  const starts = (version = '0.2.0', pid = gone) => openTrial(appImage, pid).countStart(version);
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
  const before = openTrial(appImage);
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
  const now = openTrial(appImage);
  now.passed();
  for (let count = 0; count < 5; count += 1) expect(starts()).toEqual(start);
  expect(content()).toBe('version 0.2.0');
  expect(openTrial(appImage).news()).toEqual({
    kind: 'installed',
    version: '0.2.0',
    from: '0.1.0',
    notes: 'Better.',
  });
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
  expect(openTrial(appImage).news()?.kind).toBe('cannot_go_back');
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

test('a version that was never started is told, too; one that was put there by hand is left alone', () => {
  const { appImage, starts } = updated();
  expect(starts('0.1.0')).toEqual(start);
  expect(openTrial(appImage).news()?.kind).toBe('went_back');
  const other = updated();
  expect(other.starts('0.3.0')).toEqual(start);
  expect([openTrial(other.appImage).isOnTrial, openTrial(other.appImage).failed()]).toEqual([false, []]);
});

test('an installation that fails half-way leaves the version before', () => {
  const { appImage, content } = updated();
  rmSync(appImage);
  openTrial(appImage).abandon();
  expect([content(), openTrial(appImage).isOnTrial]).toEqual(['version 0.1.0', false]);
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
