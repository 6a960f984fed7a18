/**
 * Folders and files that only the user who runs Tillbridge may change. Whoever can put a link, a pipe or a file of their
 * own in the way of what is written here could divert the journal, feed in settings, or stop the bridge for good.
 *
 * A folder is looked at once, before anything in it is opened: when nobody else can write to it, nobody can change a
 * name in it between that look and the opening (which SQLite does by name). Windows has neither these modes nor owners:
 * there a folder of a user's profile is closed to others by the rights that it inherits, and only the kind of a file is
 * looked at.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  statSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';

/** Something is in the way that another user may have put there, or that is no plain file. The message is for people. */
export class UnsafeFileError extends Error {
  override name = 'UnsafeFileError';
}

/** More bytes than anybody should have to read. */
export class FileTooLargeError extends UnsafeFileError {
  override name = 'FileTooLargeError';
}

/** Who looks: the number of the user, or null where files have no owners. */
export interface Viewer {
  uid: number | null;
}

const privateFolderMode = 0o700;
export const privateFileMode = 0o600;

const root = 0;
const othersRead = 0o004;
const othersWrite = 0o002;
const groupWrites = 0o020;
const sticky = 0o1000;

function thisUser(): Viewer {
  return { uid: process.getuid?.() ?? null };
}

/**
 * Makes `folder` and those above it that are missing, for their owner only. Throws what the file system throws. (Node's
 * own `recursive` never comes back from a place where folders cannot be made, such as /proc.)
 */
export function makeFolders(folder: string): void {
  const missing: string[] = [];
  let at = path.resolve(folder);
  while (statSync(at, { throwIfNoEntry: false }) === undefined) {
    missing.push(at);
    if (at === path.dirname(at)) break;
    at = path.dirname(at);
  }
  for (const name of missing.toReversed()) {
    try {
      mkdirSync(name, { mode: privateFolderMode });
    } catch (error) {
      // Another process was faster.
      if (statSync(name, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    }
  }
}

/**
 * Makes `folder` if it is missing, and looks whether it may be used for what nobody else may change, and the files in
 * it whose names fit `names`. Gives sentences to warn with. Throws `UnsafeFileError` when another user owns or can
 * change it or one of them, and what the file system throws.
 */
export function preparePrivateFolder(folder: string, names: RegExp, viewer: Viewer = thisUser()): string[] {
  makeFolders(folder);
  const warnings = folderWarnings(folder, viewer);
  for (const name of readdirSync(folder)) {
    if (names.test(name)) warnings.push(...demandOwnFile(path.join(folder, name), viewer));
  }
  return warnings;
}

/** A folder that others can change, as a warning or an `UnsafeFileError`. */
function folderWarnings(folder: string, viewer: Viewer): string[] {
  const link = lstatSync(folder);
  const found = statSync(folder);
  if (!found.isDirectory()) throw new UnsafeFileError(`${folder} is no folder.`);
  if (viewer.uid === null) return [];
  // Whose link it is says who can lead us elsewhere.
  const stranger = [link, found].find(({ uid }) => isStranger(uid, viewer));
  if (stranger !== undefined) {
    throw new UnsafeFileError(
      `The folder ${folder} belongs to another user (number ${stranger.uid}), who could change what is in it. ` +
        'Run Tillbridge as that user, or name another folder.',
    );
  }
  if ((found.mode & othersWrite) !== 0) throw new UnsafeFileError(everybodyWrites(folder));
  return (found.mode & groupWrites) === 0
    ? []
    : [
        `Other users in its group can write to the folder ${folder}. ` +
          `Unless that is meant, take that right away: chmod g-w "${folder}"`,
      ];
}

/**
 * Whether nobody but this user and root can change anything in `folder`, which is there, or put another in its place: for
 * code that will be run. `folder` has no links in it. Throws what the file system throws.
 */
export function isPrivatePath(folder: string, viewer: Viewer = thisUser()): boolean {
  if (viewer.uid === null) return true;
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join(folder, name),
  );
  if (![folder, ...inside].every((name) => onlyOwnerWrites(lstatSync(name), viewer))) return false;
  return isPrivatePlace(path.dirname(folder), viewer);
}

/**
 * Whether nobody but this user and root can put another in the place of what is made in `folder`, which is there and has
 * no links in it. Throws what the file system throws.
 */
export function isPrivatePlace(folder: string, viewer: Viewer = thisUser()): boolean {
  if (viewer.uid === null) return true;
  const found = lstatSync(folder);
  // In a sticky folder (/tmp) nobody can rename what is another's.
  const isShared = (found.mode & sticky) !== 0 && !isStranger(found.uid, viewer);
  if (!isShared && !onlyOwnerWrites(found, viewer)) return false;
  const above = path.dirname(folder);
  return above === folder || isPrivatePlace(above, viewer);
}

function onlyOwnerWrites({ uid, mode }: Stats, viewer: Viewer): boolean {
  return !isStranger(uid, viewer) && (mode & (groupWrites | othersWrite)) === 0;
}

/**
 * `file` is missing, or a plain file or folder that nobody else can change; gives sentences to warn with. Throws
 * `UnsafeFileError`.
 */
export function demandOwnFile(file: string, viewer: Viewer = thisUser()): string[] {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return [];
  demandPlain(file, found);
  if (viewer.uid === null) return [];
  if (isStranger(found.uid, viewer)) {
    throw new UnsafeFileError(
      `${file} belongs to another user (number ${found.uid}), so it is not used. Find out who put it there, and move it away.`,
    );
  }
  if ((found.mode & othersWrite) !== 0) {
    throw new UnsafeFileError(
      `Every user of this computer can change ${file}, so it is not used. ` +
        `Look whether it is as it should be, and take that right away: chmod go-w "${file}"`,
    );
  }
  if ((found.mode & groupWrites) === 0) return [];
  return [`Other users in its group can change ${file}. Take that right away: chmod g-w "${file}"`];
}

/**
 * Files in `folder` whose names fit `names` are plain files, whoever owns them: for those who only read. A folder that
 * is missing has none. Throws `UnsafeFileError`, and what the file system throws.
 */
export function demandPlainFiles(folder: string, names: RegExp): void {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  for (const name of readdirSync(folder)) {
    if (!names.test(name)) continue;
    const file = path.join(folder, name);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found !== undefined) demandPlain(file, found);
  }
}

