/** What a day and a batch come to, on a sheet of paper and as a table. */
import { z } from 'zod';
import { discrepancyViewSchema } from '../discrepancy.ts';
import { currencySchema } from '../money.ts';
import { operationKindSchema, operationOutcomeSchema } from '../operation.ts';
import { daySpanSchema, daySummarySchema } from '../payment-queries.ts';
import { ofTerminal } from './of-terminal.ts';
import { manualDecisionSchema } from './manual-decision.ts';
import { batchViewSchema, paymentViewSchema } from './payments.ts';

/** Both as the computer's own clock and zone have them: the window knows which day it means. */
export const dayReportRequestSchema = z.object({
  span: daySpanSchema,
  /** What it is compared with: the same day a week before. */
  compared: daySpanSchema,
  ...ofTerminal,
});
export type DayReportRequest = z.infer<typeof dayReportRequestSchema>;

/** Of each list; `count` says how many there are. */
export const maxReportItems = 300;
const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ count: z.number().int(), items: z.array(item).max(maxReportItems) });

const sumsSchema = daySummarySchema.omit({ hours: true, responseTimes: true });

/** The operation that something is about. A batch close has no reference. */
const about = {
  operationId: z.string(),
  kind: operationKindSchema,
  reference: z.string().nullable(),
  /** Of the payment. */
  transactionId: z.string().nullable(),
  amountMinor: z.number().int().nullable(),
  currency: currencySchema,
};

export const dayReportSchema = z.object({
  /** The payments that began on the day, by their currency, beside those of the day that it is compared with. */
  currencies: z.array(z.object({ day: sumsSchema, compared: sumsSchema })).max(21),
  /** What else happened on the day, whenever the payment that it is about began. */
  voids: listOf(z.object({ at: z.string(), ...about, byHand: z.boolean() })),
  doubts: listOf(
    z.object({
      at: z.string(),
      ...about,
      /** Null: it is still in doubt. */
      outcome: operationOutcomeSchema.nullable(),
      endedAt: z.string().nullable(),
    }),
  ),
  decisions: listOf(manualDecisionSchema.extend(about)),
  /** Found or acknowledged on the day. */
  discrepancies: listOf(discrepancyViewSchema),
  batches: listOf(batchViewSchema),
  /** False: so much happened that the lists have only the beginning of the day. */
  complete: z.boolean(),
});
export type DayReport = z.infer<typeof dayReportSchema>;

export const batchReportSchema = z.object({
  batch: batchViewSchema,
  /** Who decided by hand that it was closed, or not. */
  decision: manualDecisionSchema.nullable(),
  /** Those that it settled; none where it did not close. */
  payments: listOf(paymentViewSchema),
});
export type BatchReport = z.infer<typeof batchReportSchema>;
