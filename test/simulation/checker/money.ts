/** Rules about money: what the terminal took beside what the journal says of it. */
import type { Finding, HandRecord } from '../evidence.ts';
import { contradictions, doneByOthers, type Case } from './case.ts';
import type { Charge } from './sources.ts';

export function checkMoney(run: Case): Finding[] {
  return [
    ...run.references.flatMap((reference) => checkReference(run, reference)),
    ...run.ledger.charges.flatMap((charge) => checkWritten(run, charge)),
    ...checkForeign(run),
    ...checkLateResults(run),
  ];
}

/** Who refuses a late result knows of something that he will not take: he tells it. */
function checkLateResults(run: Case): Finding[] {
  return run.journal.facts.flatMap(({ type, body }) => {
    if (type !== 'late_result_received' || body['accepted'] !== false) return [];
    const operationId = String(body['operationId']);
    const isTold = run.journal.facts.some(
      (fact) =>
        fact.type === 'discrepancy_found' &&
        fact.body['kind'] === 'late_result_refused' &&
        fact.body['operationId'] === operationId,
    );
    const text = `a result of ${operationId.slice(-6)} came late and was refused in silence`;
    return isTold ? [] : [{ rule: 'a result that is not taken is told', text }];
  });
}

/** What is final at the terminal was in the journal before: the till's acknowledgement made it final. */
function checkWritten(
  run: Case,
  { command, autoReversed, offset, reversedAt, reversedBy, ...charge }: Charge,
): Finding[] {
  if (run.evidence.shows.finalOn !== 'acknowledgement') return [];
  const finals = [
    { command: autoReversed ? null : command, offset },
    { command: reversedBy, offset: reversedAt ?? 0 },
  ];
  return finals.flatMap((final) => {
    const operationId = final.command?.operationId ?? null;
    if (operationId === null) return [];
    // A journal that was put back knows nothing of the operation: there it is written as that of another in doubt.
    const loss = run.losses.find(({ order }) => order > (final.command?.order ?? 0));
    const written = run.results.some(
      (result) =>
        (result.operationId === operationId || (loss !== undefined && result.order > loss.order)) &&
        result.ledgerBytes <= final.offset,
    );
    const mistaken = run.evidence.records.some(
      (record) =>
        record.kind === 'resent' &&
        record.order > (final.command?.order ?? 0) &&
        record.ledgerBytes <= final.offset,
    );
    if (mistaken) return [];
    const rule = 'no result is acknowledged before it is in the journal';
    return written ? [] : [{ rule, text: `number ${charge.number}, ${final.command?.what ?? ''}` }];
  });
}

