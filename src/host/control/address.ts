/**
 * Where the control channel of a data folder is: a socket in the folder; or where `control.path` in the folder says: a
 * socket near it where names must be short, and a pipe on Windows. A pipe's name is nobody's own there, so it is made of
 * chance: whoever could guess it could be there before the bridge and answer in its place.
 */
import { lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { demandOwnersOf, privateFileMode, readPlainFile } from '../../base/private-files.ts';
import type { Chance } from '../../base/chance.ts';

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, with a zero at the end. */
const maxSocketPathBytes = 100;
const temporaryPrefix = 'tillbridge-';
const maxPointerBytes = 4_096;
const pipeNameBytes = 16;

/**
 * What a client connects to; there need not be anybody. Null: there cannot be. Throws `UnsafeFileError` when somebody
 * else than the folder's owner may have put it there.
 */
export function controlAddress(folder: string, platform: NodeJS.Platform = process.platform): string | null {
  demandOwnersOf(folder, [pointerFile(folder)]);
  const named = readPointer(folder);
  if (named === null && platform === 'win32') return null;
  const address = named ?? socketFile(folder);
  if (platform === 'win32') return address;
  demandOwnersOf(folder, [address]);
  return Buffer.byteLength(address) <= maxSocketPathBytes ? address : null;
}

/**
 * Makes room for a server on `folder` and returns the address to listen on. Only the holder of the folder's journal may
 * call it: what an earlier one left behind is removed.
 */
export function acquireControlAddress(
  folder: string,
  chance: Chance,
  platform: NodeJS.Platform = process.platform,
): string {
  releaseControlAddress(folder);
  const own = socketFile(folder);
  if (platform !== 'win32' && Buffer.byteLength(own) <= maxSocketPathBytes) return own;
  const elsewhere =
    platform === 'win32'
      ? String.raw`\\.\pipe\tillbridge-${Buffer.from(chance.bytes(pipeNameBytes)).toString('hex')}`
      : // mkdtemp makes a folder that only its owner can enter.
        path.join(mkdtempSync(path.join(os.tmpdir(), temporaryPrefix)), 'control.sock');
  writeFileSync(pointerFile(folder), `${elsewhere}\n`, { mode: privateFileMode, flag: 'wx' });
  return elsewhere;
}

/** Removes what `claimControlAddress` and the server made. */
export function releaseControlAddress(folder: string): void {
  rmSync(socketFile(folder), { force: true });
  const named = readPointer(folder);
  rmSync(pointerFile(folder), { force: true });
  if (named === null) return;
  const temporary = path.dirname(named);
  // Only a folder that we can have made is removed with all that is in it.
  if (!path.basename(temporary).startsWith(temporaryPrefix) || path.dirname(temporary) !== os.tmpdir())
    return;
  const found = lstatSync(temporary, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true || found.uid !== (process.getuid?.() ?? found.uid)) return;
  rmSync(temporary, { recursive: true, force: true });
}

/** Null when there is no pointer, or none that can be read. */
function readPointer(folder: string): string | null {
  try {
    const text = readPlainFile(pointerFile(folder), { maxBytes: maxPointerBytes }).toString('utf8').trim();
    return text === '' ? null : text;
  } catch {
    return null;
  }
}

function socketFile(folder: string): string {
  return path.join(folder, 'control.sock');
}

/** Holds the address of a channel that is elsewhere. */
function pointerFile(folder: string): string {
  return path.join(folder, 'control.path');
}
