/** Whether a file is still the one that was read. */
import { statSync } from 'node:fs';

/** Another one whenever the file was written, replaced, made or removed: a replaced file is another inode. */
export function fileStamp(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
    return stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
  } catch (error) {
    // Out of reach: who reads it says so.
    return `unreadable ${String(error)}`;
  }
}
