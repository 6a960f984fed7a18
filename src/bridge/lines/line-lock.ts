/**
 * One owner per line: a lock for the whole machine, taken before the first byte. Two bridges on one terminal would each
 * take the other's payments for their own.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { acquireExclusiveLock } from '../locks/exclusive-lock.ts';
import { listLinuxSerialPorts } from './serial-ports.ts';
import type { SerialPortInfo } from './serial-ports.ts';
import { findUsbPort, formatUsbPath, parseUsbPath } from './usb-path.ts';

const ownFolder = 'tillbridge';

export type LineLock =
  { kind: 'held'; /** May be called twice. */ release(): void } | { kind: 'taken'; message: string };

export interface LineLockOptions {
  /** Folders for the lock files instead of the machine's. */
  folders?: readonly string[];
  /** The serial ports instead of the machine's. */
  ports?: readonly SerialPortInfo[];
}

/**
 * Takes the lock on the line of this name (`Line.name`), or says who has it. A memory line needs none. The lock is
 * given back by `release` or by the end of the process, however it ends.
 *
 * A line has several names (`/dev/ttyUSB0`, `/dev/serial/by-id/…`, `usb:…`), and not every user can write to every
 * folder, so each known name is locked in each folder that can be used: two owners meet in at least one of them.
 */
export function lockLine(lineName: string, options: LineLockOptions = {}): LineLock {
  if (lineName.startsWith('memory:')) return { kind: 'held', release() {} };
  const ports = options.ports ?? (process.platform === 'linux' ? listLinuxSerialPorts() : []);
  const names = lockNames(lineName, ports);
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

/** Everything that the line may be known by to another bridge. */
export function lockNames(lineName: string, ports: readonly SerialPortInfo[]): string[] {
  if (lineName.startsWith('tcp:')) return [canonicalTcpName(lineName)];
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

/** Names in lower case, addresses in their short form. A name and its address are different locks: only DNS knows. */
function canonicalTcpName(lineName: string): string {
  try {
    const { hostname, port } = new URL(`http://${lineName.slice('tcp:'.length)}`);
    const host = hostname.replace(/\.$/, '');
    return `tcp:${host === 'localhost' ? '127.0.0.1' : host}:${port === '' ? '80' : port}`;
  } catch {
    return lineName.toLowerCase();
  }
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
