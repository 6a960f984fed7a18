/**
 * The first thing that the app loads: counts this start where a version is on trial, and goes back to the version before
 * when this one did not come up three times. Whatever follows may be what is broken. On Windows a person has to go back,
 * and the window says how.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { app } from 'electron';
import packageJson from '../../../package.json' with { type: 'json' };
import { openTrial, type Trial, type WayBack } from './trial.ts';

/** Null where the app does not install its updates. */
export const trial: Trial | null = openHere();

function openHere(): Trial | null {
  const way = app.isPackaged ? wayBack(process.platform, process.env) : null;
  return way === null ? null : openTrial(way);
}

export function wayBack(platform: string, environment: NodeJS.ProcessEnv): WayBack | null {
  const { APPIMAGE: appImage = '', LOCALAPPDATA: local = '' } = environment;
  if (platform === 'win32')
    return local === ''
      ? null
      : { kind: 'installer', folder: path.win32.join(local, 'tillbridge', 'updates') };
  return platform === 'linux' && appImage !== '' ? { kind: 'app_image', appImage } : null;
}

/** The version before was started, and this process ends. */
export const isGoingBack: boolean = guard();

function guard(): boolean {
  try {
    const counted = trial?.countStart(packageJson.version) ?? { act: 'start' };
    if (counted.act === 'start') return false;
    const environment = { ...process.env, APPIMAGE: counted.file };
    spawn(counted.file, [], { detached: true, stdio: 'ignore', env: environment }).unref();
    app.exit(0);
    return true;
  } catch (error) {
    // A disk that is full, say. Starting is better than not starting.
    process.stderr.write(`The start of this version could not be counted: ${String(error)}\n`);
    return false;
  }
}
