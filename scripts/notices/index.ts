/** The third-party notices of what is built and packaged. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { noticeText } from './notice.ts';
import { readFacts } from './package-facts.ts';

export { bundledPackages } from './bundled.ts';

const noticeFile = 'THIRD-PARTY-NOTICES.txt';
/** What is where; the desktop app has only some of the parts. */
const listFile = 'bundled-packages.json';

/** The parts of a build by their names in vite.config.ts, each with the folders of the packages in it. */
export type Bundled = Record<string, string[]>;
const listSchema = z.record(z.string(), z.array(z.string()));

/** Puts the notice of everything in `dist` there, and the list of what is in which part. */
export function writeBuildNotice(dist: string, bundled: Bundled): void {
  const title = 'Tillbridge has code and fonts of others built in. These are their licences.';
  const packages = Object.values(bundled).flat().map(readFacts);
  writeFileSync(path.join(dist, noticeFile), noticeText(title, packages));
  const parts = Object.entries(bundled).map(([part, folders]) => [part, folders.map(belowRoot).sort()]);
  writeFileSync(path.join(dist, listFile), `${JSON.stringify(Object.fromEntries(parts), null, 2)}\n`);
}

/**
 * Puts the notice of the desktop app into `stage`: of what is built into these `parts`, of the `packages` packed beside
 * them, and of Electron. Folders of packages are relative to `repository`.
 */
export function writeDesktopNotice(
  repository: string,
  stage: string,
  parts: string[],
  packages: string[],
): void {
  const bundled = bundledInto(path.join(stage, 'dist'), parts);
  const folders = [...bundled, ...packages, 'node_modules/electron'];
  const title =
    'Tillbridge has code and fonts of others in it. These are their licences. Those of Chromium and of what else is in\n' +
    "Electron's runtime are in LICENSES.chromium.html.";
  const facts = folders.map((folder) => readFacts(path.join(repository, folder)));
  writeFileSync(path.join(stage, noticeFile), noticeText(title, facts));
}

/** The packages (`node_modules/react`) that are built into these parts. */
export function bundledInto(dist: string, parts: string[]): string[] {
  const bundled = listSchema.parse(JSON.parse(readFileSync(path.join(dist, listFile), 'utf8')));
  return parts.flatMap((part) => bundled[part] ?? []);
}

/** `node_modules/react`, wherever the repository is. */
function belowRoot(folder: string): string {
  return folder.slice(folder.indexOf('node_modules')).replaceAll('\\', '/');
}
