/**
 * A short crash run for `npm test`. Its seeds are fixed, and chosen so that nothing stays dead for seconds; what they
 * meet depends on the moment all the same. `npm run test:crash` makes long runs with seeds of their own.
 */
import { rows } from '../support/protocol-rows.ts';
import { crashRun, summary, type CrashReport } from './crash-run.ts';

/** Far more than it takes: a terminal that dies on a serial line may be waited for until T4 (180 s) is over. */
export const limitMs = 600_000;

/** Over one of `rows`, such as "zvt over tcp". The report, and what was done in words. */
export async function shortRun(
  name: string,
  run: { seed: number; rounds: number },
): Promise<{ report: CrashReport; told: string }> {
  const row = rows.find((known) => known.name === name);
  if (row === undefined) throw new Error(`there is no ${name}`);
  const lines: string[] = [];
  const report = await crashRun({ ...run, row, say: (line) => lines.push(line) });
  return { report, told: `${summary(report)}\n${lines.join('\n')}` };
}

/** What a good run reports, whatever it met. */
export const allAgreed = { mismatches: [], doubts: [] };
