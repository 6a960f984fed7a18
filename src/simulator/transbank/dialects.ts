/**
 * How terminals of Transbank POS Integrado differ, as data: what the documentation leaves open, and what real ones do. The
 * code beside this file asks it, and has no branch for any name. `docs/simulator.md` lists them.
 */
import { z } from 'zod';

const dialectSchema = z.object({
  /** How its messages end: with all fields that they can have; a separator behind them; at the last that has a value. */
  ending: z.enum(['all_fields', 'separator', 'last_value']),
  /** The same of its progress messages: `0900|81` or `0900|81|`. */
  progressSeparator: z.boolean(),
  /** Blanks around values, a tip as `0 `, and blanks where there is no value. */
  blanks: z.boolean(),
  /** Tickets of fewer than six characters come back with zeros before them. */
  paddedTickets: z.boolean(),
  /** What the customer adds, for 100 of what was asked. */
  tipPercent: z.number().int().min(0).max(100),
  /** What the customer has paid out in cash with each payment, in pesos. */
  changePesos: z.number().int().min(0).max(20_000),
  /** The amount of an answer has the tip and the change in it. */
  amountWithTip: z.boolean(),
  /** How the amount of an approved sale is written: in digits, or with a point in the thousands, which nobody documents. */
  amounts: z.enum(['digits', 'with_points']),
  /** The detail of an empty memory: the end frame alone, or code 11. */
  emptyDetail: z.enum(['end', 'code_11']),
  /** Whether the lines of the detail have the authorisation code, by which the documentation tells them from the end. */
  detailApprovals: z.enum(['told', 'blank']),
  /** What 0250 shows: the last sale, or the last attempt even if it was declined. */
  lastSale: z.enum(['sales', 'attempts']),
  /** Whether voided sales are still in detail and last sale. */
  voidedSales: z.enum(['left_out', 'listed']),
  /** After so many sales the batch has to be closed (code 76); null: only when the numbers do not suffice any more. */
  salesLimit: z.number().int().positive().nullable(),
  /** It asks for keys (code 26) before its first sale. */
  wantsKeys: z.boolean(),
});
export type TransbankDialect = z.infer<typeof dialectSchema>;

/** What the documentation says, and the default. */
const strict: TransbankDialect = {
  ending: 'all_fields',
  progressSeparator: false,
  blanks: false,
  paddedTickets: false,
  tipPercent: 0,
  changePesos: 0,
  amountWithTip: false,
  amounts: 'digits',
  emptyDetail: 'end',
  detailApprovals: 'told',
  lastSale: 'sales',
  voidedSales: 'left_out',
  salesLimit: null,
  wantsKeys: false,
};

export const transbankDialects = {
  strict,
  'ends-with-separator': { ...strict, ending: 'separator', progressSeparator: true },
  'short-answers': { ...strict, ending: 'last_value' },
  blanks: { ...strict, blanks: true, ending: 'separator' },
  'padded-tickets': { ...strict, paddedTickets: true },
  tips: { ...strict, tipPercent: 10 },
  'tips-in-amount': { ...strict, tipPercent: 10, amountWithTip: true },
  'pays-change': { ...strict, changePesos: 5_000 },
  'amounts-with-points': { ...strict, amounts: 'with_points' },
  'empty-is-11': { ...strict, emptyDetail: 'code_11' },
  'blank-approvals': { ...strict, detailApprovals: 'blank' },
  'shows-declined': { ...strict, lastSale: 'attempts' },
  'lists-voided': { ...strict, voidedSales: 'listed' },
  'wants-closing': { ...strict, salesLimit: 5 },
  'wants-keys': { ...strict, wantsKeys: true },
} as const satisfies Record<string, TransbankDialect>;

export const transbankDialectNames = Object.keys(transbankDialects) as [string, ...string[]];
