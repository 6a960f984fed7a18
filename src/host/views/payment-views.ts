/** Payments, their timelines and batches as the console shows them. */
import { z } from 'zod';
import type { JournalReading } from '../../bridge/bridge.ts';
import type { AmountPage, BatchRow, PaymentRow } from '../../bridge/journal/index.ts';
import { approvedMinor, openBatch, totalOf } from '../../bridge/payments/index.ts';
import type {
  BatchesRequest,
  BatchesResponse,
  BatchView,
  LogLine,
  PaymentDetail,
  PaymentTotals,
  PaymentView,
  TakenSum,
  TimelineEntry,
} from '../../contract/console/index.ts';
import type { DiscrepancyView } from '../../contract/discrepancy.ts';
import type { InDoubtView } from '../../contract/in-doubt.ts';
import type { Currency } from '../../contract/money.ts';
import { isTaken } from '../../contract/operation.ts';
import type { LogStore } from '../../log/index.ts';
import { decisionsOf, type DecisionReading } from './manual-decisions.ts';

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

export function paymentTotals({ amounts, next, nextAt }: AmountPage): PaymentTotals {
  const sums = new Map<Currency, TakenSum>();
  for (const { currency, status, minor } of amounts) {
    if (!isTaken(status)) continue;
    const { count, sumMinor } = sums.get(currency) ?? { count: 0, sumMinor: 0 };
    sums.set(currency, { currency, count: count + 1, sumMinor: sumMinor + minor });
  }
  const taken = [...sums.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
  return { count: amounts.length, taken, newest: amounts[0]?.position ?? null, next, nextAt };
}

/** A longer timeline is shown from both ends. */
const maxEntries = 1_000;

export function paymentDetail(options: {
  row: PaymentRow;
  journal: JournalReading;
  inDoubt: InDoubtView[];
  logStore: LogStore | null;
}): PaymentDetail {
  const { row, journal, inDoubt, logStore } = options;
  const operationIds = [row.transactionId, ...journal.voidsOf(row.transactionId)];
  const journaled = operationIds
    .flatMap((operationId) => journal.eventsOf(operationId))
    // Added below, with all others that name this payment.
    .filter(({ event }) => event.type !== 'discrepancy_found')
    .map((stored): TimelineEntry => ({ kind: 'journal_event', at: stored.at, stored }));
  const discrepancies = journal.discrepanciesOf(row.reference);
  const logged = logStore?.linesOf({ operationIds, reference: row.reference }) ?? { lines: [], leftOut: 0 };
  const entries = inOrder([
    ...journaled,
    ...discrepancies.flatMap(discrepancyEntries),
    ...logged.lines.flatMap(timelineEntriesOf),
  ]);
  const { kept, leftOut } = withoutMiddle(entries);
  return {
    payment: paymentView(row, journal),
    timeline: kept,
    leftOut: leftOut + logged.leftOut,
    doubtOperationId:
      inDoubt.find(({ operationId }) => operationIds.includes(operationId))?.operationId ?? null,
    discrepancies: discrepancies.filter(({ acknowledged }) => acknowledged === null),
  };
}

function discrepancyEntries(discrepancy: DiscrepancyView): TimelineEntry[] {
  const { foundAt, acknowledged } = discrepancy;
  const kind = 'discrepancy' as const;
  const found: TimelineEntry = { kind, at: foundAt, step: 'found', discrepancy };
  return acknowledged === null
    ? [found]
    : [found, { kind, at: acknowledged.at, step: 'acknowledged', discrepancy }];
}

/** The order within one millisecond: request, journal event, what happens on the line, response. */
const rank: Record<TimelineEntry['kind'], number> = {
  pos_request: 0,
  journal_event: 1,
  discrepancy: 1,
  frame: 2,
  log: 2,
  pos: 3,
};

function inOrder(entries: TimelineEntry[]): TimelineEntry[] {
  // Stable: journal events among themselves, and lines among themselves, stay in the order of their numbers.
  return entries.toSorted(
    (one, other) => one.at.localeCompare(other.at) || rank[one.kind] - rank[other.kind],
  );
}

function withoutMiddle(entries: TimelineEntry[]): { kept: TimelineEntry[]; leftOut: number } {
  if (entries.length <= maxEntries) return { kept: entries, leftOut: 0 };
  const half = maxEntries / 2;
  return { kept: [...entries.slice(0, half), ...entries.slice(-half)], leftOut: entries.length - maxEntries };
}

/** As the listener logs each command that it has answered. */
const answeredFields = z.object({
  command: z.string(),
  status: z.number().int(),
  duration_ms: z.number(),
  request_id: z.string(),
});

/** As the wire trace of a protocol logs each frame. */
const frameFields = z.object({
  direction: z.enum(['to_terminal', 'from_terminal']),
  frame: z.string().optional(),
  ctrl: z.string(),
  length: z.number().int(),
  hex: z.string().nullable().default(null),
  fields: z.array(z.tuple([z.string(), z.string()])).catch([]),
});

/** One entry, or two: the log has one line for a request and its answer. */
function timelineEntriesOf(line: LogLine): TimelineEntry[] {
  return posEntries(line) ?? [frameEntry(line) ?? { kind: 'log', at: line.time, line }];
}

function posEntries({ source, fields, time, id }: LogLine): TimelineEntry[] | null {
  if (source !== 'listener') return null;
  const answered = answeredFields.safeParse(fields);
  if (!answered.success) return null;
  const { command, status, duration_ms: durationMs, request_id: requestId } = answered.data;
  const askedAt = new Date(Date.parse(time) - durationMs).toISOString();
  return [
    { kind: 'pos_request', at: askedAt, command, requestId, logLineId: id },
    { kind: 'pos', at: time, command, httpStatus: status, durationMs, requestId, logLineId: id },
  ];
}

function frameEntry(line: LogLine): TimelineEntry | null {
  if (line.source !== 'zvt') return null;
  const parsed = frameFields.safeParse(line.fields);
  if (!parsed.success) return null;
  const { direction, frame, ctrl, length, hex, fields } = parsed.data;
  return {
    kind: 'frame',
    at: line.time,
    direction,
    name: frame ?? line.message,
    control: ctrl,
    lengthBytes: length,
    hex: hex?.replaceAll(':', ' ') ?? null,
    fields,
    logLineId: line.id,
  };
}

export function batchesResponse(
  journal: JournalReading,
  { before, limit }: BatchesRequest,
  currency: Currency,
): BatchesResponse {
  // One more than wanted: if it is there, there is a further page.
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
