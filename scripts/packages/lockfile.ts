/** What package-lock.json says of each package. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const packageSchema = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  /** Where it comes from; the lockfile leaves it out for what comes from the registry. */
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  devOptional: z.boolean().optional(),
  /** What it needs at run time. */
  dependencies: z.record(z.string(), z.string()).optional(),
});
export type LockedPackage = z.infer<typeof packageSchema>;

const lockfileSchema = z.object({ packages: z.record(z.string(), packageSchema) });

/** The packages by their folder (`node_modules/express`), without the repository itself. */
export function readLockfile(repository: string): Map<string, LockedPackage> {
  const text = readFileSync(path.join(repository, 'package-lock.json'), 'utf8');
  const { packages } = lockfileSchema.parse(JSON.parse(text));
  return new Map(Object.entries(packages).filter(([folder]) => folder !== ''));
}

/** The folders of `names`, as the repository finds them, and of everything that they need. */
export function foldersNeededBy(names: readonly string[], packages: Map<string, LockedPackage>): string[] {
  const needed = new Set(names.map((name) => folderFor('', name, packages)));
  // A set goes on to what is added while it is gone through.
  for (const folder of needed) {
    for (const name of Object.keys(packages.get(folder)?.dependencies ?? {}))
      needed.add(folderFor(folder, name, packages));
  }
  return [...needed];
}

/** The folder of the package that code in `folder` gets by this name: its own, or one further up. */
function folderFor(folder: string, name: string, packages: Map<string, LockedPackage>): string {
  for (let from = folder; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))) {
    const found = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
    if (packages.has(found)) return found;
    if (from === '') throw new Error(`${name}, which ${folder} needs, is not in the lockfile.`);
  }
}

/** `@serialport/stream` of `node_modules/serialport/node_modules/@serialport/stream`. */
export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
