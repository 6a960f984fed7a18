/** With which values a serial line is opened: those that somebody gave, and for the rest those of the protocol. */
import type { Configuration } from './configuration.ts';
import type { SerialSettings } from './protocol-descriptor.ts';
import { protocolOf, type ProtocolName } from './protocols.ts';

/** For a protocol that is not spoken over a serial line: a form shows them, and nobody opens a line with them. */
const ofNoLine: SerialSettings = { baudRate: 9_600, dataBits: 8, parity: 'none', stopBits: 2 };

/** Those that its terminals have unless they are set otherwise. */
export function usualSerialSettings(protocol: ProtocolName): SerialSettings {
  return protocolOf(protocol).connections.serial ?? ofNoLine;
}

export function serialSettingsOf({
  protocol,
  serial,
}: Pick<Configuration, 'protocol' | 'serial'>): SerialSettings {
  const usual = usualSerialSettings(protocol);
  return {
    baudRate: serial.baudRate ?? usual.baudRate,
    dataBits: serial.dataBits ?? usual.dataBits,
    parity: serial.parity ?? usual.parity,
    stopBits: serial.stopBits ?? usual.stopBits,
  };
}
