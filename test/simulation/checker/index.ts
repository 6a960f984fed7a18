/**
 * Whether a run kept its promises. Works from files and records alone: the terminal's ledger, the journal's rows, and
 * what the tills were told.
 */
import type { Evidence, Finding } from '../evidence.ts';
import { checkAnswers } from './answers.ts';
import { checkBatches } from './batches.ts';
import { makeCase } from './case.ts';
import { checkConduct } from './conduct.ts';
import { checkMoney } from './money.ts';
import { checkSales } from './sales.ts';

export function check(evidence: Evidence): Finding[] {
  const run = makeCase(evidence);
  return [
    ...checkConduct(run),
    ...checkMoney(run),
    ...checkAnswers(run),
    ...checkSales(run),
    ...checkBatches(run),
  ];
}
