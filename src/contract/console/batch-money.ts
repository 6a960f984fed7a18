/** Where the money of the closed batches is, as it was found last: what is kept of it, and what the page Money shows. */
import { z } from 'zod';
import { currencySchema } from '../money.ts';
import { schemeTotalSchema } from '../terminal.ts';

const minor = z.number().int();
/** `YYYY-MM-DD`, in the calendar of the account or of the shop. */
const day = z.iso.date();

const moneyStateSchema = z.enum(['waiting', 'arrived', 'short', 'over', 'late', 'unclear']);
const moneyEvidenceSchema = z.enum(['number', 'amount', 'net', 'sum', 'person', 'nothing-due']);
const moneyCertaintySchema = z.enum(['certain', 'high', 'fair', 'person']);
const unclearReasonSchema = z.enum([
  'several-readings',
  'remark-contradicts',
  'taken-back',
  'unexplained-entries',
  'account-not-known',
  'no-acquirer',
  'no-totals',
  'fee-unknown',
  'decision-unusable',
]);
const ruledOutReasonSchema = z.enum([
  'other-amount',
  'names-another',
  'of-another',
  'before-the-close',
  'too-late',
  'not-of-the-acquirer',
  'by-a-person',
]);

/** One entry of an account. */
export const accountEntrySchema = z.object({
  id: z.string(),
  account: z.string(),
  date: day,
  currency: currencySchema,
  amountMinor: minor,
  remark: z.string(),
  sender: z.string(),
  code: z.string(),
});

export const closedBatchSchema = z.object({
  id: z.string(),
  terminal: z.string(),
  terminalId: z.string().nullable(),
  merchantId: z.string().nullable(),
  number: z.string().nullable(),
  closedAt: z.string(),
  currency: currencySchema,
  count: z.number().int().nullable(),
  totalMinor: minor,
  totals: z.array(schemeTotalSchema),
});

/** A person's word on whose money entries are. */
const moneyDecisionSchema = z.object({
  kind: z.enum(['match', 'unmatch']),
  batchId: z.string(),
  acquirer: z.string(),
  entryIds: z.array(z.string()),
  by: z.string(),
  reason: z.string(),
  at: z.string(),
});

const moneyMatchSchema = z.object({
  batchIds: z.array(z.string()),
  entryIds: z.array(z.string()),
  expectedMinor: minor,
  arrivedMinor: minor,
  evidence: moneyEvidenceSchema,
  certainty: moneyCertaintySchema,
  arrivedOn: day.nullable(),
  bankingDaysLate: z.number().int(),
  decision: moneyDecisionSchema.nullable(),
});

/** What one acquirer owes for one batch, and what became of it. */
const moneyPartSchema = z.object({
  batchId: z.string(),
  acquirer: z.string().nullable(),
  schemes: z.array(z.string()).nullable(),
  grossMinor: minor.nullable(),
  feeMinor: minor.nullable(),
  expectedMinor: minor.nullable(),
  toleranceMinor: minor,
  closedOn: day.nullable(),
  expectedOn: day.nullable(),
  dueBy: day.nullable(),
  state: moneyStateSchema,
  needsPerson: z.boolean(),
  match: moneyMatchSchema.nullable(),
  reason: unclearReasonSchema.nullable(),
  possible: z.array(z.string()),
  ruledOut: z.array(z.object({ entryId: z.string(), why: ruledOutReasonSchema })),
});

export const batchMoneySchema = z.object({
  batchId: z.string(),
  state: moneyStateSchema,
  needsPerson: z.boolean(),
  parts: z.array(moneyPartSchema),
});
