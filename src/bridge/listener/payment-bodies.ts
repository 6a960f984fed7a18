/** Payments and batches in wire form. */
import type { Batch, OpenDiscrepancy, Receipt } from '../../contract/http-commands.ts';
import { formatAmount } from '../../contract/money.ts';
import { type DiscrepancyView, type PaymentsApi, approvedMinor } from '../payments/index.ts';
import type { Payment } from './payment-sentences.ts';

export type SubmittedBatch = Extract<
  Awaited<ReturnType<PaymentsApi['submitBatch']>>,
  { ok: true }
>['value']['batch'];

/** The fields that CreatePayment and QueryPayment share. */
export function paymentFields(payment: Payment) {
  const amountMinor = approvedMinor(payment);
  return {
    retrieval_reference_number: payment.reference,
    condition_code: payment.conditionCode,
    transaction_id: payment.transactionId,
    transaction_status: payment.status,
    ...(amountMinor === null ? {} : { approved_amount: formatAmount(amountMinor, payment.currency) }),
    created_at: payment.createdAt,
  };
}

export function discrepancyFields({
  discrepancyId,
  kind,
  message,
  foundAt,
}: DiscrepancyView): OpenDiscrepancy {
  return { id: discrepancyId, kind, message, found_at: foundAt };
}

/** Null while the terminal has told nothing about the payment. */
export function receiptOf(payment: Payment): Receipt | null {
  const { result, receiptLines } = payment;
  if (result === null && receiptLines.length === 0) return null;
  const amountMinor = approvedMinor(payment);
  return {
    amount: amountMinor === null ? null : formatAmount(amountMinor, payment.currency),
    currency: amountMinor === null ? null : payment.currency,
    approval_code: result?.approvalCode ?? null,
    masked_card_number: result?.maskedCardNumber ?? null,
    card_scheme: result?.cardScheme ?? null,
    entry_mode: result?.entryMode ?? null,
    signature_required: result?.signatureRequired ?? null,
    terminal_id: result?.terminalId ?? payment.terminal.terminalId,
    merchant_id: result?.merchantId ?? null,
    trace_number: result?.traceNumber ?? null,
    receipt_number: result?.receiptNumber ?? null,
    batch_number: payment.batchNumber ?? result?.batchNumber ?? null,
    host_response_code: result?.hostResponseCode ?? null,
    host_response_text: result?.hostResponseText ?? null,
    completed_at: payment.completedAt,
    lines: receiptLines.length === 0 ? null : receiptLines,
  };
}

export function batchOf(batch: NonNullable<SubmittedBatch>): Batch {
  const { currency } = batch;
  return {
    batch_number: batch.batchNumber,
    count: batch.count,
    total: batch.totalMinor === null ? null : formatAmount(batch.totalMinor, currency),
    currency,
    reconciled: batch.reconciled,
    differences: batch.differences.map((difference) => ({
      scheme: difference.scheme,
      terminal_count: difference.terminalCount,
      terminal_total: formatAmount(difference.terminalTotalMinor, currency),
      journal_count: difference.journalCount,
      journal_total: formatAmount(difference.journalTotalMinor, currency),
    })),
  };
}
