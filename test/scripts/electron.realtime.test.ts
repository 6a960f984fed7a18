/** Finding and fetching Electron's runtime, with stand-ins for its npm package. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getRuntime, runDesktop } from '../../scripts/launch/electron.ts';

let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-electron-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const display = { DISPLAY: ':0' };

function get(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = 'linux') {
  const say = (line: string) => void said.push(line);
  return getRuntime({ environment, platform, say, packageFolder: folder });
}

function put(file: string, text = ''): string {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
  return place;
}

describe('Electron’s runtime', () => {
  it('is found where its package keeps it on each system', async () => {
    for (const [platform, file] of [
      ['linux', 'dist/electron'],
      ['win32', 'dist/electron.exe'],
      ['darwin', 'dist/Electron.app/Contents/MacOS/Electron'],
    ] as const) {
      const executable = put(file);
      expect(await get(platform === 'linux' ? display : {}, platform)).toEqual({ kind: 'found', executable });
    }
    expect(said).toEqual([]);
  });

  it('is found where ELECTRON_OVERRIDE_DIST_PATH says, and nowhere else then', async () => {
    const executable = put('elsewhere/electron');
    put('dist/electron');
    const environment = { ...display, ELECTRON_OVERRIDE_DIST_PATH: path.dirname(executable) };
    expect(await get(environment)).toEqual({ kind: 'found', executable });
    expect(await get({ ...display, ELECTRON_OVERRIDE_DIST_PATH: path.join(folder, 'empty') })).toEqual({
      kind: 'none',
      sentence:
        "Electron's runtime is not installed and could not be fetched (ELECTRON_OVERRIDE_DIST_PATH names a folder " +
        'without it); starting without the window.',
    });
  });

  it('is fetched once by Electron’s own installer', async () => {
    put(
      'install.js',
      `const fs = require('fs'); fs.mkdirSync(__dirname + '/dist'); fs.writeFileSync(__dirname + '/dist/electron', '');`,
    );
    const executable = path.join(folder, 'dist/electron');
    expect(await get(display)).toEqual({ kind: 'found', executable });
    expect(said).toEqual([expect.stringContaining('fetching it')]);
    await get(display);
    expect(said).toHaveLength(1);
  });

  it('that cannot be fetched is told in one line with the reason', async () => {
    put('install.js', `console.error(new TypeError('fetch failed').stack); process.exit(1);`);
    expect(await get(display)).toEqual({
      kind: 'none',
      sentence:
        "Electron's runtime is not installed and could not be fetched (fetch failed); starting without the window.",
    });
    put('install.js', '');
    expect(await get(display)).toMatchObject({
      sentence: expect.stringContaining('its installer ended with 0'),
    });
  });

  it('is not fetched where nobody wants it or it would be of no use', async () => {
    put('install.js', `require('fs').writeFileSync(__dirname + '/called', '');`);
    const skipped = await get({ ...display, ELECTRON_SKIP_BINARY_DOWNLOAD: '1' });
    expect(skipped).toMatchObject({
      sentence: expect.stringContaining('ELECTRON_SKIP_BINARY_DOWNLOAD is set'),
    });
    const dark = await get({});
    expect(dark).toMatchObject({
      sentence: expect.stringMatching(
        /^Electron's runtime is not installed and was not fetched \(there is no display/,
      ),
    });
    put('dist/electron');
    expect(await get({ DISPLAY: '' })).toMatchObject({
      sentence: expect.stringMatching(/^No window can be opened \(there is no display/),
    });
    expect(await get({ WAYLAND_DISPLAY: 'wayland-0' })).toMatchObject({ kind: 'found' });
    expect(existsSync(path.join(folder, 'called'))).toBe(false);
    expect(said).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('the desktop app', () => {
  function program(text: string): string {
    const place = put('program', `#!/bin/sh\n${text}\n`);
    chmodSync(place, 0o755);
    return place;
  }

  it('gets the repository and no Node mode, and its exit code is ours', async () => {
    const seen = path.join(folder, 'seen');
    const executable = program(`echo "$@ [$ELECTRON_RUN_AS_NODE]" > "${seen}"; exit 0`);
    const environment = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const end = await runDesktop(executable, '/repository', environment);
    expect(end).toEqual({ kind: 'ended', code: 0 });
    expect(readFileSync(seen, 'utf8')).toBe('/repository []\n');
  });

  it('that does not come up is told', async () => {
    // However long a busy machine takes to start a program.
    const atOnce = { elapsed: () => 0 };
    for (const [text, how] of [
      ['exit 1', '1'],
      ['kill -TRAP $$', 'SIGTRAP'],
    ] as const) {
      expect(await runDesktop(program(text), '/', process.env, atOnce)).toEqual({
        kind: 'failed',
        sentence: `The window could not be opened (Electron ended with ${how}); starting without the window.`,
      });
    }
    const missing = await runDesktop(path.join(folder, 'nothing'), '/', process.env, atOnce);
    expect(missing).toMatchObject({ kind: 'failed', sentence: expect.stringContaining('ENOENT') });
  });

  it('that has shown its window is not taken for one that did not come up, however it ends', async () => {
    let minutes = 0;
    const clock = { elapsed: () => 60_000 * minutes++ };
    expect(await runDesktop(program('exit 1'), '/', process.env, clock)).toEqual({ kind: 'ended', code: 1 });
  });
});
