/** A process of its own that plays runs and tells of each: when it begins, and what came of it. */
import { openAttachedOffice } from './office/index.ts';
import type { TillKind } from './plan.ts';
import { playRun, type RunReport } from './play-run.ts';

/** What a job is to play. */
export interface JobShare {
  protocol: string;
  till: TillKind;
  /** A head office is attached to each shop. */
  office: boolean;
  runs: number[];
}

/** A job that dies has said in which run. */
export type JobMessage = { kind: 'begins'; run: number } | { kind: 'ended'; report: RunReport };

process.on('message', (share: JobShare) => {
  playAll(share).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});

async function playAll({ protocol, till, office, runs }: JobShare): Promise<void> {
  const attached = office ? await openAttachedOffice() : null;
  for (const run of runs) {
    await tell({ kind: 'begins', run });
    await tell({ kind: 'ended', report: await playRun(protocol, run, till, attached?.attach) });
  }
  await attached?.close();
  process.disconnect();
}

function tell(message: JobMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}
