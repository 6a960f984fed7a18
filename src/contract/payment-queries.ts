/** What may be asked of the journal about payments: a filter, and the sum of a day. */
import { z } from 'zod';
import { currencySchema } from './money.ts';
import { transactionStatusSchema } from './operation.ts';

/** Instants, ISO 8601 in UTC: `from` is in it, `until` is not. A local day is the console's own business. */
const spanSchema = z.object({ from: z.iso.datetime(), until: z.iso.datetime() });
export type Span = z.infer<typeof spanSchema>;

const maxDayHours = 48;
/** What is added up at once, while everything else of the bridge waits: a day and what daylight saving adds, no year. */
export const daySpanSchema = spanSchema.refine(
  ({ from, until }) => Date.parse(until) - Date.parse(from) <= maxDayHours * 3_600_000,
  `A span of at most ${maxDayHours} hours.`,
);

/** In minor units of the currency, both ends in it; null: no end. */
const amountRangeSchema = z.object({
  currency: currencySchema,
  fromMinor: z.number().int().min(0).nullable(),
  toMinor: z.number().int().min(0).nullable(),
});
export type AmountRange = z.infer<typeof amountRangeSchema>;

export const paymentFilterSchema = z.object({
  span: spanSchema.nullable(),
  status: transactionStatusSchema.nullable(),
  /** Of the amount that is shown: what the terminal took, else what was asked for. Left out: every amount. */
  amount: amountRangeSchema.optional(),
  /**
   * Compared without regard to case: the beginning of the reference, the approval code, the receipt or the trace number,
   * the last digits of the card, or the amount in wire form ("12.00"). Null or empty: everything.
   */
  text: z.string().max(60).nullable(),
});
export type PaymentFilter = z.infer<typeof paymentFilterSchema>;

/** `highest` and `lowest` are of the amount that is shown, and need a span of at most `maxSortedDays`. */
export const paymentOrderSchema = z.enum(['newest', 'oldest', 'highest', 'lowest']);
export type PaymentOrder = z.infer<typeof paymentOrderSchema>;

/** All payments of a span are looked at before the highest is known. */
export const maxSortedDays = 31;

/** Whether payments of this span can be put in order of their amounts. */
export function canSortByAmount(span: Span | null): boolean {
  if (span === null) return false;
  const hours = (Date.parse(span.until) - Date.parse(span.from)) / 3_600_000;
  return hours <= maxSortedDays * 24 + 1;
}

/** Compares two payments: what comes first is less. `minor` is the amount that is shown; each currency is by itself. */
export function orderOfPayments(order: PaymentOrder): (one: OrderedPayment, other: OrderedPayment) => number {
  const byPosition = (one: OrderedPayment, other: OrderedPayment) => other.position - one.position;
  if (order === 'newest') return byPosition;
  if (order === 'oldest') return (one, other) => byPosition(other, one);
  const sign = order === 'highest' ? -1 : 1;
  return (one, other) => {
    if (one.currency !== other.currency) return one.currency < other.currency ? -1 : 1;
    return sign * (one.minor - other.minor) || byPosition(one, other);
  };
}

interface OrderedPayment {
  position: number;
  currency: string;
  minor: number;
}

/** Payments in one currency, and what the terminal took for them. */
export const takenSumSchema = z.object({
  currency: currencySchema,
  count: z.number().int(),
  sumMinor: z.number().int(),
});
export type TakenSum = z.infer<typeof takenSumSchema>;

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
  /** How many have each status now, and what they were about: what was taken, or was asked for; without empty ones. */
  statuses: z
    .array(z.object({ status: transactionStatusSchema, count: z.number().int(), sumMinor: z.number().int() }))
    .max(transactionStatusSchema.options.length),
  /** How long the terminal took for each of the newest payments of the span that it ended itself, oldest first. */
  responseTimes: z
    .array(
      z.object({
        at: z.string(),
        /** From the command to the terminal's first answer to it. */
        answerMs: z.number(),
        /** From the card to the result, PIN entry included; null where the terminal does not show when a card is there. */
        cardMs: z.number().nullable(),
      }),
    )
    .max(maxResponseTimes),
});
export type DaySummary = z.infer<typeof daySummarySchema>;
