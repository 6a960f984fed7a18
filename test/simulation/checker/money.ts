/** Rules about money: what the terminal took beside what the journal says of it. */
import type { Finding } from '../evidence.ts';
import { claimOf, contradictions, doneByOthers, isForgotten, settles, type Case } from './case.ts';
import { adoptedBy, checkForeign, isForgottenByTerminal } from './by-hand.ts';
import { isUndoneByOthers } from './undone.ts';
import { hasNoAmount, isExcusedByWord, isShownAsForeign, mayTake, refusalOfWhatWasDecided } from './words.ts';
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
  // A person decided, wrongly or before the terminal was done, and was told that it shows what could be this very payment.
  const operations = run.operationsOf(reference);
  const byPerson = run.decisions.some(({ taken, operationId }) => taken && operations.has(operationId));
  const shownSince = standing[0]?.command?.order ?? Infinity;
  const left =
    byPerson &&
    (run.namings(reference, ['unexplained_payment']).length > 0 ||
      run.founds.some(
        ({ what, amountMinor, order }) =>
          what === 'unexplained_payment' &&
          order > shownSince &&
          // Without an amount it names nobody.
          (amountMinor === null || amountMinor === standing[0]?.amountMinor),
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

/** A repair has lost the void, and said that something is lost: until a person has looked nothing is sold. */
function isVoidForgotten(run: Case, charges: readonly Charge[]): boolean {
  return run.losses.some(
    ({ what, ledgerBytes }) =>
      what === 'repaired' &&
      charges.some(({ reversedAt }) => reversedAt !== null && reversedAt < ledgerBytes),
  );
}

/** A person called the day closed that is to hold it, and it was not. */
function isWronglyClosed(run: Case, reference: string): boolean {
  return run.decisions.some(
    ({ taken, right, operationId }) => taken && !right && settles(run, operationId, reference),
  );
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
