/**
 * Which port a terminal on a USB cable is at. The settings name a port, and the system gives that name to whatever is
 * plugged in first; so the device that was behind it is remembered by what it is, and found again wherever it is now.
 * Another device at that port is never taken for it: a person has to say that it is meant.
 */
import { realpathSync } from 'node:fs';
import { z } from 'zod';
import { mainTerminal } from '../../contract/terminal-name.ts';
import { formatUsbPath, type SerialPortInfo } from './serial-ports.ts';

const noUsbDevice = 'no USB device';

export const rememberedDeviceSchema = z.object({
  /** USB vendor and product, four lower-case hex digits each. */
  vendorId: z.string(),
  productId: z.string(),
  /** Many adapters have none, and cheap ones have all the same. */
  serialNumber: z.string().nullable(),
  /** Where it was plugged in, and which of its ports it is; null where the system does not tell. */
  place: z.string().nullable(),
  /** What the device calls itself, for people. */
  name: z.string().nullable(),
  /** Another one that could be it was plugged in beside it: only the place tells them apart. */
  hasTwin: z.boolean(),
});
export type RememberedDevice = z.infer<typeof rememberedDeviceSchema>;

export type PortOfDevice =
  /** The port of the settings. `device`: what to remember; null where the port is on no USB cable. */
  | { kind: 'here'; path: string; device: RememberedDevice | null }
  | { kind: 'moved'; path: string; device: RememberedDevice }
  /** `reason` for people, as a `LineError` has it. */
  | { kind: 'unsure'; reason: string };

/**
 * `path`: the port of the settings. `remembered`: what was behind it; null: not known yet. `terminal`: the name of the one
 * that it is about, which a person needs to accept its device.
 */
export function portOfDevice(
  path: string,
  remembered: RememberedDevice | null,
  ports: readonly SerialPortInfo[],
  terminal: string = mainTerminal,
): PortOfDevice {
  const named = portAt(path, ports);
  if (remembered === null)
    return { kind: 'here', path, device: named === null ? null : firstSeen(named, ports) };

  const fitting = ports.filter((port) => fits(port, remembered));
  const found = theOne(fitting, named, remembered);
  if (found !== null) {
    const { place, name } = found;
    const device = { ...remembered, place, name, hasTwin: remembered.hasTwin || fitting.length > 1 };
    // The name of the settings stays what it is called by, also where that is a link.
    return found === named ? { kind: 'here', path, device } : { kind: 'moved', path: found.path, device };
  }
  // Nothing is there: opening it says so.
  if (fitting.length === 0 && named === null && !exists(path))
    return { kind: 'here', path, device: remembered };
  return { kind: 'unsure', reason: reasonOf(path, named, fitting, remembered, terminal) };
}

function reasonOf(
  path: string,
  named: SerialPortInfo | null,
  fitting: readonly SerialPortInfo[],
  remembered: RememberedDevice,
  terminal: string,
): string {
  const was = titleOf(remembered);
  const accept = ['ports', '--accept', ...(terminal === mainTerminal ? [] : ['--for', terminal])].join(' ');
  if (fitting.length === 0) {
    const now = named === null ? noUsbDevice : titleOf(named);
    return `another device is at ${path} now (${now}) than the terminal’s (${was}); if it is meant, accept it in the settings or with "tillbridge ${accept}"`;
  }
  const paths = fitting.map((port) => port.path).join(', ');
  return `it cannot be told whether the terminal is at ${paths}: there are several devices like it (${was}); choose the right port in the settings, or accept the one at ${path} there or with "tillbridge ${accept}"`;
}

/** Of several that could be it, the one at its place. A single one is it, unless it had a twin. */
function theOne(
  fitting: readonly SerialPortInfo[],
  named: SerialPortInfo | null,
  { serialNumber, place, hasTwin }: RememberedDevice,
): SerialPortInfo | null {
  const [only] = fitting;
  if (only === undefined) return null;
  const isKnown = serialNumber !== null || only === named || only.place === place;
  if (fitting.length === 1 && !hasTwin && isKnown) return only;
  // Without places the system keeps the names apart, as Windows does by the socket.
  if (place === null) return fitting.find((port) => port === named) ?? null;
  return fitting.find((port) => port.place === place) ?? null;
}

function fits(port: SerialPortInfo, { vendorId, productId, serialNumber, place }: RememberedDevice): boolean {
  return (
    port.vendorId === vendorId &&
    port.productId === productId &&
    (port.serialNumber ?? '').toLowerCase() === (serialNumber ?? '').toLowerCase() &&
    (place === null || port.place === null || interfaceOf(port.place) === interfaceOf(place))
  );
}

/** `1-1.2:1.0` is the first interface of the device at the socket `1-1.2`. */
function interfaceOf(place: string): string {
  return place.split(':')[1] ?? '';
}

function firstSeen(
  { vendorId, productId, serialNumber, place, name }: SerialPortInfo,
  ports: readonly SerialPortInfo[],
): RememberedDevice | null {
  if (vendorId === null || productId === null) return null;
  const device = { vendorId, productId, serialNumber, place, name, hasTwin: false };
  return { ...device, hasTwin: ports.filter((port) => fits(port, device)).length > 1 };
}

/** The listed port that a path of the settings leads to, also by a link; null: none. */
export function portAt(path: string, ports: readonly SerialPortInfo[]): SerialPortInfo | null {
  const device = plainPath(realPath(path));
  return ports.find((port) => plainPath(port.path) === device) ?? null;
}

/** Windows does not regard case, and knows `\\.\COM10`; macOS has two names for each port. */
function plainPath(path: string): string {
  return path
    .toLowerCase()
    .replace(/^\\\\[.?]\\/, '')
    .replace(/^\/dev\/cu\./, '/dev/tty.');
}

/** What a link leads to; the path itself where it is no file. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function exists(path: string): boolean {
  try {
    realpathSync(path);
    return true;
  } catch {
    return false;
  }
}

/** `FTDI cable, usb:0403:6001:A1` */
function titleOf({
  name,
  vendorId,
  productId,
  serialNumber,
}: Omit<SerialPortInfo, 'path' | 'maker' | 'product'>): string {
  if (vendorId === null || productId === null) return name ?? noUsbDevice;
  const usb = formatUsbPath({ vendorId, productId, serialNumber });
  return name === null ? usb : `${name}, ${usb}`;
}
