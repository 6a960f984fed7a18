/**
 * What the command line asks a running bridge through its control channel, and what it answers: one JSON line each.
 * The journal has one writer, so what a person says of it goes through the bridge while it runs.
 */
import { z } from 'zod';
import { discrepancyViewSchema } from './discrepancy.ts';
import { inDoubtSchema, terminalCheckSchema } from './in-doubt.ts';
import { errorCodeSchema } from './errors.ts';
import { operationKindSchema, resolutionSchema } from './operation.ts';

/** A named person and what that person says. */
const personSchema = { by: z.string().max(200), reason: z.string().max(2_000) };

/** How long a support bundle may take: its log files alone may be 64 MB. */
export const bundleTimeoutMs = 300_000;

export const controlRequestSchema = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('status') }),
  z.object({ ask: z.literal('doubts') }),
  /** The terminal is asked again now; the answer comes with what came of it. */
  z.object({ ask: z.literal('check_terminal') }),
  /** The support bundle is put into the bridge's data folder. */
  z.object({ ask: z.literal('support_bundle') }),
  z.object({
    ask: z.literal('resolve'),
    operationId: z.string().max(100),
    resolution: resolutionSchema,
    ...personSchema,
    terminalUnreachable: z.boolean().optional(),
  }),
  z.object({
    ask: z.literal('discrepancies'),
    /** The next page: those after this `seq`. */
    after: z.number().int().min(0).optional(),
  }),
  /** A link that opens a window of the console, or an end of all links and windows. */
  z.object({ ask: z.literal('console_link') }),
  z.object({ ask: z.literal('revoke_console') }),
  z.object({ ask: z.literal('acknowledge'), discrepancyId: z.string().max(100), ...personSchema }),
]);
export type ControlRequest = z.infer<typeof controlRequestSchema>;

export const controlAnswerSchema = z.discriminatedUnion('answer', [
  z.object({
    answer: z.literal('status'),
    version: z.string(),
    processId: z.number().int(),
    simulated: z.boolean(),
    terminal: z.string(),
    inDoubt: z.number().int(),
    discrepancies: z.number().int(),
  }),
  z.object({ answer: z.literal('terminal_checked'), check: terminalCheckSchema }),
  z.object({ answer: z.literal('support_bundle'), file: z.string() }),
  z.object({ answer: z.literal('doubts'), doubts: z.array(inDoubtSchema) }),
  z.object({
    answer: z.literal('resolved'),
    operationId: z.string(),
    kind: operationKindSchema,
    reference: z.string().nullable(),
  }),
  z.object({ answer: z.literal('discrepancies'), discrepancies: z.array(discrepancyViewSchema) }),
  z.object({ answer: z.literal('acknowledged'), discrepancy: discrepancyViewSchema }),
  z.object({ answer: z.literal('console_link'), link: z.string() }),
  z.object({ answer: z.literal('console_revoked'), windows: z.number().int(), links: z.number().int() }),
  z.object({ answer: z.literal('refused'), code: errorCodeSchema, message: z.string() }),
]);
export type ControlAnswer = z.infer<typeof controlAnswerSchema>;
