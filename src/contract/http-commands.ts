/** The five commands of the bridge's HTTP interface: what comes in and what goes out, in wire form. */
import { z } from 'zod';
import { discrepancyKindSchema } from './discrepancy.ts';
import { errorCodeSchema, paymentStateSchema } from './errors.ts';
import { currencySchema } from './money.ts';
import { transactionStatusSchema } from './operation.ts';
import {
  amountForm,
  amountPattern,
  conditionCodeForm,
  conditionCodePattern,
  referenceForm,
  referencePattern,
} from './request-forms.ts';

export const apiVersions = ['v1', 'latest'] as const;

const referenceSchema = z.string().regex(referencePattern, referenceForm).meta({
  description: 'The POS’s own number for this payment, and its idempotency key.',
  example: 'A-1001',
});

const conditionCodeSchema = z
  .string()
  .regex(conditionCodePattern, conditionCodeForm)
  .meta({ description: 'ISO 8583 field 25; "00" when absent.', example: '00' });
export const defaultConditionCode = '00';

/** Said where the POS sends no reference and the bridge may not make one. */
export const missingReference =
  'retrieval_reference_number is missing; without it a repeated request would be a second sale. ' +
  'Send a number of your own for each payment, such as "A-1001" (1 to 40 of A–Z, a–z, 0–9, ".", "_", "-")';

export const createPaymentRequestSchema = z.object({
  amount: z
    .string()
    .regex(amountPattern, amountForm)
    .meta({ description: 'Decimal with two places, more than zero.', example: '12.00' }),
  /** Optional only where the setting `makeReferences` allows it; elsewhere `missingReference` is said. */
  retrieval_reference_number: referenceSchema.optional(),
  condition_code: conditionCodeSchema.optional(),
});

export const cancelPaymentRequestSchema = z.object({
  retrieval_reference_number: referenceSchema.optional(),
});
export const queryPaymentRequestSchema = z.object({ retrieval_reference_number: referenceSchema });
export const voidPaymentRequestSchema = z.object({ retrieval_reference_number: referenceSchema });
export const submitBatchRequestSchema = z.object({});

const receiptSchema = z
  .object({
    amount: z.string().nullable().meta({ description: 'What was actually approved.' }),
    currency: currencySchema.nullable(),
    approval_code: z.string().nullable(),
    masked_card_number: z.string().nullable(),
    card_scheme: z.string().nullable(),
    entry_mode: z.enum(['chip', 'contactless', 'magnetic_stripe']).nullable(),
    signature_required: z.boolean().nullable(),
    terminal_id: z.string().nullable(),
    merchant_id: z.string().nullable(),
    trace_number: z.string().nullable(),
    receipt_number: z.string().nullable(),
    batch_number: z.string().nullable(),
    host_response_code: z.string().nullable(),
    host_response_text: z.string().nullable(),
    completed_at: z.string().nullable().meta({ description: 'ISO 8601, UTC, by the clock of the bridge.' }),
    lines: z
      .array(z.string())
      .nullable()
      .meta({ description: 'What the POS has to print, if the terminal does not.' }),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof receiptSchema>;

const terminalField = z.string().optional().meta({
  description: 'The terminal that it is about; only where the bridge has several.',
});

const responseBase = {
  success: z.boolean(),
  message: z.string().meta({ description: 'A sentence that a cashier can read.' }),
  terminal: terminalField,
};

export const failureResponseSchema = z
  .object({
    success: z.literal(false),
    message: responseBase.message,
    terminal: responseBase.terminal,
    code: errorCodeSchema,
    payment_state: paymentStateSchema.optional().meta({
      description:
        'On each failure of a command that moves money. "not_started": neither this request nor an earlier one with ' +
        'this reference moved money. "unknown": ask again, and never take it for a refusal.',
    }),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Failure' });

const paymentResponseBase = {
  ...responseBase,
  retrieval_reference_number: z.string(),
  condition_code: z.string(),
  transaction_id: z.uuid(),
  transaction_status: transactionStatusSchema,
  approved_amount: z
    .string()
    .optional()
    .meta({ description: 'What the terminal took; absent while no money was taken.', example: '12.00' }),
  created_at: z.string().meta({
    description: 'When the payment was first asked for: ISO 8601, UTC, by the clock of the bridge.',
  }),
};

export const createPaymentResponseSchema = z
  .object({
    ...paymentResponseBase,
    repeated: z
      .literal(true)
      .optional()
      .meta({ description: 'The reference was known before, so nothing new was started.' }),
  })
  .meta({ id: 'CreatePaymentAnswer' });

/** A discrepancy about the payment that nobody has acknowledged yet. */
const openDiscrepancySchema = z
  .object({
    id: z.uuid(),
    kind: discrepancyKindSchema,
    message: z.string().meta({ description: 'What does not agree, and where to look.' }),
    found_at: z.string(),
  })
  .meta({ id: 'OpenDiscrepancy' });
export type OpenDiscrepancy = z.infer<typeof openDiscrepancySchema>;

export const queryPaymentResponseSchema = z
  .object({
    ...paymentResponseBase,
    receipt: receiptSchema.nullable(),
    discrepancy: openDiscrepancySchema.nullable().meta({
      description: 'What terminal and journal disagree about, until a named person has acknowledged it.',
    }),
  })
  .meta({ id: 'QueryPaymentAnswer' });

export const plainResponseSchema = z.object(responseBase).meta({ id: 'PlainAnswer' });

const batchSchema = z
  .object({
    batch_number: z.string(),
    count: z.number().int().nullable().meta({ description: 'Null where the terminal told none.' }),
    total: z.string().nullable().meta({ description: 'Null where the terminal told none.' }),
    currency: currencySchema,
    reconciled: z.boolean().meta({ description: 'The terminal’s totals equal the journal’s.' }),
    differences: z.array(
      z.object({
        scheme: z.string(),
        terminal_count: z.number().int().nullable(),
        terminal_total: z.string(),
        journal_count: z.number().int(),
        journal_total: z.string(),
      }),
    ),
  })
  .meta({ id: 'Batch' });
export type Batch = z.infer<typeof batchSchema>;

export const submitBatchResponseSchema = z
  .object({ ...responseBase, batch: batchSchema.nullable() })
  .meta({ id: 'SubmitBatchAnswer' });

/** Longest `Prefer: wait=N` in seconds: for a payment, and for VoidPayment and SubmitBatch. */
export const maxPaymentWaitS = 120;
export const maxOperationWaitS = 300;
/** How long VoidPayment and SubmitBatch wait without `Prefer`, and CancelPayment for the terminal's word. */
export const defaultOperationWaitS = 60;
export const cancelWaitS = 30;
/** The largest body that a command may have, in bytes. */
export const maxBodyBytes = 64 * 1024;
