import type { SerialPortInfo } from '../../../src/bridge/lines/serial-ports.ts';

/** A port as the system lists it; what is left out is not known of it. */
export function portInfo(path: string, known: Partial<SerialPortInfo> = {}): SerialPortInfo {
  const nothing = { name: null, maker: null, product: null, vendorId: null, productId: null };
  return { path, ...nothing, serialNumber: null, place: null, ...known };
}
