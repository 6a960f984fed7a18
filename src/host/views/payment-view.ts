/** A payment as the console shows it. */
import type { PaymentRow } from '../../bridge/journal/index.ts';
import { approvedMinor } from '../../bridge/payments/index.ts';
import type { PaymentView } from '../../contract/console/index.ts';

export function paymentView(row: PaymentRow): PaymentView {
  const { result } = row;
  return {
    position: row.position,
    transactionId: row.transactionId,
    reference: row.reference,
    conditionCode: row.conditionCode,
    amountMinor: row.amountMinor,
    approvedMinor: approvedMinor(row),
    currency: row.currency,
    status: row.status,
    simulated: row.simulated,
    terminal: row.terminal,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    completedAt: row.completedAt,
    reason: row.reason,
    approvalCode: result?.approvalCode ?? null,
    maskedCardNumber: result?.maskedCardNumber ?? null,
    cardScheme: result?.cardScheme ?? null,
    receiptNumber: result?.receiptNumber ?? null,
    traceNumber: result?.traceNumber ?? null,
    receiptLines: row.receiptLines,
    batchNumber: row.batchNumber ?? result?.batchNumber ?? null,
  };
}
