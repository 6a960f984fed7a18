/** A process of its own that plays runs and tells of each: when it begins, and what came of it. */
import { runPlan } from './run.ts';
import { planOf } from './seeds.ts';
import type { Finding } from './evidence.ts';
import type { TillKind } from './plan.ts';

/** What a job is to play. */
export interface JobShare {
  protocol: string;
  till: TillKind;
  runs: number[];
}

/** A job that dies has said in which run. */
export type JobMessage = { kind: 'begins'; run: number } | { kind: 'ended'; report: JobReport };

export interface JobReport {
  run: number;
  payments: number;
  elapsedMs: number;
  counts: [string, number][];
  findings: Finding[];
}

export async function playRun(protocol: string, run: number, till?: TillKind): Promise<JobReport> {
  const { payments, counts, findings, elapsedMs } = await runPlan(planOf(protocol, run, till));
  return { run, payments, elapsedMs, counts: [...counts], findings };
}

/** What a killed bridge still hoped for when it died comes to nothing, and nobody hears of it. */
process.on('unhandledRejection', () => {});

// A test runner's process has a channel of its own, on which nobody sends runs.
if (import.meta.main) {
  process.on('message', (share: JobShare) => {
    playAll(share).catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  });
}

async function playAll({ protocol, till, runs }: JobShare): Promise<void> {
  for (const run of runs) {
    await tell({ kind: 'begins', run });
    await tell({ kind: 'ended', report: await playRun(protocol, run, till) });
  }
  process.disconnect();
}

function tell(message: JobMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}
