/**
 * The lines of the ledger: what the terminal has done with money. The events and `at`, `event`, `amount`,
 * `receipt_number`, `count` and `total` are what others may read; the rest is there so that the ledger alone is the
 * terminal's memory.
 */
import { z } from 'zod';
import { currencySchema } from '../contract/money.ts';
import { cardKeys } from './cards.ts';

const digits = (count: number) => z.string().regex(new RegExp(`^\\d{${count}}$`));
const amount = z.string().regex(/^\d+\.\d{2}$/);

const always = {
  /** ISO 8601, from the injected clock; for people only. */
  at: z.string(),
  terminal_id: z.string(),
  currency: currencySchema,
  /** MMDD and HHMMSS as the terminal's own clock showed them. */
  terminal_date: digits(4),
  terminal_time: digits(6),
};

/** Money was taken. Together with `auto_reversed`: it was taken and given back in one go. */
export const chargedSchema = z.object({
  ...always,
  event: z.literal('charged'),
  amount,
  receipt_number: digits(4),
  amount_minor: z.number().int().positive(),
  trace_number: digits(6),
  turnover_number: digits(6),
  approval_code: digits(6),
  card: z.enum(cardKeys),
});

/** The terminal undid its own payment because nobody acknowledged it. The numbers are the payment's own. */
export const autoReversedSchema = z.object({
  ...always,
  event: z.literal('auto_reversed'),
  amount,
  receipt_number: digits(4),
  amount_minor: z.number().int().positive(),
  trace_number: digits(6),
  reason: z.string(),
});

/** A payment was voided on request. `receipt_number` is the payment's; the void has numbers of its own. */
export const reversedSchema = z.object({
  ...always,
  event: z.literal('reversed'),
  amount,
  receipt_number: digits(4),
  amount_minor: z.number().int().positive(),
  original_trace_number: digits(6),
  trace_number: digits(6),
  turnover_number: digits(6),
  reversal_receipt_number: digits(4),
});

/** Money was given back without a payment that it would undo. The till cannot ask for it; people at the terminal can. */
export const refundedSchema = z.object({
  ...always,
  event: z.literal('refunded'),
  amount,
  receipt_number: digits(4),
  amount_minor: z.number().int().positive(),
  trace_number: digits(6),
  turnover_number: digits(6),
  card: z.enum(cardKeys),
});

/** The day was closed: `count` payments that were not reversed, `total` in all. */
export const settledSchema = z.object({
  ...always,
  event: z.literal('settled'),
  count: z.number().int().nonnegative(),
  total: amount,
  total_minor: z.number().int().nonnegative(),
  trace_number: digits(6),
});

/** A refused attempt, on a terminal whose dialect keeps something of it. No money was taken. */
export const refusedSchema = z.object({
  ...always,
  event: z.literal('refused'),
  amount,
  amount_minor: z.number().int().positive(),
  /** Sheet section 13, and the words that came with it. */
  code: z.string().regex(/^[\da-f]{2}$/),
  text: z.string(),
  /** Null where the dialect gives refusals no number. */
  trace_number: digits(6).nullable(),
  /** 06 20 shows it until something else is stored. */
  stored: z.boolean(),
});

export const factSchema = z.discriminatedUnion('event', [
  chargedSchema,
  autoReversedSchema,
  reversedSchema,
  settledSchema,
  refundedSchema,
  refusedSchema,
]);
export type Fact = z.infer<typeof factSchema>;
export type ChargedFact = z.infer<typeof chargedSchema>;
export type AutoReversedFact = z.infer<typeof autoReversedSchema>;
export type ReversedFact = z.infer<typeof reversedSchema>;
export type SettledFact = z.infer<typeof settledSchema>;
export type RefundedFact = z.infer<typeof refundedSchema>;
export type RefusedFact = z.infer<typeof refusedSchema>;
