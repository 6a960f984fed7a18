/** A named person's word on whose money entries are: the same from the command line and from the window. */
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { readClosedBatches } from './closed-batches.ts';
import { moneyFolder, type MoneyPlace } from '../money-place.ts';
import { keepDecision, readDecisions, type KeptDecision } from './money-files.ts';

export type Decided =
  | { ok: true } /** `no-batch`: no journal has it. */
  | { ok: false; fault: 'no-batch' | 'not-kept' | 'no-journal'; message: string };

/** Keeps it for all of these batches, on disk when it returns. It counts when the money is looked for again. */
export function decideMoney(place: MoneyPlace & { clock: Clock }, said: Omit<KeptDecision, 'at'>): Decided {
  const { dataDir, simulated, clock } = place;
  const closed = readClosedBatches(dataDir, simulated, '');
  if (!closed.ok) return { ok: false, fault: 'no-journal', message: closed.message };
  const stranger = said.batchIds.find((id) => !closed.batches.some((batch) => batch.id === id));
  if (stranger !== undefined)
    return { ok: false, fault: 'no-batch', message: `There is no closed batch with the id "${stranger}".` };
  // A line added to a file that nobody can read would be no decision.
  const before = readDecisions(moneyFolder(place));
  if (!before.ok)
    return { ok: false, fault: 'not-kept', message: `The decision was not kept: ${before.message}` };
  // After the last one, also when the clock has been set back: the later word counts.
  const last = Math.max(...before.value.map((decision) => Date.parse(decision.at)));
  const at = new Date(Math.max(clock.now(), last + 1)).toISOString();
  try {
    keepDecision(moneyFolder(place), { ...said, by: said.by.trim(), reason: said.reason.trim(), at });
  } catch (error) {
    return { ok: false, fault: 'not-kept', message: `The decision was not kept: ${errorText(error)}` };
  }
  return { ok: true };
}
