/** What a day comes to: its payments, and all that a person should look at again. */
import { setImmediate } from 'node:timers/promises';
import type { JournalReading } from '../../bridge/bridge.ts';
import type { OperationRow } from '../../bridge/journal/index.ts';
import { maxReportItems, type DayReport, type DayReportRequest } from '../../contract/console/index.ts';
import type { JournalEventOf, StoredEvent } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import type { DaySummary } from '../../contract/payment-queries.ts';
import { inParts } from './in-parts.ts';
import { decisionOf } from './manual-decisions.ts';
import { batchViewOf } from './payment-views.ts';

/** More than the busiest till writes in a day; each holds so many events as the journal looks at in one call. */
const maxPages = 200;

interface DayReportOptions extends DayReportRequest {
  journal: JournalReading;
  /** False once the journal has been closed: between two parts everything else has its turn, and that may end it. */
  isOpen: () => boolean;
  /** The till's: it is there on an empty day, too. */
  currency: Currency;
}

/** Null when the journal was closed meanwhile. */
export async function dayReport(options: DayReportOptions): Promise<DayReport | null> {
  const { journal, isOpen, span, compared, currency } = options;
  const currencies = [...new Set([currency, ...journal.currencies(span), ...journal.currencies(compared)])];
  const report: DayReport = {
    currencies: [],
    voids: { count: 0, items: [] },
    doubts: { count: 0, items: [] },
    decisions: { count: 0, items: [] },
    discrepancies: { count: 0, items: [] },
    batches: { count: 0, items: [] },
    complete: true,
  };
  for (const each of currencies) {
    const day = await inParts(journal.summary(span, each), isOpen);
    await setImmediate();
    if (day === null || !isOpen()) return null;
    const before = await inParts(journal.summary(compared, each), isOpen);
    await setImmediate();
    if (before === null || !isOpen()) return null;
    report.currencies.push({ day: sums(day), compared: sums(before) });
  }
  const seen = new Set<string>();
  let from: number | null = null;
  for (let pages = 0; ; pages += 1) {
    const page = journal.dayEvents(span, from);
    for (const stored of page.events) addEvent(report, journal, stored, seen);
    if (page.next === null) break;
    from = page.next;
    if (pages === maxPages) {
      report.complete = false;
      break;
    }
    await setImmediate();
    if (!isOpen()) return null;
  }
  return report;
}

function sums(summary: DaySummary): Omit<DaySummary, 'hours' | 'responseTimes'> {
  const { hours: _hours, responseTimes: _responseTimes, ...rest } = summary;
  return rest;
}

/** `seen`: doubts and discrepancies, which stand there once. */
function addEvent(report: DayReport, journal: JournalReading, stored: StoredEvent, seen: Set<string>): void {
  const { at, event } = stored;
  if (event.type === 'operation_ended') {
    addEnd(report, journal, { at, event });
  } else if (event.type === 'operation_in_doubt') {
    const row = once(seen, event.operationId) ? journal.operation(event.operationId) : null;
    if (row !== null) add(report.doubts, { at, ...about(row), outcome: row.outcome, endedAt: row.endedAt });
  } else if (event.type === 'discrepancy_found' || event.type === 'discrepancy_acknowledged') {
    const found = once(seen, event.discrepancyId) ? journal.discrepancy(event.discrepancyId) : null;
    if (found !== null) add(report.discrepancies, found);
  }
}

function addEnd(
  report: DayReport,
  journal: JournalReading,
  end: { at: string; event: JournalEventOf<'operation_ended'> },
): void {
  const row = journal.operation(end.event.operationId);
  if (row === null) return;
  const { outcome, result } = end.event;
  const decision = decisionOf(end);
  if (decision !== null) add(report.decisions, { ...about(row), ...decision });
  if (outcome === 'voided') {
    const amountMinor = result?.amountMinor ?? about(row).amountMinor;
    add(report.voids, { at: end.at, ...about(row), amountMinor, byHand: decision !== null });
  }
  if (outcome === 'closed') {
    const batch = batchViewOf(journal, row);
    if (batch !== null) add(report.batches, batch);
  }
}

function about({ operationId, kind, reference, paymentId, started }: OperationRow) {
  const amountMinor = started.kind === 'batch_close' ? null : started.amountMinor;
  return { operationId, kind, reference, transactionId: paymentId, amountMinor, currency: started.currency };
}

function once(seen: Set<string>, id: string): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  return true;
}

function add<T>(list: { count: number; items: T[] }, item: T): void {
  list.count += 1;
  if (list.items.length < maxReportItems) list.items.push(item);
}
