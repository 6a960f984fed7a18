/**
 * CreatePayment until it is durable and answered, against a bare Express route that makes one synced SQLite insert.
 *
 * One payment runs at a time, so this is a latency on one connection and no throughput. After each call the till waits
 * until the terminal is ready again, outside of what is measured: once by looking at /health without a rest, so that
 * both servers stay warm, and once with a rest before each look, as in a shop, where each payment finds the processor
 * asleep and its caches cold. On the bare side it makes as many looks and rests, so that both are equally warm.
 */
import { join } from 'node:path';
import { alternate, type Pair } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import { medianOf } from '../measure/spread.ts';
import type { Bench } from '../world/bench.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { bridgeArguments, repositoryFile, startServer } from '../world/processes.ts';
import { createPayment, lookMs, newReference, payOnce, untilReady } from '../world/till.ts';
import { bareAim, type Section } from './section.ts';

const warmUpCalls = 150;
const blocks = 20;
const callsInABlock = 25;
const patterns = [
  { what: 'one after the other, ms', restMs: 0 },
  { what: `after a rest of ${lookMs} ms, ms`, restMs: lookMs },
];

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

  const comparisons: Comparison[] = [];
  for (const { what, restMs } of patterns) {
    /** Looks that the bridge needed the last time. */
    let looks = 1;
    const pay = async () => {
      const tookMs = await timed(ours);
      looks = await untilReady(ours, restMs);
      return tookMs;
    };
    const insert = async () => {
      const tookMs = await timed(other);
      for (let look = 0; look < looks; look += 1) await untilReady(other, restMs);
      return tookMs;
    };
    bench.say(`${what}: warming up`);
    await alternate(warmUpCalls, pay, insert);
    bench.say(what);
    const medians: Pair[] = [];
    for (let block = 0; block < blocks; block += 1) {
      const calls = await alternate(callsInABlock, pay, insert);
      medians.push({
        ours: medianOf(calls.map((pair) => pair.ours)),
        other: medianOf(calls.map((pair) => pair.other)),
      });
    }
    comparisons.push(compare({ what, pairs: medians, ratio: 'speed', values: 'costs', aim: bareAim }));
  }
  ours.close();
  other.close();
  return comparisons;
}

/** Milliseconds from the request to the answer. */
async function timed(caller: Caller): Promise<number> {
  const answer = await createPayment(caller, newReference());
  demandSuccess(answer);
  return answer.tookMs;
}
