/** What people have decided about a payment, from the journal. */
import type { JournalReading } from '../../bridge/bridge.ts';
import type { PaymentRow } from '../../bridge/journal/index.ts';
import { maxShownDecisions, type ManualDecision } from '../../contract/console/manual-decision.ts';
import type { JournalEventOf } from '../../contract/journal-events.ts';
import type { TransactionStatus } from '../../contract/operation.ts';

export type DecisionReading = Pick<JournalReading, 'voidsOf' | 'eventsOf'>;

/** Those that a void can have been tried on. */
const maybeVoided: readonly TransactionStatus[] = ['approved', 'voiding', 'voided', 'settled'];

/** About its sale and its voids, oldest first. */
export function decisionsOf(row: PaymentRow, journal: DecisionReading | null): ManualDecision[] {
  if (journal === null) return [];
  const { transactionId, resolvedBy, status } = row;
  const operations = [
    ...(resolvedBy === null ? [] : [transactionId]),
    ...(maybeVoided.includes(status) ? journal.voidsOf(transactionId) : []),
  ];
  return operations
    .flatMap((operationId) => endOf(journal, operationId) ?? [])
    .flatMap((end) => decisionOf(end) ?? [])
    .slice(-maxShownDecisions);
}

/** How an operation ended, and when; null while it has not. */
export function endOf(
  journal: DecisionReading,
  operationId: string,
): { at: string; event: JournalEventOf<'operation_ended'> } | null {
  for (const { at, event } of journal.eventsOf(operationId).toReversed()) {
    if (event.type === 'operation_ended') return { at, event };
  }
  return null;
}

/** Null where no person had to decide. */
export function decisionOf({
  at,
  event: { operationId, outcome, resolvedBy },
}: {
  at: string;
  event: JournalEventOf<'operation_ended'>;
}): ManualDecision | null {
  if (resolvedBy === null) return null;
  const { name: by, reason, terminalUnreachable = false } = resolvedBy;
  return { operationId, at, by, reason, outcome, terminalUnreachable };
}
