/** What a simulated terminal in the bridge's process is made of: the function that a protocol's folder here exports. */
import type { Clock } from '../base/clock.ts';
import type { Configuration } from '../contract/configuration.ts';
import type { ProtocolName } from '../contract/protocols.ts';
import type { Log } from '../log/index.ts';
import type { ReachableSimulator } from './reachable-simulator.ts';

export interface SimulatorOptions {
  /** The terminal's memory, as JSON lines. */
  ledgerFile: string;
  /** It stands for the terminal that these settings are for. */
  settings: Configuration;
  clock: Clock;
  log: Log;
}

/** `createSimulator`, as the `index.ts` of each protocol's simulator has it. */
export type CreateSimulator = (options: SimulatorOptions) => ReachableSimulator;

/** The simulator of one protocol. Only that one is loaded. */
export async function loadSimulator(
  name: ProtocolName,
  options: SimulatorOptions,
): Promise<ReachableSimulator> {
  // By convention, so that nobody lists the folders. A test loads each one.
  const { createSimulator } = (await import(`./${name}/index.ts`)) as { createSimulator: CreateSimulator };
  return createSimulator(options);
}
