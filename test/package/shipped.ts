/** Whose work is in what was built, found out in another way than the build does: from source maps and from bytes. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nameOf } from '../../scripts/packages/lockfile.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const packageManifest = /\/node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/;
const packageFolder = /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;

/** Packages (`node_modules/zod`) that a source map names. A map may be in node_modules itself, and name them from there. */
export function packagesOfMap(mapFile: string): string[] {
  const { sources } = JSON.parse(readFileSync(mapFile, 'utf8')) as { sources: string[] };
  const files = sources.map((source) => path.resolve(path.dirname(mapFile), source).replaceAll('\\', '/'));
  return files.flatMap((file) => packageFolder.exec(file)?.[1] ?? []);
}

/** Files of `folder` that are, byte for byte, in one of these packages, each with the package. */
export function ownersOfFiles(folder: string, packages: string[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const owner of packages) {
    for (const file of filesBelow(path.join(repository, owner))) owners.set(digest(file), owner);
  }
  return new Map(
    filesBelow(folder).map((file) => [path.basename(file), owners.get(digest(file)) ?? 'nobody']),
  );
}

/**
 * Packages below `folder`, however deep, as they stand in the repository's node_modules: the packager may put the same
 * version somewhere else.
 */
export function packagesBelow(folder: string): string[] {
  const { packages } = JSON.parse(
    readFileSync(path.join(repository, 'node_modules/.package-lock.json'), 'utf8'),
  ) as { packages: Record<string, { version: string }> };
  const here = new Map(
    Object.entries(packages).map(([place, { version }]) => [`${nameOf(place)} ${version}`, place]),
  );
  const manifests = filesBelow(folder).filter((file) => packageManifest.test(file.replaceAll('\\', '/')));
  return manifests.map((file) => {
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    const id = `${nameOf(path.dirname(file).replaceAll('\\', '/'))} ${version}`;
    return here.get(id) ?? `${id}, which is not installed`;
  });
}

/** The MIT licence is shorter. */
const maxGivenLength = 1_500;

/** What the notice must have of a package: its name with its version, and every line of its licence. */
export function missingInNotice(notice: string, owner: string): string[] {
  const folder = path.join(repository, owner);
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license: string;
  };
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (licence === undefined) {
    // One that brings no text has that of its licence, with its author.
    const head = `${name} ${version}, ${license}`;
    const given = notice.slice(notice.indexOf(head) + head.length, notice.indexOf(head) + maxGivenLength);
    const isGiven = notice.includes(head) && /Copyright \(c\) \w/.test(given) && given.includes('AS IS');
    return isGiven ? [] : [`${name} brings no licence`];
  }
  const wanted = [
    `${name} ${version}, ${license}`,
    ...readFileSync(path.join(folder, licence), 'utf8').split(/\r?\n/),
  ];
  return wanted.filter((line) => !notice.includes(line.trim())).map((line) => `${name}: ${line}`);
}

/** The licences that the headings of a notice name. */
export function licencesIn(notice: string): Set<string> {
  return new Set(
    [...notice.matchAll(/^(?:@[\w.-]+\/)?[\w.-]+ \d[\w.-]*, ([^,\n]+)/gm)].map(([, id = '']) => id),
  );
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