/**
 * Each of `files` that is there belongs to the owner of `folder`, to this user or to root, and not everybody can write
 * to the folder: for what the owner's bridge has put there, whoever reads it. Throws `UnsafeFileError`.
 */
export function demandOwnersOf(folder: string, files: readonly string[], viewer: Viewer = thisUser()): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || viewer.uid === null) return;
  if ((found.mode & othersWrite) !== 0) throw new UnsafeFileError(everybodyWrites(folder));
  for (const file of files) {
    const owner = lstatSync(file, { throwIfNoEntry: false })?.uid;
    if (owner === undefined || owner === found.uid || !isStranger(owner, viewer)) continue;
    throw new UnsafeFileError(
      `${file} belongs to another user (number ${owner}) than the folder ${folder}, so it is not used.`,
    );
  }
}

function everybodyWrites(folder: string): string {
  return (
    `Every user of this computer can write to the folder ${folder}. ` +
    `Name another folder, or take that right away: chmod go-w "${folder}"`
  );
}

/** A sentence when every user can change `file`, which somebody has named and which is followed through links. */
export function openToEverybody(file: string): string | null {
  if (thisUser().uid === null || (statSync(file).mode & othersWrite) === 0) return null;
  return `Every user of this computer can change ${file}. Take that right away: chmod go-w "${file}"`;
}

/** Whether every user may read `file`, which is there. */
export function everybodyCanRead(file: string): boolean {
  return thisUser().uid !== null && (statSync(file).mode & othersRead) !== 0;
}

/** A pipe or a device would make us wait for ever, or give bytes without end. */
function demandPlain(file: string, found: Stats): void {
  if (found.isFile() || found.isDirectory() || found.isSocket()) return;
  const kind = found.isSymbolicLink() ? 'a link' : 'a device or a pipe';
  throw new UnsafeFileError(`${file} is ${kind}, not a plain file, so it is not used.`);
}

function isStranger(uid: number, viewer: Viewer): boolean {
  // Whatever root wants to change, root can.
  return uid !== viewer.uid && uid !== root;
}

export interface ReadOptions {
  maxBytes: number;
  /** A link to a file is as good as the file: for files that a person has named. Links are refused otherwise. */
  followLinks?: boolean;
  /** It must be this user's own, as `demandOwnFile` says. */
  own?: boolean;
}

/**
 * The content of `file`, as long as it is a plain file of `maxBytes` at most. Never waits for a pipe or a device, and
 * never reads more than the file is long. Throws `UnsafeFileError`, and what the file system throws (`ENOENT`).
 */
export function readPlainFile(file: string, options: ReadOptions): Buffer {
  const { maxBytes, followLinks = false, own = false } = options;
  // First by name: to open a device can set something off.
  demandFile(file, followLinks ? statSync(file) : lstatSync(file));
  if (own) demandOwnFile(file);
  const descriptor = openSync(file, constants.O_RDONLY | (followLinks ? neverWaits : neverWaits | noLinks));
  try {
    const found = fstatSync(descriptor);
    demandFile(file, found);
    if (found.size > maxBytes) {
      throw new FileTooLargeError(
        `${file} is too large: ${found.size} bytes, where ${maxBytes} are allowed.`,
      );
    }
    const content = Buffer.alloc(found.size);
    let length = 0;
    while (length < content.length) {
      const count = readSync(descriptor, content, length, content.length - length, null);
      if (count === 0) break;
      length += count;
    }
    return content.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

function demandFile(file: string, found: Stats): void {
  if (found.isDirectory()) throw new UnsafeFileError(`${file} is a folder.`);
  demandPlain(file, found);
}

/** Flags that Windows has not. */
const noLinks = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
const neverWaits = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;

/**
 * Opens `file` to append to it, or makes it for its owner only; never through a link, never a pipe or a device, and
 * never one that another user owns or can change.
 * Throws `UnsafeFileError`, and what the file system throws. The caller closes the descriptor.
 */
export function openToAppend(file: string, open: typeof openSync = openSync): number {
  return openPlain(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, open);
}

/** The same to read and write anywhere in it. */
export function openToChange(file: string): number {
  return openPlain(file, constants.O_RDWR | constants.O_CREAT, openSync);
}

function openPlain(file: string, flags: number, open: typeof openSync): number {
  const before = lstatSync(file, { throwIfNoEntry: false });
  if (before !== undefined) demandFile(file, before);
  demandOwnFile(file);
  const descriptor = open(file, flags | noLinks | neverWaits, privateFileMode);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new UnsafeFileError(`${file} is not a plain file, so it is not used.`);
}
