/** Whether the console's page and the desktop's programs are older than their source. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

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

/** Whether something in `dist` is missing, or older than the newest source. */
export function isBuildOld(repository: string, dist: string): boolean {
  const oldest = Math.min(...results.map((file) => changedMs(path.join(dist, file)) ?? -Infinity));
  return sources.some((source) => newestMs(path.join(repository, source)) > oldest);
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
