/**
 * One owner per line: a lock for the whole machine, taken before the first byte. Two bridges on one terminal would each
 * take the other's payments for their own.
 */
import { realpathSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { within } from '../../base/abort.ts';
import { type LockHolder, type LockPlace, acquireMachineLock, machineLockPlace } from '../locks/index.ts';
import type { LineLock } from './line.ts';
import { portAt, realPath, type RememberedDevice } from './remembered-device.ts';
import {
  listSerialPorts,
  type SerialPortInfo,
  findUsbPort,
  formatUsbPath,
  parseUsbPath,
  type UsbPath,
} from './serial-ports.ts';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Longest wait for the address of a name. */
const lookupTimeoutMs = 5_000;

/** Longest wait for the list of serial ports. */
export const listTimeoutMs = 2_000;

/** What is known of lines and where they lead. */
export interface NamingOptions {
  /** The serial ports instead of the machine's. */
  ports?: readonly SerialPortInfo[];
  /** The network instead of the machine's. */
  network?: Network;
  clock: Clock;
}

export interface LineLockOptions extends NamingOptions {
  /** Of the bridge that takes it; told to who finds it taken. */
  dataFolder: string;
  /** Where locks are instead of the machine's place. */
  place?: LockPlace;
}

/**
 * Takes the lock on the line of this name (`Line.name`), or says who has it. A memory line needs none. The lock is
 * given back by `release` or by the end of the process, however it ends.
 *
 * A line has several names (`/dev/ttyUSB0`, `/dev/serial/by-id/…`, `usb:…`; a host and its addresses), so each known one
 * is locked: two owners meet in at least one of them.
 */
export async function lockLine(lineName: string, options: LineLockOptions): Promise<LineLock> {
  if (lineName.startsWith('memory:')) return { kind: 'held', release() {} };
  const names = await lockNames(lineName, options);
  if (names !== null) return lockNamed(lineName, names, options);
  // A lock on the name alone would not be seen by a bridge that uses the address.
  const { host } = hostAndPort(lineName);
  return { kind: 'unreachable', message: `The name ${host} is not known on this network.` };
}

/** Both names lead to the same terminal, as far as can be told now. */
export async function sameLine(one: string, other: string, options: NamingOptions): Promise<boolean> {
  if (one === other) return true;
  if (one.startsWith('memory:') || other.startsWith('memory:')) return false;
  const [names, others] = await Promise.all([lockNames(one, options), lockNames(other, options)]);
  return names?.some((name) => others?.includes(name)) ?? false;
}

/** Everything that the line may be known by to another bridge; null when its host cannot be looked up. */
async function lockNames(lineName: string, options: NamingOptions): Promise<string[] | null> {
  const { network = systemNetwork, clock } = options;
  if (!/^(tcp|http):/.test(lineName))
    return serialLockNames(lineName, options.ports ?? (await portsInTime(clock)));
  return within(
    clock,
    lookupTimeoutMs,
    tcpLockNames(lineName, network).catch(() => null),
  );
}

/** None where the system does not tell in time: then the name of the port has to do. */
async function portsInTime(clock: Clock): Promise<readonly SerialPortInfo[]> {
  return (await within(clock, listTimeoutMs, listSerialPorts()).catch(() => null)) ?? [];
}

/** The same under these names only. */
export async function lockNamed(
  lineName: string,
  names: readonly string[],
  options: LineLockOptions,
): Promise<LineLock> {
  const { place = machineLockPlace(), dataFolder, clock } = options;
  const held: { release(): void }[] = [];
  const release = () => {
    for (const lock of held.splice(0).toReversed()) lock.release();
  };
  try {
    for (const name of names) {
      const lock = await acquireMachineLock(name, { place, dataFolder, clock });
      if (lock.kind === 'taken') {
        release();
        return { kind: 'taken', message: takenMessage(lineName, lock.holder) };
      }
      held.push(lock);
    }
    return { kind: 'held', release };
  } catch (error) {
    release();
    const reason = errorText(error);
    return { kind: 'taken', message: `The lock on the line ${lineName} cannot be made: ${reason}` };
  }
}

/** Everything that a line which is not on the network may be known by to another bridge. */
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
  const names = [`serial:${canonicalPort(device)}`];
  const port = portAt(path, ports);
  if (port !== null && port.vendorId !== null && port.productId !== null) {
    const { vendorId, productId, serialNumber, place } = port;
    if (place !== null) names.push(placeLockName({ vendorId, productId, serialNumber }, place));
    if (serialNumber !== null)
      names.push(`serial:${formatUsbPath({ vendorId, productId, serialNumber })}`.toLowerCase());
  }
  return names;
}

