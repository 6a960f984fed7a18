/**
 * What a ZVT terminal's last record proves. All pure. The rules are those of ZVT PA00P015, chapter 4: a payment is
 * stored for good only once its result was acknowledged, and a terminal that is idle shows its last stored record, so
 * what is not there did not happen. Amounts and clocks alone prove nothing; only the counters of the terminal do.
 */
import {
  agreeIfTold,
  sameNumber,
  type Continuity,
  type LastRecord,
  type TerminalIdentity,
  type TerminalRecord,
} from '../../../contract/terminal.ts';
import {
  idsNow,
  idsOfOperation,
  otherTerminal,
  otherTerminalText,
} from '../../../contract/other-terminal.ts';
import type { OperationInDoubt, ReconciliationResult, VoidOrder } from '../terminal-driver.ts';
import { reconcileBatch, reconcileSale, reconcileVoid, neverShown } from './reconcile-rules.ts';
import { isNextRecord, isSameRecord } from './record-order.ts';

/**
 * How `current` follows on `previous`. `batch`: a batch close that succeeded is the newest record now. `gap`: anything
 * but the same or exactly the next record, also a terminal that shows no record any more. `unknown`: one of them could
 * not be read, or has no counters. `unnumbered` records of ours between the two may have counted, or not.
 */
export function continuity(previous: LastRecord, current: LastRecord, unnumbered = 0): Continuity {
  if (previous.kind === 'unavailable' || current.kind === 'unavailable') return 'unknown';
  if (current.kind === 'empty') return previous.kind === 'empty' ? 'same' : 'gap';
  const { record } = current;
  const closed = record.kind === 'batch_close' && record.approved;
  if (previous.kind === 'empty') return closed ? 'batch' : 'next';
  if (!agreeIfTold(previous.record.terminalId, record.terminalId)) return 'changed_terminal';
  if (isSameRecord(previous.record, record)) return 'same';
  if (closed) return 'batch';
  if (previous.record.traceNumber === null || record.traceNumber === null) return 'unknown';
  return isNextRecord(previous.record, record, unnumbered) ? 'next' : 'gap';
}

/**
 * What the last record of a terminal that says it is idle and ready proves about an operation in doubt. Where anything
 * is missing, does not fit or contradicts, it proves nothing, and a person decides.
 */
export function reconcile(
  inDoubt: OperationInDoubt,
  terminal: TerminalIdentity,
  lastRecord: LastRecord,
): ReconciliationResult {
  const { baseline } = inDoubt.operation;
  // Before anything else: nothing that another terminal shows, or cannot show, is about this operation.
  const other = otherTerminal(inDoubt.operation, inDoubt.result, idsNow(terminal, lastRecord));
  if (other !== null)
    return { kind: 'other_terminal', otherTerminal: other, explanation: otherTerminalText(other) };
  if (baseline.kind === 'unavailable') {
    return needsDecision(`What the terminal showed before is not known: ${baseline.reason}`);
  }
  if (lastRecord.kind === 'unavailable') {
    return needsDecision(`The terminal's last record cannot be read: ${lastRecord.reason}`);
  }
  const doubtful = mayBeAnother(inDoubt, terminal, lastRecord);
  if (doubtful !== null) return needsDecision(doubtful);
  if (lastRecord.kind === 'empty' && baseline.kind === 'record') {
    return needsDecision(
      inDoubt.showsRecords
        ? 'The terminal shows no record any more, although it showed one before.'
        : neverShown,
    );
  }
  const { operation, ...known } = inDoubt;
  const parts = { ...known, baseline, lastRecord };
  switch (operation.kind) {
    case 'sale':
      return reconcileSale({ ...parts, operation });
    case 'void':
      return reconcileVoid({ ...parts, operation });
    case 'batch_close':
      return reconcileBatch(parts);
  }
}

/** `record` is a successful reversal of exactly this payment. */
export function showsReversalOf(
  order: Pick<VoidOrder, 'amountMinor' | 'traceNumber'>,
  terminalId: string | null,
  record: TerminalRecord,
): boolean {
  const { originalTraceNumber, amountMinor } = record;
  return (
    record.kind === 'reversal' &&
    record.approved &&
    order.traceNumber !== null &&
    originalTraceNumber !== null &&
    sameNumber(originalTraceNumber, order.traceNumber) &&
    (amountMinor === null || amountMinor === order.amountMinor) &&
    agreeIfTold(terminalId, record.terminalId)
  );
}

/**
 * A sentence when this cannot be shown to be the terminal that the operation was started on. An id that was told only
 * later is no change: then the counters of a record from before tie the two together.
 */
function mayBeAnother(
  { operation, result }: OperationInDoubt,
  terminal: TerminalIdentity,
  lastRecord: LastRecord,
): string | null {
  const before = idsOfOperation(operation, result);
  const now = idsNow(terminal, lastRecord);
  if (new Set([...before, ...now]).size > 1)
    return 'The terminal reports more than one id, so it may be another one.';
  const tied = before.length > 0 || operation.baseline.kind === 'record';
  return tied && now.length > 0 ? null : 'The terminal does not report its id, so it may be another one.';
}

function needsDecision(explanation: string): ReconciliationResult {
  return { kind: 'needs_decision', explanation };
}
