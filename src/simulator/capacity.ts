/** What the turnover store can hold: its sum has to fit into the twelve digits in which an end of day tells it. */
import { maxAmountMinor } from '../bridge/terminals/zvt/wire/index.ts';
import type { Terminal } from './terminal.ts';

/** The code that refuses a payment which would not fit (sheet section 13: turnover file full); null when it does. */
export function capacityProblem(terminal: Terminal, amountMinor: number): string | null {
  return terminal.memory.totals().totalMinor + amountMinor > maxAmountMinor ? '6a' : null;
}
