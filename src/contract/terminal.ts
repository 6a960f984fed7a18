/** What a terminal tells, in words that do not depend on its protocol. */
import { z } from 'zod';
import { currencySchema } from './money.ts';
import { protocolNameSchema } from './protocols.ts';

export const terminalIdentitySchema = z.object({
  protocol: protocolNameSchema,
  /** The terminal's own id (ZVT BMP 29), or null while it has not told one. */
  terminalId: z.string().nullable(),
});
export type TerminalIdentity = z.infer<typeof terminalIdentitySchema>;

/**
 * What a person must do first with a terminal that answers: close the batch (which we can), something at the terminal, or
 * a setting here (password, currency, protocol).
 */
export const requiredActionSchema = z.enum(['batch_close', 'service', 'setting']);
export type RequiredAction = z.infer<typeof requiredActionSchema>;

/** Two terminals that certainly are not the same: the id of the one that is expected, and of the one connected. */
export const otherTerminalSchema = z.object({ expected: z.string(), connected: z.string() });
export type OtherTerminal = z.infer<typeof otherTerminalSchema>;

/** Totals of one card scheme in a batch; `scheme` is a plain lower-case name such as `girocard` or `visa`. */
export const schemeTotalSchema = z.object({
  scheme: z.string(),
  count: z.number().int(),
  totalMinor: z.number().int(),
});
export type SchemeTotal = z.infer<typeof schemeTotalSchema>;

/** What the terminal says about one thing that it did. Card numbers are masked before they get here. */
export const terminalRecordSchema = z.object({
  kind: z.enum(['payment', 'reversal', 'batch_close', 'other']),
  /** The terminal calls it successful. For a payment: money taken, as far as this record tells. */
  approved: z.boolean(),
  /** The terminal's own code (ZVT: two hex digits), and a sentence or word for it. */
  resultCode: z.string().nullable(),
  resultText: z.string(),
  amountMinor: z.number().int().nullable(),
  currency: currencySchema.nullable(),
  terminalId: z.string().nullable(),
  merchantId: z.string().nullable(),
  traceNumber: z.string().nullable(),
  receiptNumber: z.string().nullable(),
  turnoverNumber: z.string().nullable(),
  /** Of a reversal: the trace number of the payment that it undoes. */
  originalTraceNumber: z.string().nullable(),
  approvalCode: z.string().nullable(),
  maskedCardNumber: z.string().nullable(),
  /** The name to print ("Debit Mastercard"). */
  cardScheme: z.string().nullable(),
  /** The group that batch totals count it under, as in `SchemeTotal.scheme`. */
  schemeGroup: z.string().nullable(),
  entryMode: z.enum(['chip', 'contactless', 'magnetic_stripe']).nullable(),
  signatureRequired: z.boolean().nullable(),
  hostResponseCode: z.string().nullable(),
  hostResponseText: z.string().nullable(),
  /** Date and time as the terminal sent them (digits); proves nothing, tells records apart. */
  terminalDate: z.string().nullable(),
  terminalTime: z.string().nullable(),
  batchNumber: z.string().nullable(),
  /** Of a batch close: first and last receipt number that it covers, and totals by scheme. */
  receiptFrom: z.string().nullable(),
  receiptTo: z.string().nullable(),
  totals: z.array(schemeTotalSchema).nullable(),
  /**
   * Of a last record: what the terminal's open batch sums up to beside it, in minor units, where it was asked for that.
   */
  batchTotalMinor: z.number().int().optional(),
});
export type TerminalRecord = z.infer<typeof terminalRecordSchema>;

/** Whom a receipt is for; `administration` is that of a batch close. */
export const receiptCopySchema = z.enum(['merchant', 'customer', 'administration']);
export type ReceiptCopy = z.infer<typeof receiptCopySchema>;

/** More receipts than any operation has; what comes beyond belongs to the last of them. */
export const maxReceiptParts = 50;
/** Where each receipt begins among the lines of all of them; `copy` is null where the terminal did not say whose it is. */
export const receiptPartsSchema = z
  .array(z.object({ from: z.number().int().min(0), copy: receiptCopySchema.nullable() }))
  .max(maxReceiptParts);
export type ReceiptParts = z.infer<typeof receiptPartsSchema>;

/** What a terminal wants to have printed. */
export interface PrintedLines {
  receiptLines: string[];
  /** Absent where there is one receipt at most, and nobody has said whose. */
  receiptParts?: ReceiptParts;
}

type Card = Pick<TerminalRecord, 'maskedCardNumber' | 'cardScheme'>;

/** A card for people to read, in its two parts. */
export interface CardParts {
  scheme: string | null;
  /** "•••• 4771" */
  digits: string | null;
}

