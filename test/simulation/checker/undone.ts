/** Payments that were charged as they were called, and that somebody else undid. */
import { doneByOthers, isForgotten, settles, type Case } from './case.ts';
import type { Charge } from './sources.ts';

/** Charged as it was called, and then reversed by hand or in the place of another, and somebody was told. */
export function isUndoneByOthers(run: Case, reference: string, charges: readonly Charge[]): boolean {
  const operations = run.operationsOf(reference);
  // A record without a number tells nobody which payment it is about; totals without its amount do.
  const numberless = run.evidence.shows.numberedVoids === 'neither';
  const forgotten = charges.filter(({ reversedAt }) => reversedAt !== null && isForgotten(run, reversedAt));
  const byHand = charges.filter(({ reversedAt, reversedBy }) => reversedAt !== null && reversedBy === null);
  if (byHand.some((charge) => isToldBeforeClose(run, reference, charge)))
    return run.namings(reference, doneByOthers).length > 0;
  if (numberless && byHand.length + forgotten.length > 0 && !isMissedInTotals(run, reference, byHand))
    return true;
  // Where no record is shown, a refusal hides it, or it goes with the power, only the number of our own next result tells what came between.
  const { shownRecord, refusals, afterPowerLoss } = run.evidence.shows;
  const shown =
    shownRecord === 'status' && refusals !== 'stored_without_number' && afterPowerLoss === 'last_record';
  const nothingAfter = ({ reversedAt }: Charge) =>
    !run.results.some(
      ({ ledgerBytes, operationId }) => ledgerBytes > (reversedAt ?? 0) && isCounted(run, operationId),
    );
  if (!shown && [...byHand, ...forgotten].some(nothingAfter)) return true;
  // A person's word tells neither the terminal nor the day: what is told then has no reference.
  if (placedByPerson(run, reference) && byHand.some((charge) => isTold(run, charge))) return true;
  const others = charges.some(
    ({ reversedAt, reversedBy }) =>
      reversedAt !== null &&
      (reversedBy?.operationId == null ||
        !operations.has(reversedBy.operationId) ||
        isForgotten(run, reversedAt)),
  );
  return others && run.namings(reference, doneByOthers).length > 0;
}

/** It was reversed by hand before a close began that went out and settled it: the terminal was asked for it in between. */
function isToldBeforeClose(run: Case, reference: string, { reversedAt }: Charge): boolean {
  if (!run.evidence.shows.tellsEachBeforeClose || reversedAt === null) return false;
  return run.closes.some(
    ({ step, operationId, ledgerBytes }) =>
      step === 'begun' &&
      reversedAt < ledgerBytes &&
      settles(run, operationId, reference) &&
      // One that never went out may have been lost with the bridge before the question.
      run.commands.some((command) => command.operationId === operationId),
  );
}

/** The close that settled it told totals, and nothing that somebody paid by hand stands in the place of what was reversed. */
function isMissedInTotals(run: Case, reference: string, byHand: readonly Charge[]): boolean {
  const close = run.closes.find(
    ({ step, operationId }) => step === 'closed' && settles(run, operationId, reference),
  );
  const end = close === undefined ? undefined : run.ended(close.operationId)?.body;
  const batch = end?.['batch'] as { totalMinor: number | null; count: number | null } | null | undefined;
  if (close === undefined || batch?.totalMinor == null || end?.['resolvedBy'] !== null) return false;
  // A sum without a count may differ by what looks like another payment; then it is said that it may be any.
  const { operationId } = close;
  const mayBeAny = run.founds.some((one) => one.what === 'batch_differs' && one.operationId === operationId);
  if (batch.count === null && mayBeAny) return false;
  return byHand.some(
    ({ reversedAt, amountMinor }) =>
      reversedAt !== null &&
      reversedAt < close.ledgerBytes &&
      !run.ledger.charges.some((one) => one.byHand !== null && one.amountMinor === amountMinor),
  );
}

/** The terminal's own word for it was taken, with its number. */
export function isCounted(run: Case, operationId: string): boolean {
  const end = run.ended(operationId)?.body;
  const done = ['approved', 'voided', 'closed'].includes(String(end?.['outcome']));
  return done && (end?.['resolvedBy'] ?? null) === null;
}

/** A person decided it, or the close that settled it. */
function placedByPerson(run: Case, reference: string): boolean {
  const operations = run.operationsOf(reference);
  return run.decisions.some(
    ({ taken, operationId }) =>
      taken && (operations.has(operationId) || settles(run, operationId, reference)),
  );
}

/** Somebody was told that something had been done at the terminal, after this reversal by hand. */
function isTold(run: Case, { reversedAt }: Charge): boolean {
  const at = reversedAt ?? 0;
  const hand = run.hands.find(({ ledgerFrom, ledgerTo }) => ledgerFrom <= at && at < ledgerTo);
  const kinds: readonly string[] = doneByOthers;
  return (
    hand !== undefined && run.founds.some(({ what, order }) => kinds.includes(what) && order > hand.order)
  );
}
