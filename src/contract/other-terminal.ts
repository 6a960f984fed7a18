/** Whether the terminal that answers now is the one that an operation was started on, by the ids that were told. */
import type { OperationStarted } from './journal-events.ts';
import type { LastRecord, OtherTerminal, TerminalIdentity, TerminalRecord } from './terminal.ts';

/** All ids that the operation's own terminal has told. */
export function idsOfOperation(started: OperationStarted, result: TerminalRecord | null): string[] {
  return told([started.terminal.terminalId, idIn(started.baseline), result?.terminalId ?? null]);
}

export function idsNow(terminal: TerminalIdentity, lastRecord: LastRecord): string[] {
  return told([terminal.terminalId, idIn(lastRecord)]);
}

/** Null where both may be the same one: an id in common, or one of them has told none. */
export function otherTerminal(
  started: OperationStarted,
  result: TerminalRecord | null,
  connected: readonly string[],
): OtherTerminal | null {
  const expected = idsOfOperation(started, result);
  const [first] = expected;
  const [now] = connected;
  if (first === undefined || now === undefined || connected.some((id) => expected.includes(id))) return null;
  return { expected: first, connected: now };
}

/**
 * Why an answer is not that of the terminal that an operation is for, as `otherTerminalText`; null where it may be. Either id
 * is null where it was not told.
 */
export function otherTerminalReason(expected: string | null, connected: string | null): string | null {
  if (expected === null || connected === null || connected === expected) return null;
  return otherTerminalText({ expected, connected });
}

/** A sentence for support staff. Nothing that one terminal shows says anything about what another one did. */
export function otherTerminalText({ expected, connected }: OtherTerminal): string {
  return `Another terminal is connected: ${connected} instead of ${expected}. What it shows proves nothing here. Connect ${expected} again, or decide without it.`;
}

/** Why no close was sent: a terminal that cannot say which it is does not hold what it should. */
export const otherBatchText =
  'The terminal does not know the newest payment of the batch: it was settled by hand or reset, or is another one. Nothing ' +
  'was settled.';

function idIn(lastRecord: LastRecord): string | null {
  return lastRecord.kind === 'record' ? lastRecord.record.terminalId : null;
}

function told(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
