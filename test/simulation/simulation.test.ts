/** Some thousand payments in simulated shops; `npm run simulate` plays any number. */
import { describe, expect, it } from 'vitest';
import { playRun } from './play-run.ts';
import { tills, type TillKind } from './plan.ts';
import { protocolNames } from './protocols/index.ts';
import { runsFor } from './seeds.ts';

/** ZVT is the one with rules of evidence of its own; the till's client is the same on each. */
const paymentsOf = (protocol: string, till: TillKind) =>
  (protocol === 'zvt' ? 2_000 : 500) / (till === 'client' ? 2 : 1);
/** Those of a test. */
const groupPayments = 250;
const seed = 2026;
/** Long for a busy machine; nothing in it waits for real time. */
const longestMs = 600_000;

const shops = tills.flatMap((till) => protocolNames.map((protocol) => [protocol, till] as const));

describe.each(shops)('simulated shops with %s and the till "%s"', (protocol, till) => {
  const payments = paymentsOf(protocol, till);
  const runs = runsFor(protocol, seed, payments);
  const groups = payments / groupPayments;
  const size = Math.ceil(runs.length / groups);
  for (let group = 0; group < groups; group += 1) {
    const share = runs.slice(group * size, (group + 1) * size);
    it(
      `call money by its right name (runs ${share[0]} to ${share.at(-1)})`,
      async () => {
        const failed: string[] = [];
        for (const run of share) {
          const { findings } = await playRun(protocol, run, till);
          for (const { rule, text } of findings) {
            failed.push(
              `${rule}: ${text}\n  npm run simulate -- --protocol ${protocol} --till ${till} --run ${run}`,
            );
          }
        }
        expect(failed.join('\n')).toBe('');
      },
      longestMs,
    );
  }

  it('play a run again exactly as it was', async () => {
    const [run = 0] = runs;
    const [first, second] = [await playRun(protocol, run, till), await playRun(protocol, run, till)];
    expect(second).toEqual(first);
    expect(first.payments).toBeGreaterThan(0);
  });
});
