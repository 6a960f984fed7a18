/**
 * The data folder: where it is by default, who may write to it, and the journals in it. The real terminal's journal is
 * in the folder itself, the simulator's in one below.
 */
import envPaths from 'env-paths';
import path from 'node:path';
import { existsSync, readdirSync } from 'node:fs';
import { preparePrivateFolder } from '../base/private-files.ts';
import { shellWord } from '../base/shell-word.ts';
import { isTerminalName, mainTerminal } from '../contract/terminal-name.ts';
import { journalFiles, setAsideNames } from '../bridge/journal/index.ts';

/** What the host opens there. The journal looks after its own files, and so does the log. */
const names =
  /^(?:settings|tokens|provision|control|logs|simulator|terminals|ledger|printed|device|reconcile|office)(?:[.-]|$)/;

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
  dataDir: string;
  folder: string;
  simulated: boolean;
  /** The name of the terminal whose journal it is. */
  terminal: string;
  /** For messages: "the journal of the simulator (/data/simulator)". */
  description: string;
}

/** Where the terminals beside the main one have theirs, within the folder of the main one's. */
const terminalsFolder = 'terminals';

export function journalLocation(
  dataDir: string,
  simulated: boolean,
  terminal: string = mainTerminal,
): JournalLocation {
  const root = simulated ? path.join(dataDir, 'simulator') : dataDir;
  const folder = terminal === mainTerminal ? root : path.join(root, terminalsFolder, terminal);
  const whose = [
    ...(simulated ? ['the simulator'] : []),
    ...(terminal === mainTerminal ? [] : [`"${terminal}"`]),
  ];
  const owner = whose.length === 0 ? '' : `of ${whose.join(' ')} `;
  return { dataDir, folder, simulated, terminal, description: `the journal ${owner}in ${folder}` };
}

/** Which journals of a data folder are meant; what is left out leaves none out. */
export interface JournalChoice {
  simulatorOnly?: boolean;
  /** The name of a terminal. */
  terminal?: string | undefined;
}

/** The locations that hold a journal, or a damaged one: the real terminals' first, the main one first of each. */
export function findJournals(
  dataDir: string,
  { simulatorOnly = false, terminal }: JournalChoice = {},
): JournalLocation[] {
  return (simulatorOnly ? [true] : [false, true])
    .flatMap((simulated) => journalsOf(dataDir, simulated))
    .filter((location) => terminal === undefined || location.terminal === terminal);
}

/** All on the real terminals, or all on simulated ones; also of terminals that the configuration has no more. */
export function journalsOf(dataDir: string, simulated: boolean): JournalLocation[] {
  const below = path.join(journalLocation(dataDir, simulated).folder, terminalsFolder);
  const names = existsSync(below) ? readdirSync(below).filter(isTerminalName).toSorted() : [];
  return [mainTerminal, ...names]
    .map((name) => journalLocation(dataDir, simulated, name))
    .filter(({ folder }) => isThere(folder) || wasSetAside(folder));
}

/** Also one of which only traces are left: it is damaged, and not none. */
function isThere(folder: string): boolean {
  const { main } = journalFiles(folder);
  return ['', '-wal', '-mark'].some((suffix) => existsSync(main + suffix));
}

/** A damaged one, which waits for somebody to repair it. */
export function wasSetAside(folder: string): boolean {
  return existsSync(folder) && setAsideNames(folder).length > 0;
}

/** For messages: "tillbridge" with `command`, on this data folder. */
export function commandOn(dataDir: string, command: string): string {
  const folder = dataDir === defaultDataDir() ? '' : ` --data-dir ${shellWord(dataDir)}`;
  return `tillbridge ${command}${folder}`;
}

/** The command that repairs this journal, for messages; who does it and why is left to fill in. */
export function repairCommand({ dataDir, simulated, terminal }: JournalLocation): string {
  const words = [
    commandOn(dataDir, 'journal repair'),
    ...(simulated ? ['--simulator'] : []),
    ...(terminal === mainTerminal ? [] : [`--for ${terminal}`]),
    '--by NAME --reason TEXT',
  ];
  return words.join(' ');
}

/** The message when there is no journal. */
export function noJournalMessage(
  dataDir: string,
  { simulatorOnly = false, terminal }: JournalChoice,
): string {
  const { folder } = journalLocation(dataDir, simulatorOnly, terminal);
  const others = findJournals(dataDir, { simulatorOnly }).filter(
    ({ simulated }) => simulated === simulatorOnly,
  );
  if (terminal !== undefined && others.length > 0) {
    const names = others.map((other) => other.terminal).join(', ');
    return `There is no terminal "${terminal}" in ${dataDir}. There are: ${names}.`;
  }
  return `There is no journal in ${folder}; --data-dir names the folder that the bridge was started with.`;
}
