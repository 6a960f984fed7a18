/** Payments, batches and timelines as the console shows them. */
import { z } from 'zod';
import { manualDecisionSchema, maxShownDecisions } from './manual-decision.ts';
import { discrepancyViewSchema } from '../discrepancy.ts';
import { batchResultSchema, storedEventSchema } from '../journal-events.ts';
import { currencySchema, maxCurrencies } from '../money.ts';
import { operationOutcomeSchema, operationPhaseSchema, transactionStatusSchema } from '../operation.ts';
import { paymentFilterSchema, paymentOrderSchema, takenSumSchema } from '../payment-queries.ts';
import { receiptCopySchema, terminalIdentitySchema, terminalRecordSchema } from '../terminal.ts';
import { frameFieldSchema } from '../frame.ts';
import { logLineSchema } from '../log.ts';
import { ofTerminal } from './of-terminal.ts';

export const paymentViewSchema = z.object({
  /** Grows with each payment; the page key. */
  position: z.number().int(),
  transactionId: z.string(),
  /** The terminal that has it, where that is not the main one. */
  onTerminal: z.string().optional(),
  reference: z.string(),
  conditionCode: z.string(),
  /** What was asked for. */
  amountMinor: z.number().int(),
  /** What the terminal took; null where it took nothing, and while nobody knows. */
  approvedMinor: z.number().int().nullable(),
  currency: currencySchema,
  status: transactionStatusSchema,
  simulated: z.boolean(),
  terminal: terminalIdentitySchema,
  createdAt: z.string(),
  /** When it got the status that it has. */
  updatedAt: z.string(),
  completedAt: z.string().nullable(),
  /** Why it ended, or why it is in doubt (a sentence in English). */
  reason: z.string(),
  approvalCode: z.string().nullable(),
  maskedCardNumber: z.string().nullable(),
  cardScheme: z.string().nullable(),
  receiptNumber: z.string().nullable(),
  traceNumber: z.string().nullable(),
  receiptLines: z.array(z.string()),
  batchNumber: z.string().nullable(),
  /** What was decided by hand about its sale and its voids, oldest first; nearly always nothing. */
  decisions: z.array(manualDecisionSchema).max(maxShownDecisions),
});
export type PaymentView = z.infer<typeof paymentViewSchema>;

/** What a payment is about, in minor units: what the terminal took (with a tip, say), else what was asked for. */
export function takenMinor({ approvedMinor, amountMinor }: PaymentView): number {
  return approvedMinor ?? amountMinor;
}

export const maxPaymentPage = 200;
export const paymentsRequestSchema = z.object({
  filter: paymentFilterSchema,
  /** Left out: newest first. By amount it is refused unless `canSortByAmount`. */
  order: paymentOrderSchema.optional(),
  /** `next` of the page before as it was given, or a position (what fits below it); null: the first page. */
  before: z.number().int().nullable(),
  limit: z.number().int().min(1).max(maxPaymentPage),
  ...ofTerminal,
});
export type PaymentsRequest = z.infer<typeof paymentsRequestSchema>;
export const paymentsResponseSchema = z.object({
  /**
   * In the wanted order; but newest first with a text and no span (or one of more than a month) those whose reference begins with it come
   * before all others, from the highest reference down. May be fewer than `limit`, even none, although there is more (a
   * search looks at so many payments at a time): only `next` tells.
   */
  payments: z.array(paymentViewSchema),
  /** For the next page; null: that was all. Below zero it is no position, but the journal's own note. */
  next: z.number().int().nullable(),
});
export type PaymentsResponse = z.infer<typeof paymentsResponseSchema>;

export const paymentTotalsRequestSchema = z.object({
  filter: paymentFilterSchema,
  /** `next` of the part before; null: the first one. */
  before: z.number().int().nullable(),
  ...ofTerminal,
});
/**
 * A part of what the payments add up to that fit a filter: of those that one call has looked at, newest first. All parts
 * together are the whole.
 */
export const paymentTotalsResponseSchema = z.object({
  count: z.number().int(),
  /** One for each currency in which money was taken (approved and settled, not voided), by its code. */
  taken: z.array(takenSumSchema).max(maxCurrencies),
  /** Position of the newest of these payments; null where there is none. */
  newest: z.number().int().nullable(),
  next: z.number().int().nullable(),
  /** When the newest payment of the next part was made; null when this was the last one. */
  nextAt: z.string().nullable(),
});
export type PaymentTotals = z.infer<typeof paymentTotalsResponseSchema>;

const posBodySchema = z.string().max(4_000);

