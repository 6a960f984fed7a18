/**
 * What an ECR17 terminal writes into its ledger. The events and `at`, `event`, `amount`, `receipt_number` (the STAN of the
 * payment), `count` and `total` are what others may read; the rest is there so that the ledger alone is the terminal's
 * memory. A charge is written when the host has approved it: no missing answer of the till undoes it.
 */
import { z } from 'zod';
import { currencySchema } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import { openLedgerFile, type Ledger } from '../ledger-file.ts';
import { cardKeys } from './cards.ts';

const digits = (count: number) => z.string().regex(new RegExp(`^\\d{${count}}$`));
const amount = z.string().regex(/^\d+\.\d{2}$/);
const minor = z.number().int().nonnegative();

const always = {
  /** ISO 8601, from the injected clock; for people only. */
  at: z.string(),
  terminal_id: z.string(),
  currency: currencySchema,
};
const money = { amount, amount_minor: minor.positive() };
/** How it was told to the till, and is told again; null: it is not told again. */
const told = z.enum(['plain', 'extended', 'conversion', 'reversal']).nullable();

const chargedSchema = z.object({
  ...always,
  ...money,
  event: z.literal('charged'),
  receipt_number: digits(6),
  online_number: digits(6),
  authorisation: z.string().regex(/^[0-9A-Z]{6}$/),
  /** DDDHHMM: the day counted in the year. */
  host_date_time: digits(7),
  card: z.enum(cardKeys),
  told,
});

/** A payment was reversed: `receipt_number` is its STAN, `stan` that of the reversal. */
const reversedSchema = z.object({
  ...always,
  ...money,
  event: z.literal('reversed'),
  receipt_number: digits(6),
  stan: digits(6),
  online_number: digits(6),
  host_date_time: digits(7),
  card: z.enum(cardKeys),
  told,
});

/** Nothing was charged or reversed. */
const refusedSchema = z.object({
  ...always,
  event: z.literal('refused'),
  code: digits(2),
  text: z.string().max(24),
  /** Null: it has used up no number. */
  stan: digits(6).nullable(),
  told,
});

/** The batch was closed: `count` payments that were not reversed, `total` in all. STANs go on. */
const settledSchema = z.object({
  ...always,
  event: z.literal('settled'),
  count: minor,
  total: amount,
  total_minor: minor,
  stan: digits(6).nullable(),
});

const ledgerEntrySchema = z.discriminatedUnion('event', [
  chargedSchema,
  reversedSchema,
  refusedSchema,
  settledSchema,
]);
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;
export type ChargedEntry = z.infer<typeof chargedSchema>;
export type ReversedEntry = z.infer<typeof reversedSchema>;
export type RefusedEntry = z.infer<typeof refusedSchema>;
export type SettledEntry = z.infer<typeof settledSchema>;
export type Told = NonNullable<ChargedEntry['told']>;

/** Opens (or begins) a ledger, as `openLedgerFile` does. */
export function openLedger(file: string, log: Log): Ledger<LedgerEntry> {
  return openLedgerFile(file, ledgerEntrySchema, log);
}
