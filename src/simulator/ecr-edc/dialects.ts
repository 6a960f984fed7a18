/**
 * How ECR-EDC terminals differ within one profile, as data: what was seen of real ones, and what no source tells. The code
 * beside this file asks it, and has no branch for any name. `docs/simulator.md` lists them.
 */
import { z } from 'zod';

const dialectSchema = z.object({
  /** Order of the fields of an approval: text and approval code first, or date and time. */
  fieldOrder: z.enum(['approval_first', 'time_first']),
  /** The card number is sent whole, with expiry date and cardholder. */
  wholeCardNumber: z.boolean(),
  /** The amount (40) is in its answers. */
  tellsAmount: z.boolean(),
  /** What the customer adds to each sale (41), in per cent of what was asked; the amount, where it is told, has it in it. */
  tipPercent: z.number().int().min(0).max(100),
  /** Beside the usual fields: one that nobody knows, one without a value, and one that holds separators and 03. */
  oddFields: z.boolean(),
  /** Its answers say that more follow, though none do. */
  alwaysMore: z.boolean(),
  /** The ACK is glued in front of an answer that comes at once. */
  gluedAck: z.boolean(),
  /** Code of a payment that was cancelled: two NULs, or a text. */
  cancelCode: z.enum(['\0\0', 'CN']),
  /** It tells what it waits for (where the profile has notices). */
  notices: z.boolean(),
  /** Its id (16) is in its answers. */
  tellsId: z.boolean(),
  /** It returns the till's reference. */
  returnsReference: z.boolean(),
  /** Of the bank: two of them close the batch in two answers. */
  hosts: z.union([z.literal(1), z.literal(2)]),
  /** The batch close tells its sum (H1, H2). */
  tellsTotals: z.boolean(),
  /** Invoice numbers begin at 1 again with each batch. */
  invoicesBeginAnew: z.boolean(),
});
export type EcrEdcDialect = z.infer<typeof dialectSchema>;

const strict: EcrEdcDialect = {
  fieldOrder: 'approval_first',
  wholeCardNumber: false,
  tellsAmount: false,
  tipPercent: 0,
  oddFields: false,
  alwaysMore: false,
  gluedAck: false,
  cancelCode: 'CN',
  notices: true,
  tellsId: true,
  returnsReference: true,
  hosts: 1,
  tellsTotals: true,
  invoicesBeginAnew: false,
};

export const ecrEdcDialects = {
  /** What most of them do. */
  strict,
  /** As a hospital's trace in Thailand shows it. */
  'time-first': {
    ...strict,
    fieldOrder: 'time_first',
    cancelCode: '\0\0',
    tellsTotals: false,
    notices: false,
  },
  /** Everything that a reader may stumble over. */
  talkative: {
    ...strict,
    wholeCardNumber: true,
    tellsAmount: true,
    oddFields: true,
    gluedAck: true,
    alwaysMore: true,
  },
  'two-hosts': { ...strict, hosts: 2 },
  tips: { ...strict, tipPercent: 10 },
  'tips-in-amount': { ...strict, tipPercent: 10, tellsAmount: true },
  'no-id': { ...strict, tellsId: false },
  'no-reference': { ...strict, returnsReference: false },
  'invoices-anew': { ...strict, invoicesBeginAnew: true },
} as const satisfies Record<string, EcrEdcDialect>;

export const ecrEdcDialectNames: readonly string[] = Object.keys(ecrEdcDialects);
