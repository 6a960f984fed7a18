/** Payments, their timelines and batches as the console shows them. */
import type { JournalReading } from '../../bridge/bridge.ts';
import type { AmountPage, BatchRow, OperationRow, PaymentRow } from '../../bridge/journal/index.ts';
import { approvedMinor, batchToClose, totalOf } from '../../bridge/payments/index.ts';
import type {
  BatchesRequest,
  BatchesResponse,
  BatchView,
  PaymentDetail,
  PaymentTotals,
  PaymentView,
  TakenSum,
} from '../../contract/console/index.ts';
import type { InDoubtView } from '../../contract/in-doubt.ts';
import type { Currency } from '../../contract/money.ts';
import { isTaken } from '../../contract/operation.ts';
import { mainTerminal } from '../../contract/terminal-name.ts';
import type { LogStore } from '../../log/index.ts';
import { decisionsOf, type DecisionReading } from './manual-decisions.ts';
import { timelineOf } from './payment-timeline.ts';

/** `journal` is asked for voids that were decided by hand; null where it cannot be read. */
export function paymentView(row: PaymentRow, journal: DecisionReading | null): PaymentView {
  const { result } = row;
  return {
    position: row.position,
    transactionId: row.transactionId,
    reference: row.reference,
    conditionCode: row.conditionCode,
    amountMinor: row.amountMinor,
    approvedMinor: approvedMinor(row),
    currency: row.currency,
    status: row.status,
    simulated: row.simulated,
    terminal: row.terminal,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    completedAt: row.completedAt,
    reason: row.reason,
    approvalCode: result?.approvalCode ?? null,
    maskedCardNumber: result?.maskedCardNumber ?? null,
    cardScheme: result?.cardScheme ?? null,
    receiptNumber: result?.receiptNumber ?? null,
    traceNumber: result?.traceNumber ?? null,
    receiptLines: row.receiptLines,
    batchNumber: row.batchNumber ?? result?.batchNumber ?? null,
    decisions: decisionsOf(row, journal),
  };
}

/** For a view of something on this terminal: its name, where it is not the main one. */
export function onTerminalOf(name: string): { onTerminal?: string } {
  return name === mainTerminal ? {} : { onTerminal: name };
}

export function paymentTotals({ amounts, next, nextAt }: AmountPage): PaymentTotals {
  const sums = new Map<Currency, TakenSum>();
  for (const { currency, status, minor } of amounts) {
    if (!isTaken(status)) continue;
    const { count, sumMinor } = sums.get(currency) ?? { count: 0, sumMinor: 0 };
    sums.set(currency, { currency, count: count + 1, sumMinor: sumMinor + minor });
  }
  const taken = [...sums.values()].toSorted(byCurrency);
  return { count: amounts.length, taken, newest: amounts[0]?.position ?? null, next, nextAt };
}

function byCurrency(one: TakenSum, other: TakenSum): number {
  return one.currency < other.currency ? -1 : 1;
}

export function paymentDetail(options: {
  row: PaymentRow;
  journal: JournalReading;
  /** The name of the one that has it. */
  terminal: string;
  inDoubt: InDoubtView[];
  logStore: LogStore | null;
}): PaymentDetail {
  const { row, journal, terminal, inDoubt, logStore } = options;
  const operationIds = [row.transactionId, ...journal.voidsOf(row.transactionId)];
  const discrepancies = journal.discrepanciesOf(row.reference);
  const { timeline, leftOut } = timelineOf({
    events: operationIds
      .flatMap((operationId) => journal.eventsOf(operationId))
      // They are among the discrepancies, with all others that name this payment.
      .filter(({ event }) => event.type !== 'discrepancy_found'),
    discrepancies,
    logged: logStore?.linesOf({ operationIds, reference: row.reference }) ?? { lines: [], leftOut: 0 },
  });
  return {
    payment: { ...paymentView(row, journal), ...onTerminalOf(terminal) },
    timeline,
    leftOut,
    doubtOperationId:
      inDoubt.find(({ operationId }) => operationIds.includes(operationId))?.operationId ?? null,
    discrepancies: discrepancies.filter(({ acknowledged }) => acknowledged === null),
  };
}

export function batchesResponse(
  journal: JournalReading,
  { before, limit }: Omit<BatchesRequest, 'terminal'>,
  currency: Currency,
): BatchesResponse {
  // One more than wanted: if it is there, there is a further page.
  const rows = journal.batches({ limit: limit + 1, before: before ?? undefined });
  const shown = rows.slice(0, limit);
  const open = batchToClose(journal);
  const sums = [...Map.groupBy(open, (payment) => payment.currency)].map(([its, payments]): TakenSum => {
    const { count, totalMinor } = totalOf(payments);
    return { currency: its, count, sumMinor: totalMinor };
  });
  const nothing: TakenSum = { currency, count: 0, sumMinor: 0 };
  return {
    batches: shown.map(batchView),
    next: rows.length > limit ? (shown.at(-1)?.position ?? null) : null,
    open: { count: open.length, sums: sums.length === 0 ? [nothing] : sums.toSorted(byCurrency) },
  };
}

/** The batch that an operation closed or was to close; null for another operation. */
export function batchViewOf(
  journal: Pick<JournalReading, 'batches'>,
  { operationId, position }: OperationRow,
): BatchView | null {
  const [row] = journal.batches({ limit: 1, before: position + 1 });
  return row?.operationId === operationId ? batchView(row) : null;
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
