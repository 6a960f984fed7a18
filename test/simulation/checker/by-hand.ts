/** Rules about what people do at the terminal: it has to be told, unless it was taken for something of ours. */
import type { Finding, HandRecord } from '../evidence.ts';
import { claimOf, type Case } from './case.ts';
import { isCounted } from './undone.ts';
import type { Charge } from './sources.ts';

/** What may tell of something that was done by hand: what it is itself, or that something is missing or not as it was called. */
const others = ['unseen_records', 'contradicted_outcome', 'batch_differs'] as const;
const tellsOf = {
  payment: ['unexplained_payment', ...others],
  refund: ['unexplained_payment', ...others],
  reversal: ['unexplained_reversal', ...others],
  batch_close: ['unexplained_batch_close', ...others],
} as const satisfies { [what: string]: readonly string[] };

/** Of a terminal that was put in the place of another one it is told that it has worked before. */
function toldOfAnother(run: Case, hand: HandRecord): string[] {
  const isExchanged = run.hands.some(({ what, order }) => what === 'replacement' && order < hand.order);
  return isExchanged ? ['changed_terminal'] : [];
}

/** The record of a day without totals is one of a payment, as far as it tells. */
function looksLikePayment(run: Case, { what }: HandRecord): string[] {
  return what === 'batch_close' && !run.evidence.shows.dayHasTotals ? ['unexplained_payment'] : [];
}

/** Money that moved without the till has to be told: at the latest when our own next record shows that some are missing. */
export function checkForeign(run: Case): Finding[] {
  if (run.evidence.shows.shownRecord !== 'status') return [];
  const calm = run.evidence.records.findLast(({ kind }) => kind === 'calm');
  return run.hands.flatMap((hand) => {
    if (hand.what === 'replacement' || calm === undefined) return [];
    if (hand.what === 'batch_close' && !run.evidence.shows.showsClose) return [];
    // What was shown is told before anything else happens that shows that something is missing.
    const shown = shownUntil(run, hand);
    const until = shown ?? Infinity;
    const fitting = [...tellsOf[hand.what], ...looksLikePayment(run, hand), ...toldOfAnother(run, hand)];
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
  // A journal that was put back knows the one before it again.
  const lost = run.losses.findLast(({ order }) => order < hand.order)?.order ?? 0;
  const since = exchanged === undefined ? Infinity : Math.max(exchanged.order, lost);
  const told = run.founds.find(({ what, order }) => what === 'changed_terminal' && order > since);
  const notLookedAt = told !== undefined && told.order > hand.order;
  const first =
    shows.firstRecord === 'nothing' &&
    !run.commands.some(
      ({ operationId, order }) => order < hand.order && operationId !== null && isCounted(run, operationId),
    );
  // A refusal without a number hides what was there before it.
  const hidden = shows.refusals === 'stored_without_number';
  const forgotten = isForgottenByTerminal(run, hand.ledgerTo, hand.order);
  // Voids without a number hide what was not looked at until a number of ours shows the gap.
  const shown = shownUntil(run, hand) !== null;
  const covered =
    shows.numberedVoids === 'neither' &&
    !shown &&
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
    (hand.what === 'reversal' && shows.numberedVoids === 'neither' && !shown)
  );
}

/**
 * A reversal without a number is seen as such only while it is the last record, and then by its amount. Gives the order of
 * what came next where the bridge has looked at it; null: it has not, or it looks like something of before.
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
  const wasLookedAt = run.looks.some(({ order }) => order > hand.order && order < until);
  const before = run.ledger.charges
    .filter((charge) => charge !== reversed)
    .flatMap(({ offset, reversedAt, amountMinor }) => [
      { at: offset, amountMinor },
      ...(reversedAt === null ? [] : [{ at: reversedAt, amountMinor }]),
    ])
    .filter(({ at }) => at < hand.ledgerFrom)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, 2);
  const isOther = before.every(({ amountMinor }) => amountMinor !== reversed.amountMinor);
  return isOther && wasLookedAt ? until : null;
}

/**
 * A terminal that forgets with its power shows nothing of it, until our own next result shows the gap; then that something
 * is missing is told, and not what.
 */
export function isForgottenByTerminal(run: Case, offset: number, since: number): boolean {
  if (run.evidence.shows.afterPowerLoss !== 'record_before') return false;
  const next = run.results.find(({ ledgerBytes }) => ledgerBytes >= offset);
  return (
    next === undefined || run.founds.some(({ what, order }) => what === 'unseen_records' && order > since)
  );
}

const firstLookMs = 3_000;

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
