/**
 * A journal with a million payments against one with a thousand: nothing may grow with it. The day was closed after all
 * of them, as a terminal does by itself: what is open is today's.
 */
import { join } from 'node:path';
import { openJournal } from '../../src/bridge/journal/index.ts';
import { silentLog } from '../../src/bridge/log/log.ts';
import { systemClock } from '../../src/contract/clock.ts';
import { fillJournal, filledReference } from '../../test/support/fill-journal.ts';
import { alternate, type Pair } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import type { Bench } from '../world/bench.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { requestsPerSecond } from '../world/load.ts';
import { ask, bridgeArguments, repositoryFile, run, startServer, type Server } from '../world/processes.ts';
import { createPayment, newReference, untilReady } from '../world/till.ts';
import type { Question } from '../servers/journal-worker.ts';
import type { Section } from './section.ts';

const few = 1_000;
const many = 1_000_000;
const rounds = 15;
const requestsInARound = 2_500;
const warmUpRequests = 10_000;
const differentRequests = 5_000;
const payments = 100;
const paymentWaitS = 60;

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
  return [...comparisons, ...(await overHttp(bench, large, small))];
}

function fill(bench: Bench, payments: number): Filled {
  const dataDir = bench.folder();
  const folder = join(dataDir, 'simulator');
  bench.say(`writing ${payments.toLocaleString('en-US')} payments`);
  const startedMs = performance.now();
  fillJournal(folder, payments);
  closeDay(folder);
  bench.say(`written in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
  return { dataDir, folder, payments };
}

function closeDay(folder: string): void {
  const opened = openJournal({ folder, clock: systemClock, log: silentLog, version: '0.0.0-bench' });
  if (opened.kind !== 'opened') throw new Error(opened.message);
  const terminal = { protocol: 'zvt', terminalId: '52500041' } as const;
  const lastRecord = { kind: 'empty' } as const;
  opened.journal.append({ type: 'terminal_ready', terminal, lastRecord, continuity: 'batch' });
  opened.journal.close();
}

/** The same through the whole bridge, with the simulated terminal inside. */
async function overHttp(bench: Bench, large: Filled, small: Filled): Promise<Comparison[]> {
  const ours = await startReady(bench, large);
  const other = await startReady(bench, small);

  bench.say('QueryPayment over HTTP');
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
  const rates = await alternate(
    rounds,
    () => burst(ours, large, requestsInARound),
    () => burst(other, small, requestsInARound),
  );

  bench.say('payments over HTTP');
  const callers = { ours: createCaller(ours.port), other: createCaller(other.port) };
  const times = await alternate(
    payments,
    () => pay(callers.ours),
    () => pay(callers.other),
  );
  callers.ours.close();
  callers.other.close();
  return [
    compare({
      what: 'QueryPayment of any payment, requests/s',
      pairs: rates,
      ratio: 'cost',
      values: 'rates',
    }),
    compare({ what: 'CreatePayment until approved, ms', pairs: times, ratio: 'cost', values: 'costs' }),
  ];
}

/** Milliseconds. */
async function pay(caller: Caller): Promise<number> {
  const answer = await createPayment(caller, newReference(), paymentWaitS);
  demandSuccess(answer);
  await untilReady(caller);
  return answer.tookMs;
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
