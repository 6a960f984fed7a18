/** The app as it is built: main process, preload, page. Built once for all test files, again when a source has changed. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const repository = path.resolve(import.meta.dirname, '../..');
const shelf = path.join(repository, 'node_modules/.cache/built');
/** Builds of sources that have changed since are kept for a while: another run may still use one. */
const keptBuilds = 4;

/** The folder of the app, as Electron takes it on its command line. `TILLBRIDGE_APP` names one that is built. */
export function builtApp(): string {
  const given = process.env['TILLBRIDGE_APP'] ?? '';
  if (given !== '') return path.resolve(given);
  const folder = (known ??= path.join(shelf, fingerprint()));
  if (existsSync(folder)) return folder;
  mkdirSync(shelf, { recursive: true });
  // Whoever else wants the same waits: two builds take twice as long.
  const lock = new DatabaseSync(path.join(shelf, lockName), { timeout: longestBuildMs });
  try {
    // The system lets it go when this process is ended.
    lock.exec('BEGIN EXCLUSIVE');
    if (!existsSync(folder)) build(folder);
  } finally {
    lock.close();
  }
  return folder;
}

/** Once for a test file: looking at every source takes time, too. */
let known: string | null = null;
const lockName = 'lock.sqlite';
const longestBuildMs = 600_000;

function build(folder: string): void {
  removeOld();
  const unfinished = mkdtempSync(path.join(shelf, 'building-'));
  try {
    execFileSync(
      process.execPath,
      [path.join(repository, 'node_modules/vite/bin/vite.js'), 'build', '--app', '--logLevel', 'error'],
      {
        cwd: repository,
        env: { ...process.env, NODE_ENV: 'production', TILLBRIDGE_DIST: path.join(unfinished, 'dist') },
      },
    );
    const { name, version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
    };
    const facts = { name, version, type: 'module', main: 'dist/main.js' };
    writeFileSync(path.join(unfinished, 'package.json'), JSON.stringify(facts));
    for (const shared of ['node_modules', 'build']) {
      symlinkSync(path.join(repository, shared), path.join(unfinished, shared), 'junction');
    }
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Changes with every file that goes into the build. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const sources = ['src', 'scripts/notices'].flatMap((folder) =>
    readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    ),
  );
  const files = [
    'package.json',
    'vite.config.ts',
    'CHANGELOG.md',
    'LICENSE',
    'node_modules/.package-lock.json',
    ...sources.sort(),
  ];
  for (const file of files) {
    const { size, mtimeMs } = statSync(path.join(repository, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

function removeOld(): void {
  const folders = readdirSync(shelf)
    .filter((name) => name !== lockName)
    .map((name) => path.join(shelf, name));
  const madeAt = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const oldestLast = folders.toSorted((one, other) => madeAt(other) - madeAt(one));
  for (const folder of oldestLast.slice(keptBuilds)) rmSync(folder, { recursive: true, force: true });
}
