/**
 * The data folder: where it is by default, who may write to it, and the journals in it. The real terminal's journal is
 * in the folder itself, the simulator's in one below.
 */
import envPaths from 'env-paths';
import path from 'node:path';
import { existsSync, readdirSync } from 'node:fs';
import { preparePrivateFolder } from '../base/private-files.ts';
import { journalFiles, JournalWriteError, openJournalReadOnly } from '../bridge/journal/index.ts';
import { listOperationsInDoubt } from '../bridge/payments/index.ts';

/** What the host opens there. The journal looks after its own files, and so does the log. */
const names = /^(?:settings|tokens|provision|control|logs|simulator|ledger|printed|device)(?:[.-]|$)/;

/** In the journal's folder: the device behind the terminal's serial port. */
export const deviceFileName = 'device.json';

/** `preparePrivateFolder` for the host's own files, in the data folder or the simulator's in it. */
export function prepareDataFolder(folder: string): string[] {
  return preparePrivateFolder(folder, names);
}

/**
 * Where the data of the desktop app and the command line is unless it is set: `~/.local/share/tillbridge`,
 * `~/Library/Application Support/tillbridge`, `%LOCALAPPDATA%\tillbridge\Data`.
 */
export function defaultDataDir(): string {
  return envPaths('tillbridge', { suffix: '' }).data;
}

export interface JournalLocation {
  folder: string;
  simulated: boolean;
  /** For messages: "the journal of the simulator (/data/simulator)". */
  description: string;
}

export function journalLocation(dataDir: string, simulated: boolean): JournalLocation {
  const folder = simulated ? path.join(dataDir, 'simulator') : dataDir;
  return {
    folder,
    simulated,
    description: `the journal ${simulated ? 'of the simulator ' : ''}in ${folder}`,
  };
}

/** The locations that hold a journal, or a damaged one; `simulatorOnly` leaves out the real terminal's. */
export function findJournals(dataDir: string, simulatorOnly: boolean): JournalLocation[] {
  const locations = simulatorOnly
    ? [journalLocation(dataDir, true)]
    : [journalLocation(dataDir, false), journalLocation(dataDir, true)];
  return locations.filter(({ folder }) => existsSync(journalFiles(folder).main) || wasSetAside(folder));
}

function wasSetAside(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => /^journal-damaged-.*\.sqlite$/.test(name));
}

/** The message when there is no journal. */
export function noJournalMessage(dataDir: string, simulatorOnly: boolean): string {
  const { folder } = journalLocation(dataDir, simulatorOnly);
  return `There is no journal in ${folder}; --data-dir names the folder that the bridge was started with.`;
}

/**
 * What waits for a decision on the real terminal while the simulator, with a journal of its own, runs. Nobody would see
 * it otherwise.
 */
export interface RealTerminalBacklog {
  /** Operations in doubt. */
  inDoubt: number;
  /** Those that nobody has acknowledged. */
  discrepancies: number;
}

export const emptyBacklog: RealTerminalBacklog = { inDoubt: 0, discrepancies: 0 };

/** How many there are in the real terminal's journal; none where there is no journal or it cannot be read. */
export function readRealTerminalBacklog(dataDir: string): RealTerminalBacklog {
  try {
    const opened = openJournalReadOnly(journalLocation(dataDir, false).folder);
    if (opened.kind !== 'opened') return emptyBacklog;
    const { journal } = opened;
    try {
      return {
        inDoubt: listOperationsInDoubt(journal).length,
        discrepancies: journal.openDiscrepancyCount(),
      };
    } finally {
      journal.close();
    }
  } catch (error) {
    // A bridge that starts on that journal reports what is wrong with it; the simulator does not need it.
    if (error instanceof JournalWriteError) return emptyBacklog;
    throw error;
  }
}

/** A sentence for each, for whoever starts the bridge. */
export function backlogWarnings({ inDoubt, discrepancies }: RealTerminalBacklog): string[] {
  return [
    ...(inDoubt === 0
      ? []
      : [
          'On the real terminal something is in doubt, and the simulator has a journal of its own. Connect the real terminal to decide it.',
        ]),
    ...(discrepancies === 0
      ? []
      : [
          'Discrepancies of the real terminal are open, and the simulator has a journal of its own. "tillbridge discrepancies" lists them.',
        ]),
  ];
}
