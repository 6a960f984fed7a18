/**
 * The built program as V8 has compiled it, kept for its next start. Whoever can change the cache has their code run, so
 * it is used only where nobody else can, as ADR 0032 says; without it a start takes longer, and that is all.
 */
import { existsSync, realpathSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import path from 'node:path';
import envPaths from 'env-paths';
import { isPrivatePath, isPrivatePlace, makeFolders } from '../base/private-files.ts';

/**
 * Everything that is loaded from now on comes out of the cache, and Node fills that at an orderly end. Does nothing for
 * the source, which changes too often, and where somebody has set Node's own cache.
 */
export function useCompileCache(cacheFolder = envPaths('tillbridge', { suffix: '' }).cache): void {
  if (import.meta.filename.endsWith('.ts') || getCompileCacheDir() !== undefined) return;
  const folder = privateCacheFolder(cacheFolder);
  if (folder !== null) enableCompileCache(folder);
}

/** The folder for it, made; null: there can be none, or somebody else could change it. */
export function privateCacheFolder(cacheFolder: string): string | null {
  try {
    const folder = path.join(cacheFolder, 'compiled');
    // With `sudo` nothing of root's is left behind in the home of the caller.
    if (!isPrivatePlace(realpathSync(nearestFolder(folder)))) return null;
    makeFolders(folder);
    // Without links in it, so that what is looked at is what Node uses.
    const real = realpathSync(folder);
    return isPrivatePath(real) ? real : null;
  } catch {
    // A disk that is full or must not be written to, a home that does not exist.
    return null;
  }
}

/** `folder`, or the lowest one above it that is there. */
function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(path.dirname(folder));
}
