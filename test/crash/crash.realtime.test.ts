/** A short run of the crash test on each kind of line; `npm run test:crash` makes long ones. */
import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { crashRun, summary } from './crash-run.ts';
import type { Transport } from './cable.ts';

/** Far more than it takes: a terminal that dies on a serial line may be waited for until T4 (180 s) is over. */
const limitMs = 600_000;

async function run(transport: Transport, rounds: number): Promise<void> {
  const seed = randomInt(1, 1_000_000);
  const lines: string[] = [];
  const report = await crashRun({ seed, rounds, transport, say: (line) => lines.push(line) });
  const told = `${summary(report)}\n${lines.join('\n')}`;
  expect(report.mismatches, told).toEqual([]);
  expect(report.doubts, told).toEqual([]);
  expect(report.rounds, told).toBe(rounds);
  expect(report.kills.bridge, told).toBeGreaterThan(0);
}

describe('kill -9 at any moment', () => {
  it('leaves bridge and terminal agreed, over TCP', () => run('tcp', 12), limitMs);

  it.skipIf(!needs('pseudo-terminals'))(
    'leaves bridge and terminal agreed, over a serial line',
    () => run('pty', 4),
    limitMs,
  );
});
