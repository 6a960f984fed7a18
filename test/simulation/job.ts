/** A process of its own that plays runs and tells of each. */
import { runPlan } from './run.ts';
import { planOf } from './seeds.ts';
import type { Finding } from './evidence.ts';

export interface JobReport {
  run: number;
  payments: number;
  elapsedMs: number;
  counts: [string, number][];
  findings: Finding[];
}

export async function playRun(run: number): Promise<JobReport> {
  const { payments, counts, findings, elapsedMs } = await runPlan(planOf(run));
  return { run, payments, elapsedMs, counts: [...counts], findings };
}

/** What a killed bridge still hoped for when it died comes to nothing, and nobody hears of it. */
process.on('unhandledRejection', () => {});

if (process.send !== undefined) {
  process.on('message', (runs: number[]) => void playAll(runs));
}

async function playAll(runs: number[]): Promise<void> {
  for (const run of runs) {
    const report = await playRun(run);
    await new Promise((resolve) => process.send?.(report, resolve));
  }
  process.disconnect();
}
