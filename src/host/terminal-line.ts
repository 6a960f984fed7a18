/** The line to the terminal that the configuration names; for the simulator, the terminal at its end as well. */
import path from 'node:path';
import { createSerialLine, createTcpLine, type Line } from '../bridge/lines/index.ts';
import type { Log } from '../log/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Configuration } from '../contract/configuration.ts';
import {
  createSimulatorLine,
  createTransbankSimulator,
  createZvtSimulator,
  type ReachableSimulator,
} from '../simulator/index.ts';

export interface TerminalLine {
  line: Line;
  framing: 'serial' | 'tcp';
  simulated: boolean;
  /** Ends the simulator, if it is one. */
  close(): Promise<void>;
}

/** The simulator's memory within the folder of its journal; of each protocol's terminal its own. */
const ledgerNames: Record<Configuration['protocol'], string> = {
  zvt: 'ledger.jsonl',
  transbank: 'ledger-transbank.jsonl',
};

/** Opens nothing yet: the bridge opens the line when it is ready to. `folder` is the journal's. */
export function createTerminalLine(options: {
  configuration: Configuration;
  folder: string;
  clock: Clock;
  log: Log;
}): TerminalLine {
  const { configuration, clock } = options;
  const { terminal, serial } = configuration;
  const log = options.log.with({ source: 'line' });
  switch (terminal.kind) {
    case 'serial':
      return real(createSerialLine({ path: terminal.path, settings: serial, clock, log }), 'serial');
    case 'tcp':
      return real(createTcpLine({ host: terminal.host, port: terminal.port, clock, log }), 'tcp');
    case 'simulator': {
      const simulator = createSimulator(options);
      return {
        line: createSimulatorLine(simulator),
        framing: 'serial',
        simulated: true,
        close: () => simulator.close(),
      };
    }
  }
}

/** It stands for the terminal that the settings are for. */
function createSimulator({
  configuration,
  folder,
  clock,
  log,
}: Parameters<typeof createTerminalLine>[0]): ReachableSimulator {
  const { protocol, pace, currency, zvt } = configuration;
  const common = {
    ledgerFile: path.join(folder, ledgerNames[protocol]),
    timeScale: pace,
    clock,
    log: log.with({ source: 'simulator' }),
  };
  switch (protocol) {
    case 'zvt':
      return createZvtSimulator({ ...common, framing: 'serial', currency, password: zvt.password });
    case 'transbank':
      return createTransbankSimulator(common);
  }
}

function real(line: Line, framing: 'serial' | 'tcp'): TerminalLine {
  return { line, framing, simulated: false, close: () => Promise.resolve() };
}
