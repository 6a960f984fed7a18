/**
 * From starting the process to the first connection that it takes, against a bare Express start: both as TypeScript
 * from the source, and both bundled as the package is.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { alternate } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import { sleep, type Bench } from '../world/bench.ts';
import { bundle, sources } from '../world/bundle.ts';
import { bridgeOptions } from '../world/processes.ts';
import type { Section } from './section.ts';

const rounds = 15;
const knockMs = 1;
const startLimitMs = 60_000;

export const startSection: Section = {
  name: 'start',
  title: 'Start to listening against a bare Express start',
  ours: 'bridge',
  other: 'bare',
  ratio: 'times bare',
  measure,
};

async function measure(bench: Bench) {
  const options = bridgeOptions(bench.folder());
  const bundled = { bridge: await bundle('bridge'), bare: await bundle('bare') };
  const comparisons: Comparison[] = [];
  for (const [what, files] of [
    ['bundled, ms', bundled] as const,
    ['from the source, ms', sources] as const,
  ]) {
    bench.say(what);
    const both = (count: number) =>
      alternate(
        count,
        () => start((port) => [files.bridge, ...options, `--port=${port}`]),
        () => start((port) => [files.bare, '{}', '', port.toString()]),
      );
    // Once for the file system's cache, and to make the journal.
    await both(1);
    comparisons.push(compare({ what, pairs: await both(rounds), ratio: 'cost', values: 'costs' }));
  }
  return comparisons;
}

/** Milliseconds from the start to the first connection; afterwards the process is ended. */
async function start(argumentsFor: (port: number) => string[]): Promise<number> {
  const port = await freePort();
  const startedMs = performance.now();
  const child = spawn(process.execPath, argumentsFor(port), { stdio: ['ignore', 'ignore', 'inherit'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  try {
    while (!(await knock(port))) {
      if (child.exitCode !== null) throw new Error('a server of the benchmark did not start');
      if (performance.now() - startedMs > startLimitMs) throw new Error('a server never listened');
      await sleep(knockMs);
    }
    return performance.now() - startedMs;
  } finally {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
  }
}

function knock(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.on('connect', () => settle(true));
    socket.on('error', () => settle(false));
  });
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
