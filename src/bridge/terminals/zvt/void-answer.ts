/**
 * What ties a reversal to the payment that it was to undo. A reversal cannot be taken back, and terminals exist that
 * reverse their last payment whatever receipt is named; so nothing counts that does not name the payment.
 */
import {
  emptyRecord,
  sameNumber,
  type PrintedLines,
  type TerminalRecord,
} from '../../../contract/terminal.ts';
import type { OperationAnswer, OperationWatch, VoidOrder } from '../terminal-driver.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { showsReversalOf } from './evidence.ts';
import { readLastRecord } from './last-record.ts';
import { resultText, alreadyReversedCode } from './wire/index.ts';
import type { SequenceEnd } from './sequence.ts';

interface Parts {
  context: ExchangeContext;
  order: VoidOrder;
  watch: OperationWatch;
}

/** The answer to a void, with its last record read where its own answer does not name the payment. */
export async function answerOfVoid(parts: Parts, end: SequenceEnd): Promise<OperationAnswer> {
  if (end.code === alreadyReversedCode) return reversedBefore(parts, end);
  if (end.answer.kind !== 'done' || namesPayment(parts.order, end.answer.record)) return end.answer;
  const { kind: _kind, record, ...printed } = end.answer;
  const shown = await shownReversal(parts);
  // A reversal from before would have another number than the one that was answered now.
  if (shown === null || !agree(record.traceNumber, shown.traceNumber)) {
    const reason = 'The terminal reversed something, but nothing that it says names this payment.';
    return { kind: 'unknown', reason };
  }
  return persisted(parts.watch, shown, printed);
}

/** By the trace number of the original (BMP 37), or, without one, by the payment's own trace or receipt number. */
function namesPayment(order: VoidOrder, record: TerminalRecord): boolean {
  const { originalTraceNumber, traceNumber, receiptNumber } = record;
  if (originalTraceNumber !== null && order.traceNumber !== null)
    return sameNumber(originalTraceNumber, order.traceNumber);
  if (receiptNumber !== null && sameNumber(receiptNumber, order.receiptNumber)) return true;
  return traceNumber !== null && order.traceNumber !== null && sameNumber(traceNumber, order.traceNumber);
}

/**
 * The terminal says that the payment is reversed already (B4). That is our reversal only if its last record shows it;
 * else somebody else reversed it, or the terminal means another payment, and a person has to find out.
 */
async function reversedBefore(parts: Parts, end: SequenceEnd): Promise<OperationAnswer> {
  // Kept first, so that the reconciliation knows it, also where the terminal said it in a bare refusal.
  if (end.answer.kind !== 'declined' || end.answer.record === null)
    parts.watch.persistResult(alreadyReversed());
  const shown = await shownReversal(parts);
  if (shown !== null) return persisted(parts.watch, shown, { receiptLines: [] });
  const reason =
    'The terminal says that the payment is reversed already, but its last record does not show that.';
  return { kind: 'unknown', reason };
}

/** The terminal's last record, if that is a reversal of exactly this payment. */
async function shownReversal({ context, order }: Parts): Promise<TerminalRecord | null> {
  const shown = await readLastRecord(context);
  if (shown.kind === 'not_ready' || shown.lastRecord.kind !== 'record') return null;
  const record = context.ids.recognise(shown.lastRecord.record);
  return showsReversalOf(order, context.ids.id, record) ? record : null;
}

function persisted(watch: OperationWatch, record: TerminalRecord, printed: PrintedLines): OperationAnswer {
  if (watch.persistResult(record)) return { kind: 'done', record, ...printed };
  return { kind: 'unknown', reason: 'The reversal could not be written to disk.' };
}

function alreadyReversed(): TerminalRecord {
  return {
    ...emptyRecord(),
    resultCode: alreadyReversedCode.toString(16),
    resultText: resultText(alreadyReversedCode),
  };
}

function agree(one: string | null, other: string | null): boolean {
  return one === null || other === null || sameNumber(one, other);
}
