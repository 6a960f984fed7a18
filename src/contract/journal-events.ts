/**
 * The events that the journal keeps, one zod schema each. They are append-only and hash-chained; everything else
 * (payments, open operations, the terminal's last record) is a projection of them.
 */
import { z } from 'zod';
import { discrepancySchema } from './discrepancy.ts';
import { currencySchema } from './money.ts';
import { batchOutcomeSchema, operationOutcomeSchema } from './operation.ts';
import {
  continuitySchema,
  lastRecordSchema,
  otherTerminalSchema,
  receiptPartsSchema,
  schemeTotalSchema,
  terminalIdentitySchema,
  terminalRecordSchema,
  terminalTraitSchema,
} from './terminal.ts';

const operationId = z.uuid();

/** The number that we gave it and the terminal keeps it under; absent where the protocol has no such number. */
const terminalReference = z.string().optional();

/** What a sale, a void or a batch close was asked to do. */
const startedBase = {
  type: z.literal('operation_started'),
  operationId,
  terminal: terminalIdentitySchema,
  /** The terminal's last record as it stood before the first byte of this operation. */
  baseline: lastRecordSchema,
  /** True when the in-process or stand-alone simulator is the terminal. */
  simulated: z.boolean(),
};

const saleStartedSchema = z.object({
  ...startedBase,
  kind: z.literal('sale'),
  /** The sale's operation id is the payment's `transaction_id`. */
  reference: z.string(),
  conditionCode: z.string(),
  amountMinor: z.number().int().positive(),
  /** The most that the terminal may charge, where tips are allowed; absent: `amountMinor` and no more. */
  maxAmountMinor: z.number().int().positive().optional(),
  currency: currencySchema,
  terminalReference,
});
const voidStartedSchema = z.object({
  ...startedBase,
  kind: z.literal('void'),
  /** The payment that is to be reversed: its transaction id, and what binds the reversal to exactly it. */
  paymentId: z.uuid(),
  reference: z.string(),
  amountMinor: z.number().int().positive(),
  currency: currencySchema,
  receiptNumber: z.string(),
  traceNumber: z.string().nullable(),
  terminalReference,
});
const batchStartedSchema = z.object({
  ...startedBase,
  kind: z.literal('batch_close'),
  currency: currencySchema,
  /** Payments from this epoch on are in the terminal's open batch; see `TerminalState.batchEpoch`. */
  batchEpoch: z.number().int(),
  /** What the journal expects the terminal to close. */
  expected: z.object({ count: z.number().int(), totalMinor: z.number().int() }),
});

/** A batch as it was closed: the terminal's totals beside the journal's. */
export const batchResultSchema = z.object({
  batchNumber: z.string(),
  /** What the terminal told of count and sum; null where it told none. */
  count: z.number().int().nullable(),
  totalMinor: z.number().int().nullable(),
  currency: currencySchema,
  reconciled: z.boolean(),
  differences: z.array(
    z.object({
      /** A scheme group, or `all` where the terminal tells no more than one total. */
      scheme: z.string(),
      /** Null where the terminal tells a sum only. */
      terminalCount: z.number().int().nullable(),
      terminalTotalMinor: z.number().int(),
      journalCount: z.number().int(),
      journalTotalMinor: z.number().int(),
    }),
  ),
  totals: z.array(schemeTotalSchema),
});
export type BatchResult = z.infer<typeof batchResultSchema>;

const evidence = z.object({
  lastRecord: lastRecordSchema,
  /** The rule that was applied, as a sentence for support staff. */
  explanation: z.string(),
});
export type Evidence = z.infer<typeof evidence>;

/** How long the terminal took, in milliseconds. No recovery and no person's decision is in it. */
const operationTimesSchema = z.object({
  /** From the command's first byte to the terminal's first answer to it (ZVT: 80 00 or 84 xx). */
  answerMs: z.number().int().min(0),
  /**
   * From the moment in which the terminal showed that a card is there to its result, PIN entry included. Absent where it
   * showed no such thing, or no result.
   */
  cardMs: z.number().int().min(0).optional(),
});
export type OperationTimes = z.infer<typeof operationTimesSchema>;

export const operationStartedSchema = z.discriminatedUnion('kind', [
  saleStartedSchema,
  voidStartedSchema,
  batchStartedSchema,
]);

