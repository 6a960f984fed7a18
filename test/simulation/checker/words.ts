/** What a person's word excuses: whoever decided wrongly, or did not say how much, was asked and has answered. */
import type { Case } from './case.ts';

/** The terminal's record of this amount was told as one that the bridge did not make; a person then took it for it. */
export function isShownAsForeign(run: Case, amounts: readonly number[]): boolean {
  return run.founds.some(
    ({ what, amountMinor }) =>
      what === 'unexplained_payment' && amountMinor !== null && amounts.includes(amountMinor),
  );
}

/** A person's word for what the terminal tells nothing of says that it was charged, and not how much. */
export function hasNoAmount(run: Case, reference: string): boolean {
  if (run.evidence.shows.shownRecord === 'status') return false;
  const payment = run.journal.payments.get(reference);
  if (payment === undefined) return isForgottenWord(run, reference);
  const end = run.ended(payment.operationId)?.body;
  return (end?.['resolvedBy'] ?? null) !== null && end?.['result'] == null;
}

/** The same in a journal that was lost since. */
function isForgottenWord(run: Case, reference: string): boolean {
  const operations = run.operationsOf(reference);
  const has = ({ operationId }: { operationId: string }) => operations.has(operationId);
  return (
    run.losses.length > 0 && run.decisions.some((word) => word.taken && has(word)) && !run.results.some(has)
  );
}

/**
 * A person was wrong. The bridge has to say so where the terminal goes on to show it: a terminal that shows records,
 * on which nothing else happened since.
 */
export function isExcusedByWord(run: Case, reference: string): boolean {
  const word = run.wrongWord(reference);
  if (word === null) return false;
  const { shownRecord, refusals, afterPowerLoss } = run.evidence.shows;
  const plain =
    shownRecord === 'status' && refusals !== 'stored_without_number' && afterPowerLoss === 'last_record';
  if (!plain || word.resolution === 'voided' || word.resolution === 'not-voided') return true;
  return !showsTheOpposite(run, reference, word.order);
}

/**
 * A person said that it was charged, the terminal said so later, and the bridge refused it, which made the word wrong.
 * 'cautious': the result has another number than the next, so the bridge cannot know whether it is its own.
 */
export function refusalOfWhatWasDecided(
  run: Case,
  reference: string,
  askedMinor: number,
): 'needless' | 'cautious' | null {
  const operations = run.operationsOf(reference);
  const word = run.decisions.find(
    ({ taken, resolution, operationId }) => taken && resolution === 'charged' && operations.has(operationId),
  );
  if (word === undefined) return null;
  const isRefused = run.ledger.charges.some(
    ({ command, offset, refusedAt, amountMinor }) =>
      refusedAt !== null &&
      !isWhileDiskFails(run, refusedAt) &&
      mayTake(run, askedMinor, amountMinor) &&
      command?.operationId === word.operationId &&
      offset >= word.ledgerBytes,
  );
  if (!isRefused) return null;
  const start = startOf(run, operations);
  if (start === undefined || isAfterUnseenHands(run, start) || isAfterUntoldNumbers(run, start))
    return 'cautious';
  return 'needless';
}

/** What cannot be written down must not be acknowledged. */
function isWhileDiskFails(run: Case, offset: number): boolean {
  return run.evidence.records.some(
    (record) => record.kind === 'disk' && record.ledgerFrom <= offset && offset < record.ledgerTo,
  );
}

/** What was asked, with a tip at most. Another amount is not accepted. */
export function mayTake(run: Case, askedMinor: number, tookMinor: number): boolean {
  const most = Math.trunc((askedMinor * (100 + run.evidence.maxTipPercent)) / 100);
  return tookMinor >= askedMinor && tookMinor <= most;
}

function startOf(run: Case, operations: ReadonlySet<string>) {
  return run.commands.find(({ operationId }) => operationId !== null && operations.has(operationId));
}

/** What somebody did at the terminal just before, the bridge had not seen when it began. */
function isAfterUnseenHands(run: Case, start: { order: number }): boolean {
  const before = run.commands.findLast(({ order }) => order < start.order)?.order ?? 0;
  return run.hands.some(({ order }) => order > before && order < start.order);
}

/**
 * On a terminal that shows none of its records: since the last thing that it was seen to do, it took a command of which no
 * result ever came. How many numbers that used up, nobody can tell.
 */
function isAfterUntoldNumbers(run: Case, start: { order: number }): boolean {
  if (run.evidence.shows.shownRecord === 'status') return false;
  for (const { operationId, order } of run.commands.toReversed()) {
    if (order >= start.order || operationId === null) continue;
    if (!run.results.some((result) => result.operationId === operationId)) return true;
    const end = run.ended(operationId)?.body;
    const isDone = ['approved', 'voided', 'closed'].includes(String(end?.['outcome']));
    if (isDone && (end?.['resolvedBy'] ?? null) === null) return false;
  }
  return false;
}

/** From the decision to the end the newest thing at the terminal was the charge itself, or nothing since the start. */
function showsTheOpposite(run: Case, reference: string, since: number): boolean {
  const operations = run.operationsOf(reference);
  const start = startOf(run, operations);
  const lines = [
    ...run.ledger.charges.map(({ offset }) => offset),
    ...run.ledger.charges.flatMap(({ reversedAt }) => (reversedAt === null ? [] : [reversedAt])),
    ...run.ledger.settlements.map(({ offset }) => offset),
  ];
  const after = run.evidence.records.some(
    ({ kind, order }) => order > since && (kind === 'command' || kind === 'hand' || kind === 'loss'),
  );
  if (after || start === undefined) return false;
  // Another terminal shows nothing of it.
  if (run.hands.some(({ what, order }) => what === 'replacement' && order > start.order)) return false;
  // Nothing can be told from what comes after.
  if (isAfterUnseenHands(run, start)) return false;
  const mine = run.ledger.charges
    .filter(({ command }) => command?.operationId != null && operations.has(command.operationId))
    .map(({ offset }) => offset);
  return lines.filter((offset) => offset >= start.ledgerBytes).every((offset) => mine.includes(offset));
}
