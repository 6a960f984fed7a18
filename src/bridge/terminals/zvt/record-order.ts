/** How two records of one terminal follow on each other, by their counters. Pure. */
import { recordsAgree, sameNumber, type TerminalRecord } from '../../../contract/terminal.ts';
import { isNextNumber } from '../counters.ts';

/**
 * Both are the same record: the same trace number, the same kind of thing with the same end, and whatever else both of
 * them tell agrees. Terminals leave fields out when they show a record again, so a field that only one has is no
 * difference. The PC's clock has no part in it: date and time are the terminal's own, and only tell records apart.
 */
export function isSameRecord(one: TerminalRecord, other: TerminalRecord): boolean {
  if (one.traceNumber === null || other.traceNumber === null) return false;
  return (
    sameNumber(one.traceNumber, other.traceNumber) &&
    one.originalTraceNumber === other.originalTraceNumber &&
    recordsAgree(one, other)
  );
}

/**
 * `current` is exactly the one after `previous`: by its trace number, and by its receipt number wherever both records
 * have one (a batch close and most refused attempts have none). Wrapped counters count as next. Up to `between` numbers
 * may have been used up by records of ours that had none.
 */
export function isNextRecord(previous: TerminalRecord, current: TerminalRecord, between = 0): boolean {
  if (!isNextTrace(previous, current, between)) return false;
  const { receiptNumber } = previous;
  return (
    receiptNumber === null ||
    current.receiptNumber === null ||
    isNextNumber(receiptNumber, current.receiptNumber, between)
  );
}

export function isNextTrace(previous: TerminalRecord, current: TerminalRecord, between = 0): boolean {
  const { traceNumber } = previous;
  return (
    traceNumber !== null &&
    current.traceNumber !== null &&
    isNextNumber(traceNumber, current.traceNumber, between)
  );
}
