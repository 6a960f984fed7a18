/**
 * What differs from one acquirer's terminals to another's, as data: a bank's dialect is one more file beside this one.
 * The frame, the fixed part and the form of the fields are the same for all.
 */
import { z } from 'zod';
import { currencySchema, maxCurrencies } from '../../../../../contract/money.ts';
import { progressStepSchema } from '../../../../../contract/terminal.ts';

/** Two characters. A response code may also be two NULs, which is not the text `00`. */
const txCodeSchema = z.string().regex(/^[0-9A-Z]{2}$/);
const responseCodeSchema = z.string().regex(/^(?:[0-9A-Z]{2}|\0\0)$/);
const fieldTypeSchema = z.string().regex(/^[0-9A-Z]{2}$/);

/** What we can ask for, whatever code a terminal has for it. */
const edcCommandNames = [
  'sale',
  'void',
  /** Of a payment that only its trace number is known of. */
  'void_by_trace',
  'refund',
  'settlement',
  /** What became of the payment with our reference 1. Moves no money. */
  'inquiry',
  /** Is the terminal there? Carries no amount. */
  'probe',
  /** Stop the payment that runs; its own response still tells how it ended. */
  'cancel',
] as const;
export type EdcCommandName = (typeof edcCommandNames)[number];

const commandSchema = z.strictObject({
  txCode: txCodeSchema,
  /** In the order of the wire: all of them are sent. */
  fields: z.array(fieldTypeSchema).max(10).default([]),
  /** Behind them: sent where there is a value. */
  optionalFields: z.array(fieldTypeSchema).max(10).default([]),
  /** What the request says of more messages behind it, though none ever follow. */
  more: z.enum(['0', '1']).default('0'),
});

/** What a response code says of the money. `undecided`: neither that it was taken nor that it was not. */
const verdictSchema = z.enum(['approved', 'declined', 'cancelled', 'nothing_to_do', 'undecided']);
const responseSchema = z.strictObject({ verdict: verdictSchema, text: z.string().min(1).max(100) });

const noticeSchema = z.strictObject({ step: progressStepSchema, text: z.string().min(1).max(100) });

export const edcProfileSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]{1,40}$/),
  baudRate: z.number().int().min(1_200).max(921_600),
  /** The LRC covers the STX, too. */
  lrcIncludesStx: z.boolean(),
  transportHeader: z.string().regex(/^\d{10}$/),
  /** The last two digits of the transport header number the device. */
  deviceInHeader: z.boolean(),
  /** The byte of the format version: `1` in ASCII, or 01. */
  formatVersion: z.enum(['ascii', 'binary']),
  /** What the terminals take; left out: whatever they are set up for, as long as it has two decimals. */
  currencies: z.array(currencySchema).min(1).max(maxCurrencies).optional(),
  /** A command that is missing is one that these terminals do not have. */
  commands: z.partialRecord(z.enum(edcCommandNames), commandSchema),
  /** What the terminal tells while a payment runs, by transaction code: progress, never a result. */
  notices: z.record(txCodeSchema, noticeSchema),
  responses: z.record(responseCodeSchema, responseSchema),
  /** How long the terminal may take to acknowledge a request, in milliseconds. */
  ackTimeoutMs: z.number().int().min(100).max(60_000),
  /** How often a request goes out in all while nothing at all comes back. */
  tries: z.number().int().min(1).max(3),
  /** From the acknowledgement or the last notice to the response, in milliseconds. */
  responseTimeoutMs: z.number().int().min(1_000).max(600_000),
});
export type EdcProfile = z.infer<typeof edcProfileSchema>;
export type EdcProfileData = z.input<typeof edcProfileSchema>;
