/**
 * Opens the console by itself: in an app window where a browser has them, otherwise as a page of the system's browser.
 *
 * The link is a secret that works once, and every user of a computer can list the command lines of its processes. So a
 * browser is given the name of a file that only this user can read, which leads on to the link.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Clock } from '../base/clock.ts';
import { privateFileMode } from '../base/private-files.ts';

/** Names the program that opens pages; `none`: nothing is to be opened. As other programs take it. */
const browserVariable = 'BROWSER';
/** So long the file is kept; a browser that is not open yet takes some seconds. */
const keptMs = 60_000;
/** A program that ends badly within this time has opened nothing. */
const comesUpWithinMs = 5_000;

export interface Surroundings {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  /** The user's own folder. A browser from a package of its own (Snap, Flatpak) can read nothing hidden in it, and no other. */
  home: string;
  clock: Clock;
  exists?: (file: string) => boolean;
  /** Resolves with false when the program could not be started or ended badly at once. */
  start?: (command: readonly [string, ...string[]]) => Promise<boolean>;
}

/**
 * `opened` is true when a browser was started. `close` removes the file, which also goes by itself after a while. Throws
 * what the file system throws.
 */
export function openConsole(
  link: string,
  surroundings: Surroundings,
): { opened: Promise<boolean>; close: () => void } {
  const { environment, home, clock } = surroundings;
  if (environment[browserVariable] === 'none') return { opened: Promise.resolve(true), close: () => {} };
  const start = surroundings.start ?? ((command) => started(command, clock));
  const folder = mkdtempSync(path.join(home, 'tillbridge-console-'));
  const file = path.join(folder, 'open.html');
  writeFileSync(file, pageTo(link), { mode: privateFileMode });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const cancel = clock.after(keptMs, remove);
  const close = () => {
    cancel();
    remove();
  };
  async function tryAll(): Promise<boolean> {
    for (const command of browsers(pathToFileURL(file).href, surroundings)) {
      if (await start(command)) return true;
    }
    close();
    return false;
  }
  return { opened: tryAll(), close };
}

/** What to try, one after the other. */
function* browsers(
  url: string,
  { platform, environment, exists = existsSync }: Surroundings,
): Generator<[string, ...string[]]> {
  const named = environment[browserVariable] ?? '';
  if (named !== '') {
    yield [named, url];
    return;
  }
  const find = platform === 'linux' ? inPath(environment, exists) : exists;
  for (const program of withAppWindows(platform, environment)) {
    const found = find(program);
    if (found !== false) yield [found === true ? program : found, `--app=${url}`];
  }
  if (platform === 'win32') yield ['rundll32', 'url.dll,FileProtocolHandler', url];
  else yield [platform === 'darwin' ? 'open' : 'xdg-open', url];
}

/** Browsers of Chromium's kind, which have windows without an address bar. */
function withAppWindows(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string[] {
  if (platform === 'darwin')
    return ['Google Chrome', 'Microsoft Edge', 'Chromium'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  if (platform !== 'win32')
    return ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];
  const folders = ['ProgramFiles(x86)', 'ProgramFiles', 'LOCALAPPDATA'].flatMap(
    (name) => environment[name] ?? [],
  );
  return folders.flatMap((folder) => [
    path.win32.join(folder, 'Microsoft/Edge/Application/msedge.exe'),
    path.win32.join(folder, 'Google/Chrome/Application/chrome.exe'),
  ]);
}

function inPath(
  environment: NodeJS.ProcessEnv,
  exists: (file: string) => boolean,
): (name: string) => string | false {
  const folders = (environment['PATH'] ?? '').split(':').filter((folder) => path.isAbsolute(folder));
  return (name) => folders.map((folder) => path.join(folder, name)).find((file) => exists(file)) ?? false;
}

function started([command, ...args]: readonly [string, ...string[]], clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    // The browser outlives the bridge, and its messages are not ours.
    const child = spawn(command, args, { detached: true, stdio: 'ignore' });
    child.unref();
    const cancel = clock.after(comesUpWithinMs, () => resolve(true));
    const end = (ok: boolean) => {
      cancel();
      resolve(ok);
    };
    child.on('error', () => end(false));
    // One that is open already takes the page over, and this process ends well.
    child.on('exit', (code) => end(code === 0));
  });
}

function pageTo(link: string): string {
  const escaped = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Tillbridge</title><meta http-equiv="refresh" content="0;url=${escaped}"><a href="${escaped}">Tillbridge</a>\n`;
}
