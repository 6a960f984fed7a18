/**
 * Resident memory of the bridge as it is installed, with its console on, against the bare server, after the same calls:
 * payments, each brought to its end, and queries. One bridge and one bare server at a time. Both are looked at when they have
 * had nothing to do for some seconds, in which the bridge gives memory back, and once more right after the last calls.
 */
import { join } from 'node:path';
import { alternate, type Pair } from '../measure/alternate.ts';
import { compare } from '../measure/comparison.ts';
import { sleep, type Bench } from '../world/bench.ts';
import { builtBareServer, builtBridge } from '../world/bundle.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { requestsPerSecond } from '../world/load.ts';
import { bridgeOptions, startServer, type Server } from '../world/processes.ts';
import { createPayment, newReference, untilReady } from '../world/till.ts';
import { residentMb } from '../world/usage.ts';
import type { Section } from './section.ts';

const rounds = 2;
/** Twice. */
const payments = 5_000;
const queries = 15_000;
const connections = 10;
/** Enough for the bridge to see that it has nothing to do, and to collect. */
const restMs = 12_000;
const aim = { atMost: 1.3 };
const flatAim = { atMost: 1.05 };

export const memorySection: Section = {
  name: 'memory',
  title: 'Resident memory against a bare Express server',
  ours: 'bridge',
  other: 'bare',
  ratio: 'times bare',
  measure,
};

/** In MB. */
interface Held {
  idle: number;
  half: number;
  atOnce: number;
  all: number;
}

async function measure(bench: Bench) {
  if (residentMb(process.pid) === null) return 'this system does not tell what a process holds';
  const bridge = builtBridge();
  const bare = await builtBareServer('beside');
  let round = 0;
  const held = await alternate(
    rounds,
    async () => {
      round += 1;
      bench.say(`${(2 * payments).toLocaleString('en-US')} payments, ${round} of ${rounds}`);
      return live(await startServer(bench, [bridge, ...bridgeOptions(bench.folder())]));
    },
    async () => live(await startServer(bench, [bare, ...bareOptions(bench)])),
  );
  const costs = { ratio: 'cost', values: 'costs' } as const;
  const against = (stage: keyof Held): Pair[] =>
    held.map(({ ours, other }) => ({ ours: ours[stage], other: other[stage] }));
  const after = (times: number) =>
    `at rest after ${(times * payments).toLocaleString('en-US')} payments and ${(times * queries).toLocaleString('en-US')} queries`;
  const growth = held.map(({ ours }) => ({ ours: ours.all, other: ours.half }));
  return [
    compare({ what: 'at rest after the start, MB', pairs: against('idle'), ...costs, aim }),
    compare({ what: `${after(1)}, MB`, pairs: against('half'), ...costs }),
    compare({ what: `${after(2)}, MB`, pairs: against('all'), ...costs, aim }),
    compare({ what: 'right after the last of them, MB', pairs: against('atOnce'), ...costs }),
    compare({
      what: 'the bridge at rest, after all calls against half of them, MB',
      pairs: growth,
      ...costs,
      aim: flatAim,
    }),
  ];
}

function bareOptions(bench: Bench): string[] {
  const answer = { success: true, message: '', transaction_status: 'approved' };
  return [JSON.stringify(answer), join(bench.folder(), 'bare.sqlite')];
}

async function live(server: Server): Promise<Held> {
  const caller = createCaller(server.port);
  await untilReady(caller);
  const resident = () => residentMb(server.processId) ?? 0;
  const atRest = async () => {
    await sleep(restMs);
    return resident();
  };
  const idle = await atRest();
  await work(server, caller);
  const half = await atRest();
  await work(server, caller);
  const atOnce = resident();
  const all = await atRest();
  caller.close();
  await server.end();
  return { idle, half, atOnce, all };
}

async function work({ port }: Server, caller: Caller): Promise<void> {
  let reference = newReference();
  for (let count = 0; count < payments; count += 1) {
    reference = newReference();
    demandSuccess(await createPayment(caller, reference, 60));
    await untilReady(caller, 0);
  }
  const bodies = [JSON.stringify({ retrieval_reference_number: reference })];
  await requestsPerSecond({ port, path: '/QueryPayment', bodies, connections, count: queries });
}
