/** One run of a simulation, and what there is to report of it. */
import type { Finding } from './evidence.ts';
import type { TillKind } from './plan.ts';
import { runPlan, type Attach } from './run.ts';
import { planOf } from './seeds.ts';

export interface RunReport {
  run: number;
  payments: number;
  elapsedMs: number;
  counts: [string, number][];
  findings: Finding[];
}

export async function playRun(
  protocol: string,
  run: number,
  till?: TillKind,
  attach: Attach | null = null,
): Promise<RunReport> {
  const plan = planOf(protocol, run, till);
  const { payments, counts, findings, elapsedMs } = await runPlan(plan, null, attach);
  return { run, payments, elapsedMs, counts: [...counts], findings };
}

/** What a killed bridge still hoped for when it died comes to nothing, and nobody hears of it. */
process.on('unhandledRejection', () => {});
