/** The folder that electron-builder packages: what the app needs to run, and nothing that is there for development. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { bundledInto, writeDesktopNotice } from '../notices/index.ts';
import { foldersNeededBy, readLockfile } from '../packages/lockfile.ts';

const factsSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

/** Of the build; as electron-builder.yml names their files. */
const parts = ['client', 'main', 'bridge', 'preload'];
/** A package that is built into these is not asked for beside them; the last is the command line, which is not in the app. */
const partsWithPackages = ['main', 'bridge', 'headless'];
/** For the head office, which only the command line has. */
const forOffice = ['@electric-sql/pglite', 'pg'];

/** Adds everything but `dist` to `stage`, where that is already. */
export function fillStage(repository: string, stage: string): void {
  const { name, version, description, license, dependencies } = factsSchema.parse(
    JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')),
  );
  const builtIn = bundledInto(path.join(stage, 'dist'), partsWithPackages);
  const beside = Object.entries(dependencies).filter(
    ([name]) => !builtIn.includes(`node_modules/${name}`) && !forOffice.includes(name),
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
    dependencies: Object.fromEntries(beside),
  };
  writeFileSync(path.join(stage, 'package.json'), JSON.stringify(facts, null, 2));
  const names = beside.map(([name]) => name);
  const packages = foldersNeededBy(names, readLockfile(repository));
  for (const file of ['LICENSE', 'electron-builder.yml', 'build', ...packages]) {
    cpSync(path.join(repository, file), path.join(stage, file), { recursive: true });
  }
  keepOwnPrebuilds(path.join(stage, 'node_modules/@serialport/bindings-cpp/prebuilds'));
  writeDesktopNotice(repository, stage, parts, packages);
}

/** Of the binaries for serial ports: `linux-x64`, `darwin-x64+arm64`. A package is made on the system that it is for. */
function keepOwnPrebuilds(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [platform, processors = ''] = name.split('-');
    const isOwn = platform === process.platform && processors.split('+').includes(process.arch);
    if (!isOwn) rmSync(path.join(folder, name), { recursive: true });
  }
}
