/** A named person's word on whose money entries are: the same from the command line and from the window. */
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { readClosedBatches } from './closed-batches.ts';
import type { KeptResults } from './kept-results.ts';
import { moneyFolder, type MoneyPlace } from '../money-place.ts';
import { keepDecision, readDecisions, type KeptDecision } from './money-files.ts';

export type Decided =
  | { ok: true }
  /** `no-batch`: no journal has it. `no-entry`: it is not among those that were found last. */
  | { ok: false; fault: 'no-batch' | 'no-entry' | 'not-kept' | 'no-journal'; message: string };

/**
 * Keeps it for all of these batches, on disk when it returns. It counts when the money is looked for again. `found`: what was
 * found last, which has all entries that a person has been shown.
 */
export function decideMoney(
  place: MoneyPlace & { clock: Clock },
  said: Omit<KeptDecision, 'at'>,
  found: KeptResults | null,
): Decided {
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
  const known = new Set([...(found?.entries ?? []), ...(found?.unexplained ?? [])].map(({ id }) => id));
  // What names an entry that is gone can be taken back.
  if (said.kind === 'unmatch')
    for (const { entryIds } of before.value) for (const id of entryIds) known.add(id);
  const unknown = said.entryIds.find((id) => !known.has(id));
  if (unknown !== undefined)
    return {
      ok: false,
      fault: 'no-entry',
      message: `There is no entry with the id "${unknown}" among those that were found last.`,
    };
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
