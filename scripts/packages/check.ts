/** Whether the packages are what we say they are: where they come from, what they may run, and what each is for. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { nameOf, readLockfile } from './lockfile.ts';

const versions = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({
  dependencies: versions,
  optionalDependencies: versions,
  devDependencies: versions,
  /** npm's own list of packages whose install scripts have been looked at. */
  allowScripts: z.record(z.string(), z.boolean()).default({}),
});
type Manifest = z.infer<typeof manifestSchema>;

const installScripts = ['preinstall', 'install', 'postinstall'];
const installedSchema = z.object({ scripts: z.record(z.string(), z.unknown()).optional() });

/** Everything that is wrong in `repository`, a sentence each. */
export function checkPackages(repository: string): string[] {
  const manifest = manifestSchema.parse(JSON.parse(read(repository, 'package.json')));
  return [
    ...checkInstallScripts(repository, manifest),
    ...checkSources(repository),
    ...checkPurposes(read(repository, purposesFile), manifest),
  ];
}

/** None may run at `npm ci`, and each package that has one is named with `false` in package.json. */
function checkInstallScripts(repository: string, { allowScripts }: Manifest): string[] {
  const findings: string[] = [];
  if (!/^ignore-scripts *= *true$/m.test(read(repository, '.npmrc'))) {
    findings.push(
      '.npmrc: "ignore-scripts=true" is missing, so packages may run what they like when installed.',
    );
  }
  const packages = readLockfile(repository);
  const withScript = new Set(
    [...packages]
      .filter(
        ([folder, { hasInstallScript }]) =>
          hasInstallScript === true || runsWhenInstalled(repository, folder),
      )
      .map(([folder]) => nameOf(folder)),
  );
  for (const name of withScript) {
    if (allowScripts[name] === undefined) {
      findings.push(
        `${name} has an install script that nobody has looked at. If everything works without it, write ` +
          `"${name}": false to allowScripts in package.json, and why to ${purposesFile}; otherwise do without the package.`,
      );
    }
  }
  for (const [name, isAllowed] of Object.entries(allowScripts)) {
    if (isAllowed) findings.push(`package.json: allowScripts lets ${name} run its install script.`);
    if (!withScript.has(name))
      findings.push(`package.json: allowScripts names ${name}, which has no install script.`);
  }
  return findings;
}

/** As it is installed, whatever the lockfile says; not for what is left out on this system. */
function runsWhenInstalled(repository: string, folder: string): boolean {
  const manifest = path.join(repository, folder, 'package.json');
  if (!existsSync(manifest)) return false;
  const { scripts = {} } = installedSchema.parse(JSON.parse(readFileSync(manifest, 'utf8')));
  // npm compiles a package that has this file and no script of its own.
  const isCompiled = existsSync(path.join(repository, folder, 'binding.gyp'));
  return isCompiled || installScripts.some((script) => scripts[script] !== undefined);
}

/** Each comes from the registry, with the checksum that npm compares. */
function checkSources(repository: string): string[] {
  return [...readLockfile(repository)].flatMap(([folder, { resolved, link, integrity }]) => {
    if (resolved !== undefined || link === true) {
      return [`package-lock.json: ${folder} comes from ${resolved ?? 'a link'}, not from the registry.`];
    }
    if (integrity?.startsWith('sha512-') === true) return [];
    return [`package-lock.json: ${folder} has no SHA-512 checksum.`];
  });
}

const purposesFile = 'docs/dependencies.md';

/** The tables of docs/dependencies.md, by their headings. */
const tables = [
  ['## At run time', 'dependencies'],
  ['## At run time, where the system has them', 'optionalDependencies'],
  ['## To build and to test', 'devDependencies'],
] as const;

/** Each package of package.json has a row that says what it is for, and there is no other row. */
function checkPurposes(docs: string, manifest: Manifest): string[] {
  return tables.flatMap(([heading, list]) => {
    const described = rowsBelow(docs, heading);
    const wanted = Object.keys(manifest[list]);
    return [
      ...wanted
        .filter((name) => !described.includes(name))
        .map((name) => `${purposesFile}: "${heading.slice(3)}" does not say what ${name} is for.`),
      ...described
        .filter((name) => !wanted.includes(name))
        .map((name) => `${purposesFile}: ${name} is not in ${list} of package.json.`),
    ];
  });
}

/** The names in a table: the first cell of each row that has something in its second cell. */
function rowsBelow(docs: string, heading: string): string[] {
  const [, below = ''] = docs.split(`\n${heading}\n`);
  const [section = ''] = below.split(/\n## /);
  return [...section.matchAll(/^\| `([^`]+)` \| *[^| ]/gm)].map(([, name = '']) => name);
}

function read(repository: string, file: string): string {
  const place = path.join(repository, file);
  return existsSync(place) ? readFileSync(place, 'utf8') : '';
}
