/** What a person decided about a payment, as the console shows it. */
import { z } from 'zod';
import { operationOutcomeSchema } from '../operation.ts';

/** A named person has said how an operation ended. */
export const manualDecisionSchema = z.object({
  /** Of the sale or the void. */
  operationId: z.string(),
  at: z.string(),
  by: z.string(),
  reason: z.string(),
  outcome: operationOutcomeSchema,
  /** The person stated that the terminal could not be reached. */
  terminalUnreachable: z.boolean(),
});
export type ManualDecision = z.infer<typeof manualDecisionSchema>;

/** More voids than any payment has; each ends by hand once at most. */
export const maxShownDecisions = 10;
