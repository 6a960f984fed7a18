/**
 * What the command line asks a running bridge through its control channel, and what it answers: one JSON line each.
 * The journal has one writer, so `doubts` and `resolve` go through the bridge while it runs.
 */
import { z } from 'zod';
import { doubtSchema } from './doubt.ts';
import { errorCodeSchema } from './errors.ts';
import { operationKindSchema, resolutionSchema } from './operation.ts';

export const controlRequestSchema = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('status') }),
  z.object({ ask: z.literal('doubts') }),
  z.object({
    ask: z.literal('resolve'),
    operationId: z.string().max(100),
    resolution: resolutionSchema,
    by: z.string().max(200),
    reason: z.string().max(2_000),
  }),
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
  }),
  z.object({ answer: z.literal('doubts'), doubts: z.array(doubtSchema) }),
  z.object({
    answer: z.literal('resolved'),
    operationId: z.string(),
    kind: operationKindSchema,
    reference: z.string().nullable(),
  }),
  z.object({ answer: z.literal('refused'), code: errorCodeSchema, message: z.string() }),
]);
export type ControlAnswer = z.infer<typeof controlAnswerSchema>;
