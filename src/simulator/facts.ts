/**
 * The lines of the ledger: what the terminal has done with money. The four events and `at`, `event`, `amount`,
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

/** The day was closed: `count` payments that were not reversed, `total` in all. */
export const settledSchema = z.object({
  ...always,
  event: z.literal('settled'),
  count: z.number().int().nonnegative(),
  total: amount,
  total_minor: z.number().int().nonnegative(),
  trace_number: digits(6),
});

export const factSchema = z.discriminatedUnion('event', [
  chargedSchema,
  autoReversedSchema,
  reversedSchema,
  settledSchema,
]);
export type Fact = z.infer<typeof factSchema>;
export type ChargedFact = z.infer<typeof chargedSchema>;
export type AutoReversedFact = z.infer<typeof autoReversedSchema>;
export type ReversedFact = z.infer<typeof reversedSchema>;
export type SettledFact = z.infer<typeof settledSchema>;
