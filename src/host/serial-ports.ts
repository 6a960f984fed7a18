/** What a person is told of each serial port: the device, who holds it, whether it may be opened, and what it probably is. */
import type { Clock } from '../base/clock.ts';
import {
  findUsbPort,
  parseUsbPath,
  portAt,
  portOfDevice,
  type DeviceMemory,
  type SerialPortInfo,
} from '../bridge/lines/index.ts';
import type { SerialPortView } from '../contract/console/index.ts';
import { mainTerminal } from '../contract/terminal-name.ts';
import { guessUsbDevice } from '../contract/usb-devices.ts';
import { thisComputer, type Computer } from './diagnosis/computer.ts';
import { inTime } from './diagnosis/in-time.ts';

/** A terminal of the settings that is on a serial port. */
export interface TerminalPort {
  /** Of the terminal. */
  name: string;
  path: string;
  memory: DeviceMemory;
  /** A bridge of this process has it open. */
  isOpen: boolean;
}

type Ports = Pick<Computer, 'platform' | 'serialPorts' | 'mayOpen' | 'groupOf' | 'holderOf'>;

/** `terminals` are all that the settings have on serial ports. Rejects when the system does not tell which ports there are. */
export async function viewSerialPorts(
  terminals: readonly TerminalPort[],
  clock: Clock,
  computer: Ports = thisComputer(),
): Promise<SerialPortView[]> {
  const ports = await computer.serialPorts();
  const places = terminals.map((terminal) => ({ terminal, ...placeOf(terminal, ports) }));
  const views: SerialPortView[] = [];
  // One after the other: the bridge goes on beside it.
  for (const port of ports) {
    const { path, name, maker, product, vendorId, productId, serialNumber } = port;
    const place = places.find((one) => one.port === port);
    const inUse = place?.kind === 'here' && place.terminal.isOpen;
    views.push({
      path,
      name,
      maker,
      product,
      vendorId,
      productId,
      serialNumber,
      guess: guessUsbDevice(vendorId, productId),
      inUse,
      terminal: place?.kind ?? null,
      ...(place === undefined || place.terminal.name === mainTerminal
        ? {}
        : { ofTerminal: place.terminal.name }),
      ...(await useOf(path, inUse, computer, clock)),
    });
  }
  return views;
}

/** `unsure`: it is at the port of the settings, and a person has to say that it is meant. */
function placeOf(
  { name, path, memory }: TerminalPort,
  ports: readonly SerialPortInfo[],
): { kind: 'here' | 'unsure'; port: SerialPortInfo | null } {
  const usb = parseUsbPath(path);
  if (usb !== null) {
    const known = findUsbPort(usb, ports);
    return { kind: 'here', port: known.ok ? known.port : null };
  }
  const found = portOfDevice(path, memory.recall(path), ports, name);
  return found.kind === 'unsure'
    ? { kind: 'unsure', port: portAt(path, ports) }
    : { kind: 'here', port: portAt(found.path, ports) };
}

/** Only Linux says who holds a port; Windows has no files for its ports, which any user may open. */
async function useOf(
  path: string,
  inUse: boolean,
  computer: Ports,
  clock: Clock,
): Promise<Pick<SerialPortView, 'holder' | 'denied' | 'group'>> {
  const nothing = { holder: null, denied: false, group: null };
  if (inUse || computer.platform === 'win32') return nothing;
  const denied = (await inTime(clock, computer.mayOpen(path))) === false;
  const holder = computer.platform === 'linux' ? await inTime(clock, computer.holderOf(path)) : null;
  const group = denied ? await inTime(clock, computer.groupOf(path)) : null;
  return { holder, denied, group: group?.name ?? null };
}
