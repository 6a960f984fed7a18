/** What a USB device behind a serial port probably is, by who made it. Only what is well known: anything else says nothing. */
import type { ProtocolName } from './protocols.ts';

export interface UsbGuess {
  /** A card terminal, or a cable to which anything may be connected. */
  kind: 'terminal' | 'adapter';
  maker: string;
  /** What terminals of this maker speak on a cable, in the countries where they are sold; the usual one first. */
  protocols: readonly ProtocolName[];
}

/** By vendor, or by vendor and product where the vendor makes much else. The numbers are those of the public list usb.ids. */
const devices: Readonly<Record<string, UsbGuess>> = {
  '0b00': { kind: 'terminal', maker: 'Ingenico', protocols: ['zvt', 'transbank'] },
  // The vendor is Sagem, the product its Telium terminals, which became Ingenico's.
  '079b:0028': { kind: 'terminal', maker: 'Ingenico', protocols: ['zvt', 'transbank'] },
  '11ca': { kind: 'terminal', maker: 'Verifone', protocols: ['zvt', 'transbank'] },
  '0403': { kind: 'adapter', maker: 'FTDI', protocols: [] },
  '067b': { kind: 'adapter', maker: 'Prolific', protocols: [] },
  '10c4': { kind: 'adapter', maker: 'Silicon Labs', protocols: [] },
  '1a86': { kind: 'adapter', maker: 'QinHeng (CH340)', protocols: [] },
};

/** Four lower-case hex digits each; null: nothing is known of it. */
export function guessUsbDevice(vendorId: string | null, productId: string | null): UsbGuess | null {
  return devices[`${vendorId}:${productId}`] ?? devices[vendorId ?? ''] ?? null;
}
