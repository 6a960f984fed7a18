import { expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { allAgreed, limitMs, shortRun } from './short-run.ts';

it.skipIf(!needs('pseudo-terminals'))(
  'kill -9 at any moment leaves bridge and terminal agreed, over a serial line',
  async () => {
    const { report, told } = await shortRun('zvt over serial', { seed: 50, rounds: 3 });
    expect(report, told).toMatchObject({ ...allAgreed, rounds: 3 });
    expect(report.kills.bridge, told).toBeGreaterThan(0);
  },
  limitMs,
);
