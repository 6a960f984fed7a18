/** Where the money of the closed batches is, as it was found last: what is kept of it, and what the page Money shows. */
import { z } from 'zod';
import { currencySchema } from '../money.ts';
import { schemeTotalSchema } from '../terminal.ts';
import { person } from './person.ts';

const minor = z.number().int();
/** `YYYY-MM-DD`, in the calendar of the account or of the shop. */
const day = z.iso.date();

const moneyStateSchema = z.enum(['waiting', 'arrived', 'short', 'over', 'late', 'unclear']);
export type MoneyState = z.infer<typeof moneyStateSchema>;
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
  'clock-wrong',
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
  totals: z.array(schemeTotalSchema).readonly(),
});

const namedBatchSchema = closedBatchSchema.pick({ id: true, terminal: true, number: true, closedAt: true });

const moneyEntrySchema = accountEntrySchema.extend({
  /** The batches that it may be the money of, oldest first. */
  possibleFor: z.array(namedBatchSchema),
  /** Somebody has said whose it is since it was looked for. */
  decidedSince: z.boolean(),
});
export type MoneyEntry = z.infer<typeof moneyEntrySchema>;

/** A person's word on whose money entries are. */
const moneyDecisionSchema = z.object({
  kind: z.enum(['match', 'unmatch']),
  batchId: z.string(),
  acquirer: z.string(),
  entryIds: z.array(z.string()).readonly(),
  by: z.string(),
  reason: z.string(),
  at: z.string(),
});
export type MoneyDecision = z.infer<typeof moneyDecisionSchema>;

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
  /** Versions before it have kept none. */
  pastDue: z.boolean().default(false),
  match: moneyMatchSchema.nullable(),
  reason: unclearReasonSchema.nullable(),
  possible: z.array(z.string()),
  ruledOut: z.array(z.object({ entryId: z.string(), why: ruledOutReasonSchema })),
});
export type MoneyPart = z.infer<typeof moneyPartSchema>;

export const batchMoneySchema = z.object({
  batchId: z.string(),
  state: moneyStateSchema,
  needsPerson: z.boolean(),
  parts: z.array(moneyPartSchema),
});

/** A part of a batch in the list. */
const moneyRowSchema = z.object({
  batch: closedBatchSchema.omit({ totals: true, merchantId: true, count: true }),
  part: moneyPartSchema.omit({ possible: true, ruledOut: true }),
  /** For this part alone; null where nothing came, or where it came with others and cannot be divided. */
  arrivedMinor: minor.nullable(),
  /** Somebody has decided since it was looked for. */
  decidedSince: z.boolean(),
});
export type MoneyRow = z.infer<typeof moneyRowSchema>;

/** Of each list of the page; the table has all. */
export const maxMoneyRows = 300;
/** So many days the chart has at most. */
export const maxMoneyDays = 62;

export const moneyRequestSchema = z.object({
  /** `open`: what has not arrived as it should. `needs_person`: what somebody should look at now. */
  only: z.enum(['all', 'open', 'needs_person']),
  /** Its name; null: all. */
  onTerminal: z.string().max(40).nullable(),
});
export type MoneyRequest = z.infer<typeof moneyRequestSchema>;

const ruleErrors = z.array(z.string()).max(20);

/** What was found last. */
const foundMoneySchema = z.object({
  kind: z.literal('found'),
  at: z.string(),
  /** The rules as they are now: those by which it was found, or not. `missing`: they lie elsewhere. */
  rules: z.enum(['same', 'changed', 'missing', 'wrong']),
  ruleErrors,
  /**
   * Of all parts, whatever was asked for: how many there are in each state, what should come in of them, and how much
   * more than that has come of those with a match (less than zero: how much is missing). What paid several batches
   * together counts once.
   */
  sums: z.array(
    z.object({
      state: moneyStateSchema,
      currency: currencySchema,
      count: z.number().int(),
      expectedMinor: minor,
      differenceMinor: minor,
    }),
  ),
  needsPerson: z.number().int(),
  /** Names of the terminals, and of those who pay. */
  terminals: z.array(z.string()),
  acquirers: z.array(z.string()),
  /** Newest first. */
  rows: z.array(moneyRowSchema).max(maxMoneyRows),
  rowCount: z.number().int(),
  /** Entries of the acquirers that are nobody's money, newest first. */
  unexplained: z.array(moneyEntrySchema).max(maxMoneyRows),
  unexplainedCount: z.number().int(),
  /** What came in on each day with anything, oldest first: as money of batches, and unexplained. */
  days: z
    .array(z.object({ day, currency: currencySchema, arrivedMinor: minor, unexplainedMinor: minor }))
    .max(maxMoneyDays * 2),
});
export type FoundMoney = z.infer<typeof foundMoneySchema>;

export const moneyResponseSchema = z.discriminatedUnion('kind', [
  /** There are no rules, and nothing was found: where they should be. */
  z.object({ kind: z.literal('no_rules'), file: z.string() }),
  z.object({ kind: z.literal('wrong_rules'), ruleErrors }),
  /** There are rules, and nobody has looked yet. */
  z.object({ kind: z.literal('not_looked') }),
  /** What is kept cannot be read: a sentence (English) that names the file. */
  z.object({ kind: z.literal('unreadable'), message: z.string() }),
  foundMoneySchema,
]);

const moneyPartOfBatchSchema = moneyPartSchema.extend({ arrivedMinor: minor.nullable() });
export type MoneyPartOfBatch = z.infer<typeof moneyPartOfBatchSchema>;

/** One batch with all that was found of it. */
export const moneyOfBatchSchema = z.object({
  at: z.string(),
  batch: closedBatchSchema,
  parts: z.array(moneyPartOfBatchSchema),
  /** All that the parts name, and those that nothing explains. */
  entries: z.array(moneyEntrySchema),
  /** Ids of those of `entries` that nothing explains, nearest to the close first. */
  unexplained: z.array(z.string()),
  /** Batches that were paid with it. */
  companions: z.array(namedBatchSchema),
  /** All that people have said of it, newest first. */
  decisions: z.array(moneyDecisionSchema),
});
export type MoneyOfBatch = z.infer<typeof moneyOfBatchSchema>;

const maxDecidedEntries = 100;
const maxDecidedBatches = 50;
export const decideMoneyRequestSchema = z.object({
  kind: z.enum(['match', 'unmatch']),
  batchIds: z.array(z.string().min(1).max(100)).min(1).max(maxDecidedBatches),
  acquirer: z.string().min(1).max(100),
  entryIds: z.array(z.string().min(1).max(200)).min(1).max(maxDecidedEntries),
  ...person,
});

/** A statement of some ten thousand entries. Reading it takes seconds, in which a bridge of the same process does nothing else. */
export const maxStatementBytes = 8 * 1024 * 1024;
const maxStatementText = Math.ceil(maxStatementBytes / 3) * 4;
export const keepStatementRequestSchema = z.object({
  /** What the bank calls the file. */
  name: z.string().min(1).max(255),
  /** In base64. */
  content: z.string().max(maxStatementText),
});
/** Of such a request: its other parts are small. */
export const maxKeepStatementBytes = maxStatementText + 8 * 1024;

/** Of a look for the money; more would help nobody. */
export const maxMoneyNotes = 50;
