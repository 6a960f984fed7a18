/**
 * CreatePayment until it is durable and answered, against a bare Express route that makes one synced SQLite insert.
 *
 * One payment runs at a time, so this is a latency on one connection and no throughput. After each call the till waits
 * until the terminal is ready again, outside of what is measured; on the bare side it waits and asks in the same way,
 * so that both servers are equally cold when the next call comes.
 */
import { join } from 'node:path';
import { alternate, type Pair } from '../measure/alternate.ts';
import { compare } from '../measure/comparison.ts';
import { medianOf } from '../measure/spread.ts';
import type { Bench } from '../world/bench.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { bridgeArguments, repositoryFile, startServer } from '../world/processes.ts';
import { createPayment, newReference, payOnce, untilReady } from '../world/till.ts';
import { bareAim, type Section } from './section.ts';

const warmUpCalls = 150;
const blocks = 20;
const callsInABlock = 25;

export const createSection: Section = {
  name: 'create',
  title: 'CreatePayment until durable against a bare Express route that makes one synced insert',
  ours: 'bridge',
  other: 'bare',
  ratio: 'speed of bare',
  measure,
};

async function measure(bench: Bench) {
  const bridge = await startServer(bench, bridgeArguments(bench.folder()));
  const ours = createCaller(bridge.port);
  await payOnce(ours);
  const sample = demandSuccess(await createPayment(ours, newReference()));
  await untilReady(ours);
  const bare = await startServer(bench, [
    repositoryFile('bench/servers/bare-server.ts'),
    JSON.stringify(sample),
    join(bench.folder(), 'bare.sqlite'),
  ]);
  const other = createCaller(bare.port);

  bench.say('warming up');
  await alternate(
    warmUpCalls,
    () => call(ours),
    () => call(other),
  );
  bench.say('1 connection');
  const medians: Pair[] = [];
  for (let block = 0; block < blocks; block += 1) {
    const calls = await alternate(
      callsInABlock,
      () => call(ours),
      () => call(other),
    );
    medians.push({
      ours: medianOf(calls.map((pair) => pair.ours)),
      other: medianOf(calls.map((pair) => pair.other)),
    });
  }
  ours.close();
  other.close();
  const what = `1 connection, ms (median of ${callsInABlock})`;
  return [compare({ what, pairs: medians, ratio: 'speed', values: 'costs', aim: bareAim })];
}

/** Milliseconds from the request to the answer. */
async function call(caller: Caller): Promise<number> {
  const answer = await createPayment(caller, newReference());
  demandSuccess(answer);
  await untilReady(caller);
  return answer.tookMs;
}
