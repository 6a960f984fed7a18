/**
 * What a ZVT terminal writes into its ledger. The events and `at`, `event`, `amount`, `receipt_number`, `count` and
 * `total` are what others may read; the rest is there so that the ledger alone is the terminal's memory.
 */
import type { Log } from '../log/index.ts';
import { z } from 'zod';
import { currencySchema } from '../contract/money.ts';
import { cardKeys } from './cards.ts';
import { openLedgerFile, type Ledger } from './ledger-file.ts';

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
const chargedSchema = z.object({
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
const autoReversedSchema = z.object({
  ...always,
  event: z.literal('auto_reversed'),
  amount,
  receipt_number: digits(4),
  amount_minor: z.number().int().positive(),
  trace_number: digits(6),
  reason: z.string(),
});

/** A payment was voided on request. `receipt_number` is the payment's; the void has numbers of its own. */
const reversedSchema = z.object({
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
const refundedSchema = z.object({
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
const settledSchema = z.object({
  ...always,
  event: z.literal('settled'),
  count: z.number().int().nonnegative(),
  total: amount,
  total_minor: z.number().int().nonnegative(),
  trace_number: digits(6),
});

/** A refused attempt, on a terminal whose dialect keeps something of it. No money was taken. */
const refusedSchema = z.object({
  ...always,
  event: z.literal('refused'),
  amount,
  amount_minor: z.number().int().positive(),
  /** The result code (ZVT PA00P015, BMP 27), and the words that came with it. */
  code: z.string().regex(/^[\da-f]{2}$/),
  text: z.string(),
  /** Null where the dialect gives refusals no number. */
  trace_number: digits(6).nullable(),
  /** 06 20 shows it until something else is stored. */
  stored: z.boolean(),
});

const ledgerEntrySchema = z.discriminatedUnion('event', [
  chargedSchema,
  autoReversedSchema,
  reversedSchema,
  settledSchema,
  refundedSchema,
  refusedSchema,
]);
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;
export type ChargedEntry = z.infer<typeof chargedSchema>;
export type AutoReversedEntry = z.infer<typeof autoReversedSchema>;
export type ReversedEntry = z.infer<typeof reversedSchema>;
export type SettledEntry = z.infer<typeof settledSchema>;
export type RefundedEntry = z.infer<typeof refundedSchema>;
export type RefusedEntry = z.infer<typeof refusedSchema>;

/** Opens (or begins) a ledger, as `openLedgerFile` does. */
export function openLedger(file: string, log: Log): Ledger<LedgerEntry> {
  return openLedgerFile(file, ledgerEntrySchema, log);
}