export const journalEventSchema = z.discriminatedUnion('type', [
  operationStartedSchema,
  z.object({ type: z.literal('cancel_requested'), operationId }),
  z.object({
    type: z.literal('result_received'),
    operationId,
    result: terminalRecordSchema,
    /** It arrived during recovery, after the operation had been called in doubt. */
    late: z.boolean(),
  }),
  /** The terminal surely has our acknowledgement of the result, so that the result is final there. */
  z.object({ type: z.literal('result_acknowledged'), operationId }),
  /** A result came for an operation that had ended; `accepted` when it says the same and was acknowledged. */
  z.object({
    type: z.literal('late_result_received'),
    operationId,
    result: terminalRecordSchema,
    accepted: z.boolean(),
  }),
  z.object({ type: z.literal('operation_in_doubt'), operationId, reason: z.string() }),
  z.object({
    type: z.literal('evidence_found'),
    operationId,
    evidence,
    /** Recovery can do no more: a person must decide. */
    needsPerson: z.boolean(),
    /** False: the terminal answered, but did not say that it is idle. Absent: it did. */
    idle: z.literal(false).optional(),
    /** Another terminal answered: nothing is known of the operation's own one. Then `idle` is false. */
    otherTerminal: otherTerminalSchema.optional(),
  }),
  z.object({
    type: z.literal('operation_ended'),
    operationId,
    outcome: operationOutcomeSchema,
    /** A sentence that a cashier can read. */
    reason: z.string(),
    result: terminalRecordSchema.nullable(),
    evidence: evidence.nullable(),
    /** Receipt lines that the POS has to print; empty where the terminal prints. Card numbers masked. */
    receiptLines: z.array(z.string()),
    /** Absent in older events, and where there is no more than one receipt of which nobody said whose it is. */
    receiptParts: receiptPartsSchema.optional(),
    resolvedBy: z
      .object({
        name: z.string(),
        reason: z.string(),
        /** The person stated that the terminal cannot be reached; absent in older events. */
        terminalUnreachable: z.boolean().optional(),
      })
      .nullable(),
    /** Absent where the end is not the terminal's own (recovery, a person), and in older events. */
    times: operationTimesSchema.optional(),
    batch: batchResultSchema.nullable(),
    /** Transaction ids of the payments that a closed batch covers. */
    settled: z.array(z.uuid()),
  }),
  z.object({
    type: z.literal('terminal_ready'),
    terminal: terminalIdentitySchema,
    lastRecord: lastRecordSchema,
    continuity: continuitySchema,
  }),
  z.object({ type: z.literal('terminal_lost'), reason: z.string() }),
  /** The terminal's last record changed outside our operations, or was read again after one. */
  z.object({
    type: z.literal('record_seen'),
    lastRecord: lastRecordSchema,
    continuity: continuitySchema,
    /**
     * `terminal`: it was shown by the terminal; `result`: taken over from the result of our own operation. Absent in
     * older events, which do not tell.
     */
    source: z.enum(['terminal', 'result']).optional(),
  }),
  z.object({
    type: z.literal('terminal_trait_learned'),
    terminal: terminalIdentitySchema,
    trait: terminalTraitSchema,
    /** A sentence for support staff: what was seen. */
    explanation: z.string(),
  }),
  z.object({ type: z.literal('discrepancy_found'), ...discrepancySchema.shape }),
  z.object({
    type: z.literal('discrepancy_acknowledged'),
    discrepancyId: z.uuid(),
    by: z.string(),
    reason: z.string(),
  }),
  z.object({ type: z.literal('journal_opened'), version: z.string() }),
  z.object({
    type: z.literal('journal_repaired'),
    by: z.string(),
    reason: z.string(),
    /** The file that was set aside, and how many events of it could be taken over. */
    setAside: z.string(),
    eventsKept: z.number().int(),
  }),
]);

export type JournalEvent = z.infer<typeof journalEventSchema>;
export type JournalEventType = JournalEvent['type'];
export type JournalEventOf<T extends JournalEventType> = Extract<JournalEvent, { type: T }>;
export type OperationStarted = z.infer<typeof operationStartedSchema>;
export type SaleStarted = z.infer<typeof saleStartedSchema>;
export type VoidStarted = z.infer<typeof voidStartedSchema>;
export type BatchStarted = z.infer<typeof batchStartedSchema>;
export type BatchOutcome = z.infer<typeof batchOutcomeSchema>;

/** An event with its place in the chain. `at` is the PC's clock (ISO 8601, UTC) and orders nothing; `seq` does. */
export const storedEventSchema = z.object({
  seq: z.number().int(),
  at: z.string(),
  event: journalEventSchema,
});
export type StoredEvent = z.infer<typeof storedEventSchema>;
