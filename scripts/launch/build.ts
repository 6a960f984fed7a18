/** The console's page and the desktop's programs, built from the source when they are older than it. */
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { runChild } from './child.ts';

/** What the build is made from. */
const sources = [
  'src/contract',
  'src/renderer',
  'src/main',
  'src/bridge-process',
  'src/preload',
  'src/bridge',
  'src/host',
  'src/simulator',
  'vite.config.ts',
  'package.json',
];
const results = ['renderer/index.html', 'main.js', 'bridge.js', 'preload.cjs'];
const maxShownLines = 20;

/** Whether something in `dist` is missing, or older than the newest source. */
export function isBuildOld(repository: string, dist: string): boolean {
  const oldest = Math.min(...results.map((file) => changedMs(path.join(dist, file)) ?? -Infinity));
  return sources.some((source) => newestMs(path.join(repository, source)) > oldest);
}

export type BuildEnd =
  { kind: 'built' } | { kind: 'failed'; words: string } | { kind: 'stopped'; by: NodeJS.Signals };

/** `vite build --app`, which reads `TILLBRIDGE_DIST` itself. Takes about two seconds. */
export async function build(repository: string): Promise<BuildEnd> {
  let vite: string;
  try {
    const facts = createRequire(import.meta.url).resolve('vite/package.json');
    vite = path.join(path.dirname(facts), 'bin/vite.js');
  } catch {
    return { kind: 'failed', words: 'Vite is not installed; "npm ci" brings it.' };
  }
  const args = [vite, 'build', '--app', '--logLevel', 'error'];
  const end = await runChild(process.execPath, args, { output: 'kept', folder: repository });
  if (end.stoppedBy !== null) return { kind: 'stopped', by: end.stoppedBy };
  if (end.code === 0) return { kind: 'built' };
  return { kind: 'failed', words: end.text.trim().split('\n').slice(0, maxShownLines).join('\n') };
}

/** Of a file, or of the newest file or folder below a folder (a folder changes when a file in it goes). */
function newestMs(place: string): number {
  const own = changedMs(place);
  if (own === null) return -Infinity;
  if (!statSync(place).isDirectory()) return own;
  return readdirSync(place, { recursive: true, encoding: 'utf8' }).reduce(
    (newest, name) => Math.max(newest, changedMs(path.join(place, name)) ?? -Infinity),
    own,
  );
}

function changedMs(place: string): number | null {
  return statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
