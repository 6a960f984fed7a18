/**
 * The first thing that the app loads: counts this start where a version is on trial, and goes back to the version before
 * when this one did not come up three times. Whatever follows may be what is broken.
 */
import { spawn } from 'node:child_process';
import { app } from 'electron';
import packageJson from '../../../package.json' with { type: 'json' };
import { openTrial, type Trial } from './trial.ts';

const appImage = process.env['APPIMAGE'] ?? '';

/** Null where going back is not possible: only an AppImage can. */
export const trial: Trial | null = app.isPackaged && appImage !== '' ? openTrial(appImage) : null;

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
