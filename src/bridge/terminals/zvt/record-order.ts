/** How two records of one terminal follow on each other, by their counters. Pure. */
import { sameNumber, type TerminalRecord } from '../../../contract/terminal.ts';
import { isNextNumber } from './counters.ts';

/**
 * Both are the same record: the same trace number, the same kind of thing with the same end, and whatever else both of
 * them tell agrees. Terminals leave fields out when they show a record again, so a field that only one has is no
 * difference. The PC's clock has no part in it: date and time are the terminal's own, and only tell records apart.
 */
export function isSameRecord(one: TerminalRecord, other: TerminalRecord): boolean {
  if (one.traceNumber === null || other.traceNumber === null) return false;
  return (
    sameNumber(one.traceNumber, other.traceNumber) &&
    one.kind === other.kind &&
    one.approved === other.approved &&
    one.originalTraceNumber === other.originalTraceNumber &&
    agree(one.receiptNumber, other.receiptNumber) &&
    agree(one.turnoverNumber, other.turnoverNumber) &&
    agree(one.amountMinor, other.amountMinor) &&
    agree(one.terminalDate, other.terminalDate) &&
    agree(one.terminalTime, other.terminalTime)
  );
}

/**
 * `current` is exactly the one after `previous`: by its trace number, and by its receipt number wherever both records
 * have one (a batch close and most refused attempts have none). Wrapped counters count as next.
 */
export function isNextRecord(previous: TerminalRecord, current: TerminalRecord): boolean {
  if (!isNextTrace(previous, current)) return false;
  const { receiptNumber } = previous;
  return (
    receiptNumber === null ||
    current.receiptNumber === null ||
    isNextNumber(receiptNumber, current.receiptNumber)
  );
}

export function isNextTrace(previous: TerminalRecord, current: TerminalRecord): boolean {
  const { traceNumber } = previous;
  return (
    traceNumber !== null && current.traceNumber !== null && isNextNumber(traceNumber, current.traceNumber)
  );
}

function agree<T>(one: T | null, other: T | null): boolean {
  return one === null || other === null || one === other;
}
