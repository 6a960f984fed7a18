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
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openPtyPair } from '../../test/support/pty-pair.ts';
import { alternate, type Pair } from '../measure/alternate.ts';
import { compare } from '../measure/comparison.ts';
import { medianOf } from '../measure/spread.ts';
import type { Bench } from '../world/bench.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { sleep } from '../world/bench.ts';
import {
  ask,
  bridgeArguments,
  printed,
  repositoryFile,
  run,
  startServer,
  type Running,
} from '../world/processes.ts';
import { createPayment, lookMs, newReference, payOnce, untilReady } from '../world/till.ts';
import type { Section } from './section.ts';

const warmUpPayments = 60;
const blocksInAHalf = 10;
const paymentsInABlock = 12;
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
  if (spawnSync('socat', ['-V']).error !== undefined) {
    return 'needs socat, which is not here (Debian: apt-get install socat)';
  }
  const lines = [await openLine(bench), await openLine(bench)] as const;
  const medians = [
    ...(await half(bench, { bridgeOn: lines[0], driverOn: lines[1] })),
    ...(await half(bench, { bridgeOn: lines[1], driverOn: lines[0] })),
  ];
  return [
    compare({
      what: `ms (median of ${paymentsInABlock})`,
      pairs: medians,
      ratio: 'cost',
      values: 'costs',
      aim: { atMost: 1.2 },
    }),
  ];
}

/** A simulated terminal at the far end; gives the near one. */
async function openLine(bench: Bench): Promise<string> {
  const pair = await openPtyPair();
  bench.atEnd(() => pair.close());
  const simulator = run(
    bench,
    [
      repositoryFile('src/headless/tillbridge.ts'),
      'simulator',
      `--serial=${pair.b}`,
      '--pace=0',
      `--ledger=${join(bench.folder(), 'ledger.jsonl')}`,
    ],
    'pipe',
  );
  await printed(simulator, /simulator listening/);
  return pair.a;
}

async function half(bench: Bench, places: { bridgeOn: string; driverOn: string }): Promise<Pair[]> {
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
  bench.say('warming up');
  await both(warmUpPayments);
  bench.say('payments');
  const medians: Pair[] = [];
  for (let block = 0; block < blocksInAHalf; block += 1) {
    const payments = await both(paymentsInABlock);
    medians.push({
      ours: medianOf(payments.map((pair) => pair.ours)),
      other: medianOf(payments.map((pair) => pair.other)),
    });
  }
  caller.close();
  await driver.end();
  await bridge.end();
  return medians;
}

async function throughBridge(caller: Caller): Promise<number> {
  const answer = await createPayment(caller, newReference(), paymentWaitS);
  if (demandSuccess(answer)['transaction_status'] !== 'approved') throw new Error(answer.text);
  await untilReady(caller);
  return answer.tookMs;
}

/** The same pause and the same look at the terminal follow as in a bridge, outside of what is measured. */
async function byDriver(driver: Running): Promise<number> {
  const tookMs = Number(await ask(driver, 'sale'));
  await ask(driver, 'look');
  await sleep(lookMs);
  return tookMs;
}