/** Null when nothing is known of the card. A masked number that ends otherwise than in digits tells none apart. */
export function cardParts({ maskedCardNumber, cardScheme }: Card): CardParts | null {
  const [last] = /\d{1,4}$/.exec(maskedCardNumber ?? '') ?? [];
  const digits = last === undefined ? maskedCardNumber : `•••• ${last}`;
  return cardScheme === null && digits === null ? null : { scheme: cardScheme, digits };
}

/** "girocard •••• 4771" */
export function cardText(card: Card): string | null {
  const parts = cardParts(card);
  return parts === null ? null : [parts.scheme, parts.digits].filter((part) => part !== null).join(' ');
}

/** Trace and receipt numbers are the same whatever their leading zeros. */
export function sameNumber(one: string, other: string): boolean {
  return withoutZeros(one) === withoutZeros(other);
}

/**
 * The same kind of thing with the same end, and whatever both of them tell agrees, beside the trace numbers. Terminals
 * leave fields out when they show a record again, so a field that only one has is no difference.
 */
export function recordsAgree(one: TerminalRecord, other: TerminalRecord): boolean {
  return (
    one.kind === other.kind &&
    one.approved === other.approved &&
    agreeIfTold(one.originalTraceNumber, other.originalTraceNumber) &&
    agreeIfTold(one.receiptNumber, other.receiptNumber) &&
    agreeIfTold(one.turnoverNumber, other.turnoverNumber) &&
    agreeIfTold(one.amountMinor, other.amountMinor) &&
    agreeIfTold(one.terminalDate, other.terminalDate) &&
    agreeIfTold(one.terminalTime, other.terminalTime)
  );
}

/** What only one side tells is no difference. */
export function agreeIfTold<T>(one: T | null, other: T | null): boolean {
  return one === null || other === null || one === other;
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=.)/, '');
}

/** A record in which nothing is known yet; fill in what the terminal told. */
export function emptyRecord(): TerminalRecord {
  return {
    kind: 'other',
    approved: false,
    resultCode: null,
    resultText: '',
    amountMinor: null,
    currency: null,
    terminalId: null,
    merchantId: null,
    traceNumber: null,
    receiptNumber: null,
    turnoverNumber: null,
    originalTraceNumber: null,
    approvalCode: null,
    maskedCardNumber: null,
    cardScheme: null,
    schemeGroup: null,
    entryMode: null,
    signatureRequired: null,
    hostResponseCode: null,
    hostResponseText: null,
    terminalDate: null,
    terminalTime: null,
    batchNumber: null,
    receiptFrom: null,
    receiptTo: null,
    totals: null,
  };
}

/** The terminal's last stored record as it was read: there is one, it says it has none, or it could not be read. */
export const lastRecordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('record'), record: terminalRecordSchema }),
  z.object({ kind: z.literal('empty') }),
  z.object({ kind: z.literal('unavailable'), reason: z.string() }),
]);
export type LastRecord = z.infer<typeof lastRecordSchema>;

/**
 * How a record that the terminal shows now relates to the one known before:
 * `same`; `next` (exactly one later, of the same batch); `batch` (a batch close lies between or is it);
 * `gap` (something happened that cannot be seen in full); `changed_terminal`; `unknown` (cannot be read or compared).
 */
export const continuitySchema = z.enum(['same', 'next', 'batch', 'gap', 'changed_terminal', 'unknown']);
export type Continuity = z.infer<typeof continuitySchema>;

/**
 * What one terminal is known to lack or to do differently, learnt from it and journaled, so that it need not be found
 * out again. `shows_no_records`: asked for its last record after a payment of ours it shows none.
 * `results_in_enquiries`: it puts a result into its answers to enquiries. The others: it refuses TLV containers, the
 * currency in its commands, the registration, or the status enquiry (or answers that without a status).
 */
export const terminalTraitSchema = z.enum([
  'shows_no_records',
  'no_tlv',
  'no_currency',
  'no_registration',
  'no_status_enquiry',
  'results_in_enquiries',
]);
export type TerminalTrait = z.infer<typeof terminalTraitSchema>;

/** How the bridge stands to its terminal. Only `ready` takes a new operation. */
export const terminalConnectionSchema = z.enum([
  'stopped',
  'connecting',
  'preparing',
  'ready',
  'operating',
  'recovering',
  'attention',
  'lost',
]);
export type TerminalConnection = z.infer<typeof terminalConnectionSchema>;

/** What the terminal is waiting for or doing, as far as its protocol tells it in codes; `other`: see its own text. */
export const progressStepSchema = z.enum([
  'confirm_amount',
  'insert_card',
  'remove_card',
  'card_unreadable',
  'enter_pin',
  'wrong_pin',
  'waiting_for_host',
  'reversing',
  'booking',
  'declined',
  'approved',
  'reversed',
  'please_wait',
  'other',
]);
export type ProgressStep = z.infer<typeof progressStepSchema>;
