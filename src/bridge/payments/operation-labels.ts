/** How lines of the log name an operation. */
import type { OperationStarted } from '../../contract/journal-events.ts';

/** What ties a line of the log to an operation. A batch close has no reference. */
export function labelsOf({ operationId, reference }: { operationId: string; reference?: string | null }) {
  return reference == null ? { operation_id: operationId } : { operation_id: operationId, reference };
}

/** "sale", "void", "batch close". */
export function kindOf(operation: OperationStarted): string {
  return operation.kind.replace('_', ' ');
}
