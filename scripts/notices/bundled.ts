/** Whose code and fonts are in what Vite has built. */
import path from 'node:path';
import type { ViteBuilder } from 'vite';

type BuildResult = Awaited<ReturnType<ViteBuilder['build']>>;

/** Modules that a builder writes itself, by the start of their ids, and the packages whose code that is. */
const written: [start: string, name: string][] = [
  ['\0rolldown/', 'rolldown'],
  ['\0rolldown_', 'rolldown'],
  ['\0vite/', 'vite'],
];

const packageFolder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

/**
 * The folders of the packages that are in what was built. Throws on a module that is neither a package's nor
 * below `root`: nobody would know its licence.
 */
export function bundledPackages(result: BuildResult, root: string): string[] {
  if ('on' in result) throw new Error('A build that goes on has no notice.');
  const folders = new Set<string>();
  for (const part of [result].flat().flatMap(({ output }) => output)) {
    const sources = part.type === 'chunk' ? part.moduleIds : part.originalFileNames;
    for (const source of sources) {
      const folder = folderOf(source, root);
      if (folder !== null) folders.add(folder);
    }
  }
  return [...folders];
}

/** Null for a file of our own. */
function folderOf(source: string, root: string): string | null {
  const writer = written.find(([start]) => source.startsWith(start));
  if (writer !== undefined) return path.join(root, 'node_modules', writer[1]);
  const [file = ''] = source.split('?');
  // Assets are named from the page's folder.
  const place = path.resolve(root, 'src/renderer', file);
  const folder = packageFolder.exec(place)?.[0];
  if (folder !== undefined) return folder;
  if (source.startsWith('\0') || !place.startsWith(root + path.sep)) {
    throw new Error(`${JSON.stringify(source)} is built in, and is of no package: whose is it?`);
  }
  return null;
}
