/**
 * What an ECR-EDC terminal writes into its ledger. The events and `at`, `event`, `amount`, `receipt_number` (its invoice
 * number), `count` and `total` are what others may read; the rest is there so that the ledger alone is the terminal's
 * memory. A charge is written when the host has approved it: no missing answer of the till undoes it.
 */
import { z } from 'zod';
import { currencySchema } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import { openLedgerFile, type Ledger } from '../ledger-file.ts';
import { issuers } from './cards.ts';

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

const chargedSchema = z.object({
  ...always,
  ...money,
  event: z.literal('charged'),
  receipt_number: digits(6),
  approval_code: digits(6),
  issuer: z.enum(issuers),
  batch_number: digits(6),
  /** YYMMDD and HHMMSS as the terminal's own clock showed them. */
  terminal_date: digits(6),
  terminal_time: digits(6),
  /** In the amount; ledgers of before tips have none. */
  tip_minor: minor.default(0),
  /** The till's reference 1, without the blanks that fill it up; null when it sent none. */
  reference1: z.string().max(20).nullable(),
});

/** A sale was voided. */
const reversedSchema = z.object({
  ...always,
  ...money,
  event: z.literal('reversed'),
  receipt_number: digits(6),
  approval_code: digits(6),
});

/** The batch was closed: `count` sales that were not voided, `total` in all. Invoice numbers go on. */
const settledSchema = z.object({
  ...always,
  event: z.literal('settled'),
  count: minor,
  total: amount,
  total_minor: minor,
});

const ledgerEntrySchema = z.discriminatedUnion('event', [chargedSchema, reversedSchema, settledSchema]);
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;
export type ChargedEntry = z.infer<typeof chargedSchema>;

/** Opens (or begins) a ledger, as `openLedgerFile` does. */
export function openLedger(file: string, log: Log): Ledger<LedgerEntry> {
  return openLedgerFile(file, ledgerEntrySchema, log);
}
