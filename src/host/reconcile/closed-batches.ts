/** The closed batches of all terminals, from their journals. */
import { openJournalReadOnly } from '../../bridge/journal/index.ts';
import type { BatchRow } from '../../bridge/journal/index.ts';
import type { ClosedBatch } from '../../reconcile/index.ts';
import { journalsOf, noJournalMessage } from '../data-folder.ts';

export type BatchReading =
  | { ok: true; batches: ClosedBatch[] } /** Nothing may be said of money while a journal is not read. */
  | { ok: false; message: string };

const pageRows = 500;

/**
 * Those closed since `since` (ISO 8601, UTC), on the real terminals or on simulated ones, also while a bridge runs. Throws
 * `JournalWriteError` when folder or disk refuse.
 */
export function readClosedBatches(dataDir: string, simulated: boolean, since: string): BatchReading {
  const places = journalsOf(dataDir, simulated);
  if (places.length === 0)
    return { ok: false, message: noJournalMessage(dataDir, { simulatorOnly: simulated }) };
  const batches: ClosedBatch[] = [];
  for (const { folder, terminal } of places) {
    const opened = openJournalReadOnly(folder);
    if (opened.kind !== 'opened') return { ok: false, message: opened.message };
    try {
      let before: number | undefined;
      for (let rows: BatchRow[] | null = null; rows === null || rows.length === pageRows;) {
        rows = opened.journal.batches({ limit: pageRows, before });
        const last = rows.at(-1);
        for (const row of rows) {
          if (row.outcome === 'closed' && row.startedAt >= since) batches.push(closedBatch(row, terminal));
        }
        if (last === undefined || last.startedAt < since) break;
        before = last.position;
      }
    } finally {
      opened.journal.close();
    }
  }
  return { ok: true, batches };
}

function closedBatch(
  { operationId, started, startedAt, result, batch }: BatchRow,
  terminal: string,
): ClosedBatch {
  return {
    id: operationId,
    terminal,
    terminalId: result?.terminalId ?? started.terminal.terminalId,
    merchantId: result?.merchantId ?? null,
    // The terminal's own: where it has none, the journal counts for itself, and no acquirer knows that number.
    number: result?.batchNumber ?? null,
    // Recovery or a person may have said days later that it was closed.
    closedAt: startedAt,
    currency: batch?.currency ?? started.currency,
    count: batch === null ? started.expected.count : batch.count,
    totalMinor: batch?.totalMinor ?? started.expected.totalMinor,
    totals: batch?.totals ?? [],
  };
}
