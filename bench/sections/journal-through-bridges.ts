/** Queries and payments of two bridges, each on a filled journal and with the simulated terminal inside. */
import { filledReference } from '../../test/support/fill-journal.ts';
import { alternate, type Pair } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import type { Bench } from '../world/bench.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { requestsPerSecond } from '../world/load.ts';
import { bridgeArguments, startServer, type Server } from '../world/processes.ts';
import { createPayment, newReference, untilReady } from '../world/till.ts';

export interface Filled {
  dataDir: string;
  /** Where the bridge keeps the simulator's journal. */
  folder: string;
  payments: number;
}

/** What may not grow with the journal, and what may by a little: a look-up that goes one page deeper. */
export const growthAim = { atMost: 1.1 };
const lookUpAim = { atMost: 1.3 };

const rounds = 15;
const requestsInARound = 2_500;
const warmUpRequests = 10_000;
const recentPayments = 1_000;
const payments = 100;
const starts = 15;
const paymentWaitS = 60;

interface Shop {
  filled: Filled;
  server: Server;
  caller: Caller;
}

export async function throughBridges(bench: Bench, large: Filled, small: Filled): Promise<Comparison[]> {
  const ours = await open(bench, large);
  const other = await open(bench, small);
  bench.say('QueryPayment through the bridge');
  const recent = await queryBoth(ours, other, (filled) => Math.min(filled.payments, recentPayments));
  const any = await queryBoth(ours, other, (filled) => filled.payments);
  bench.say('payments through the bridge');
  const paid = await alternate(
    payments,
    () => pay(ours.caller),
    () => pay(other.caller),
  );
  for (const { caller, server } of [ours, other]) {
    caller.close();
    await server.end();
  }
  bench.say('start to the first answer');
  const started = await alternate(
    starts,
    () => start(bench, large),
    () => start(bench, small),
  );
  const rates = { ratio: 'cost', values: 'rates' } as const;
  const costs = { ratio: 'cost', values: 'costs' } as const;
  return [
    compare({
      what: 'QueryPayment of the newest 1,000, requests/s',
      pairs: recent,
      ...rates,
      aim: growthAim,
    }),
    compare({ what: 'QueryPayment of any payment, requests/s', pairs: any, ...rates, aim: lookUpAim }),
    compare({ what: 'CreatePayment until approved, ms', pairs: paid, ...costs, aim: growthAim }),
    compare({ what: 'start to the first answer, ms', pairs: started, ...costs, aim: growthAim }),
  ];
}

async function open(bench: Bench, filled: Filled): Promise<Shop> {
  const server = await startServer(bench, bridgeArguments(filled.dataDir));
  const caller = createCaller(server.port);
  await untilReady(caller);
  return { filled, server, caller };
}

/** Requests per second for any of the newest so many payments; once more before that to warm up. */
async function queryBoth(ours: Shop, other: Shop, among: (filled: Filled) => number): Promise<Pair[]> {
  const burst = ({ filled, server }: Shop, count: number) =>
    requestsPerSecond({
      port: server.port,
      path: '/QueryPayment',
      bodies: newest(filled.payments, among(filled)),
      connections: 1,
      count,
    });
  await burst(ours, warmUpRequests);
  await burst(other, warmUpRequests);
  return alternate(
    rounds,
    () => burst(ours, requestsInARound),
    () => burst(other, requestsInARound),
  );
}

function newest(of: number, among: number): string[] {
  return Array.from({ length: requestsInARound }, () => {
    const number = of - 1 - Math.floor(Math.random() * among);
    return JSON.stringify({ retrieval_reference_number: filledReference(number) });
  });
}

/** Milliseconds from starting the process until it has answered for a payment. */
async function start(bench: Bench, { dataDir, payments: filled }: Filled): Promise<number> {
  const startedMs = performance.now();
  const server = await startServer(bench, bridgeArguments(dataDir));
  const caller = createCaller(server.port);
  const answer = await caller.post('/QueryPayment', {
    retrieval_reference_number: filledReference(filled - 1),
  });
  const tookMs = performance.now() - startedMs;
  demandSuccess(answer);
  caller.close();
  await server.end();
  return tookMs;
}

/** Milliseconds. */
async function pay(caller: Caller): Promise<number> {
  const answer = await createPayment(caller, newReference(), paymentWaitS);
  demandSuccess(answer);
  await untilReady(caller);
  return answer.tookMs;
}
