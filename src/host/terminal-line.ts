/** The line to the terminal that the configuration names; for the simulator, the terminal at its end as well. */
import path from 'node:path';
import {
  createDeviceMemory,
  createHttpLine,
  createSerialLine,
  createTcpLine,
  memoryLineName,
  type Line,
} from '../bridge/lines/index.ts';
import type { ProtocolConnection } from '../bridge/terminals/create-protocol.ts';
import type { Log } from '../log/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Configuration } from '../contract/configuration.ts';
import type { SerialSettings } from '../contract/protocol-descriptor.ts';
import { serialSettingsOf } from '../contract/serial-settings.ts';
import type { TerminalAddress } from '../contract/terminal-address.ts';
import { mainTerminal } from '../contract/terminal-name.ts';
import { deviceFileName } from './data-folder.ts';

export interface TerminalLine {
  line: Line;
  connection: ProtocolConnection;
  simulated: boolean;
  /** Ends the simulator, if it is one. */
  close(): Promise<void>;
}

/**
 * Opens no line yet: the bridge does when it is ready to. A simulator that is asked by requests listens from now on, on this
 * machine only. `folder` is the journal's.
 */
export async function createTerminalLine(options: {
  configuration: Configuration;
  folder: string;
  clock: Clock;
  log: Log;
  /** Of the terminal; a simulated one beside the main one is called by it. */
  name?: string;
}): Promise<TerminalLine> {
  const { configuration, clock, log } = options;
  const { terminal, protocol } = configuration;
  if (terminal.kind !== 'simulator') {
    const real = realLine(terminal, {
      serial: serialSettingsOf(configuration),
      follow: { folder: options.folder, terminal: options.name },
      clock,
      log,
    });
    return { ...real, simulated: false, close: () => Promise.resolve() };
  }
  // A bridge on a real terminal has no use for it.
  const { createSimulatorLine, loadSimulator } = await import('../simulator/index.ts');
  const { createSimulator } = await loadSimulator(protocol);
  const simulator = createSimulator({
    // Its memory; of each protocol's terminal its own. ZVT's is older than the others.
    ledgerFile: path.join(options.folder, protocol === 'zvt' ? 'ledger.jsonl' : `ledger-${protocol}.jsonl`),
    settings: configuration,
    clock,
    log: log.with({ source: 'simulator' }),
  });
  const name = simulatorName(options.name);
  if ('serve' in simulator) {
    const { port, close } = await simulator.serve({ host: loopback, port: 0 });
    const address = { kind: 'http', host: loopback, port } as const;
    // Nobody else can have it, so it needs no lock, and whichever port it got it is the same terminal.
    const line = { ...createHttpLine(address), name: memoryLineName(name) };
    return { line, connection: address, simulated: true, close };
  }
  return {
    line: createSimulatorLine(simulator, name),
    connection: { kind: 'serial' },
    simulated: true,
    close: () => simulator.close(),
  };
}

const loopback = '127.0.0.1';

function simulatorName(name: string = mainTerminal): string {
  return name === mainTerminal ? 'simulator' : `simulator-${name}`;
}

/**
 * The line to a terminal at this address; opens nothing. With the `folder` of a journal, and the name of its terminal, the
 * device at a serial port is remembered there, and followed to wherever it is.
 */
export function realLine(
  address: Exclude<TerminalAddress, { kind: 'simulator' }>,
  options: { serial: SerialSettings; follow?: Followed; clock: Clock; log: Log },
): { line: Line; connection: ProtocolConnection } {
  const { serial, follow, clock } = options;
  const log = options.log.with({ source: 'line' });
  switch (address.kind) {
    case 'serial':
      return {
        line: createSerialLine({
          path: address.path,
          settings: serial,
          clock,
          log,
          ...(follow === undefined ? {} : { follow: following(follow, clock, log) }),
        }),
        connection: { kind: 'serial' },
      };
    case 'tcp':
      return { line: createTcpLine({ ...address, clock, log }), connection: { kind: 'tcp' } };
    case 'http':
      return { line: createHttpLine(address), connection: address };
  }
}

interface Followed {
  folder: string;
  terminal: string | undefined;
}

function following({ folder, terminal = mainTerminal }: Followed, clock: Clock, log: Log) {
  const memory = createDeviceMemory(path.join(folder, deviceFileName), log);
  return { memory, lock: { clock, dataFolder: folder }, terminal };
}
