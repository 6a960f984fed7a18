/**
 * What proves how an operation in doubt ended, where the terminal can be asked for that very operation and its result is
 * final whether or not we acknowledge it: the answer is about this operation and no other, so neither its place nor the
 * time plays a part.
 *
 *     the terminal                 | no result of ours | our result approves  | our result refuses
 *     holds it, approved, fits     | done              | done                 | a person
 *     holds it, refused            | not done          | a person             | not done
 *     certainly holds nothing      | not done          | a person             | not done
 *     could not tell               | a person          | done                 | not done
 */
import { formatAmount } from '../../contract/money.ts';
import type { OperationStarted } from '../../contract/journal-events.ts';
import { idsNow, otherTerminal, otherTerminalText } from '../../contract/other-terminal.ts';
import type { LastRecord, TerminalIdentity, TerminalRecord } from '../../contract/terminal.ts';
import type { OperationInDoubt, ReconciliationResult } from './terminal-driver.ts';

const kinds: Record<OperationStarted['kind'], TerminalRecord['kind']> = {
  sale: 'payment',
  void: 'reversal',
  batch_close: 'batch_close',
};

/** `shown`: what the terminal that is there now said of this operation. */
export function reconcileOwnRecord(
  { operation, result }: OperationInDoubt,
  terminal: TerminalIdentity,
  shown: LastRecord,
): ReconciliationResult {
  // Before anything else: nothing that another terminal says, or cannot say, is about this operation.
  const other = otherTerminal(operation, result, idsNow(terminal, shown));
  if (other !== null)
    return { kind: 'other_terminal', otherTerminal: other, explanation: otherTerminalText(other) };
  switch (shown.kind) {
    case 'unavailable':
      return result === null ? needsDecision(shown.reason) : ofResult(operation, result);
    case 'empty':
      return result?.approved === true
        ? needsDecision('The terminal reported success, but holds nothing of this operation.')
        : notDone('The terminal was asked for this very operation and holds nothing of it.');
    case 'record':
      return ofRecord(operation, result, shown.record);
  }
}

/** Nothing but what the terminal had sent before contact was lost. */
function ofResult(operation: OperationStarted, result: TerminalRecord): ReconciliationResult {
  if (!result.approved) return notDone('The terminal had sent its refusal before contact was lost.');
  const other = operation.kind === 'batch_close' ? null : otherAmount(operation, result);
  return other === null
    ? done(result, 'The terminal had sent its final result before contact was lost.')
    : needsDecision(other);
}

function ofRecord(
  operation: OperationStarted,
  result: TerminalRecord | null,
  record: TerminalRecord,
): ReconciliationResult {
  if (record.kind !== kinds[operation.kind])
    return needsDecision('What the terminal holds under this number is something else.');
  if (result !== null && result.approved !== record.approved)
    return needsDecision('What the terminal holds of this operation is not what it reported before.');
  if (!record.approved) return notDone(`The terminal holds this operation as refused: ${record.resultText}.`);
  const other = operation.kind === 'batch_close' ? null : otherAmount(operation, record);
  if (other !== null) return needsDecision(other);
  return done(
    // That a batch is closed shows only in that it is empty: what it held the terminal told before.
    operation.kind === 'batch_close' && result !== null ? result : record,
    'The terminal was asked for this very operation and holds it as approved.',
  );
}

/**
 * A sale has to name its amount: a driver whose terminal does not say it again fills in the one that was asked for. A void
 * without one is of the whole payment.
 */
function otherAmount(
  operation: Exclude<OperationStarted, { kind: 'batch_close' }>,
  { amountMinor, currency }: TerminalRecord,
): string | null {
  if (currency !== null && currency !== operation.currency)
    return 'The terminal holds this operation in another currency.';
  const most =
    operation.kind === 'sale' ? (operation.maxAmountMinor ?? operation.amountMinor) : operation.amountMinor;
  if (amountMinor === null)
    return operation.kind === 'void' ? null : 'The terminal approved the payment, but not a readable amount.';
  if (amountMinor >= operation.amountMinor && amountMinor <= most) return null;
  return (
    `The terminal holds this operation with another amount: ` +
    `${formatAmount(amountMinor, operation.currency)} ${operation.currency}.`
  );
}

function done(record: TerminalRecord, explanation: string): ReconciliationResult {
  return { kind: 'done', record, explanation };
}
function notDone(explanation: string): ReconciliationResult {
  return { kind: 'not_done', explanation };
}
function needsDecision(explanation: string): ReconciliationResult {
  return { kind: 'needs_decision', explanation };
}
