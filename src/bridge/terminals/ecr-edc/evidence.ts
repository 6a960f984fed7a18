/**
 * How a payment follows on the one before it. No terminal tells by itself that somebody closed its batch; the next payment shows
 * it, by another batch number (field 50), or by an invoice number that begins anew.
 */
import {
  sameNumber,
  type Continuity,
  type LastRecord,
  type TerminalRecord,
} from '../../../contract/terminal.ts';

const invoices = 1_000_000;
/** So far the invoice number may go on when it passes its highest. */
const mayWrapBy = 1_000;

/** `batch`: one was closed between the two payments. Of anything else it says nothing. Pure. */
export function continuity(previous: LastRecord, current: LastRecord): Continuity {
  if (previous.kind !== 'record' || current.kind !== 'record') return 'unknown';
  const [before, now] = [previous.record, current.record];
  if (!isPayment(before) || !isPayment(now) || !isOneHost(before, now)) return 'unknown';
  return isOtherBatch(before.batchNumber, now.batchNumber) ||
    !isHigher(before.receiptNumber, now.receiptNumber)
    ? 'batch'
    : 'unknown';
}

/** Both are told, and differ. */
export function isOtherBatch(one: string | null | undefined, other: string | null): boolean {
  return one != null && other !== null && !sameNumber(one, other);
}

function isPayment({ kind, approved }: TerminalRecord): boolean {
  return kind === 'payment' && approved;
}

/** Each host of a terminal may count its own batches; it has an id or a merchant of its own then. */
function isOneHost(one: TerminalRecord, other: TerminalRecord): boolean {
  return one.terminalId === other.terminalId && one.merchantId === other.merchantId;
}

/** Also where one of them is not told, or is no number. */
function isHigher(before: string | null, now: string | null): boolean {
  const [from, to] = [Number(before ?? NaN), Number(now ?? NaN)];
  return Number.isNaN(from) || Number.isNaN(to) || to > from || to + invoices - from < mayWrapBy;
}
