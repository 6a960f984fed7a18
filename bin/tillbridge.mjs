#!/usr/bin/env node
/**
 * The `tillbridge` command of the installed package. It is written for old Node versions too: Tillbridge itself needs
 * Node 24, and where the Node that started this is older, the one that came with the package takes over.
 */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundledNode, runIn } from './bundled-node.mjs';

const wantedMajor = 24;
const packageFolder = path.dirname(path.dirname(realpathSync(fileURLToPath(import.meta.url))));
const program = path.join(packageFolder, 'dist', 'tillbridge.js');

if (!existsSync(program)) {
  fail(
    `${program} is missing: this is the source, not the installed package. In the repository run ` +
      '"npm run tillbridge -- COMMAND".',
  );
} else if (Number(process.versions.node.split('.')[0]) >= wantedMajor) {
  await import(pathToFileURL(program).href);
} else {
  const node = bundledNode();
  if (node === null) {
    fail(
      `Tillbridge needs Node ${wantedMajor} or newer, and this is ${process.version}. Install a newer Node, or install ` +
        'Tillbridge again with its optional packages (npm without --omit=optional).',
    );
  } else {
    runIn(node, [program, ...process.argv.slice(2)]);
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
