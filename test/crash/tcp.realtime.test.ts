import { expect, it } from 'vitest';
import { allAgreed, limitMs, shortRun } from './short-run.ts';

it(
  'kill -9 at any moment leaves bridge and terminal agreed, over TCP',
  async () => {
    const { report, told } = await shortRun('zvt over tcp', { seed: 106, rounds: 6 });
    expect(report, told).toMatchObject({ ...allAgreed, rounds: 6 });
    expect(report.kills.bridge, told).toBeGreaterThan(0);
  },
  limitMs,
);