/** What happened to one payment, in order. */
export const timelineEntrySchema = z.discriminatedUnion('kind', [
  /** A request of the POS; its response is an entry of its own, which may come much later. */
  z.object({
    kind: z.literal('pos_request'),
    at: z.string(),
    command: z.string(),
    requestId: z.string(),
    /** What it asked, as JSON, masked, cut where it is long. Absent in older logs. */
    body: posBodySchema.optional(),
    logLineId: z.number().int(),
  }),
  /** A request of the POS was answered. */
  z.object({
    kind: z.literal('pos'),
    at: z.string(),
    command: z.string(),
    httpStatus: z.number().int(),
    durationMs: z.number(),
    requestId: z.string(),
    /** The response's body, likewise. */
    body: posBodySchema.optional(),
    logLineId: z.number().int(),
  }),
  /** A journal event. */
  z.object({ kind: z.literal('journal_event'), at: z.string(), stored: storedEventSchema }),
  /** A discrepancy about this payment was found, or acknowledged; each is two entries then. */
  z.object({
    kind: z.literal('discrepancy'),
    at: z.string(),
    step: z.enum(['found', 'acknowledged']),
    discrepancy: discrepancyViewSchema,
  }),
  /** A frame on the line, card data masked. */
  z.object({
    kind: z.literal('frame'),
    at: z.string(),
    direction: z.enum(['to_terminal', 'from_terminal']),
    /** The command's name in the protocol: "authorisation". */
    name: z.string(),
    /** Left out: ZVT. */
    protocol: z.string().optional(),
    /** The command or code as the protocol has it. ZVT: class and instruction, four hex digits. */
    control: z.string(),
    lengthBytes: z.number().int(),
    /** Two digits a byte, separated by blanks; `**` for masked bytes. Null: the frame could not be read, so it is not shown. */
    hex: z.string().nullable(),
    fields: z.array(frameFieldSchema),
    logLineId: z.number().int(),
  }),
  /** Anything else that the log has of this payment. */
  z.object({ kind: z.literal('log'), at: z.string(), line: logLineSchema }),
  /** Here so many entries are left out of a very long timeline. */
  z.object({ kind: z.literal('left_out'), at: z.string(), count: z.number().int() }),
]);
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

export const paymentDetailSchema = z.object({
  payment: paymentViewSchema,
  timeline: z.array(timelineEntrySchema),
  /** So many entries of a very long timeline are left out, at the places of the entries `left_out`. */
  leftOut: z.number().int(),
  /** Set while an operation of this payment (sale or void) is in doubt; see `ConsoleState.doubts`. */
  doubtOperationId: z.string().nullable(),
  /** The open discrepancies about this payment, oldest first. */
  discrepancies: z.array(discrepancyViewSchema),
});
export type PaymentDetail = z.infer<typeof paymentDetailSchema>;

/** What the receipts of a payment are made of. */
export const receiptSchema = z.object({
  payment: paymentViewSchema,
  /** The sale, and the void that undid it; empty as long as nobody knows how the payment ended. */
  slips: z
    .array(
      z.object({
        operationId: z.string(),
        kind: z.enum(['sale', 'void']),
        outcome: operationOutcomeSchema,
        endedAt: z.string(),
        result: terminalRecordSchema.nullable(),
        /** As the terminal sent them; `copy` is null where it did not say whose it is. */
        printed: z
          .array(z.object({ copy: receiptCopySchema.nullable(), lines: z.array(z.string()).max(1_000) }))
          .max(50),
      }),
    )
    .max(2),
  /** It has been printed or saved from a console before, or may have been: what comes now is a copy. */
  printedBefore: z.boolean(),
});
export type Receipt = z.infer<typeof receiptSchema>;
export type ReceiptSlip = Receipt['slips'][number];

export const batchViewSchema = z.object({
  position: z.number().int(),
  operationId: z.string(),
  /** As of a payment. */
  onTerminal: z.string().optional(),
  phase: operationPhaseSchema,
  outcome: z.enum(['closed', 'not_closed']).nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  reason: z.string(),
  currency: currencySchema,
  /** What the journal expected. */
  expected: z.object({ count: z.number().int(), totalMinor: z.number().int() }),
  /** The terminal's totals beside ours; null until it has closed. */
  result: batchResultSchema.nullable(),
});
export type BatchView = z.infer<typeof batchViewSchema>;

export const batchesRequestSchema = z.object({
  before: z.number().int().nullable(),
  limit: z.number().int().min(1).max(100),
  ...ofTerminal,
});
export type BatchesRequest = z.infer<typeof batchesRequestSchema>;
export const batchesResponseSchema = z.object({
  batches: z.array(batchViewSchema),
  next: z.number().int().nullable(),
  /** What the next close would cover. */
  open: z.object({ count: z.number().int(), sums: z.array(takenSumSchema).min(1) }),
});
export type BatchesResponse = z.infer<typeof batchesResponseSchema>;
