/**
 * What the office reads of a journal's events. It takes less of them than `journal-events.ts` has, and is content with
 * more: a bridge may be some versions older or newer, and a field that nobody here asks for may be anything.
 */
import { z } from 'zod';
import { dayOf, isUsualMoment, momentMs } from '../database/days.ts';

const terminal = z.object({ protocol: z.string(), terminalId: z.string().nullable() });
const minor = z.number().int();
const text = z.string().nullish();

const record = z.object({
  amountMinor: minor.nullish(),
  terminalId: text,
  receiptNumber: text,
  traceNumber: text,
  approvalCode: text,
  maskedCardNumber: text,
  cardScheme: text,
  merchantId: text,
  batchNumber: text,
});

export const eventReaders = {
  sale: z.object({
    operationId: z.uuid(),
    terminal,
    simulated: z.boolean(),
    reference: z.string(),
    conditionCode: z.string(),
    amountMinor: minor,
    currency: z.string(),
  }),
  void: z.object({
    operationId: z.uuid(),
    terminal,
    paymentId: z.uuid(),
    reference: z.string(),
    amountMinor: minor,
    currency: z.string(),
  }),
  batch_close: z.object({
    operationId: z.uuid(),
    terminal,
    currency: z.string(),
    expected: z.object({ count: z.number().int(), totalMinor: minor }),
  }),
  operation_in_doubt: z.object({ operationId: z.uuid(), reason: z.string() }),
  evidence_found: z.object({
    operationId: z.uuid(),
    needsPerson: z.boolean(),
    evidence: z.object({ explanation: z.string() }),
  }),
  operation_ended: z.object({
    operationId: z.uuid(),
    outcome: z.string(),
    reason: z.string(),
    result: record.nullish(),
    resolvedBy: z.object({ name: z.string(), reason: z.string() }).nullish(),
    batch: z
      .object({
        batchNumber: z.string(),
        count: z.number().int().nullable(),
        totalMinor: minor.nullable(),
        reconciled: z.boolean(),
        currency: text,
        totals: z
          .array(z.object({ scheme: z.string(), count: z.number().int(), totalMinor: minor }))
          .default([]),
      })
      .nullish(),
    settled: z.array(z.uuid()).default([]),
  }),
  result_received: z.object({ operationId: z.uuid(), result: record }),
  late_result_received: z.object({ operationId: z.uuid() }),
  terminal_ready: z.object({ terminal, lastRecord: z.object({ record: record.optional() }).optional() }),
  terminal_lost: z.object({ reason: z.string() }),
  terminal_trait_learned: z.object({ trait: z.string() }),
  discrepancy_found: z.object({
    discrepancyId: z.uuid(),
    kind: z.string(),
    message: z.string(),
    operationId: z.uuid().nullable(),
    references: z.array(z.string()),
    amountMinor: minor.nullable(),
    currency: z.string().nullable(),
  }),
  discrepancy_acknowledged: z.object({ discrepancyId: z.uuid(), by: z.string(), reason: z.string() }),
  journal_opened: z.object({ version: z.string() }),
  journal_repaired: z.object({ by: z.string(), reason: z.string(), eventsKept: z.number().int() }),
} as const;

/**
 * The moment as ISO 8601 in UTC; null: the text names none, or one of a year that has not four digits, which nobody can have
 * meant and PostgreSQL gives back in another form.
 */
export function momentOf(at: string): string | null {
  const moment = momentMs(at);
  // NaN is in no range.
  if (!(moment >= earliestMs && moment <= latestMs)) return null;
  // Nearly always it is that already; a 30th of February has another day.
  return isUsualMoment(at) && at.startsWith(dayOf(moment)) ? at : new Date(moment).toISOString();
}

const earliestMs = Date.parse('1000-01-01T00:00:00.000Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

type EventReaders = typeof eventReaders;
export type EventName = keyof EventReaders;
export type ReadEvent<K extends EventName> = z.infer<EventReaders[K]>;
/** What a terminal told of a payment, as far as the office keeps it. */
export type ReadRecord = z.infer<typeof record>;
