/** SubmitBatch. */
import type { Answer } from '../../contract/errors.ts';
import { refuse } from '../../contract/errors.ts';
import type { BatchResult } from '../../contract/journal-events.ts';
import { formatAmount } from '../../contract/money.ts';
import type { LastRecord } from '../../contract/terminal.ts';
import { totalOf } from './batch.ts';
import type { Engine } from './engine.ts';
import { deadline, journalFailure, stillBusy, undecided } from './payment-commands.ts';
import { expectedBatch } from './operations.ts';

export async function batchCommand(
  engine: Engine,
  waitMs: number,
): Promise<Answer<{ batch: BatchResult | null; text: string }>> {
  const { journal, options } = engine;
  const waited = deadline(engine);
  for (;;) {
    const open = journal.openOperations().find((row) => row.kind === 'batch_close');
    if (open !== undefined) return endOfBatch(engine, open.operationId, waitMs);
    const claim = engine.claim('batch_close');
    if (!('kind' in claim)) return claim;
    if (claim.kind === 'housekeeping') {
      if (waited.over()) return stillBusy;
      await engine.settled(waited.leftMs());
      continue;
    }
    const payments = expectedBatch(journal);
    if (payments.length === 0 && holdsNothing(journal.terminalState().lastRecord)) {
      return { ok: true, value: { batch: null, text: 'There is nothing to settle.' } };
    }
    const { currency } = options;
    const operation = {
      ...engine.newOperation(),
      type: 'operation_started' as const,
      kind: 'batch_close' as const,
      currency,
      expected: totalOf(payments),
    };
    try {
      engine.begin(claim, operation, (driver, watch) => driver.closeBatch({ currency }, watch));
    } catch (error) {
      return journalFailure(error);
    }
    return endOfBatch(engine, operation.operationId, waitMs);
  }
}

/** The terminal's last record says by itself that its open batch is empty. */
function holdsNothing(lastRecord: LastRecord): boolean {
  return (
    lastRecord.kind === 'empty' || (lastRecord.kind === 'record' && lastRecord.record.kind === 'batch_close')
  );
}

async function endOfBatch(
  engine: Engine,
  operationId: string,
  waitMs: number,
): Promise<Answer<{ batch: BatchResult | null; text: string }>> {
  const row = await engine.waitForEnd(operationId, waitMs);
  if (row.outcome === 'closed') {
    const ended = engine.journal.eventsOf(operationId).find(({ event }) => event.type === 'operation_ended');
    const batch = ended?.event.type === 'operation_ended' ? ended.event.batch : null;
    if (batch === null) throw new Error(`closed batch ${operationId} has no totals`);
    return { ok: true, value: { batch, text: textOf(batch) } };
  }
  if (row.outcome === 'not_closed') {
    const code = engine.wasNeverSent(operationId) ? 'terminal_unavailable' : 'terminal_error';
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
