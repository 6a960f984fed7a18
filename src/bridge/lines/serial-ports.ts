/** Which serial ports there are, what is known of the device behind each, and which one a `usb:` path means. */
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface SerialPortInfo {
  /** What `serial:` takes: `/dev/ttyUSB0`, `COM3`. */
  path: string;
  /** What the device calls itself, for people: by maker and product where it says both. */
  name: string | null;
  maker: string | null;
  product: string | null;
  /** USB vendor and product, four lower-case hex digits each. */
  vendorId: string | null;
  productId: string | null;
  /** The device's own serial number, where it has one: it stays with the device on every port. */
  serialNumber: string | null;
  /** The socket that it is plugged into, and which of its ports this is: `1-1.2:1.0`. Null where the system does not tell. */
  place: string | null;
}

/** Where Linux shows its devices; tests put folders of their own in its place. */
export interface LinuxFolders {
  ttys: string;
  devices: string;
}

const linuxFolders: LinuxFolders = { ttys: '/sys/class/tty', devices: '/dev' };
/** How far above a tty its USB device may be in the tree of devices. */
const maxUsbLevels = 6;
const usbInterface = /^\d+-[\d.]+:\d+\.\d+$/;
/** Ports that a container may have been given although its `/sys` does not show them. */
const knownDevicePattern = /^(tty(USB|ACM|AMA|XRUSB|WCH|MFD|O)\d+|rfcomm\d+)$/;

/**
 * All serial ports, by name. On Linux from the kernel's own folders (serialport's list needs `udevadm`, which small
 * systems lack); elsewhere from serialport. Rejects with a sentence when the system does not tell.
 */
export async function listSerialPorts(): Promise<SerialPortInfo[]> {
  if (process.platform === 'linux') return listLinuxSerialPorts();
  const { SerialPort } = await import('serialport');
  const ports = await SerialPort.list().catch((error: unknown) => {
    throw new Error('the system does not tell which serial ports there are', { cause: error });
  });
  return byPath(
    ports.map((port) => ({
      path: port.path,
      name: friendlyName(port) ?? port.manufacturer ?? null,
      maker: port.manufacturer ?? null,
      product: friendlyName(port),
      vendorId: port.vendorId?.toLowerCase() ?? null,
      productId: port.productId?.toLowerCase() ?? null,
      serialNumber: port.serialNumber ?? null,
      place: port.locationId ?? null,
    })),
  );
}

/** The same for Linux, at once. An unreadable folder is an empty one. */
export function listLinuxSerialPorts(folders: LinuxFolders = linuxFolders): SerialPortInfo[] {
  const known = namesIn(folders.ttys).filter((name) => hasHardware(join(folders.ttys, name)));
  const others = namesIn(folders.devices).filter(
    (name) => knownDevicePattern.test(name) && !known.includes(name),
  );
  return byPath(
    [...known, ...others]
      .map((name) => ({ path: join(folders.devices, name), tty: join(folders.ttys, name) }))
      .filter(({ path }) => existsSync(path))
      .map(({ path, tty }) => ({ path, ...usbDevice(tty) })),
  );
}

/** A virtual console has no device; the kernel reserves serial ports without hardware, whose type is 0. */
function hasHardware(tty: string): boolean {
  return existsSync(join(tty, 'device')) && readText(join(tty, 'type')) !== '0';
}

function usbDevice(tty: string): Omit<SerialPortInfo, 'path'> {
  const unknown: Omit<SerialPortInfo, 'path'> = {
    name: null,
    maker: null,
    product: null,
    vendorId: null,
    productId: null,
    serialNumber: null,
    place: null,
  };
  let folder: string;
  try {
    folder = realpathSync(join(tty, 'device'));
  } catch {
    return unknown;
  }
  let place: string | null = null;
  for (let level = 0; level < maxUsbLevels; level += 1, folder = dirname(folder)) {
    // A folder for each interface of a device, `1-1.2:1.0`, is right below the device's own, `1-1.2`.
    if (usbInterface.test(basename(folder))) place = basename(folder);
    const vendorId = readText(join(folder, 'idVendor'));
    const productId = readText(join(folder, 'idProduct'));
    if (vendorId === null || productId === null) continue;
    const [maker, product] = [readText(join(folder, 'manufacturer')), readText(join(folder, 'product'))];
    const name = [maker, product].filter((word) => word !== null).join(' ');
    return {
      name: name === '' ? null : name,
      maker,
      product,
      vendorId: vendorId.toLowerCase(),
      productId: productId.toLowerCase(),
      serialNumber: readText(join(folder, 'serial')),
      place,
    };
  }
  return unknown;
}

function readText(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return text === '' ? null : text;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function friendlyName(port: object): string | null {
  return 'friendlyName' in port && typeof port.friendlyName === 'string' ? port.friendlyName : null;
}

function byPath(ports: SerialPortInfo[]): SerialPortInfo[] {
  const order = new Intl.Collator('en', { numeric: true });
  return ports.toSorted((one, other) => order.compare(basename(one.path), basename(other.path)));
}

/** `usb:VVVV:PPPP[:SERIAL]`: a serial device known by what it is, not by the port it happens to be plugged into. */
export interface UsbPath {
  /** Four lower-case hex digits each. */
  vendorId: string;
  productId: string;
  serialNumber: string | null;
}

/** Null: `path` is the name of a port. */
export function parseUsbPath(path: string): UsbPath | null {
  const parts = /^usb:([0-9a-f]{4}):([0-9a-f]{4})(?::(.+))?$/i.exec(path);
  if (parts === null) return null;
  const [, vendorId = '', productId = '', serialNumber = null] = parts;
  return { vendorId: vendorId.toLowerCase(), productId: productId.toLowerCase(), serialNumber };
}

export function formatUsbPath({ vendorId, productId, serialNumber }: UsbPath): string {
  return `usb:${vendorId}:${productId}${serialNumber === null ? '' : `:${serialNumber}`}`;
}

/** The one port that `usb` means now, or why there is none. Two that fit are never guessed between. */
export function findUsbPort(
  usb: UsbPath,
  ports: readonly SerialPortInfo[],
): { ok: true; port: SerialPortInfo } | { ok: false; reason: string } {
  const fitting = ports.filter(
    (port) =>
      port.vendorId === usb.vendorId &&
      port.productId === usb.productId &&
      (usb.serialNumber === null || port.serialNumber?.toLowerCase() === usb.serialNumber.toLowerCase()),
  );
  const [port, ...others] = fitting;
  if (port === undefined) return { ok: false, reason: `no device ${formatUsbPath(usb)} is plugged in` };
  if (others.length === 0) return { ok: true, port };
  const candidates = fitting.map(
    ({ path, serialNumber }) => `${path} (serial number ${serialNumber ?? 'none'})`,
  );
  return { ok: false, reason: `more than one device is ${formatUsbPath(usb)}: ${candidates.join(', ')}` };
}
