/**
 * A short crash run for `npm test`. Its seeds are fixed, and chosen so that nothing stays dead for seconds; what they
 * meet depends on the moment all the same. `npm run test:crash` makes long runs with seeds of their own.
 */
import type { Transport } from './cable.ts';
import { crashRun, summary, type CrashReport } from './crash-run.ts';

/** Far more than it takes: a terminal that dies on a serial line may be waited for until T4 (180 s) is over. */
export const limitMs = 600_000;

/** The report, and what was done in words. */
export async function shortRun(
  transport: Transport,
  run: { seed: number; rounds: number },
): Promise<{ report: CrashReport; told: string }> {
  const lines: string[] = [];
  const report = await crashRun({ ...run, transport, say: (line) => lines.push(line) });
  return { report, told: `${summary(report)}\n${lines.join('\n')}` };
}

/** What a good run reports, whatever it met. */
export const allAgreed = { mismatches: [], doubts: [] };
