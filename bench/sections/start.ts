/**
 * From starting the process to its first answer to `GET /health`, against a bare Express start: as it is installed, and
 * as TypeScript from the source. The bridge has its console on and a journal that exists already. The bare server is
 * there twice: with its packages beside it, as `npm install express` leaves it, and with all of them in one file.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { alternate } from '../measure/alternate.ts';
import { compare, type Aim, type Comparison } from '../measure/comparison.ts';
import { sleep, type Bench } from '../world/bench.ts';
import { builtBareServer, builtBridge, builtFolder, sources } from '../world/bundle.ts';
import { bridgeOptions, serviceEnvironment } from '../world/processes.ts';
import type { Section } from './section.ts';

const rounds = 15;
const knockMs = 1;
const startLimitMs = 60_000;

export const startSection: Section = {
  name: 'start',
  title: 'Start to the first answer against a bare Express start',
  ours: 'bridge',
  other: 'bare',
  ratio: 'times bare',
  measure,
};

interface Plan {
  what: string;
  bridge: string;
  bare: string;
  aim?: Aim;
}

async function measure(bench: Bench) {
  const options = bridgeOptions(bench.folder());
  const bridge = builtBridge();
  const plans: Plan[] = [
    { what: 'installed', bridge, bare: await builtBareServer('beside'), aim: { atMost: 1.6 } },
    { what: 'installed, bare in one file', bridge, bare: await builtBareServer('inside') },
    { what: 'from the source', ...sources },
  ];
  const comparisons: Comparison[] = [];
  for (const { what, bridge: ours, bare, ...aim } of plans) {
    bench.say(what);
    const both = (count: number) =>
      alternate(
        count,
        () => start((port) => [ours, ...options, `--port=${port}`]),
        () => start((port) => [bare, '{}', '', port.toString()]),
      );
    // Once for the file system's cache, and to make the journal.
    await both(1);
    const pairs = await both(rounds);
    comparisons.push(compare({ what: `${what}, ms`, pairs, ratio: 'cost', values: 'costs', ...aim }));
  }
  return comparisons;
}

/** Milliseconds from the start to the first answer; afterwards the process is ended. */
async function start(argumentsFor: (port: number) => string[]): Promise<number> {
  const port = await freePort();
  const startedMs = performance.now();
  const child = spawn(process.execPath, argumentsFor(port), {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Where the source finds the console's page.
    env: { ...serviceEnvironment(), TILLBRIDGE_DIST: builtFolder() },
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  try {
    while (!(await isAnswered(port))) {
      if (child.exitCode !== null) throw new Error('a server of the benchmark did not start');
      if (performance.now() - startedMs > startLimitMs) throw new Error('a server never answered');
      await sleep(knockMs);
    }
    return performance.now() - startedMs;
  } finally {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
  }
}

/** False while nobody listens. "Not ready yet" is an answer, too. */
function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(true));
    });
    outgoing.on('error', () => resolve(false));
    outgoing.end();
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
