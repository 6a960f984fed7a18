/**
 * The built program as V8 has compiled it, kept for its next start. Whoever can change the cache has their code run, so
 * it is used only where nobody else can, as ADR 0032 says; without it a start takes longer, and that is all.
 */
import { hash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
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
  const folder = privateCacheFolder(cacheFolder, () => buildOf(import.meta.filename));
  if (folder === null) return;
  // Node makes a folder in it. With an umask that lets the group write, the next start would refuse to use that.
  const before = process.umask(0o077);
  enableCompileCache(folder);
  process.umask(before);
}

/** What tells one build from another, 16 hex digits: the entry names its parts by their hashes. */
function buildOf(entry: string): string {
  return hash('sha256', readFileSync(entry), 'hex').slice(0, 16);
}

/** The folder of a build, or what Node kept here before builds had one (`v24.1.0-x64-…`). */
const leftBehind = /^([0-9a-f]{16}|v\d+\.\d+\.\d+-.*)$/;
/** Two installations that are started by turns keep theirs. */
const keptOthers = 2;

/**
 * The folder for it, made; null: there can be none, or somebody else could change it. Each build has one of its own, because
 * a start looks at each file in it; all but the newest of the others go when it is made.
 */
export function privateCacheFolder(cacheFolder: string, buildName: () => string): string | null {
  try {
    const all = path.join(cacheFolder, 'compiled');
    const build = buildName();
    const folder = path.join(all, build);
    // With `sudo` nothing of root's is left behind in the home of the caller.
    if (!isPrivatePlace(realpathSync(nearestFolder(folder)))) return null;
    if (!existsSync(folder)) removeOthers(all, build);
    makeFolders(folder);
    // Without links in it, so that what is looked at is what Node uses.
    const real = realpathSync(folder);
    return isPrivatePath(real) ? real : null;
  } catch {
    // A disk that is full or must not be written to, a home that does not exist.
    return null;
  }
}

/** But for the newest few. What does not go stays; a build that still runs goes on with what it has loaded. */
function removeOthers(folder: string, build: string): void {
  if (!existsSync(folder)) return;
  const others = readdirSync(folder)
    .filter((name) => name !== build && leftBehind.test(name))
    .map((name) => path.join(folder, name))
    .map((name) => ({ name, madeMs: statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => other.madeMs - one.madeMs);
  for (const { name } of others.slice(keptOthers)) {
    try {
      rmSync(name, { recursive: true });
    } catch {
      // It may be in use, or another start is removing it.
    }
  }
}

/** `folder`, or the lowest one above it that is there. */
function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(path.dirname(folder));
}
