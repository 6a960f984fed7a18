/** Electron's runtime: its npm package is small, and fetches the program itself only when it is first needed. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { runChild, type ChildEnd } from './child.ts';

export type Runtime =
  | { kind: 'found'; executable: string }
  /** No window can be opened; `sentence` says why. */
  | { kind: 'none'; sentence: string }
  | { kind: 'stopped'; by: NodeJS.Signals };

export interface RuntimeOptions {
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  say(line: string): void;
  /** Of the npm package; null when it is not installed. Only a test names another. */
  packageFolder?: string | null;
}

/** About 120 MB have to come in this time. */
const fetchWithinMs = 10 * 60_000;
const without = 'starting without the window.';

/** Looks for the runtime, and where it is missing lets Electron's own installer try to fetch it. */
export async function getRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { environment, platform, say } = options;
  const packageFolder = options.packageFolder === undefined ? electronPackage() : options.packageFolder;
  const executable = executableIn(packageFolder, environment, platform);
  const isThere = executable !== null && existsSync(executable);
  if (!hasDisplay(environment, platform)) {
    const noDisplay = 'there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set';
    return none(
      isThere ? `No window can be opened (${noDisplay})` : notInstalled('was not fetched', noDisplay),
    );
  }
  if (isThere) return { kind: 'found', executable };

  const reason = whyNotToFetch(packageFolder, environment);
  if (reason !== null) return none(notInstalled('could not be fetched', reason));
  say("Electron's runtime is not installed yet: fetching it, once (about 120 MB).");
  const installer = path.join(packageFolder ?? '', 'install.js');
  const end = await runChild(process.execPath, [installer], {
    output: 'kept',
    environment,
    withinMs: fetchWithinMs,
  });
  if (end.stoppedBy !== null) return { kind: 'stopped', by: end.stoppedBy };
  if (end.code === 0 && executable !== null && existsSync(executable)) return { kind: 'found', executable };
  return none(notInstalled('could not be fetched', whyNotFetched(end)));
}

/** Where the program is, or would be; null where Electron's package is not installed. */
function executableIn(
  packageFolder: string | null,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string | null {
  const override = environment['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override !== undefined && override !== '') return path.join(override, programName(platform));
  return packageFolder === null ? null : path.join(packageFolder, 'dist', programName(platform));
}

function programName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/** Never `require('electron')`: that fetches. */
function electronPackage(): string | null {
  try {
    return path.dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

/** Whether there is a screen to open a window on. */
export function hasDisplay(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (platform === 'win32' || platform === 'darwin') return true;
  return [environment['DISPLAY'], environment['WAYLAND_DISPLAY']].some(
    (name) => name !== undefined && name !== '',
  );
}

function whyNotToFetch(packageFolder: string | null, environment: NodeJS.ProcessEnv): string | null {
  const isSet = (name: string) => !['', undefined].includes(environment[name]);
  if (isSet('ELECTRON_OVERRIDE_DIST_PATH')) return 'ELECTRON_OVERRIDE_DIST_PATH names a folder without it';
  if (isSet('ELECTRON_SKIP_BINARY_DOWNLOAD')) return 'ELECTRON_SKIP_BINARY_DOWNLOAD is set';
  return packageFolder === null ? 'the npm package electron is not installed' : null;
}

function whyNotFetched(end: ChildEnd): string {
  if (end.timedOut) return `it took longer than ${fetchWithinMs / 60_000} minutes`;
  // The first line is an error's name and message, what follows is its stack.
  const fault = end.text.split('\n').find((line) => /\bError\b/.test(line)) ?? end.text.split('\n')[0] ?? '';
  return (
    fault.replace(/^\s*(\w*Error: )+/, '').trim() || `its installer ended with ${end.code ?? end.signal}`
  );
}

function notInstalled(what: 'was not fetched' | 'could not be fetched', why: string): string {
  return `Electron's runtime is not installed and ${what} (${why})`;
}

function none(why: string): Runtime {
  return { kind: 'none', sentence: `${why}; ${without}` };
}

export type DesktopEnd =
  | { kind: 'ended'; code: number }
  | { kind: 'stopped'; by: NodeJS.Signals }
  /** It ended before it could have shown a window; `sentence` says so. */
  | { kind: 'failed'; sentence: string };

/** What ends by itself and badly within this time has not come up: no sandbox on this system, missing libraries. */
const comesUpWithinMs = 5_000;

/** Runs the desktop app to its end; signals go to it. It takes settings from the environment, not as arguments. */
export async function runDesktop(
  executable: string,
  repository: string,
  environment: NodeJS.ProcessEnv,
  clock: Pick<Clock, 'elapsed'> = systemClock,
): Promise<DesktopEnd> {
  // A terminal inside an Electron program sets this, and Electron would be plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...rest } = environment;
  const startedMs = clock.elapsed();
  const end = await runChild(executable, [repository], { output: 'shown', environment: rest });
  if (end.stoppedBy !== null && end.signal !== null) return { kind: 'stopped', by: end.stoppedBy };
  if (end.code === 0 || end.stoppedBy !== null || clock.elapsed() - startedMs > comesUpWithinMs) {
    return { kind: 'ended', code: end.code ?? 1 };
  }
  const how = end.code ?? end.signal ?? end.text;
  return {
    kind: 'failed',
    sentence: `The window could not be opened (Electron ended with ${how}); ${without}`,
  };
}
