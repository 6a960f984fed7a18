/** QueryPayment of an approved payment, against a bare Express route that answers the same bytes as a constant. */
import { alternate, type Pair } from '../measure/alternate.ts';
import { compare } from '../measure/comparison.ts';
import type { Bench } from '../world/bench.ts';
import { createCaller } from '../world/caller.ts';
import { requestsPerSecond } from '../world/load.ts';
import { bridgeArguments, repositoryFile, startServer, type Server } from '../world/processes.ts';
import { payOnce } from '../world/till.ts';
import { processorMs } from '../world/usage.ts';
import { bareAim, type Section } from './section.ts';

const rounds = 15;
const warmUpRequests = 15_000;
const loads = [
  { connections: 1, count: 2_500 },
  { connections: 10, count: 5_000 },
];

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
  const bridge = await startServer(bench, bridgeArguments(bench.folder()));
  const caller = createCaller(bridge.port);
  const { reference, answer } = await payOnce(caller);
  caller.close();
  const bare = await startServer(bench, [
    repositoryFile('bench/servers/bare-server.ts'),
    JSON.stringify(answer),
  ]);
  const body = JSON.stringify({ retrieval_reference_number: reference });

  async function burst(server: Server, connections: number, count: number): Promise<Burst> {
    const beforeMs = processorMs(server.processId);
    const perSecond = await requestsPerSecond({
      port: server.port,
      path: '/QueryPayment',
      bodies: [body],
      connections,
      count,
    });
    const afterMs = processorMs(server.processId);
    const processorUs = beforeMs === null || afterMs === null ? null : ((afterMs - beforeMs) * 1_000) / count;
    return { perSecond, processorUs };
  }

  bench.say('warming up');
  await burst(bridge, 10, warmUpRequests);
  await burst(bare, 10, warmUpRequests);

  const comparisons = [];
  for (const { connections, count } of loads) {
    const words = connections === 1 ? '1 connection' : `${connections} connections`;
    bench.say(words);
    const bursts = await alternate(
      rounds,
      () => burst(bridge, connections, count),
      () => burst(bare, connections, count),
    );
    const rates = bursts.map(({ ours, other }) => ({ ours: ours.perSecond, other: other.perSecond }));
    comparisons.push(
      compare({ what: `${words}, requests/s`, pairs: rates, ratio: 'speed', values: 'rates', aim: bareAim }),
    );
    const processor = processorPairs(bursts);
    if (processor.length > 0) {
      const what = `${words}, processor µs/request`;
      comparisons.push(compare({ what, pairs: processor, ratio: 'speed', values: 'costs' }));
    }
  }
  return comparisons;
}

function processorPairs(bursts: { ours: Burst; other: Burst }[]): Pair[] {
  return bursts.flatMap(({ ours, other }) =>
    ours.processorUs === null || other.processorUs === null
      ? []
      : [{ ours: ours.processorUs, other: other.processorUs }],
  );
}
