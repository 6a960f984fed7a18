/**
 * What a terminal's last result proves. Pure. It stores each result before it sends it, and tells it again on demand; no key
 * ties that to a request, so its place behind the one from before does. A number is missing wherever somebody else used the
 * terminal meanwhile.
 *
 *     the terminal                                   | no result of ours | ours approves | ours refuses
 *     tells the next result, approved, fits          | done              | done          | not done
 *     tells the next result, refused                 | not done          | done          | not done
 *     twice the result and the total from before     | not done          | a person      | not done
 *     anything else                                  | a person          | done          | not done
 */
import { formatAmount } from '../../../contract/money.ts';
import type { OperationStarted, SaleStarted, VoidStarted } from '../../../contract/journal-events.ts';
import { idsNow, otherTerminal, otherTerminalText } from '../../../contract/other-terminal.ts';
import {
  agreeIfTold,
  type Continuity,
  type LastRecord,
  type TerminalIdentity,
  type TerminalRecord,
} from '../../../contract/terminal.ts';
import { isNextNumber } from '../counters.ts';
import { reconcileOwnRecord } from '../own-record.ts';
import type { OperationInDoubt, ReconciliationResult } from '../terminal-driver.ts';
import { decides, isSameResult } from './record.ts';

/**
 * How `current` follows on `previous`. Behind a refusal without a number a number too many is one too many: it may be that of a
 * reversal by hand. No refusal moves money, so another total beside one that has no number says that somebody else did.
 */
export function continuity(previous: LastRecord, current: LastRecord): Continuity {
  if (previous.kind !== 'record' || current.kind !== 'record') return 'unknown';
  const [before, now] = [previous.record, current.record];
  if (!agreeIfTold(before.terminalId, now.terminalId)) return 'changed_terminal';
  if (now.kind === 'batch_close' && now.approved) return 'batch';
  if (now.traceNumber === null && !now.approved && totalsDiffer(before, now)) return 'gap';
  if (before.traceNumber === null || now.traceNumber === null) return 'unknown';
  if (sameNumbered(before, now)) return 'same';
  return isNextNumber(before.traceNumber, now.traceNumber) ? 'next' : 'gap';
}

function totalsDiffer(one: TerminalRecord, other: TerminalRecord): boolean {
  return !agreeIfTold(one.batchTotalMinor ?? null, other.batchTotalMinor ?? null);
}

/** What only one of them tells is no difference: a record that is held against another may have been stripped to its place. */
function sameNumbered(one: TerminalRecord, other: TerminalRecord): boolean {
  return (
    one.traceNumber === other.traceNumber &&
    agreeIfTold(one.resultCode, other.resultCode) &&
    agreeIfTold(one.turnoverNumber, other.turnoverNumber) &&
    agreeIfTold(one.terminalDate, other.terminalDate) &&
    agreeIfTold(one.terminalTime, other.terminalTime) &&
    agreeIfTold(one.approvalCode, other.approvalCode)
  );
}

/** `shown`: what the driver found when it looked for this operation, or just the terminal's last result. */
export function reconcile(
  inDoubt: OperationInDoubt,
  terminal: TerminalIdentity,
  shown: LastRecord,
): ReconciliationResult {
  const { operation, result } = inDoubt;
  // How a close ended is told by the totals, and they are its own.
  if (operation.kind === 'batch_close') return reconcileOwnRecord(inDoubt, terminal, shown);
  const other = otherTerminal(operation, result, idsNow(terminal, shown));
  if (other !== null)
    return { kind: 'other_terminal', otherTerminal: other, explanation: otherTerminalText(other) };
  if (shown.kind === 'empty') return ofUnchanged(operation, result);
  if (result !== null) return ofResult(operation, result, shown);
  if (shown.kind === 'unavailable') return needsDecision(shown.reason);
  return ofRecord(operation, shown.record);
}

