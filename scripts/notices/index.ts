/** The third-party notices of what is built and packaged. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { buildTextFiles, type Licences } from '../../src/contract/console/index.ts';
import { noticeSections, noticeText } from './notice.ts';
import { readFacts, type PackageFacts } from './package-facts.ts';
import { whatsNew } from './whats-new.ts';

export { bundledPackages } from './bundled.ts';

const noticeFile = 'THIRD-PARTY-NOTICES.txt';
/** What is where; the desktop app has only some of the parts. */
const listFile = 'bundled-packages.json';

/** The parts of a build by their names in vite.config.ts, each with the folders of the packages in it. */
export type Bundled = Record<string, string[]>;
const listSchema = z.record(z.string(), z.array(z.string()));

/** Puts the notice of everything in `dist` there, and the list of what is in which part. */
export function writeBuildNotice(root: string, dist: string, bundled: Bundled): void {
  const title = 'Tillbridge has code and fonts of others built in. These are their licences.';
  const packages = Object.values(bundled).flat().map(readFacts);
  writeFileSync(path.join(dist, noticeFile), noticeText(title, packages));
  writeLicences(root, dist, packages);
  const parts = Object.entries(bundled).map(([part, folders]) => [part, folders.map(belowRoot).sort()]);
  writeFileSync(path.join(dist, listFile), `${JSON.stringify(Object.fromEntries(parts), null, 2)}\n`);
}

/** Puts the notice of the library `name` into its `folder`: of the packages, by their folders, that are built into it. */
export function writeLibraryNotice(folder: string, name: string, packages: string[]): void {
  const title =
    packages.length === 0
      ? `${name} has no code of others in it.`
      : `${name} has code of others built in. These are their licences.`;
  writeFileSync(path.join(folder, noticeFile), noticeText(title, packages.map(readFacts)));
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
  writeLicences(repository, path.join(stage, 'dist'), facts);
}

/** Puts what is new beside the page that is built into `dist`: the newest sections of the changelog in `root`. */
export function writeWhatsNew(root: string, dist: string): void {
  const sections = whatsNew(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'));
  writeFileSync(path.join(dist, 'renderer', buildTextFiles.whatsNew), JSON.stringify(sections));
}

/** The same notice for the page: there is no text file that a person in front of it could open. */
function writeLicences(root: string, dist: string, packages: PackageFacts[]): void {
  const own = readFileSync(path.join(root, 'LICENSE'), 'utf8').trim();
  const licences: Licences = { own, others: noticeSections(packages) };
  writeFileSync(path.join(dist, 'renderer', buildTextFiles.licences), JSON.stringify(licences));
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
