/** What may be asked of the journal about payments: a filter, and the sum of a day. */
import { z } from 'zod';
import { currencySchema } from './money.ts';
import { transactionStatusSchema } from './operation.ts';

/** Instants, ISO 8601 in UTC: `from` is in it, `until` is not. A local day is the console's own business. */
export const spanSchema = z.object({ from: z.iso.datetime(), until: z.iso.datetime() });
export type Span = z.infer<typeof spanSchema>;

export const paymentFilterSchema = z.object({
  span: spanSchema.nullable(),
  status: transactionStatusSchema.nullable(),
  /**
   * Compared without regard to case: the beginning of the reference, the approval code, the receipt or the trace number,
   * the last digits of the card, or the amount in wire form ("12.00"). Null or empty: everything.
   */
  text: z.string().max(60).nullable(),
});
export type PaymentFilter = z.infer<typeof paymentFilterSchema>;

export const maxResponseTimes = 500;
export const maxSchemes = 20;
export const maxSchemeLength = 60;
export const daySummarySchema = z.object({
  currency: currencySchema,
  /** Payments that began in the span. */
  count: z.number().int(),
  /** Approved, voided and settled ones were approved; what was taken by those still approved or settled makes the sum. */
  approved: z.number().int(),
  decided: z.number().int(),
  sumMinor: z.number().int(),
  /** One entry an hour of the span, from its start; empty hours too. At most 48. */
  hours: z.array(
    z.object({
      from: z.string(),
      count: z.number().int(),
      approved: z.number().int(),
      sumMinor: z.number().int(),
    }),
  ),
  /**
   * What makes the sum, by the card's scheme as it is printed; the largest sum first. The last may be one without a name:
   * cards of which nothing is known, and the smallest of too many schemes.
   */
  schemes: z
    .array(
      z.object({
        scheme: z.string().max(maxSchemeLength).nullable(),
        count: z.number().int(),
        sumMinor: z.number().int(),
      }),
    )
    .max(maxSchemes),
  /** How long the terminal took for each of the newest payments of the span, oldest first. */
  responseTimes: z.array(z.object({ at: z.string(), durationMs: z.number() })).max(maxResponseTimes),
});
export type DaySummary = z.infer<typeof daySummarySchema>;
