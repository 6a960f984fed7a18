/**
 * CreatePayment until it is durable and answered, against a bare Express route that makes one synced SQLite insert.
 *
 * One payment runs at a time, so this is a latency on one connection and no throughput. After each call the till waits
 * until the terminal is ready again, outside of what is measured: once by looking at /health without a rest, so that
 * both servers stay warm, and once with a rest before each look, as in a shop, where each payment finds the processor
 * asleep and its caches cold. On the bare side it makes as many looks and rests, so that both are equally warm.
 *
 * The slowest call of a hundred is taken over a third of all calls: one of a block would be its slowest.
 */
import { join } from 'node:path';
import { alternate, pairOf, type Pair } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import { medianOf, percentileOf } from '../measure/spread.ts';
import type { Bench } from '../world/bench.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { bridgeArguments, repositoryFile, startServer } from '../world/processes.ts';
import { createPayment, lookMs, newReference, payOnce, untilReady } from '../world/till.ts';
import type { Section } from './section.ts';

const warmUpCalls = 150;
const callsInABlock = 25;
const blocksInAThird = 16;
const patterns = [
  { what: 'one after the other', restMs: 0, aim: { atLeast: 0.85 } },
  { what: `after a rest of ${lookMs} ms`, restMs: lookMs, aim: { atLeast: 0.8 } },
];
const slowestAim = { atMost: 1.5 };

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
  for (const { what, restMs, aim } of patterns) {
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
    const slowest: Pair[] = [];
    for (let third = 0; third < 3; third += 1) {
      const calls: Pair[] = [];
      for (let block = 0; block < blocksInAThird; block += 1) {
        const ofBlock = await alternate(callsInABlock, pay, insert);
        medians.push(pairOf(ofBlock, medianOf));
        calls.push(...ofBlock);
      }
      slowest.push(pairOf(calls, (values) => percentileOf(values, 99)));
    }
    comparisons.push(
      compare({ what: `${what}, ms`, pairs: medians, ratio: 'speed', values: 'costs', aim }),
      compare({
        what: `${what}, 99 of 100 within, times bare, ms`,
        pairs: slowest,
        ratio: 'cost',
        values: 'costs',
        aim: slowestAim,
      }),
    );
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