/**
 * What the device at a port is locked by wherever it is plugged in: by what it is, where only one can be that; else by the
 * port. So two bridges whose devices have changed their ports do not stand in each other's way.
 */
export function followedLockName(path: string, device: RememberedDevice | null): string {
  if (device === null) return `serial:${canonicalPort(realPath(path))}`;
  if (device.serialNumber !== null && !device.hasTwin) return `serial:${formatUsbPath(device)}`.toLowerCase();
  return device.place === null
    ? `serial:${canonicalPort(realPath(path))}`
    : placeLockName(device, device.place);
}

/** Of several that are alike, the one at a socket. */
function placeLockName(usb: UsbPath, place: string): string {
  return `serial:${formatUsbPath(usb)}@${place}`.toLowerCase();
}

/** Windows names ports without regard to case, and knows `\\.\COM10`; macOS has two names for each port. */
function canonicalPort(path: string): string {
  const com = /^(?:\\\\[.?]\\)?(com\d+)$/i.exec(path);
  return com?.[1]?.toUpperCase() ?? path.replace(/^\/dev\/cu\./, '/dev/tty.');
}

function takenMessage(lineName: string, holder: LockHolder | null): string {
  const who =
    holder === null
      ? `Another program on this computer holds the line ${lineName} and does not say who it is.`
      : `Another Tillbridge on this computer uses the line ${lineName}: process ${holder.processId}, with the data ` +
        `folder ${holder.dataFolder}.`;
  return `${who} A terminal belongs to one bridge: stop the other one, or give this one another line.`;
}

/** The network as the system knows it; a test brings its own. */
export interface Network {
  /** The addresses of a name. Rejects when it has none. */
  lookup(host: string): Promise<readonly string[]>;
  ownAddresses(): readonly string[];
}

const systemNetwork: Network = {
  lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  ownAddresses: () => Object.values(networkInterfaces()).flatMap((all = []) => all.map((own) => own.address)),
};

const thisComputer = '127.0.0.1';

/**
 * What a line on the network is locked by: `tcp:HOST:PORT`, whatever is spoken there, for each address that its host stands for now. A name and its address,
 * both addresses of one name, and every way to say "this computer" are one terminal. Rejects when the name cannot be
 * looked up.
 */
export async function tcpLockNames(lineName: string, network: Network): Promise<string[]> {
  const { host, port } = hostAndPort(lineName);
  const addresses = isIP(host) === 0 ? await network.lookup(host) : [host];
  const own = new Set(network.ownAddresses().map(canonicalAddress));
  const names = addresses.map((address) => {
    const canonical = canonicalAddress(address);
    const known = own.has(canonical) ? thisComputer : canonical;
    return known.includes(':') ? `tcp:[${known}]:${port}` : `tcp:${known}:${port}`;
  });
  return [...new Set(names)];
}

/** The host in lower case, without the brackets of an address or the last dot of a name. */
function hostAndPort(lineName: string): { host: string; port: string } {
  const parts = /^(?:tcp|http):(?:\[([^\]]*)\]|(.*)):(\d+)$/.exec(lineName);
  const host = (parts?.[1] ?? parts?.[2] ?? '').toLowerCase();
  return { host: host.replace(/\.$/, ''), port: parts?.[3] ?? '' };
}

/** One way to write each address: short, an embedded IPv4 address as what it is, loopback as 127.0.0.1. */
function canonicalAddress(address: string): string {
  const [withoutZone = ''] = address.split('%');
  if (isIP(withoutZone) === 6) return canonicalV6(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1));
  return withoutZone.startsWith('127.') || withoutZone === '0.0.0.0' ? thisComputer : withoutZone;
}

function canonicalV6(short: string): string {
  if (short === '::1' || short === '::') return thisComputer;
  // URL writes ::ffff:10.0.0.5 as ::ffff:a00:5.
  const embedded = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (embedded === null) return short;
  const bytes = embedded.slice(1).flatMap((half) => {
    const number = Number.parseInt(half, 16);
    return [number >> 8, number & 0xff];
  });
  return canonicalAddress(bytes.join('.'));
}
