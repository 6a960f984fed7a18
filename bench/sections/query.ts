/**
 * QueryPayment against a bare Express route that answers the same bytes as a constant: of one payment again and again,
 * as a till asks that waits for it, and of any payment of the journal, which has to be looked up on disk.
 */
import { join } from 'node:path';
import { fillJournal, filledReference } from '../../test/support/fill-journal.ts';
import { alternate, type Pair } from '../measure/alternate.ts';
import { compare, type Aim, type Comparison } from '../measure/comparison.ts';
import type { Bench } from '../world/bench.ts';
import { createCaller } from '../world/caller.ts';
import { requestsPerSecond } from '../world/load.ts';
import { bridgeArguments, repositoryFile, startServer, type Server } from '../world/processes.ts';
import { payOnce } from '../world/till.ts';
import { processorMs } from '../world/usage.ts';
import type { Section } from './section.ts';

const rounds = 15;
const warmUpRequests = 15_000;
const connectionCounts = [1, 10];
const requestsInABurst = 4_000;
/** Far more than the bridge keeps in memory. */
const filledPayments = 20_000;
const differentRequests = 4_000;

interface Burst {
  perSecond: number;
  /** Of the server, for each request; null where the system does not tell. */
  processorUs: number | null;
}

export const querySection: Section = {
  name: 'query',
  title: 'QueryPayment against a bare Express route that answers a constant',
  ours: 'bridge',
  other: 'bare',
  ratio: 'speed of bare',
  measure,
};

async function measure(bench: Bench) {
  const dataDir = bench.folder();
  fillJournal(join(dataDir, 'simulator'), filledPayments);
  const bridge = await startServer(bench, bridgeArguments(dataDir));
  const caller = createCaller(bridge.port);
  const { reference, answer } = await payOnce(caller);
  caller.close();
  const bare = await startServer(bench, [
    repositoryFile('bench/servers/bare-server.ts'),
    JSON.stringify(answer),
  ]);
  const questions = [
    { words: 'the same payment', bodies: () => [query(reference)], aim: { atLeast: 1.2 } },
    {
      words: `any of ${filledPayments.toLocaleString('en-US')}`,
      bodies: anyBodies,
      aim: { atLeast: 0.95 },
    },
  ];

  bench.say('warming up');
  for (const { bodies } of questions) {
    await burst(bridge, bodies(), 10, warmUpRequests);
    await burst(bare, bodies(), 10, warmUpRequests);
  }
  const comparisons: Comparison[] = [];
  for (const { words, bodies, aim } of questions) {
    for (const connections of connectionCounts) {
      const what = `${words}, ${connections} connection${connections === 1 ? '' : 's'}`;
      bench.say(what);
      const bursts = await alternate(
        rounds,
        () => burst(bridge, bodies(), connections, requestsInABurst),
        () => burst(bare, bodies(), connections, requestsInABurst),
      );
      comparisons.push(...comparisonsOf(what, bursts, aim));
    }
  }
  return comparisons;
}

async function burst(
  server: Server,
  bodies: readonly string[],
  connections: number,
  count: number,
): Promise<Burst> {
  const { port, processId } = server;
  const beforeMs = processorMs(processId);
  const perSecond = await requestsPerSecond({ port, path: '/QueryPayment', bodies, connections, count });
  const afterMs = processorMs(processId);
  const processorUs = beforeMs === null || afterMs === null ? null : ((afterMs - beforeMs) * 1_000) / count;
  return { perSecond, processorUs };
}

function query(reference: string): string {
  return JSON.stringify({ retrieval_reference_number: reference });
}

function anyBodies(): string[] {
  return Array.from({ length: differentRequests }, () =>
    query(filledReference(Math.floor(Math.random() * filledPayments))),
  );
}

/** The rate, and beside it the server's own time, which does not depend on what else the machine does. */
function comparisonsOf(what: string, bursts: { ours: Burst; other: Burst }[], aim: Aim): Comparison[] {
  const rates = bursts.map(({ ours, other }) => ({ ours: ours.perSecond, other: other.perSecond }));
  const rate = compare({
    what: `${what}, requests/s`,
    pairs: rates,
    ratio: 'speed',
    values: 'rates',
    aim,
  });
  const processor = processorPairs(bursts);
  if (processor.length === 0) return [rate];
  const time = { what: `${what}, processor µs/request`, pairs: processor };
  return [rate, compare({ ...time, ratio: 'speed', values: 'costs' })];
}

function processorPairs(bursts: { ours: Burst; other: Burst }[]): Pair[] {
  return bursts.flatMap(({ ours, other }) =>
    ours.processorUs === null || other.processorUs === null
      ? []
      : [{ ours: ours.processorUs, other: other.processorUs }],
  );
}
