/** A named person has seen a discrepancy. Works on a running bridge and on the journal of a stopped one. */
import { discrepancyHold, type DiscrepancyView } from '../../contract/discrepancy.ts';
import { refuse, refuseField, type Result } from '../../contract/errors.ts';
import { type Journal, JournalWriteError } from '../journal/index.ts';
import { maskCardNumbers } from '../../log/index.ts';

/** The most that one page of a list holds. */
export const maxListedDiscrepancies = 1_000;

/** All that are open, oldest first, read page by page. */
export function* openDiscrepancies(journal: Pick<Journal, 'openDiscrepancies'>): Generator<DiscrepancyView> {
  let after = 0;
  for (;;) {
    const page = journal.openDiscrepancies(maxListedDiscrepancies, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < maxListedDiscrepancies) return;
    after = last.seq;
  }
}

/** No sale starts before a person has acknowledged one of them. */
export function holdsSales(journal: Pick<Journal, 'openDiscrepancies'>): boolean {
  for (const { kind } of openDiscrepancies(journal)) if (discrepancyHold[kind] === 'sales') return true;
  return false;
}

export function isOpen(discrepancy: DiscrepancyView): boolean {
  return discrepancy.acknowledged === null;
}

export function acknowledge(
  journal: Journal,
  { discrepancyId, by, reason }: { discrepancyId: string; by: string; reason: string },
): Result<DiscrepancyView> {
  if (by.trim() === '') return refuseField('by', 'the name of the person who has seen it is needed');
  if (reason.trim() === '') return refuseField('reason', 'a reason is needed; it is kept in the journal');
  const found = journal.discrepancy(discrepancyId);
  if (found === null) {
    const hint = '"tillbridge discrepancies" lists what is open';
    return refuseField('discrepancy', `there is no discrepancy ${discrepancyId}; ${hint}`);
  }
  if (!isOpen(found)) {
    const whom = found.acknowledged?.by ?? '';
    return refuseField('discrepancy', `discrepancy ${discrepancyId} was acknowledged before, by ${whom}`);
  }
  try {
    journal.append({
      type: 'discrepancy_acknowledged',
      discrepancyId,
      by: maskCardNumbers(by.trim()),
      reason: maskCardNumbers(reason.trim()),
    });
  } catch (error) {
    if (error instanceof JournalWriteError) return refuse('journal_unavailable', error.message);
    throw error;
  }
  return { ok: true, value: journal.discrepancy(discrepancyId) ?? found };
}