function checkReference(run: Case, reference: string): Finding[] {
  const findings: Finding[] = [];
  const charges = run.chargesOf(reference);
  const standing = charges.filter(({ reversedAt }) => reversedAt === null);
  const payment = run.journal.payments.get(reference) ?? null;
  const say = (rule: string, text: string) => findings.push({ rule, text: `${reference}: ${text}` });

  const [, second] = charges;
  if (second !== undefined && !excusedByLoss(run, charges)) {
    const times = charges.map(({ number }) => number).join(', ');
    say('no reference is charged twice', `charged with the numbers ${times}`);
  }
  // That it was not accepted is told with the amount: then a person who says "charged" has been told as well.
  const refused = run.wrongWord(reference) !== null && run.namings(reference, ['amount_differs']).length > 0;
  const contradicted = refused || run.namings(reference, contradictions).length > 0;
  if (payment === null) {
    if (standing.length > 0 && run.losses.length === 0)
      say('what is charged is in the journal', 'charged, and the journal does not know it');
    return findings;
  }
  const { status } = payment;
  const claims = claimOf(status);
  const excused = contradicted || isExcusedByWord(run, reference) || standing.length > 1;
  const undone = isUndoneByOthers(run, reference, charges);
  if (
    claims === 'charged' &&
    standing.length === 0 &&
    !excused &&
    !undone &&
    !isVoidForgotten(run, charges) &&
    !hasTakenAnother(run, reference)
  ) {
    say('what is approved is charged', `${status}, and the terminal holds no charge for it`);
  }
  // A person was wrong, and was told at once that the terminal shows what could be this very payment.
  const shownSince = standing[0]?.command?.order ?? Infinity;
  const left =
    run.wrongWord(reference) !== null &&
    (run.namings(reference, ['unexplained_payment']).length > 0 ||
      // Without an amount it names nobody.
      run.founds.some(
        ({ what, amountMinor, order }) =>
          what === 'unexplained_payment' && amountMinor === null && order > shownSince,
      ));
  const untold = standing.every(({ offset, command }) =>
    isForgottenByTerminal(run, offset, command?.order ?? 0),
  );
  if (
    claims === 'not_charged' &&
    standing.length > 0 &&
    !excused &&
    !left &&
    !untold &&
    !afterLoss(run, standing)
  ) {
    say('what is charged is called so', `${status}, and the terminal holds its charge`);
  }
  const refusal = refusalOfWhatWasDecided(run, reference, payment.amountMinor);
  if (refusal === 'needless')
    say('a result that says what was decided is taken', 'decided as charged, charged later, and refused');
  const refusalTold = run.losses.length > 0 || run.namings(reference, ['late_result_refused']).length > 0;
  if (refusal === 'cautious' && !refusalTold)
    say('a result that is not taken is told', 'decided as charged, charged later, and refused in silence');
  if (status === 'settled') {
    const [charge] = standing;
    if (charge?.settledAt === null && !excused && !isWronglyClosed(run, reference))
      say('what is settled is in a closed batch', 'no batch holds it');
  }
  const amounts = standing.map(({ amountMinor }) => amountMinor);
  const amountNamed =
    contradicted ||
    run.namings(reference, ['amount_differs']).length > 0 ||
    isShownAsForeign(run, amounts) ||
    hasNoAmount(run, reference);
  if (claims === 'charged' && standing.length === 1 && !amountNamed && !afterLoss(run, standing)) {
    const [charge] = standing;
    const took = charge?.amountMinor ?? 0;
    if (!mayTake(run, payment.amountMinor, took))
      say('another amount than asked is named', `asked ${payment.amountMinor}, charged ${took}`);
  }
  return findings;
}

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

/** A repair has lost the void, and said that something is lost: until a person has looked nothing is sold. */
function isVoidForgotten(run: Case, charges: readonly Charge[]): boolean {
  return run.losses.some(
    ({ what, ledgerBytes }) =>
      what === 'repaired' &&
      charges.some(({ reversedAt }) => reversedAt !== null && reversedAt < ledgerBytes),
  );
}

