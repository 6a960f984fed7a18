/** Resident memory of the bridge against the bare server, both bundled, after the same calls. */
import { join } from 'node:path';
import { alternate, type Pair } from '../measure/alternate.ts';
import { compare } from '../measure/comparison.ts';
import type { Bench } from '../world/bench.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { requestsPerSecond } from '../world/load.ts';
import { bundle } from '../world/bundle.ts';
import { bridgeOptions, startServer, type Server } from '../world/processes.ts';
import { createPayment, newReference, untilReady } from '../world/till.ts';
import { residentMb } from '../world/usage.ts';
import type { Section } from './section.ts';

const rounds = 3;
const payments = 100;
const queries = 15_000;
const connections = 10;
const stages = [
  'after the start, MB',
  `after ${payments} payments and ${queries} queries, MB`,
  'after the same once more, MB',
] as const;

export const memorySection: Section = {
  name: 'memory',
  title: 'Resident memory against a bare Express server',
  ours: 'bridge',
  other: 'bare',
  ratio: 'times bare',
  measure,
};

async function measure(bench: Bench) {
  if (residentMb(process.pid) === null) return 'this system does not tell what a process holds';
  const bridge = await bundle('bridge');
  const bare = await bundle('bare');
  bench.say('payments and queries');
  const processes = await alternate(
    rounds,
    async () => live(await startServer(bench, [bridge, ...bridgeOptions(bench.folder())])),
    async () => live(await startServer(bench, [bare, ...bareOptions(bench)])),
  );
  return stages.map((what, stage) => {
    const pairs = processes.map(({ ours, other }): Pair => ({
      ours: ours[stage] ?? 0,
      other: other[stage] ?? 0,
    }));
    return compare({ what, pairs, ratio: 'cost', values: 'costs' });
  });
}

function bareOptions(bench: Bench): string[] {
  const answer = { success: true, message: '', transaction_status: 'approved' };
  return [JSON.stringify(answer), join(bench.folder(), 'bare.sqlite')];
}

/** What it holds at each stage, in MB. */
async function live(server: Server): Promise<number[]> {
  const caller = createCaller(server.port);
  await untilReady(caller);
  const held = [residentMb(server.processId) ?? 0];
  for (let half = 0; half < 2; half += 1) {
    await work(server, caller);
    held.push(residentMb(server.processId) ?? 0);
  }
  caller.close();
  await server.end();
  return held;
}

async function work({ port }: Server, caller: Caller): Promise<void> {
  let reference = newReference();
  for (let count = 0; count < payments; count += 1) {
    reference = newReference();
    demandSuccess(await createPayment(caller, reference, 60));
    await untilReady(caller);
  }
  const bodies = [JSON.stringify({ retrieval_reference_number: reference })];
  await requestsPerSecond({ port, path: '/QueryPayment', bodies, connections, count: queries });
}
