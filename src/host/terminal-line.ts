/** The line to the terminal that the configuration names; for the simulator, the terminal at its end as well. */
import path from 'node:path';
import {
  createDeviceMemory,
  createHttpLine,
  createSerialLine,
  createTcpLine,
  type DeviceMemory,
  type Line,
  type LineLockOptions,
} from '../bridge/lines/index.ts';
import type { ProtocolConnection } from '../bridge/terminals/create-protocol.ts';
import type { Log } from '../log/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Configuration, SerialSettings } from '../contract/configuration.ts';
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

/** Opens nothing yet: the bridge opens the line when it is ready to. `folder` is the journal's. */
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
    const real = realLine(terminal, { serial: configuration.serial, folder: options.folder, clock, log });
    return { ...real, simulated: false, close: () => Promise.resolve() };
  }
  // A bridge on a real terminal has no use for it.
  const { createSimulatorLine, loadSimulator } = await import('../simulator/index.ts');
  const simulator = await loadSimulator(protocol, {
    // Its memory; of each protocol's terminal its own. ZVT's is older than the others.
    ledgerFile: path.join(options.folder, protocol === 'zvt' ? 'ledger.jsonl' : `ledger-${protocol}.jsonl`),
    settings: configuration,
    clock,
    log: log.with({ source: 'simulator' }),
  });
  return {
    line: createSimulatorLine(simulator, simulatorName(options.name)),
    connection: { kind: 'serial' },
    simulated: true,
    close: () => simulator.close(),
  };
}

function simulatorName(name: string = mainTerminal): string {
  return name === mainTerminal ? 'simulator' : `simulator-${name}`;
}

/**
 * The line to a terminal at this address; opens nothing. With the `folder` of a journal, the device at a serial port is
 * remembered there, and followed to wherever it is.
 */
export function realLine(
  address: Exclude<TerminalAddress, { kind: 'simulator' }>,
  options: { serial: SerialSettings; folder?: string; clock: Clock; log: Log },
): { line: Line; connection: ProtocolConnection } {
  const { serial, folder, clock } = options;
  const log = options.log.with({ source: 'line' });
  switch (address.kind) {
    case 'serial':
      return {
        line: createSerialLine({
          path: address.path,
          settings: serial,
          clock,
          log,
          ...(folder === undefined ? {} : { follow: following(folder, clock, log) }),
        }),
        connection: { kind: 'serial' },
      };
    case 'tcp':
      return { line: createTcpLine({ ...address, clock, log }), connection: { kind: 'tcp' } };
    case 'http':
      return { line: createHttpLine(address), connection: address };
  }
}

function following(folder: string, clock: Clock, log: Log): { memory: DeviceMemory; lock: LineLockOptions } {
  const memory = createDeviceMemory(path.join(folder, deviceFileName), log);
  return { memory, lock: { clock, dataFolder: folder } };
}
