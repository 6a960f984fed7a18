/** The folder that electron-builder packages: what the app needs to run, and nothing that is there for development. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const factsSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()),
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), devOptional: z.boolean().optional() }),
  ),
});

/** The command line brings a Node of its own; the app has Electron's. */
const nodePackage = /^node_modules\/node-(linux|win|darwin)-/;

/** Adds everything but `dist` to `stage`. */
export function fillStage(repository: string, stage: string): void {
  const { name, version, description, license, dependencies } = factsSchema.parse(
    JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')),
  );
  const facts = {
    name,
    version,
    description,
    license,
    author: 'The Tillbridge authors',
    homepage: 'https://tillbridge.example',
    type: 'module',
    main: 'dist/main.js',
    dependencies,
  };
  writeFileSync(path.join(stage, 'package.json'), JSON.stringify(facts, null, 2));
  for (const part of ['LICENSE', 'electron-builder.yml', 'build', ...productionPackages(repository)]) {
    cpSync(path.join(repository, part), path.join(stage, part), { recursive: true });
  }
}

/** Folders of the packages that the lockfile does not mark as being there for development. */
function productionPackages(repository: string): string[] {
  const { packages } = lockSchema.parse(
    JSON.parse(readFileSync(path.join(repository, 'package-lock.json'), 'utf8')),
  );
  return Object.entries(packages)
    .filter(([folder, facts]) => folder !== '' && facts.dev !== true && facts.devOptional !== true)
    .map(([folder]) => folder)
    .filter((folder) => !nodePackage.test(folder) && existsSync(path.join(repository, folder)));
}
