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
});
export type LockedPackage = z.infer<typeof packageSchema>;

const lockfileSchema = z.object({ packages: z.record(z.string(), packageSchema) });

/** The packages by their folder (`node_modules/express`), without the repository itself. */
export function readLockfile(repository: string): Map<string, LockedPackage> {
  const text = readFileSync(path.join(repository, 'package-lock.json'), 'utf8');
  const { packages } = lockfileSchema.parse(JSON.parse(text));
  return new Map(Object.entries(packages).filter(([folder]) => folder !== ''));
}

/** `@serialport/stream` of `node_modules/serialport/node_modules/@serialport/stream`. */
export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
