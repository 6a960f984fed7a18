/** `usb:VVVV:PPPP[:SERIAL]`: a serial device known by what it is, not by the port it happens to be plugged into. */
import type { SerialPortInfo } from './serial-ports.ts';

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
