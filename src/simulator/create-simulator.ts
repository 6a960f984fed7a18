/** What a simulated terminal is made of, whichever protocol it speaks: what the folder of its protocol here exports. */
import type { Clock } from '../base/clock.ts';
import type { Configuration } from '../contract/configuration.ts';
import type { Currency } from '../contract/money.ts';
import { protocolNames, protocolOf, type ProtocolName } from '../contract/protocols.ts';
import type { Log } from '../log/index.ts';
import type { ReachableSimulator, RequestSimulator } from './reachable-simulator.ts';

interface SimulatorOptions {
  /** The terminal's memory, as JSON lines. */
  ledgerFile: string;
  /** It stands for the terminal that these settings are for. */
  settings: Configuration;
  /** What it is reached over, where its frames differ by that; a serial line when left out. */
  line?: 'serial' | 'tcp';
  /** One of the `dialectNames`; by default what the documents say. */
  dialect?: string | undefined;
  /** As `terminalIds` has it. With another id it is another terminal. */
  terminalId?: string | undefined;
  clock: Clock;
  log: Log;
}

/** Opens the ledger. Throws `LedgerError` where that is damaged. */
export type CreateSimulator = (options: SimulatorOptions) => ReachableSimulator | RequestSimulator;

/** What the `index.ts` of each protocol's simulator exports. */
export interface SimulatorModule {
  createSimulator: CreateSimulator;
  /** How it can deviate from the documents. */
  dialectNames: readonly string[];
  /** `form` is for people, behind "must be". */
  terminalIds: { pattern: RegExp; form: string };
  usualCurrency: Currency;
  /** Why its terminals cannot take a currency, as the second half of "--currency XXX…"; absent: they take any. */
  refuseCurrency?(currency: Currency): string | null;
}

/** Those that there is a terminal of. */
export const simulatedProtocols: readonly ProtocolName[] = protocolNames.filter(
  (name) => protocolOf(name).hasSimulator,
);

/** The simulator of one protocol. Only that one is loaded. */
export async function loadSimulator(name: ProtocolName): Promise<SimulatorModule> {
  // By convention, so that nobody lists the folders. A test loads each one.
  return (await import(`./${name}/index.ts`)) as SimulatorModule;
}

/** The dialect of this name, which somebody has checked; undefined where none is named. */
export function namedDialect<Dialect>(
  dialects: Readonly<Record<string, Dialect>>,
  name: string | undefined,
): Dialect | undefined {
  return name === undefined ? undefined : dialects[name];
}
