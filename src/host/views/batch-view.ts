/** Batches as the console shows them. */
import type { JournalReading } from '../../bridge/bridge.ts';
import type { BatchRow } from '../../bridge/journal/index.ts';
import { openBatch, totalOf } from '../../bridge/payments/index.ts';
import type { BatchView, BatchesRequest, BatchesResponse } from '../../contract/console/index.ts';
import type { Currency } from '../../contract/money.ts';

export function batchesResponse(
  journal: JournalReading,
  { before, limit }: BatchesRequest,
  currency: Currency,
): BatchesResponse {
  // One more than wanted tells whether there is a further page.
  const rows = journal.batches({ limit: limit + 1, before: before ?? undefined });
  const shown = rows.slice(0, limit);
  const terminal = journal.terminalState();
  const open = openBatch(journal.unsettledPayments(terminal.batchEpoch), terminal);
  return {
    batches: shown.map(batchView),
    next: rows.length > limit ? (shown.at(-1)?.position ?? null) : null,
    open: { ...totalOf(open), currency },
  };
}

function batchView(row: BatchRow): BatchView {
  const { started } = row;
  return {
    position: row.position,
    operationId: row.operationId,
    phase: row.phase,
    outcome: row.outcome,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    reason: row.reason,
    currency: started.currency,
    expected: started.expected,
    result: row.batch,
  };
}
