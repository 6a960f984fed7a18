/**
 * Discrepancies: what the terminal shows and what the journal says do not agree, and nothing but a person can clear it
 * up. Each is found once, journaled, and open until a named person has acknowledged it.
 */
import { z } from 'zod';
import { currencySchema } from './money.ts';
import { terminalRecordSchema } from './terminal.ts';

export const discrepancyKindSchema = z.enum([
  /** What the terminal shows now says the opposite of how an operation was ended. */
  'contradicted_outcome',
  /** A result came after an operation was decided, and says the opposite. It was not acknowledged. */
  'late_result_refused',
  /** The terminal shows an approved payment that the bridge did not cause. */
  'unexplained_payment',
  /** The terminal shows a reversal that the bridge did not cause. */
  'unexplained_reversal',
  /** The terminal did things that the bridge has not seen: records are missing between two that it has. */
  'unseen_records',
  /** The day was closed at the terminal, not by the bridge. */
  'unexplained_batch_close',
  /** Another terminal answers on the line, and payments of the one before were neither settled nor voided. */
  'changed_terminal',
  /** The terminal charged, or tried to charge, another amount than was asked. */
  'amount_differs',
  /** The terminal's totals of a closed batch are not the journal's; `references` are the payments in question. */
  'batch_differs',
  /** The journal was repaired, and events of it are lost. */
  'journal_loss',
]);
export type DiscrepancyKind = z.infer<typeof discrepancyKindSchema>;

/** What an open discrepancy holds back: nothing, sales of exactly its amount, or every sale. */
export type DiscrepancyHold = 'nothing' | 'same_amount' | 'sales';

/** A customer may have paid already what is about to be charged; after a loss nobody knows what was charged. */
export const discrepancyHold: Record<DiscrepancyKind, DiscrepancyHold> = {
  contradicted_outcome: 'same_amount',
  late_result_refused: 'nothing',
  unexplained_payment: 'same_amount',
  unexplained_reversal: 'nothing',
  unseen_records: 'nothing',
  unexplained_batch_close: 'nothing',
  changed_terminal: 'nothing',
  amount_differs: 'nothing',
  batch_differs: 'nothing',
  journal_loss: 'sales',
};

/** How many references one discrepancy names at most; its message says how many there are. */
export const maxDiscrepancyReferences = 100;

/** The parts of a discrepancy that the journal keeps. */
export const discrepancySchema = z.object({
  discrepancyId: z.uuid(),
  kind: discrepancyKindSchema,
  /** The operation that it is about; null where there is none. */
  operationId: z.uuid().nullable(),
  /** The payments that it is about, by their references. */
  references: z.array(z.string()).max(maxDiscrepancyReferences),
  /** The amount that is in question: what was charged or reversed without us, or otherwise than asked. */
  amountMinor: z.number().int().nullable(),
  currency: currencySchema.nullable(),
  /** What the terminal showed; null where there is no record to show. */
  record: terminalRecordSchema.nullable(),
  /** A sentence for cashier and support: what does not agree, and where to look. */
  message: z.string(),
});
export type Discrepancy = z.infer<typeof discrepancySchema>;

/** A discrepancy with what has become of it, as console, command line and HTTP interface show it. */
export const discrepancyViewSchema = discrepancySchema.extend({
  /** The place of its `discrepancy_found` in the journal: lists go on after it. */
  seq: z.number().int(),
  foundAt: z.string(),
  /** Null while it is open. */
  acknowledged: z.object({ by: z.string(), reason: z.string(), at: z.string() }).nullable(),
  /** The name of the terminal that it is on; absent: the main one, or the only one. */
  onTerminal: z.string().optional(),
});
export type DiscrepancyView = z.infer<typeof discrepancyViewSchema>;

/** The console's state is sent again with each change, so it carries no more of them; the others come when these are done. */
export const maxShownDiscrepancies = 50;
