/** Rules about what the tills were told. */
import type { AnswerRecord, Finding } from '../evidence.ts';
import { batchOf } from './batches.ts';
import { contradictions, doneByOthers, type Case } from './case.ts';
import { hasNoAmount, isShownAsForeign } from './words.ts';

/** What a status may still become. */
const later: { [status: string]: readonly string[] } = {
  in_progress: ['approved', 'declined', 'cancelled', 'failed', 'unknown', 'voiding', 'voided', 'settled'],
  unknown: ['approved', 'declined', 'cancelled', 'failed', 'voiding', 'voided', 'settled'],
  approved: ['voiding', 'voided', 'settled'],
  voiding: ['approved', 'voided', 'settled'],
  declined: [],
  cancelled: [],
  failed: [],
  voided: [],
  settled: [],
};

export function checkAnswers(run: Case): Finding[] {
  return [
    ...run.references.flatMap((reference) => checkStatuses(run, reference)),
    ...run.answers.flatMap((answer) => checkAnswer(run, answer)),
  ];
}

function checkStatuses(run: Case, reference: string): Finding[] {
  const findings: Finding[] = [];
  const mine = run.answers.filter((answer) => answer.reference === reference);
  for (const [at, answer] of mine.entries()) {
    // An answer may have been made before the one that came first.
    const known =
      mine
        .slice(0, at)
        .findLast((one) => one.status !== null && one.era === answer.era && one.order < answer.askedOrder) ??
      null;
    if (answer.code === 'payment_not_found' && known !== null) {
      findings.push({
        rule: 'no answer contradicts another',
        text: `${reference}: ${known.status ?? ''}, and then not known`,
      });
    }
    if (answer.status === null) continue;
    const before = known?.status ?? null;
    if (before !== null && before !== answer.status) {
      if (later[before]?.includes(answer.status) !== true) {
        findings.push({
          rule: 'no answer contradicts another',
          text: `${reference}: ${before}, and then ${answer.status}`,
        });
      }
    }
  }
  return findings;
}

function checkAnswer(run: Case, answer: AnswerRecord): Finding[] {
  const { reference, command } = answer;
  if (command === 'SubmitBatch') return checkBatchAnswer(run, answer);
  if (reference === null) return [];
  const findings: Finding[] = [];
  const say = (rule: string, text: string) => findings.push({ rule, text: `${reference}: ${text}` });
  const notStarted = command === 'CreatePayment' && answer.paymentState === 'not_started';
  const stopped = command === 'CancelPayment' && answer.success;
  const notFound = command === 'QueryPayment' && answer.code === 'payment_not_found';
  if (notStarted || stopped || notFound) {
    const what = notStarted ? 'not_started' : stopped ? 'cancelled' : 'not found';
    for (const charge of run.chargesOf(reference)) {
      const order = charge.command?.order ?? 0;
      const start = run.starts.find(({ operationId }) => operationId === charge.command?.operationId);
      // Its command was known only to the journal that was lost, even if the terminal charged it later.
      const forgotten = run.losses.some((loss) => order < loss.order && loss.order < answer.order);
      const word = run.wrongWord(reference);
      const misled = word !== null && word.order < answer.order;
      if (forgotten || misled || run.namings(reference, contradictions).length > 0) continue;
      if (order < answer.order && charge.reversedAt === null)
        say('not_started and cancelled mean no money', `said ${what} after it was charged`);
      else if (order > answer.order && (start?.askedOrder ?? 0) < answer.askedOrder)
        say('not_started and cancelled mean no money', `said ${what} before an earlier request charged it`);
    }
  }
  if (command === 'VoidPayment' && answer.paymentState === 'not_started') {
    for (const { reversedBy } of run.chargesOf(reference)) {
      if (reversedBy === null || reversedBy.reference !== reference || reversedBy.order > answer.order)
        continue;
      const forgotten = liesBetween(run.losses, reversedBy, answer);
      const misled = isMisled(run, reversedBy.operationId, answer);
      if (!forgotten && !misled && run.namings(reference, contradictions).length === 0)
        say(
          'not_started means not reversed',
          'VoidPayment said not_started, and its reversal was on its way',
        );
    }
  }
  if (command === 'VoidPayment' && answer.success) {
    const stands = run.chargesOf(reference).some(({ reversedAt }) => reversedAt === null);
    const excused = run.namings(reference, contradictions).length > 0 || run.wrongWord(reference) !== null;
    if (stands && !excused && run.losses.length === 0)
      say('what is voided is reversed', 'VoidPayment succeeded, and the charge stands');
  }
  if (command === 'CreatePayment' && answer.success && answer.repeated === false) {
    const before = run.answers.some(
      (other) =>
        other.reference === reference &&
        other.success &&
        other.command === 'CreatePayment' &&
        other.order < answer.askedOrder &&
        other.era === answer.era,
    );
    if (before) say('a repeated request is called so', 'answered repeated: false');
  }
  if (answer.approvedAmount !== null && (answer.status === 'approved' || answer.status === 'settled')) {
    const [charge, more] = run.chargesOf(reference);
    const told = Math.round(Number(answer.approvedAmount) * run.evidence.minorPerUnit);
    const named =
      run.namings(reference, [...contradictions, 'amount_differs']).length > 0 ||
      (charge !== undefined && isShownAsForeign(run, [charge.amountMinor])) ||
      hasNoAmount(run, reference);
    if (charge !== undefined && more === undefined && charge.amountMinor !== told && !named)
      say('the approved amount is what was charged', `told ${told}, charged ${charge.amountMinor}`);
  }
  return findings;
}

