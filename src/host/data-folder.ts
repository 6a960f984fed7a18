/** A folder in which the host keeps what nobody else may change: the data folder, and the simulator's in it. */
import { preparePrivateFolder } from '../base/private-files.ts';

/** What the host opens there. The journal looks after its own files, and so does the log. */
const names = /^(?:settings|tokens|control|logs|simulator|ledger)(?:[.-]|$)/;

/** `preparePrivateFolder` for the host's own files. */
export function prepareDataFolder(folder: string): string[] {
  return preparePrivateFolder(folder, names);
}
