/** Where the control channel of a data folder is: a socket in the folder, or near it where names must be short. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, with a zero at the end. */
const maxSocketPathBytes = 100;
const temporaryPrefix = 'tillbridge-';

/** What a client connects to; there need not be anybody. Null: there cannot be. */
export function controlAddress(folder: string): string | null {
  if (process.platform === 'win32') return pipeName(folder);
  const pointer = pointerFile(folder);
  if (existsSync(pointer)) return readFileSync(pointer, 'utf8').trim();
  const own = socketFile(folder);
  return Buffer.byteLength(own) <= maxSocketPathBytes ? own : null;
}

/**
 * Makes room for a server on `folder` and says where it must listen. Only the holder of the folder's journal may call
 * it: what an earlier one left behind is removed.
 */
export function claimControlAddress(folder: string): string {
  releaseControlAddress(folder);
  if (process.platform === 'win32') return pipeName(folder);
  const own = socketFile(folder);
  if (Buffer.byteLength(own) <= maxSocketPathBytes) return own;
  // mkdtemp makes a folder that only its owner can enter.
  const short = path.join(mkdtempSync(path.join(os.tmpdir(), temporaryPrefix)), 'control.sock');
  writeFileSync(pointerFile(folder), `${short}\n`, { mode: 0o600 });
  return short;
}

/** Removes what `claimControlAddress` and the server made. */
export function releaseControlAddress(folder: string): void {
  if (process.platform === 'win32') return;
  rmSync(socketFile(folder), { force: true });
  const pointer = pointerFile(folder);
  if (!existsSync(pointer)) return;
  const temporary = path.dirname(readFileSync(pointer, 'utf8').trim());
  // The file is ours, but only a folder that we can have made is removed with all that is in it.
  if (path.basename(temporary).startsWith(temporaryPrefix) && path.dirname(temporary) === os.tmpdir()) {
    rmSync(temporary, { recursive: true, force: true });
  }
  rmSync(pointer, { force: true });
}

function socketFile(folder: string): string {
  return path.join(folder, 'control.sock');
}

/** Holds the path of a socket that is elsewhere. */
function pointerFile(folder: string): string {
  return path.join(folder, 'control.path');
}

function pipeName(folder: string): string {
  const digest = createHash('sha256').update(path.resolve(folder).toLowerCase()).digest('hex').slice(0, 32);
  return String.raw`\\.\pipe\tillbridge-${digest}`;
}