/** The driver has seen twice that nothing has changed. */
function ofUnchanged(operation: OperationStarted, result: TerminalRecord | null): ReconciliationResult {
  if (result?.approved === true)
    return needsDecision('The terminal reported success, but still shows the record from before.');
  const what = operation.kind === 'void' ? 'the payment was not reversed' : 'the payment did not happen';
  return notDone(`The terminal is idle and still shows the record from before: ${what}.`);
}

/** The terminal had stored it before it sent it, and nothing that it did since undoes it by itself. */
function ofResult(
  operation: SaleStarted | VoidStarted,
  result: TerminalRecord,
  shown: LastRecord,
): ReconciliationResult {
  if (!decides(result)) return needsDecision(notDeciding);
  if (!result.approved) return notDone('The terminal had sent its refusal before contact was lost.');
  const { baseline } = operation;
  if (shown.kind === 'record' && baseline.kind === 'record' && isSameResult(shown.record, baseline.record))
    return needsDecision('The terminal reported success, but still shows the record from before.');
  const other = otherAmount(operation, result);
  return other === null
    ? done(operation, result, 'The terminal had sent its final result before contact was lost.')
    : needsDecision(other);
}

function ofRecord(operation: SaleStarted | VoidStarted, record: TerminalRecord): ReconciliationResult {
  const { baseline } = operation;
  if (baseline.kind !== 'record')
    return needsDecision('What the terminal showed before is not known, so its last result decides nothing.');
  // That it is still there proves something only together with its total, and the second time.
  if (isSameResult(baseline.record, record))
    return needsDecision('The terminal still shows the result from before, which alone proves nothing.');
  if (continuity(baseline, { kind: 'record', record }) !== 'next')
    return needsDecision('The terminal has done something else since, so its last record decides nothing.');
  if (!decides(record)) return needsDecision(notDeciding);
  if (!record.approved) return notDone(`The terminal's next record is not a charge: ${record.resultText}.`);
  if (record.kind !== (operation.kind === 'void' ? 'reversal' : 'payment'))
    return needsDecision('The terminal’s next result is of something else.');
  const other = otherAmount(operation, record);
  if (other !== null) return needsDecision(other);
  return done(
    operation,
    record,
    operation.kind === 'void'
      ? "The terminal's next record is the reversal of this payment."
      : "The terminal's next record is an approval of this amount: the payment was charged.",
  );
}

const notDeciding = 'The terminal gave a result that nobody knows.';

/** A payment has to name its amount: nothing else ties it to what was ordered. A reversal names none. */
function otherAmount(operation: SaleStarted | VoidStarted, { amountMinor }: TerminalRecord): string | null {
  if (amountMinor === operation.amountMinor) return null;
  if (amountMinor === null)
    return operation.kind === 'void' ? null : 'The last record does not say which amount was charged.';
  return `The terminal holds this operation with another amount: ${formatAmount(amountMinor, 'EUR')} EUR.`;
}

function done(
  operation: SaleStarted | VoidStarted,
  record: TerminalRecord,
  explanation: string,
): ReconciliationResult {
  if (operation.kind === 'sale') return { kind: 'done', record, explanation };
  return { kind: 'done', record: reversalOf(operation, record), explanation };
}

/** What a reversal leaves out: the terminal was told the number of the payment, and reverses it in full. */
export function reversalOf(
  {
    amountMinor,
    traceNumber,
    receiptNumber,
  }: Pick<VoidStarted, 'amountMinor' | 'traceNumber' | 'receiptNumber'>,
  record: TerminalRecord,
): TerminalRecord {
  return {
    ...record,
    kind: 'reversal',
    amountMinor,
    currency: 'EUR',
    originalTraceNumber: traceNumber ?? receiptNumber,
  };
}

function notDone(explanation: string): ReconciliationResult {
  return { kind: 'not_done', explanation };
}
function needsDecision(explanation: string): ReconciliationResult {
  return { kind: 'needs_decision', explanation };
}
