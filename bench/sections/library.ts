/**
 * The remote interface's client as a package of others: what `tillbridge-remote` weighs with all that it brings, and how long
 * each of its entries takes to import, against the clients of Stripe and GitHub. The packages are installed as anybody
 * would install them, each into a project of its own.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alternate } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import { sleep, type Bench } from '../world/bench.ts';
import { builtFolder } from '../world/bundle.ts';
import { repositoryFile } from '../world/processes.ts';
import type { Section } from './section.ts';

const rounds = 15;
const restMs = 20;
const own = 'tillbridge-remote';
const entries = [own, `${own}/webhooks`, `${own}/sandbox`];
const others = ['stripe', 'octokit'];

export const librarySection: Section = {
  name: 'library',
  title: 'The client of the remote interface against those of others',
  ours: own,
  other: 'other',
  ratio: 'times the other',
  measure,
};

function measure(bench: Bench): Promise<Comparison[] | string> {
  bench.say('installing');
  try {
    const ours = project(bench, packed(bench));
    return compared(
      bench,
      ours,
      others.map((name) => ({ name, folder: project(bench, name) })),
    );
  } catch {
    return Promise.resolve('npm could not install the packages that it is compared with.');
  }
}

async function compared(
  bench: Bench,
  ours: string,
  projects: readonly { name: string; folder: string }[],
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const { name, folder } of projects) {
    const pairs = [{ ours: installedKb(ours), other: installedKb(folder) }];
    comparisons.push(compare({ what: `installed, ${name}, kB`, pairs, ratio: 'cost', values: 'costs' }));
  }
  for (const entry of entries) {
    for (const { name, folder } of projects) {
      bench.say(`${entry} and ${name}`);
      const both = (count: number) =>
        alternate(
          count,
          () => importMs(ours, entry),
          () => importMs(folder, name),
        );
      // Once for the file system's cache.
      await both(1);
      const pairs = await both(rounds);
      const what = `import ${entry}, ${name}, ms`;
      comparisons.push(compare({ what, pairs, ratio: 'cost', values: 'costs' }));
    }
  }
  return comparisons;
}

/** The package as it is published, with its types. */
function packed(bench: Bench): string {
  const library = join(bench.folder(), own);
  cpSync(join(builtFolder(), own), library, { recursive: true });
  const compiler = repositoryFile('node_modules/typescript/bin/tsc');
  for (const types of ['types', 'types-cjs']) {
    const outDir = join(library, types);
    mkdirSync(outDir, { recursive: true });
    execFileSync(process.execPath, [compiler, '-p', repositoryFile('src/remote'), '--outDir', outDir]);
  }
  const target = bench.folder();
  const name = npm(['pack', library, '--silent', '--pack-destination', target], target);
  return join(target, name.trim());
}

/** A project that has this package and what that needs. */
function project(bench: Bench, wanted: string): string {
  const folder = bench.folder();
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  npm(['install', wanted, '--omit=dev', '--no-audit', '--no-fund', '--silent'], folder);
  return folder;
}

function npm(commandLine: string[], folder: string): string {
  const options = { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' } as const;
  return execFileSync('npm', commandLine, options);
}

function installedKb(folder: string): number {
  const modules = join(folder, 'node_modules');
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const bytes = files.reduce((all, file) => all + statSync(join(file.parentPath, file.name)).size, 0);
  return Math.round(bytes / 1_000);
}

/** In a process of its own, from which nothing is taken but the time of the import. */
async function importMs(folder: string, name: string): Promise<number> {
  await sleep(restMs);
  const script = `const begun = performance.now(); await import('${name}'); console.log(performance.now() - begun);`;
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
    // What this program itself has compiled is of no use to it.
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  return Number(told);
}
