/**
 * How terminals differ, as data. A dialect says what a terminal does where the documents leave it open, or where real
 * ones do otherwise; the code beside this file asks it, and has no branch for any name. `docs/simulator.md` lists them.
 */
import { z } from 'zod';

export const dialectSchema = z.object({
  /** What 06 20 shows: the last record; nothing; or only its print lines, and no 04 0F. */
  shownRecord: z.enum(['status', 'nothing', 'print_lines']),
  /** What a terminal remembers that has done nothing yet: the closed day of its installation, or nothing. */
  firstRecord: z.enum(['closed_day', 'nothing']),
  /** Where BMP 29 is told: also in the completion of the registration, or in records and results only. */
  terminalIdIn: z.enum(['registration', 'records']),
  /** What 06 30 undoes: the payment whose receipt is named, or the last one whatever is named. */
  reverses: z.enum(['named', 'last']),
  /** What a registration with a BMP 06 is answered with; other commands with one get 84 83. Null: it takes them. */
  refusesContainers: z.enum(['8483', '849a']).nullable(),
  /** 84 9A to a currency (BMP 49, or the one of the registration), even its own. */
  refusesCurrency: z.boolean(),
  /** What comes before the completion of a registration and of a status enquiry: nothing, or a 04 0F. */
  insideEnquiries: z.enum(['nothing', 'status', 'last_record']),
  /** The completion of a registration and of a status enquiry is a bare 06 0F 00. */
  bareCompletions: z.boolean(),
  /** 05 01 is answered with 84 83. */
  refusesStatusEnquiry: z.boolean(),
  /** How a payment ends after the 04 0F that refused it: 06 1E, or not at all. */
  refusalEndsWith: z.enum(['061e', 'nothing']),
  /** The same, where a person at the terminal or the till stopped it (27 = 6C). */
  cancelEndsWith: z.enum(['061e', '060f']),
  /** What follows the 80 00 to 06 B0: 04 0F with 6C and the end, or 06 0F and 06 1E 6C at once and no result. */
  abortEndsWith: z.enum(['result', 'two_ends']),
  /** What is charged for 100 of what was asked: more where the customer adds a tip, less for a partial approval. */
  chargedPercent: z.number().int().min(1).max(1_000),
  /** Where BMP 04 of an approved payment is told: in its result and in the record that shows it, or only there. */
  amountIn: z.enum(['result', 'record']),
  /**
   * What is kept of a refused payment: nothing; its trace number is used up; it is the last record; it is the last
   * record and has no numbers.
   */
  refusals: z.enum(['forgotten', 'numbered', 'stored', 'stored_without_number']),
  /** What of a void has BMP 37, trace and receipt number: answer and record, only the record, neither. */
  numberedVoids: z.enum(['answer_and_record', 'record', 'neither']),
  /** Whether the 04 0F of an end of day has BMP 60. */
  dayHasTotals: z.boolean(),
  /** What 06 20 shows after a loss of power: the last record, or the one before it, as if nothing had come since. */
  afterPowerLoss: z.enum(['last_record', 'record_before']),
  /** Closes the day by itself after so many payments; null: never. */
  closesDayAfter: z.number().int().positive().nullable(),
});
export type Dialect = z.infer<typeof dialectSchema>;

/** What the documents say, and the default. */
const strict: Dialect = {
  shownRecord: 'status',
  firstRecord: 'closed_day',
  terminalIdIn: 'registration',
  reverses: 'named',
  refusesContainers: null,
  refusesCurrency: false,
  insideEnquiries: 'nothing',
  bareCompletions: false,
  refusesStatusEnquiry: false,
  refusalEndsWith: '061e',
  cancelEndsWith: '061e',
  abortEndsWith: 'result',
  chargedPercent: 100,
  amountIn: 'result',
  refusals: 'forgotten',
  numberedVoids: 'answer_and_record',
  dayHasTotals: true,
  afterPowerLoss: 'last_record',
  closesDayAfter: null,
};

export const dialects = {
  strict,
  'no-records': { ...strict, shownRecord: 'nothing' },
  'print-lines-only': { ...strict, shownRecord: 'print_lines' },
  'never-used': { ...strict, firstRecord: 'nothing' },
  'late-id': { ...strict, terminalIdIn: 'records' },
  'reversal-hits-last': { ...strict, reverses: 'last' },
  'no-tlv': { ...strict, refusesContainers: '849a' },
  'no-tlv-8483': { ...strict, refusesContainers: '8483' },
  'no-currency': { ...strict, refusesCurrency: true },
  chatty: { ...strict, insideEnquiries: 'status', bareCompletions: true },
  'chatty-records': { ...strict, insideEnquiries: 'last_record' },
  'no-status': { ...strict, refusesStatusEnquiry: true },
  'silent-after-refusal': { ...strict, refusalEndsWith: 'nothing' },
  'cancel-completes': { ...strict, cancelEndsWith: '060f' },
  'double-abort-answer': { ...strict, abortEndsWith: 'two_ends' },
  tips: { ...strict, chargedPercent: 110 },
  'partial-approvals': { ...strict, chargedPercent: 50 },
  'amount-in-record': { ...strict, amountIn: 'record' },
  'refusals-numbered': { ...strict, refusals: 'numbered' },
  'refusals-stored': { ...strict, refusals: 'stored' },
  'refusals-without-number': { ...strict, refusals: 'stored_without_number' },
  'bare-voids': { ...strict, numberedVoids: 'record' },
  'bare-void-records': { ...strict, numberedVoids: 'neither' },
  'no-day-totals': { ...strict, dayHasTotals: false },
  'forgets-the-last': { ...strict, afterPowerLoss: 'record_before' },
  'closes-by-itself': { ...strict, closesDayAfter: 5 },
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof dialects;
export const dialectNames = Object.keys(dialects) as [DialectName, ...DialectName[]];
