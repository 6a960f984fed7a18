/**
 * What a terminal of Transbank POS Integrado writes into its ledger. The events and `at`, `event`, `amount`,
 * `receipt_number` (its operation number), `count` and `total` are what others may read; the rest is there so that the
 * ledger alone is the terminal's memory. A charge is written when the host has approved it: no missing answer of the till
 * undoes it.
 */
import { z } from 'zod';
import { currencySchema } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import { openLedgerFile, type Ledger } from '../ledger-file.ts';
import { cardKeys } from './cards.ts';

const digits = (count: number) => z.string().regex(new RegExp(`^\\d{${count}}$`));
const amount = z.string().regex(/^\d+\.\d{2}$/);
const minor = z.number().int().nonnegative();
/** As the till sent it; empty for a sale without a till. */
const ticket = z.string().max(6);

const always = {
  /** ISO 8601, from the injected clock; for people only. */
  at: z.string(),
  terminal_id: z.string(),
  currency: currencySchema,
  /** DDMMYYYY and HHMMSS as the terminal's own clock showed them. */
  terminal_date: digits(8),
  terminal_time: digits(6),
};

/** Money was taken: `amount` in all, with the tip and the change that was paid out. */
const chargedSchema = z.object({
  ...always,
  event: z.literal('charged'),
  amount,
  receipt_number: digits(6),
  amount_minor: minor.positive(),
  tip_minor: minor,
  change_minor: minor.default(0),
  ticket,
  approval_code: digits(6),
  card: z.enum(cardKeys),
  /** Of a sale for several merchants: whose it is. */
  provider_commerce_code: z.string().nullable(),
});

/** A sale was voided. */
const reversedSchema = z.object({
  ...always,
  event: z.literal('reversed'),
  amount,
  receipt_number: digits(6),
  amount_minor: minor.positive(),
  approval_code: digits(6),
});

/** The batch was closed: `count` sales that were not voided, `total` in all. Operation numbers begin again. */
const settledSchema = z.object({
  ...always,
  event: z.literal('settled'),
  count: minor,
  total: amount,
  total_minor: minor,
});

/** A declined attempt, on a terminal whose dialect keeps it. No money was taken. */
const refusedSchema = z.object({
  ...always,
  event: z.literal('refused'),
  amount,
  amount_minor: minor.positive(),
  ticket,
  code: digits(2),
});

const ledgerEntrySchema = z.discriminatedUnion('event', [
  chargedSchema,
  reversedSchema,
  settledSchema,
  refusedSchema,
]);
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;
export type ChargedEntry = z.infer<typeof chargedSchema>;
export type ReversedEntry = z.infer<typeof reversedSchema>;
export type SettledEntry = z.infer<typeof settledSchema>;
export type RefusedEntry = z.infer<typeof refusedSchema>;

/** Opens (or begins) a ledger, as `openLedgerFile` does. */
export function openLedger(file: string, log: Log): Ledger<LedgerEntry> {
  return openLedgerFile(file, ledgerEntrySchema, log);
}
