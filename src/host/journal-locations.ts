/** The journals of a data folder: the real terminal's in the folder itself, the simulator's in one below. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { journalFiles } from '../bridge/journal/index.ts';

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

/** The places that hold a journal, or a damaged one; `simulatorOnly` leaves out the real terminal's. */
export function findJournals(dataDir: string, simulatorOnly: boolean): JournalLocation[] {
  const places = simulatorOnly
    ? [journalLocation(dataDir, true)]
    : [journalLocation(dataDir, false), journalLocation(dataDir, true)];
  return places.filter(({ folder }) => existsSync(journalFiles(folder).main) || wasSetAside(folder));
}

function wasSetAside(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => /^journal-damaged-.*\.sqlite$/.test(name));
}

/** The message when there is none. */
export function noJournalMessage(dataDir: string, simulatorOnly: boolean): string {
  const place = journalLocation(dataDir, simulatorOnly);
  return `There is no journal in ${place.folder}; --data-dir names the folder that the bridge was started with.`;
}
