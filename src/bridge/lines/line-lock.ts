/**
 * One owner per line: a lock for the whole machine, taken before the first byte. Two bridges on one terminal would each
 * take the other's payments for their own.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Clock } from '../../contract/clock.ts';
import { acquireExclusiveLock } from '../locks/exclusive-lock.ts';
import { listLinuxSerialPorts } from './serial-ports.ts';
import type { SerialPortInfo } from './serial-ports.ts';
import { hostAndPort, systemNetwork, tcpLockNames, type Network } from './tcp-lock-names.ts';
import { findUsbPort, formatUsbPath, parseUsbPath } from './usb-path.ts';

const ownFolder = 'tillbridge';
/** Longest wait for the address of a name. */
const lookupTimeoutMs = 5_000;

export type LineLock =
  | { kind: 'held'; /** May be called twice. */ release(): void }
  | { kind: 'taken'; message: string }
  /** The name of the terminal's host stands for no address now: there is nothing to lock, and nothing to connect to. */
  | { kind: 'unreachable'; message: string };

export interface LineLockOptions {
  /** Folders for the lock files instead of the machine's. */
  folders?: readonly string[];
  /** The serial ports instead of the machine's. */
  ports?: readonly SerialPortInfo[];
  /** The network instead of the machine's. */
  network?: Network;
  clock: Clock;
}

/**
 * Takes the lock on the line of this name (`Line.name`), or says who has it. A memory line needs none. The lock is
 * given back by `release` or by the end of the process, however it ends.
 *
 * A line has several names (`/dev/ttyUSB0`, `/dev/serial/by-id/…`, `usb:…`; a host and its addresses), and not every
 * user can write to every folder, so each known name is locked in each folder that can be used: two owners meet in at
 * least one of them.
 */
export async function lockLine(lineName: string, options: LineLockOptions): Promise<LineLock> {
  if (lineName.startsWith('memory:')) return { kind: 'held', release() {} };
  const names = await lockNames(lineName, options);
  if (names !== null) return lockAll(lineName, names, options);
  // A lock on the name alone would not be seen by a bridge that uses the address.
  const { host } = hostAndPort(lineName);
  return { kind: 'unreachable', message: `The name ${host} is not known on this network.` };
}

/** Both names lead to the same terminal, as far as can be told now. */
export async function sameLine(one: string, other: string, options: LineLockOptions): Promise<boolean> {
  if (one === other) return true;
  if (one.startsWith('memory:') || other.startsWith('memory:')) return false;
  const [names, others] = await Promise.all([lockNames(one, options), lockNames(other, options)]);
  return names?.some((name) => others?.includes(name)) ?? false;
}

/** Everything that the line may be known by to another bridge; null when its host cannot be looked up. */
async function lockNames(lineName: string, options: LineLockOptions): Promise<string[] | null> {
  if (!lineName.startsWith('tcp:')) {
    const ports = options.ports ?? (process.platform === 'linux' ? listLinuxSerialPorts() : []);
    return serialLockNames(lineName, ports);
  }
  const { network = systemNetwork, clock } = options;
  let cancel = () => {};
  const timeout = new Promise<null>((resolve) => {
    cancel = clock.after(lookupTimeoutMs, () => resolve(null));
  });
  const names = tcpLockNames(lineName, network).catch(() => null);
  return Promise.race([names, timeout]).finally(() => cancel());
}

function lockAll(lineName: string, names: readonly string[], options: LineLockOptions): LineLock {
  const held: { release(): void }[] = [];
  const release = () => {
    for (const lock of held.splice(0).toReversed()) lock.release();
  };
  let trouble = 'there is no folder for it';
  for (const folder of options.folders ?? lockFolders()) {
    for (const name of names) {
      try {
        if (!makeFolder(folder)) continue;
        const lock = acquireExclusiveLock(join(folder, lockFileName(name)), { everyUser: true });
        if (lock.kind === 'held') {
          held.push(lock);
          continue;
        }
      } catch (error) {
        // Not writable for this user: the next folder.
        trouble = error instanceof Error ? error.message : String(error);
        continue;
      }
      release();
      return { kind: 'taken', message: takenMessage(lineName) };
    }
  }
  if (held.length > 0) return { kind: 'held', release };
  return { kind: 'taken', message: `The lock on the line ${lineName} cannot be made: ${trouble}.` };
}

/** Everything that a line which is not TCP may be known by to another bridge. */
export function serialLockNames(lineName: string, ports: readonly SerialPortInfo[]): string[] {
  if (!lineName.startsWith('serial:')) return [lineName];
  const path = lineName.slice('serial:'.length);
  const usb = parseUsbPath(path);
  if (usb !== null) {
    const found = findUsbPort(usb, ports);
    const known = `serial:${formatUsbPath(usb)}`.toLowerCase();
    return found.ok ? [...new Set([known, ...deviceNames(found.port.path, ports)])] : [known];
  }
  return [...new Set([`serial:${canonicalPort(path)}`, ...deviceNames(path, ports)])];
}

/** The device itself, whatever links lead to it, and what it is if that is unique. */
function deviceNames(path: string, ports: readonly SerialPortInfo[]): string[] {
  let device = canonicalPort(path);
  try {
    device = realpathSync(path);
  } catch {
    // Not plugged in, or no file (COM3).
  }
  const names = [`serial:${device}`];
  const port = ports.find((candidate) => candidate.path === device);
  if (port !== undefined && port.vendorId !== null && port.productId !== null && port.serialNumber !== null) {
    const { vendorId, productId, serialNumber } = port;
    names.push(`serial:${formatUsbPath({ vendorId, productId, serialNumber })}`.toLowerCase());
  }
  return names;
}

/** Windows names ports without regard to case, and knows `\\.\COM10`. */
function canonicalPort(path: string): string {
  const com = /^(?:\\\\[.?]\\)?(com\d+)$/i.exec(path);
  return com?.[1]?.toUpperCase() ?? path;
}

function lockFileName(name: string): string {
  return `tillbridge-${createHash('sha256').update(name).digest('hex').slice(0, 32)}.lock`;
}

/** Folders that every user of the machine shares and that nobody cleans by age, then those that come close. */
function lockFolders(): string[] {
  if (process.platform === 'win32')
    return [join(process.env['PROGRAMDATA'] ?? 'C:\\ProgramData', ownFolder), tmpdir()];
  if (process.platform === 'darwin') return [join('/Users/Shared', ownFolder), '/tmp'];
  return ['/run/lock', '/tmp'];
}

/** Makes a folder of our own, open to every user whatever the umask says; never one of the system's. */
function makeFolder(folder: string): boolean {
  if (existsSync(folder)) return true;
  if (basename(folder) !== ownFolder) return false;
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  return true;
}

function takenMessage(lineName: string): string {
  return (
    `Another Tillbridge on this computer uses the line ${lineName}. ` +
    'A terminal belongs to one bridge: stop the other one, or give this one another line.'
  );
}
