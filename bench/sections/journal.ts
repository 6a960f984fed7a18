/** The journal with a million payments against the same with a thousand: nothing may grow with it. */
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { fillJournal, filledReference } from '../../test/support/fill-journal.ts';
import { alternate, type Pair } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import type { Bench } from '../world/bench.ts';
import { createCaller } from '../world/caller.ts';
import { requestsPerSecond } from '../world/load.ts';
import { ask, bridgeArguments, repositoryFile, run, startServer, type Server } from '../world/processes.ts';
import { untilReady } from '../world/till.ts';
import type { Question } from '../servers/journal-worker.ts';
import type { Section } from './section.ts';

const few = 1_000;
const many = 1_000_000;
const rounds = 15;
const requestsInARound = 2_500;
const warmUpRequests = 10_000;
const differentRequests = 5_000;

const questions: readonly { question: Question; what: string }[] = [
  { question: 'reference', what: 'journal: any payment by reference, µs' },
  { question: 'recent', what: 'journal: one of the newest 1,000 by reference, µs' },
  { question: 'page', what: 'journal: page of 50 by position, µs' },
  { question: 'append', what: 'journal: start of a payment, synced, µs' },
  { question: 'open', what: 'journal: open and close, ms' },
];

export const journalSection: Section = {
  name: 'journal',
  title: 'A journal with 1,000,000 payments against one with 1,000',
  ours: '1,000,000',
  other: '1,000',
  ratio: 'times 1,000',
  measure,
};

interface Filled {
  dataDir: string;
  /** Where the bridge keeps the simulator's journal. */
  folder: string;
  payments: number;
}

async function measure(bench: Bench): Promise<Comparison[]> {
  const small = fill(bench, few);
  const large = fill(bench, many);
  const worker = run(bench, [
    repositoryFile('bench/servers/journal-worker.ts'),
    large.folder,
    large.payments.toString(),
    small.folder,
    small.payments.toString(),
  ]);
  const comparisons: Comparison[] = [];
  for (const { question, what } of questions) {
    bench.say(what);
    const pairs = (await ask(worker, question)) as Pair[];
    comparisons.push(compare({ what, pairs, ratio: 'cost', values: 'costs' }));
  }
  await worker.end();
  return [...comparisons, await overHttp(bench, large, small)];
}

function fill(bench: Bench, payments: number): Filled {
  const dataDir = bench.folder();
  const folder = join(dataDir, 'simulator');
  bench.say(`writing ${payments.toLocaleString('en-US')} payments`);
  const startedMs = performance.now();
  fillJournal(folder, payments);
  bench.say(`written in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
  return { dataDir, folder, payments };
}

/** QueryPayment of any payment through the whole bridge. */
async function overHttp(bench: Bench, large: Filled, small: Filled): Promise<Comparison> {
  bench.say('QueryPayment over HTTP');
  const ours = await startReady(bench, large);
  const other = await startReady(bench, small);
  const burst = (server: Server, { payments }: Filled, count: number) =>
    requestsPerSecond({
      port: server.port,
      path: '/QueryPayment',
      bodies: anyOf(payments),
      connections: 1,
      count,
    });
  await burst(ours, large, warmUpRequests);
  await burst(other, small, warmUpRequests);
  const pairs = await alternate(
    rounds,
    () => burst(ours, large, requestsInARound),
    () => burst(other, small, requestsInARound),
  );
  const what = 'QueryPayment of any payment, requests/s';
  return compare({ what, pairs, ratio: 'cost', values: 'rates' });
}

async function startReady(bench: Bench, { dataDir }: Filled): Promise<Server> {
  const server = await startServer(bench, bridgeArguments(dataDir));
  const caller = createCaller(server.port);
  await untilReady(caller);
  caller.close();
  return server;
}

function anyOf(payments: number): string[] {
  return Array.from({ length: differentRequests }, () => {
    const number = Math.floor(Math.random() * payments);
    return JSON.stringify({ retrieval_reference_number: filledReference(number) });
  });
}