/** Of a close nobody gives a reference: what is said of it is said of the day. */
function checkBatchAnswer(run: Case, answer: AnswerRecord): Finding[] {
  if (answer.paymentState === 'not_started') return checkNotClosed(run, answer);
  if (!answer.success) return [];
  return answer.batch === null ? checkNothingToSettle(run, answer) : checkTotals(run, answer, answer.batch);
}

function checkNotClosed(run: Case, answer: AnswerRecord): Finding[] {
  return run.ledger.settlements.flatMap(({ command }) => {
    if (command === null || command.order > answer.order) return [];
    const { operationId } = command;
    const isOver = run.closes.some(
      (close) =>
        close.step === 'closed' && close.operationId === operationId && close.order < answer.askedOrder,
    );
    const contradicted = run.founds.some(
      (found) => found.operationId === operationId && isOneOf(contradictions, found.what),
    );
    if (isOver || contradicted || liesBetween(run.losses, command, answer)) return [];
    // Rightly decided, too: what was sent to a terminal that had been exchanged has closed that one's batch.
    if (
      run.decisions.some(
        (word) => word.operationId === operationId && word.taken && word.order < answer.order,
      )
    )
      return [];
    const text = `SubmitBatch said not_started at ${answer.atMs} ms, and its close was on its way`;
    return [{ rule: 'not_started means not closed', text }];
  });
}

/** What a till hears of a close is what the journal says of one that was closed before. */
function checkTotals(run: Case, answer: AnswerRecord, told: NonNullable<AnswerRecord['batch']>): Finding[] {
  // The journal that says so may be gone.
  if (run.losses.some(({ order }) => order > answer.order)) return [];
  const { minorPerUnit } = run.evidence;
  const totalMinor = told.total === null ? null : Math.round(Number(told.total) * minorPerUnit);
  const isTold = run.closes.some(({ step, operationId, order }) => {
    if (step !== 'closed' || order > answer.order) return false;
    const batch = batchOf(run.ended(operationId));
    return (
      batch !== null &&
      batch.count === told.count &&
      batch.totalMinor === totalMinor &&
      batch.reconciled === told.reconciled
    );
  });
  if (isTold) return [];
  const text = `${told.count ?? '?'} of ${told.total ?? '?'}${told.reconciled ? ', reconciled' : ''}`;
  return [{ rule: 'what is told of a batch is in the journal', text }];
}

/** Nothing that was approved before is left for a later close. */
function checkNothingToSettle(run: Case, answer: AnswerRecord): Finding[] {
  return run.references.flatMap((reference) => {
    const status = run.journal.payments.get(reference)?.status;
    const isLeft = run.chargesOf(reference).some((charge) => {
      const { command, reversedAt, settledAt } = charge;
      if (command === null || command.order > answer.askedOrder || reversedAt !== null) return false;
      const close = run.ledger.settlements.find(({ offset }) => offset === settledAt);
      return status === 'settled' && (close?.command?.order ?? 0) > answer.order;
    });
    const excused =
      run.losses.length > 0 ||
      run.wrongWord(reference) !== null ||
      run.namings(reference, [...contradictions, ...doneByOthers]).length > 0;
    if (!isLeft || excused) return [];
    const text = `${reference} was approved, and a later close settled it`;
    return [{ rule: 'nothing to settle means that nothing is open', text }];
  });
}

const liesBetween = (
  losses: readonly { order: number }[],
  from: { order: number },
  until: { order: number },
): boolean => losses.some(({ order }) => from.order < order && order < until.order);

/** A person had said the opposite of this operation, wrongly. */
function isMisled(run: Case, operationId: string | null, { order }: AnswerRecord): boolean {
  return run.decisions.some(
    (word) => word.operationId === operationId && word.taken && !word.right && word.order < order,
  );
}

const isOneOf = (kinds: readonly string[], what: string): boolean => kinds.includes(what);
