/**
 * A whole payment (CreatePayment with `Prefer: wait` until it is approved) over a serial line made of two
 * pseudo-terminals, against the same sale by the ZVT driver alone, which neither listens nor writes anything.
 *
 *     bridge ── line 1 ── simulator        in the second half
 *     driver ── line 2 ── simulator        bridge and driver change lines
 *
 * Everything is a process of its own, and the terminal takes no time of its own (pace 0). Two lines, because a bridge
 * gives its line away only when it ends, and a new one would have to be warmed up for each block; they change places
 * half-way, so that a difference between the lines falls on both. Payments alternate one by one.
 *
 * A pseudo-terminal is faster than any cable, so what the bridge adds is measured twice: on the bare line, and on one
 * that takes as long for each byte as a cable of 9600 baud. Processor time is that of the whole process between two
 * payments: with the look at the terminal that follows each, and the bridge's with the till's polls of /health.
 */
import { join } from 'node:path';
import { openPtyPair, type PtyPair } from '../../test/support/pty-pair.ts';
import { alternate, pairOf, type Pair } from '../measure/alternate.ts';
import { compare, type Aim, type Comparison } from '../measure/comparison.ts';
import { medianOf } from '../measure/spread.ts';
import { sleep, type Bench } from '../world/bench.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import {
  invoke,
  bridgeArguments,
  printed,
  repositoryFile,
  run,
  startServer,
  type Running,
} from '../world/processes.ts';
import { createPayment, lookMs, newReference, payOnce, untilReady } from '../world/till.ts';
import { processorMs } from '../world/usage.ts';
import type { Section } from './section.ts';

interface Plan {
  what: string;
  aim: Aim;
  /** Null: as fast as the pseudo-terminal is. */
  baud: number | null;
  warmUpPayments: number;
  blocksInAHalf: number;
  paymentsInABlock: number;
}

const plans: readonly Plan[] = [
  {
    what: 'pseudo-terminal',
    aim: { atMost: 1.5 },
    baud: null,
    warmUpPayments: 60,
    blocksInAHalf: 10,
    paymentsInABlock: 12,
  },
  {
    what: 'as slow as 9600 baud',
    aim: { atMost: 1.01 },
    baud: 9_600,
    warmUpPayments: 5,
    blocksInAHalf: 5,
    paymentsInABlock: 3,
  },
];
const paymentWaitS = 60;

export const paymentSection: Section = {
  name: 'payment',
  title: 'Whole payment over a pseudo-terminal against the frames alone',
  ours: 'bridge',
  other: 'frames',
  ratio: 'times the frames',
  measure,
};

async function measure(bench: Bench) {
  if (process.platform === 'win32') return 'needs pseudo-terminals, which Windows has not';
  const comparisons: Comparison[] = [];
  for (const plan of plans) {
    const lines = [await openLine(bench, plan.baud), await openLine(bench, plan.baud)] as const;
    const measured = [
      ...(await half(bench, plan, { bridgeOn: lines[0].path, driverOn: lines[1].path })),
      ...(await half(bench, plan, { bridgeOn: lines[1].path, driverOn: lines[0].path })),
    ];
    const costs = { ratio: 'cost', values: 'costs' } as const;
    const took = measured.map((block) => block.took);
    comparisons.push(compare({ what: `${plan.what}, ms`, pairs: took, ...costs, aim: plan.aim }));
    const used = measured.flatMap((block) => block.used ?? []);
    if (used.length > 0) {
      comparisons.push(compare({ what: `${plan.what}, processor ms`, pairs: used, ...costs }));
    }
    for (const line of lines) await line.end();
  }
  return comparisons;
}

/** A simulated terminal at the far end; gives the near one. */
async function openLine(bench: Bench, baud: number | null): Promise<{ path: string; end(): Promise<void> }> {
  const near = await openPair(bench);
  const parts: Running[] = [];
  let farEnd = near.b;
  if (baud !== null) {
    const far = await openPair(bench);
    const cable = [repositoryFile('bench/servers/slow-cable.ts'), near.b, far.a, baud.toString()];
    parts.push(run(bench, cable, 'pipe'));
    farEnd = far.b;
  }
  const simulator = [
    repositoryFile('src/headless/tillbridge.ts'),
    'simulator',
    `--serial=${farEnd}`,
    '--pace=0',
    `--ledger=${join(bench.folder(), 'ledger.jsonl')}`,
  ];
  parts.push(run(bench, simulator, 'pipe'));
  for (const part of parts) await printed(part, /plugged in|simulator listening/);
  return {
    path: near.a,
    async end() {
      for (const part of parts) await part.end();
    },
  };
}

async function openPair(bench: Bench): Promise<PtyPair> {
  const pair = await openPtyPair();
  bench.atEnd(() => pair.close());
  return pair;
}

/** Of each payment in a block. */
interface Block {
  took: Pair;
  /** Processor time; null where the system does not tell. */
  used: Pair | null;
}

async function half(
  bench: Bench,
  plan: Plan,
  places: { bridgeOn: string; driverOn: string },
): Promise<Block[]> {
  const bridge = await startServer(bench, bridgeArguments(bench.folder(), `serial:${places.bridgeOn}`));
  const caller = createCaller(bridge.port);
  await payOnce(caller);
  const driver = run(bench, [repositoryFile('bench/servers/sale-driver.ts'), places.driverOn], 'pipe');
  await printed(driver, /ready/);

  const both = (count: number) =>
    alternate(
      count,
      () => throughBridge(caller),
      () => byDriver(driver),
    );
  bench.say(`${plan.what}: warming up`);
  await both(plan.warmUpPayments);
  bench.say(plan.what);
  const blocks: Block[] = [];
  for (let block = 0; block < plan.blocksInAHalf; block += 1) {
    const before = processorTimes(bridge, driver);
    const payments = await both(plan.paymentsInABlock);
    const after = processorTimes(bridge, driver);
    const used = (side: keyof Pair) => ((after?.[side] ?? 0) - (before?.[side] ?? 0)) / plan.paymentsInABlock;
    blocks.push({
      took: pairOf(payments, medianOf),
      used: before === null || after === null ? null : { ours: used('ours'), other: used('other') },
    });
  }
  caller.close();
  await driver.end();
  await bridge.end();
  return blocks;
}

function processorTimes(bridge: Running, driver: Running): Pair | null {
  const ours = processorMs(bridge.processId);
  const other = processorMs(driver.processId);
  return ours === null || other === null ? null : { ours, other };
}

async function throughBridge(caller: Caller): Promise<number> {
  const answer = await createPayment(caller, newReference(), paymentWaitS);
  if (demandSuccess(answer)['transaction_status'] !== 'approved') throw new Error(answer.text);
  await untilReady(caller);
  return answer.tookMs;
}

/** The same pause and the same look at the terminal follow as in a bridge, outside of what is measured. */
async function byDriver(driver: Running): Promise<number> {
  const tookMs = Number(await invoke(driver, 'sale'));
  await invoke(driver, 'look');
  await sleep(lookMs);
  return tookMs;
}
