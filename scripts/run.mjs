/**
 * Runs a program in Node 24: `node scripts/run.mjs start` for a script beside this file, `node scripts/run.mjs
 * node_modules/vitest/vitest.mjs run` for any other file of the repository. It is written for old Node versions too,
 * because only Node 24 runs TypeScript, and an older one would say so in riddles.
 *
 * npm puts the Node of the packages first, as node_modules/.bin/node. npm 10, which comes with Node 20 and 22, makes that
 * link and then deletes it together with the packages for other systems: so it is looked for here.
 */
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundledNode, runIn } from '../bin/bundled-node.mjs';

const wantedMajor = 24;
/** How often the parent is looked at. */
const parentCheckMs = 250;
const here = path.dirname(fileURLToPath(import.meta.url));
const [name = '', ...rest] = process.argv.slice(2);
const program = /[\\/]/.test(name) ? path.resolve(here, '..', name) : path.join(here, `${name}.ts`);

if (Number(process.versions.node.split('.')[0]) >= wantedMajor) {
  process.argv = [process.execPath, program, ...rest];
  await import(pathToFileURL(program).href);
} else {
  const node = bundledNode();
  if (node === null) {
    process.stderr.write(
      `Tillbridge needs Node ${wantedMajor} or newer, and this is ${process.version}. Install a newer Node, or run ` +
        '"npm ci" again with its optional packages: on Linux and Windows they bring one.\n',
    );
    process.exitCode = 1;
  } else {
    // What it starts by the name of "node" is the same.
    const search = [path.dirname(node), process.env.PATH].join(path.delimiter);
    endWithNpm(runIn(node, [program, ...rest], { ...process.env, PATH: search }));
  }
}

/** As in launch/child.ts: on SIGTERM npm ends the shell between itself and us, which does not pass the signal on. */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, parentCheckMs);
  child.on('exit', () => clearInterval(timer));
}
