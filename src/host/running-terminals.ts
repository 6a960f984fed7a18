/** The terminals beside the main one: each with its line, and those that only their journals still know. */
import type { TerminalOptions } from '../bridge/bridge.ts';
import type { Clock } from '../base/clock.ts';
import type { Configuration } from '../contract/configuration.ts';
import { mainTerminal } from '../contract/terminal-name.ts';
import type { Log } from '../log/index.ts';
import { journalLocation, journalsOf, prepareDataFolder } from './data-folder.ts';
import { namedTerminals } from './settings/named-terminals.ts';
import { createSuspendableLine, type SuspendableLine } from './suspendable-line.ts';
import { createTerminalLine, type TerminalLine } from './terminal-line.ts';

/** One terminal of the bridge that runs. */
export interface RunningTerminal {
  name: string;
  configuration: Configuration;
  /** Of its journal. */
  folder: string;
  /** Null for one that is in the configuration no more. */
  line: SuspendableLine | null;
}

export interface OtherTerminals {
  running: RunningTerminal[];
  /** For the bridge, in the same order. */
  options: TerminalOptions[];
  /** Sentences on who else can write to their folders. */
  warnings: string[];
  /** Ends their simulators. */
  close(): Promise<void>;
}

/** Opens nothing yet. `configuration` has been checked. */
export async function otherTerminals(options: {
  configuration: Configuration;
  clock: Clock;
  log: Log;
  onBytes: () => void;
}): Promise<OtherTerminals> {
  const { configuration, clock, onBytes } = options;
  const { dataDir, terminal } = configuration;
  const simulated = terminal.kind === 'simulator';
  const named = namedTerminals(configuration);
  if (!named.ok) throw new Error(named.errors.join(' '));
  const running: RunningTerminal[] = [];
  const bridgeOptions: TerminalOptions[] = [];
  const opened: TerminalLine[] = [];
  const warnings: string[] = [];

  for (const { name, configuration: own } of named.terminals) {
    if (name === mainTerminal) continue;
    const { folder } = journalLocation(dataDir, simulated, name);
    warnings.push(...prepareDataFolder(folder));
    const log = options.log.with({ terminal: name });
    const terminalLine = await createTerminalLine({ configuration: own, folder, clock, log, name });
    const line = createSuspendableLine(terminalLine.line, clock, onBytes);
    opened.push(terminalLine);
    running.push({ name, configuration: own, folder, line });
    const { connection } = terminalLine;
    const bridgeLine = { line: line.line, connection, onHeard: line.noteHeard };
    bridgeOptions.push({ name, configuration: own, line: bridgeLine, simulated, dataFolder: folder });
  }
  // Whatever was renamed or taken out: its payments are still asked for, and its doubts still need somebody.
  for (const { terminal: name, folder } of journalsOf(dataDir, simulated)) {
    if (named.terminals.some((one) => one.name === name)) continue;
    if (name === mainTerminal) continue;
    running.push({ name, configuration, folder, line: null });
    bridgeOptions.push({ name, configuration, line: null, simulated, dataFolder: folder });
  }
  return {
    running,
    options: bridgeOptions,
    warnings,
    close: async () => void (await Promise.all(opened.map((one) => one.close()))),
  };
}
