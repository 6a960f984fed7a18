/** The serial ports as the settings of this host see them. */
import path from 'node:path';
import { createDeviceMemory, type DeviceMemory } from '../../bridge/lines/index.ts';
import { mainTerminal } from '../../contract/terminal-name.ts';
import { terminalAddressSchema } from '../../contract/terminal-address.ts';
import type { SerialPortView } from '../../contract/console/index.ts';
import { deviceFileName, journalLocation } from '../data-folder.ts';
import { viewSerialPorts, type TerminalPort } from '../serial-ports.ts';
import { namedTerminals } from '../settings/named-terminals.ts';
import type { MethodContext } from './context.ts';

/** Of the terminal with this name. Only a real terminal is on a serial port. */
export function deviceMemory({ dataDir, log }: MethodContext, terminal: string): DeviceMemory {
  return createDeviceMemory(path.join(journalLocation(dataDir, false, terminal).folder, deviceFileName), log);
}

/** None where the system does not tell, which is logged. */
export async function serialPortsOf(context: MethodContext): Promise<SerialPortView[]> {
  const { clock, log } = context;
  return viewSerialPorts(terminalPorts(context), clock).catch((error: unknown) => {
    log.warn('the serial ports cannot be listed', { err: error });
    return [];
  });
}

function terminalPorts(context: MethodContext): TerminalPort[] {
  const { configuration, terminal } = context.settings.inForce();
  const main = terminalAddressSchema.safeParse(terminal);
  const named = namedTerminals(configuration);
  const others = named.ok ? named.terminals.filter(({ name }) => name !== mainTerminal) : [];
  const wanted = [
    ...(main.success ? [{ name: mainTerminal, address: main.data }] : []),
    ...others.map(({ name, configuration: own }) => ({ name, address: own.terminal })),
  ];
  return wanted.flatMap(({ name, address }) =>
    address.kind === 'serial'
      ? [{ name, path: address.path, memory: deviceMemory(context, name), isOpen: isOpen(context, name) }]
      : [],
  );
}

function isOpen({ supervisor }: MethodContext, terminal: string): boolean {
  const running = supervisor.running?.bridge.terminals.find(({ name }) => name === terminal);
  const { connection } = running?.payments.status().terminal ?? { connection: 'stopped' };
  return !['lost', 'connecting', 'stopped'].includes(connection);
}
