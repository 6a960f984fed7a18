/**
 * Runs one of the scripts beside it: `node scripts/run.mjs start`. It is written for old Node versions too, because
 * only Node 24 runs TypeScript, and an older one would say so in riddles.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const wantedMajor = 24;
const [name, ...rest] = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < wantedMajor) {
  process.stderr.write(
    `Tillbridge needs Node ${wantedMajor} or newer, and this is ${process.version}. Install a newer Node, or run ` +
      '"npm ci" again with its optional packages: on Linux and Windows they bring one.\n',
  );
  process.exitCode = 1;
} else {
  const script = path.join(import.meta.dirname, `${name}.ts`);
  process.argv = [process.execPath, script, ...rest];
  await import(pathToFileURL(script).href);
}
