/** The serial ports as the settings of this host see them. */
import path from 'node:path';
import { createDeviceMemory, type DeviceMemory } from '../../bridge/lines/index.ts';
import { terminalAddressSchema } from '../../contract/terminal-address.ts';
import type { SerialPortView } from '../../contract/console/index.ts';
import { deviceFileName } from '../data-folder.ts';
import { viewSerialPorts } from '../serial-ports.ts';
import type { MethodContext } from './context.ts';

/** Only a real terminal is on a serial port. */
export function deviceMemory({ dataDir, log }: MethodContext): DeviceMemory {
  return createDeviceMemory(path.join(dataDir, deviceFileName), log);
}

/** None where the system does not tell, which is logged. */
export async function serialPortsOf(context: MethodContext): Promise<SerialPortView[]> {
  const { settings, supervisor, clock, log } = context;
  const address = terminalAddressSchema.safeParse(settings.inForce().terminal);
  const serial = address.success && address.data.kind === 'serial' ? address.data : null;
  const connection = context.state().terminal?.connection ?? 'stopped';
  const isOpen = supervisor.running !== null && !['lost', 'connecting', 'stopped'].includes(connection);
  const terminal = serial === null ? null : { path: serial.path, memory: deviceMemory(context), isOpen };
  return viewSerialPorts(terminal, clock).catch((error: unknown) => {
    log.warn('the serial ports cannot be listed', { err: error });
    return [];
  });
}
