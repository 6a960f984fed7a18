/** An operation in doubt with its evidence, as a person needs it who has to decide. */
import { z } from 'zod';
import { storedEventSchema } from './journal-events.ts';
import { operationKindSchema, resolutionSchema } from './operation.ts';
import { otherTerminalSchema } from './terminal.ts';

export const inDoubtSchema = z.object({
  operationId: z.string(),
  kind: operationKindSchema,
  reference: z.string().nullable(),
  /** Wire form, "12.00"; null for a batch close. */
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  startedAt: z.string(),
  reason: z.string(),
  /** False while recovery is still at work. */
  needsDecision: z.boolean(),
  /**
   * The terminal was looked at since the doubt began, and was not at work. Before that, only a person who states that it
   * cannot be reached may decide: it could still end the operation otherwise.
   */
  terminalSeenIdle: z.boolean(),
  /** A finding that was made several times is there once; see `repeats`. */
  facts: z.array(storedEventSchema),
  /** How often the finding with this number was made again, and when last. Absent: none was. */
  repeats: z
    .array(z.object({ seq: z.number().int(), count: z.number().int(), lastAt: z.string() }))
    .optional(),
  /** Another terminal is connected now than the operation was started on. Absent: not so, or nobody can tell. */
  otherTerminal: otherTerminalSchema.optional(),
  /** The name of the terminal that it is on; absent: the main one, or the only one. */
  onTerminal: z.string().optional(),
  /**
   * The configuration has its terminal no more: nothing asks it what became of this, and if it was renamed, it takes payments
   * under its new name meanwhile. Absent: not so, or nobody can tell.
   */
  retired: z.literal(true).optional(),
  /** What may be said of it. */
  resolutions: z.array(resolutionSchema),
});
export type InDoubtView = z.infer<typeof inDoubtSchema>;

/** What came of asking the terminal again now, whatever that means for what is in doubt. */
export const terminalCheckSchema = z.object({
  kind: z.enum([
    /** It answered, and has shown what it has. */
    'answered',
    /** One answered, but not the one that something is in doubt on. */
    'other_terminal',
    /** It answered, and needs a person at the terminal first. */
    'attention',
    /** It is there, and still at work. */
    'busy',
    /** The line is there, and the terminal says nothing. */
    'silent',
    /** There is no connection to it. */
    'not_connected',
    /** Nothing has come yet; it is still being asked. */
    'still_asking',
  ]),
  /** A sentence: what the terminal says, or why it cannot be asked. */
  text: z.string(),
});
export type TerminalCheck = z.infer<typeof terminalCheckSchema>;
/** How long is waited for the terminal, in milliseconds: longer than the pause between two attempts to connect. */
export const terminalCheckWaitMs = 15_000;
