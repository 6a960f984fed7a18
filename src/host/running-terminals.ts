/** The terminals beside the main one: each with its line, and those that only their journals still know. */
import type { BridgeTerminal, JournalReading, TerminalOptions } from '../bridge/bridge.ts';
import { JournalWriteError } from '../bridge/journal/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Configuration } from '../contract/configuration.ts';
import type { Currency } from '../contract/money.ts';
import { mainTerminal } from '../contract/terminal-name.ts';
import type { Log } from '../log/index.ts';
import { commandOn, journalLocation, journalsOf, prepareDataFolder } from './data-folder.ts';
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

/**
 * A sentence for each terminal that the configuration has no more and on which something is in doubt. If it was only renamed,
 * it sells on under its new name, where nobody looks for what its old one has left.
 */
export function retiredWarnings(terminals: readonly BridgeTerminal[], dataDir: string, log: Log): string[] {
  return terminals.flatMap(({ name, retired, payments }) => {
    const { inDoubt } = payments.status();
    if (!retired || inDoubt === 0) return [];
    log.warn('operations are in doubt on a terminal that is no longer in the configuration', {
      source: 'app',
      terminal: name,
      in_doubt: inDoubt,
    });
    const what = inDoubt === 1 ? 'One operation is' : `${inDoubt} operations are`;
    return [
      `${what} in doubt on the terminal "${name}", which is no longer in the configuration, so nothing asks it about ` +
        'that; if it was renamed, it takes payments meanwhile. Give it its old name again, or decide: see ' +
        `"${commandOn(dataDir, 'doubts')}".`,
    ];
  });
}

/**
 * The same, but those that the configuration has no more keep the currency of their newest payment: what the main terminal
 * takes says nothing about them.
 */
export function inOwnCurrency(
  running: readonly RunningTerminal[],
  terminals: readonly BridgeTerminal[],
): RunningTerminal[] {
  return running.map((one) => {
    const journal = terminals.find(({ name, retired }) => name === one.name && retired)?.journal ?? null;
    const currency = journal === null ? undefined : newestCurrency(journal);
    return currency === undefined ? one : { ...one, configuration: { ...one.configuration, currency } };
  });
}

function newestCurrency(journal: JournalReading): Currency | undefined {
  try {
    return journal.payments({ limit: 1 })[0]?.currency;
  } catch (error) {
    // It says so wherever it is shown.
    if (error instanceof JournalWriteError) return undefined;
    throw error;
  }
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
  const journals = journalsOf(dataDir, simulated);

  const close = async () => void (await Promise.all(opened.map((one) => one.close())));
  try {
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
  } catch (error) {
    // Nobody else ends the simulators that run already.
    await close();
    throw error;
  }
  // Whatever was renamed or taken out: its payments are still asked for, and its doubts still need somebody.
  for (const { terminal: name, folder } of journals) {
    if (named.terminals.some((one) => one.name === name)) continue;
    if (name === mainTerminal) continue;
    running.push({ name, configuration, folder, line: null });
    bridgeOptions.push({ name, configuration, line: null, simulated, dataFolder: folder });
  }
  return {
    running,
    options: bridgeOptions,
    warnings,
    close,
  };
}