/** Charged as it was called, and then reversed by hand or in the place of another, and somebody was told. */
function isUndoneByOthers(run: Case, reference: string, charges: readonly Charge[]): boolean {
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

/** The journal that came back may be from before this. */
function isForgotten(run: Case, offset: number): boolean {
  return run.losses.some(({ ledgerBytes }) => offset < ledgerBytes);
}

/** The terminal's own word for it was taken, with its number. */
function isCounted(run: Case, operationId: string): boolean {
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

/** A person called the day closed that is to hold it, and it was not. */
function isWronglyClosed(run: Case, reference: string): boolean {
  return run.decisions.some(
    ({ taken, right, operationId }) => taken && !right && settles(run, operationId, reference),
  );
}

function settles(run: Case, operationId: string, reference: string): boolean {
  const settled = run.ended(operationId)?.body['settled'];
  const operations = run.operationsOf(reference);
  return Array.isArray(settled) && settled.some((one) => operations.has(String(one)));
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

/** Whose money the journal says the merchant has. */
function claimOf(status: string): 'charged' | 'not_charged' | 'open' {
  if (status === 'approved' || status === 'settled') return 'charged';
  if (status === 'unknown' || status === 'voiding' || status === 'in_progress') return 'open';
  return 'not_charged';
}

/** The journal had forgotten the first charge, and a discrepancy had told somebody that something was missing. */
export function excusedByLoss(run: Case, charges: readonly Charge[]): boolean {
  const [first, second] = charges;
  if (first === undefined || second === undefined || charges.length > 2) return false;
  const loss = run.losses.find(
    ({ ledgerBytes }) => first.offset < ledgerBytes && ledgerBytes <= second.offset,
  );
  if (loss === undefined) return false;
  const command = second.command;
  // A terminal that shows no records, or a refusal in their place, cannot be asked what was forgotten.
  const { shownRecord, refusals } = run.evidence.shows;
  if (shownRecord !== 'status' || refusals === 'stored_without_number') return true;
  return run.founds.some(({ order }) => order > loss.order && order < (command?.order ?? 0));
}

/** Charged before the journal lost its newest facts. */
function afterLoss(run: Case, standing: readonly Charge[]): boolean {
  return run.losses.some(({ ledgerBytes }) => standing.every(({ offset }) => offset < ledgerBytes));
}

/**
 * A person was wrong. The bridge has to say so where the terminal goes on to show it: a terminal that shows records,
 * on which nothing else happened since.
 */
function isExcusedByWord(run: Case, reference: string): boolean {
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
function refusalOfWhatWasDecided(
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
  return start === undefined || isAfterUnseenHands(run, start) ? 'cautious' : 'needless';
}

/** What cannot be written down must not be acknowledged. */
function isWhileDiskFails(run: Case, offset: number): boolean {
  return run.evidence.records.some(
    (record) => record.kind === 'disk' && record.ledgerFrom <= offset && offset < record.ledgerTo,
  );
}

/** What was asked, with a tip at most. Another amount is not accepted. */
function mayTake(run: Case, askedMinor: number, tookMinor: number): boolean {
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

/**
 * Somebody paid this amount by hand while it was in doubt, or a journal was put back in which it is in doubt, and which has
 * forgotten the payment of this amount that came after it: the terminal's record was taken for ours.
 */
function hasTakenAnother(run: Case, reference: string): boolean {
  const known = new Set([...run.journal.payments.values()].map(({ operationId }) => operationId));
  const isLost = ({ offset, command }: Charge) =>
    command?.operationId != null && !known.has(command.operationId) && isForgotten(run, offset);
  return run.ledger.charges.some(
    (charge) =>
      (charge.byHand !== null || isLost(charge)) &&
      (charge.reversedAt === null || run.namings(reference, doneByOthers).length > 0) &&
      adoptedBy(run, reference, charge),
  );
}

/** What may tell of something that was done by hand: what it is itself, or that something is missing or not as it was called. */
const tellsOf = {
  payment: ['unexplained_payment', 'unseen_records', 'contradicted_outcome', 'batch_differs'],
  refund: ['unexplained_payment', 'unseen_records', 'contradicted_outcome', 'batch_differs'],
  reversal: ['unexplained_reversal', 'unseen_records', 'contradicted_outcome', 'batch_differs'],
  batch_close: ['unexplained_batch_close', 'unseen_records', 'contradicted_outcome', 'batch_differs'],
} as const satisfies { [what: string]: readonly string[] };

/** The record of a day without totals is one of a payment, as far as it tells. */
function looksLikePayment(run: Case, { what }: HandRecord): string[] {
  return what === 'batch_close' && !run.evidence.shows.dayHasTotals ? ['unexplained_payment'] : [];
}

/** Money that moved without the till has to be told: at the latest when our own next record shows that some are missing. */
function checkForeign(run: Case): Finding[] {
  if (run.evidence.shows.shownRecord !== 'status') return [];
  const calm = run.evidence.records.findLast(({ kind }) => kind === 'calm');
  return run.hands.flatMap((hand) => {
    if (hand.what === 'replacement' || calm === undefined) return [];
    if (hand.what === 'batch_close' && !run.evidence.shows.showsClose) return [];
    // What was shown is told before anything else happens that shows that something is missing.
    const shown = shownUntil(run, hand);
    const until = shown ?? Infinity;
    const fitting = [...tellsOf[hand.what], ...looksLikePayment(run, hand)];
    if (run.founds.some(({ what, order }) => fitting.includes(what) && order > hand.order && order < until))
      return [];
    const adopted = run.ledger.charges.some(
      (charge) =>
        charge.byHand === hand && run.references.some((reference) => adoptedBy(run, reference, charge)),
    );
    if (adopted || isKnownAsUndone(run, hand) || isTakenForOurs(run, hand)) return [];
    // Before the first look at a new terminal, or before the journal went back, there is nothing to compare with.
    const atMs = hand.atMs;
    if (neverSeen(run, hand) || run.losses.some(({ order }) => order > hand.order) || atMs < firstLookMs)
      return [];
    return [{ rule: 'what others do at the terminal is told', text: `${hand.what} by hand at ${atMs} ms` }];
  });
}

/**
 * What was reversed by hand is called undone: a void of it came right behind and found it done, it was in doubt and
 * looked as if the terminal had undone it by itself, or it looked like such a payment in doubt, or like one called refused.
 */
function isKnownAsUndone(run: Case, hand: HandRecord): boolean {
  return run.ledger.charges.some((charge) => {
    const { reversedAt, command, byHand } = charge;
    if (reversedAt === null) return false;
    const isReversal = reversedAt >= hand.ledgerFrom && reversedAt < hand.ledgerTo;
    if (!isReversal && byHand !== hand) return false;
    if (byHand !== null) return isTakenForAutoReversed(run, charge) || isTakenForRefused(run, charge);
    const payment = run.journal.payments.get(command?.reference ?? '');
    return payment !== undefined && claimOf(payment.status) === 'not_charged';
  });
}

/** The reversal of this charge by hand ended a doubt as the terminal's own reversal of a payment in its place. */
function isTakenForAutoReversed(run: Case, { number }: Charge): boolean {
  return run.journal.facts.some(({ type, body: { outcome, evidence } }) => {
    if (type !== 'operation_ended' || outcome !== 'failed') return false;
    const shown = evidence as { lastRecord: { record?: { originalTraceNumber?: unknown } } } | null;
    const original = shown?.lastRecord.record?.originalTraceNumber ?? null;
    return original !== null && Number(original) === Number(number);
  });
}

/** Told when it was made, as what contradicts a payment that was called not charged: undone, it contradicts no more. */
function isTakenForRefused(run: Case, { amountMinor, byHand }: Charge): boolean {
  return run.founds.some(
    (found) =>
      found.what === 'contradicted_outcome' &&
      found.amountMinor === amountMinor &&
      found.order > (byHand?.order ?? 0) &&
      [...run.journal.payments.values()].some(
        ({ operationId, status }) => operationId === found.operationId && claimOf(status) === 'not_charged',
      ),
  );
}

/** The day was closed by hand in the very place where a close of ours would be, which the terminal did not carry out. */
function isTakenForOurs(run: Case, { what, order }: HandRecord): boolean {
  if (what !== 'batch_close') return false;
  const before = run.commands.filter((command) => command.order < order);
  const last = before.at(-1)?.operationId;
  return run.journal.facts.some(
    ({ type, body: { outcome, operationId } }) =>
      type === 'operation_ended' &&
      outcome === 'closed' &&
      (last === operationId || !before.some((command) => command.operationId === operationId)) &&
      !run.ledger.settlements.some(({ command }) => command?.operationId === operationId),
  );
}

/** The bridge could not know: another terminal came before it looked, or what it was shown has no number to tell it by. */
function neverSeen(run: Case, hand: HandRecord): boolean {
  const { shows } = run.evidence;
  const commandBefore = run.commands.findLast(({ order }) => order < hand.order)?.order ?? 0;
  const replaced = run.hands.some(
    ({ what, order }) => what === 'replacement' && (order > hand.order || order > commandBefore),
  );
  // It was looked at for the first time only then, although a command had gone to it already.
  const exchanged = run.hands.findLast(({ what, order }) => what === 'replacement' && order < hand.order);
  const told = run.founds.find(
    ({ what, order }) => what === 'changed_terminal' && order > (exchanged?.order ?? Infinity),
  );
  const notLookedAt = told !== undefined && told.order > hand.order;
  const first =
    shows.firstRecord === 'nothing' &&
    !run.commands.some(
      ({ operationId, order }) => order < hand.order && operationId !== null && isCounted(run, operationId),
    );
  // A refusal without a number hides what was there before it.
  const hidden = shows.refusals === 'stored_without_number';
  const forgotten = isForgottenByTerminal(run, hand.ledgerTo, hand.order);
  // Voids without a number hide it until a number of ours shows the gap.
  const covered =
    shows.numberedVoids === 'neither' &&
    !run.commands.some(
      ({ what, operationId, order }) =>
        what === 'sale' && order > hand.order && operationId !== null && isCounted(run, operationId),
    );
  // A journal that was put back found one without a number, and has none of its own since to count from.
  const uncounted =
    shows.numberedVoids === 'neither' &&
    run.losses.some(
      (loss) =>
        loss.order < hand.order &&
        !run.commands.some(
          ({ what, operationId, order }) =>
            what === 'sale' &&
            order > loss.order &&
            order < hand.order &&
            operationId !== null &&
            isCounted(run, operationId),
        ),
    );
  return (
    replaced ||
    notLookedAt ||
    uncounted ||
    first ||
    hidden ||
    forgotten ||
    covered ||
    (hand.what === 'reversal' && shows.numberedVoids === 'neither' && shownUntil(run, hand) === null)
  );
}

/**
 * A reversal without a number is seen as such only while it is the last record, and then by its amount. Gives the order of
 * what came next where the bridge has seen it so often that no disk that failed is an excuse; null: it has not.
 */
function shownUntil(run: Case, hand: HandRecord): number | null {
  if (hand.what !== 'reversal' || run.evidence.shows.numberedVoids !== 'neither') return null;
  const reversed = run.ledger.charges.find(
    ({ reversedAt }) => reversedAt !== null && reversedAt >= hand.ledgerFrom && reversedAt < hand.ledgerTo,
  );
  if (reversed === undefined) return null;
  const next = run.evidence.records.find(
    ({ kind, order }) => order > hand.order && (kind === 'command' || kind === 'hand' || kind === 'loss'),
  );
  const until = next?.order ?? Infinity;
  const looks = run.looks.filter(({ order }) => order > hand.order && order < until);
  const before = run.ledger.charges
    .flatMap(({ offset, reversedAt, amountMinor }) => [
      { at: offset, amountMinor },
      ...(reversedAt === null ? [] : [{ at: reversedAt, amountMinor }]),
    ])
    .filter(({ at }) => at < hand.ledgerFrom)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, 2);
  const isOther = before.every(({ amountMinor }) => amountMinor !== reversed.amountMinor);
  return isOther && looks.length >= looksEnough ? until : null;
}

/**
 * A terminal that forgets with its power shows nothing of it, until our own next result shows the gap; then that something
 * is missing is told, and not what.
 */
function isForgottenByTerminal(run: Case, offset: number, since: number): boolean {
  if (run.evidence.shows.afterPowerLoss !== 'record_before') return false;
  const next = run.results.find(({ ledgerBytes }) => ledgerBytes >= offset);
  return (
    next === undefined || run.founds.some(({ what, order }) => what === 'unseen_records' && order > since)
  );
}

const firstLookMs = 3_000;
const looksEnough = 3;

/** The terminal had refused it, and the journal knew: then no later record can be its approval, unless a person says so. */
function wasRefused(run: Case, operationId: string): boolean {
  return run.journal.facts.some(
    ({ type, body }) =>
      type === 'result_received' &&
      body['operationId'] === operationId &&
      (body['result'] as { approved?: unknown }).approved === false,
  );
}

/** A person who was shown this very record, and that it may be of something else that was done by hand, called it charged. */
function isRecordDecidedOn(run: Case, operationId: string, number: string): boolean {
  const { outcome, resolvedBy } = run.ended(operationId)?.body ?? {};
  if (outcome !== 'approved' || (resolvedBy ?? null) === null) return false;
  const last = run.journal.facts.findLast(
    ({ type, body }) => type === 'evidence_found' && body['operationId'] === operationId,
  );
  const shown = last?.body['evidence'] as Shown | undefined;
  const shownNumber = shown?.lastRecord.record?.traceNumber ?? null;
  return shownNumber !== null && Number(shownNumber) === Number(number);
}

interface Shown {
  lastRecord: { record?: { traceNumber?: unknown } };
}

/** This charge by hand was taken for the sale with this reference: nothing in a record tells them apart. */
export function adoptedBy(run: Case, reference: string, { amountMinor, number }: Charge): boolean {
  const payment = run.journal.payments.get(reference);
  if (payment === undefined) return false;
  const { operationId } = payment;
  if (wasRefused(run, operationId) && !isRecordDecidedOn(run, operationId, number)) return false;
  const end = run.ended(operationId)?.body;
  const result = end?.['result'] as { traceNumber?: unknown } | null | undefined;
  if (result != null && run.evidence.shows.namesOurs) return false;
  const most = Math.trunc((payment.amountMinor * (100 + run.evidence.maxTipPercent)) / 100);
  return (
    amountMinor >= payment.amountMinor &&
    amountMinor <= most &&
    (result == null ? (end?.['resolvedBy'] ?? null) !== null : Number(result.traceNumber) === Number(number))
  );
}
