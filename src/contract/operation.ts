/** Sales, voids and batch closes are operations: the unit of everything that moves money. */
import { z } from 'zod';

export const operationKindSchema = z.enum(['sale', 'void', 'batch_close']);
export type OperationKind = z.infer<typeof operationKindSchema>;

/** How each kind can end. `unknown` is no ending: such an operation stays in doubt. */
export const saleOutcomeSchema = z.enum(['approved', 'declined', 'cancelled', 'failed']);
export const voidOutcomeSchema = z.enum(['voided', 'not_voided']);
export const batchOutcomeSchema = z.enum(['closed', 'not_closed']);
export const operationOutcomeSchema = z.enum([
  ...saleOutcomeSchema.options,
  ...voidOutcomeSchema.options,
  ...batchOutcomeSchema.options,
]);
export type OperationOutcome = z.infer<typeof operationOutcomeSchema>;

export const operationPhaseSchema = z.enum(['started', 'result_received', 'in_doubt', 'ended']);
export type OperationPhase = z.infer<typeof operationPhaseSchema>;

/** What a named person may say of an operation in doubt, on the command line and in the console. */
export const resolutionSchema = z.enum([
  'charged',
  'not-charged',
  'voided',
  'not-voided',
  'closed',
  'not-closed',
]);
export type Resolution = z.infer<typeof resolutionSchema>;

export const transactionStatusSchema = z.enum([
  'in_progress',
  'approved',
  'declined',
  'cancelled',
  'failed',
  'unknown',
  'voiding',
  'voided',
  'settled',
]);
export type TransactionStatus = z.infer<typeof transactionStatusSchema>;

/** With these the terminal has taken money, though it may have given it back since. */
export const takenStatuses: readonly TransactionStatus[] = ['approved', 'settled', 'voiding', 'voided'];

/** The money has been taken and is not on its way back: such payments make a sum. */
export function isTaken(status: TransactionStatus): boolean {
  return status === 'approved' || status === 'settled';
}

/** Decided: nobody has to wait for anything any more. */
export function isDecided(status: TransactionStatus): boolean {
  return status !== 'in_progress' && status !== 'unknown' && status !== 'voiding';
}

/**
 * What somebody who waits for a payment is told at once: a decision, and that nobody can tell any more how it ended. Who
 * knows that already (`known`, the status that was told last) waits for the decision.
 */
export function isNews(status: TransactionStatus, known: TransactionStatus): boolean {
  return isDecided(status) || (status === 'unknown' && known !== 'unknown');
}
