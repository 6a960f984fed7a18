/** The journals of a data folder: the real terminal's in the folder itself, the simulator's in one below. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { journalFiles } from '../bridge/journal/index.ts';

export interface JournalPlace {
  folder: string;
  simulated: boolean;
  /** For answers: "the journal of the simulator (/data/simulator)". */
  words: string;
}

export function placeOf(dataDir: string, simulated: boolean): JournalPlace {
  const folder = simulated ? path.join(dataDir, 'simulator') : dataDir;
  return { folder, simulated, words: `the journal ${simulated ? 'of the simulator ' : ''}in ${folder}` };
}

/** The places that hold a journal, or a damaged one; `simulatorOnly` leaves out the real terminal's. */
export function journalPlaces(dataDir: string, simulatorOnly: boolean): JournalPlace[] {
  const places = simulatorOnly ? [placeOf(dataDir, true)] : [placeOf(dataDir, false), placeOf(dataDir, true)];
  return places.filter(({ folder }) => existsSync(journalFiles(folder).main) || wasSetAside(folder));
}

function wasSetAside(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => /^journal-damaged-.*\.sqlite$/.test(name));
}

/** What to say when there is none. */
export function noJournal(dataDir: string, simulatorOnly: boolean): string {
  const place = placeOf(dataDir, simulatorOnly);
  return `There is no journal in ${place.folder}; --data-dir names the folder that the bridge was started with.`;
}
