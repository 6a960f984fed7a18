/** The default data folder: the same for the desktop app and the command line. */
import envPaths from 'env-paths';

/** `~/.local/share/tillbridge`, `~/Library/Application Support/tillbridge`, `%LOCALAPPDATA%\tillbridge\Data`. */
export function defaultDataDir(): string {
  return envPaths('tillbridge', { suffix: '' }).data;
}
