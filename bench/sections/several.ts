/**
 * A whole payment (CreatePayment with `Prefer: wait` until it is approved) on the main one of eight terminals, while a till
 * at each of the seven others pays without a pause, against the same payment while those rest. The eight are of all
 * protocols; bridge and terminals are processes of their own.
 *
 * Once with terminals that take a second, as customers are quick: what is over 1 is waiting. And once with terminals that
 * take no time of their own: then eight payments at once want the same processor.
 */
import type { Bench } from '../world/bench.ts';
import { alternate } from '../measure/alternate.ts';
import { compare, type Aim, type Comparison } from '../measure/comparison.ts';
import { medianOf } from '../measure/spread.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { createPayment, newReference, payOnce, untilReady } from '../world/till.ts';
import { openDay, sellOn, type Day } from '../../test/several/run.ts';
import { openShop } from '../../test/several/shop.ts';
import type { Section } from './section.ts';

interface Plan {
  what: string;
  /** Of the simulators. */
  pace: number;
  aim: Aim | undefined;
  blocks: number;
  paymentsInABlock: number;
}

const plans: readonly Plan[] = [
  {
    what: 'terminals that take a second, ms',
    pace: 1,
    aim: { atMost: 1.05 },
    blocks: 10,
    paymentsInABlock: 5,
  },
  { what: 'terminals that take no time, ms', pace: 0, aim: undefined, blocks: 20, paymentsInABlock: 20 },
];
const paymentWaitS = 60;

export const severalSection: Section = {
  name: 'several',
  title: 'A payment on one terminal while seven others on its bridge pay, against the same alone',
  ours: 'beside seven',
  other: 'alone',
  ratio: 'times alone',
  measure,
};

async function measure(bench: Bench) {
  if (process.platform === 'win32') return 'needs pseudo-terminals, which Windows has not';
  const comparisons: Comparison[] = [];
  for (const plan of plans) comparisons.push(await measureAt(bench, plan));
  return comparisons;
}

async function measureAt(
  bench: Bench,
  { what, pace, aim, blocks, paymentsInABlock }: Plan,
): Promise<Comparison> {
  const shop = await openShop(pace);
  bench.atEnd(() => shop.close());
  const day = await openDay(shop);
  const caller = createCaller(Number(new URL(shop.address).port));
  bench.say(`${what}: warming up`);
  await payOnce(caller);
  await besideOthers(day, () => payTimes(caller, paymentsInABlock));
  bench.say(what);
  const measured = await alternate(
    blocks,
    () => besideOthers(day, () => payTimes(caller, paymentsInABlock)),
    () => payTimes(caller, paymentsInABlock),
  );
  const pairs = measured.map(({ ours, other }) => ({ ours: medianOf(ours), other: medianOf(other) }));
  caller.close();
  await shop.close();
  const [first] = day.report.wrong;
  if (first !== undefined) throw new Error(first);
  return compare({ what, pairs, ratio: 'cost', values: 'costs', ...(aim === undefined ? {} : { aim }) });
}

/** The time of each, in milliseconds. */
async function payTimes(caller: Caller, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let payment = 0; payment < count; payment += 1) {
    const answer = await createPayment(caller, newReference(), paymentWaitS);
    if (demandSuccess(answer)['transaction_status'] !== 'approved') throw new Error(answer.text);
    times.push(answer.tookMs);
    await untilReady(caller);
  }
  return times;
}

/** All tills but the main one pay until `work` has ended, and rest then. */
async function besideOthers<T>(day: Day, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const selling = day.desks.slice(1).map((desk) => sellOn(day, desk, over.signal));
  try {
    return await work();
  } finally {
    over.abort();
    await Promise.all(selling);
  }
}
