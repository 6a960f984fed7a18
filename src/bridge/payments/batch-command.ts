/** SubmitBatch. */
import type { Answer } from '../../contract/errors.ts';
import { refuse } from '../../contract/errors.ts';
import type { BatchResult } from '../../contract/journal-events.ts';
import { formatAmount } from '../../contract/money.ts';
import type { LastRecord } from '../../contract/terminal.ts';
import { totalOf } from './batch.ts';
import { afterHousekeeping, tryToBegin, undecided, type CommandContext } from './command-context.ts';
import { expectedBatch } from './operations.ts';

export async function batchCommand(
  context: CommandContext,
  waitMs: number,
): Promise<Answer<{ batch: BatchResult | null; text: string }>> {
  const begun = await afterHousekeeping(context, () => beginBatch(context));
  return 'operationId' in begun ? endOfBatch(context, begun.operationId, waitMs) : begun;
}

/** A new close or the one under way; or the answer, where there is nothing to do or it cannot be done. */
function beginBatch(context: CommandContext) {
  const { journal, currency } = context;
  const open = journal.openOperations().find((row) => row.kind === 'batch_close');
  if (open !== undefined) return { operationId: open.operationId };
  const claim = context.claim('batch_close');
  if (!('kind' in claim) || claim.kind === 'housekeeping') return claim;
  const payments = expectedBatch(journal);
  if (payments.length === 0 && holdsNothing(journal.terminalState().lastRecord)) {
    return { ok: true as const, value: { batch: null, text: 'There is nothing to settle.' } };
  }
  const operation = {
    ...context.newOperation(),
    type: 'operation_started' as const,
    kind: 'batch_close' as const,
    currency,
    batchEpoch: journal.terminalState().batchEpoch,
    expected: totalOf(payments),
  };
  const failure = tryToBegin(context, claim, operation, (driver, watch) =>
    driver.closeBatch({ currency }, watch),
  );
  return failure ?? { operationId: operation.operationId };
}

/** The terminal's last record says by itself that its open batch is empty. */
function holdsNothing(lastRecord: LastRecord): boolean {
  return (
    lastRecord.kind === 'empty' || (lastRecord.kind === 'record' && lastRecord.record.kind === 'batch_close')
  );
}

async function endOfBatch(
  context: CommandContext,
  operationId: string,
  waitMs: number,
): Promise<Answer<{ batch: BatchResult | null; text: string }>> {
  const row = await context.waitForEnd(operationId, waitMs);
  if (row.outcome === 'closed') {
    const ended = context.journal.eventsOf(operationId).find(({ event }) => event.type === 'operation_ended');
    const batch = ended?.event.type === 'operation_ended' ? ended.event.batch : null;
    if (batch === null) throw new Error(`closed batch ${operationId} has no totals`);
    return { ok: true, value: { batch, text: textOf(batch) } };
  }
  if (row.outcome === 'not_closed') {
    const code = context.wasNeverSent(operationId) ? 'terminal_unavailable' : 'terminal_error';
    return refuse(code, `The batch was not closed: ${row.reason}`);
  }
  return undecided(row, 'the batch close');
}

function textOf(batch: BatchResult): string {
  const total = `${formatAmount(batch.totalMinor, batch.currency)} ${batch.currency}`;
  const closed = `The batch was closed: ${batch.count} ${batch.count === 1 ? 'payment' : 'payments'}, ${total}.`;
  if (batch.reconciled) return closed;
  return `${closed} The terminal’s totals were not found equal to the journal’s; see the differences.`;
}
