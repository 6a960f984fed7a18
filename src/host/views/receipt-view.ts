/** What the receipts of a payment are made of: what the terminal sent, and what the journal knows. */
import type { JournalReading } from '../../bridge/bridge.ts';
import type { PaymentRow } from '../../bridge/journal/index.ts';
import type { Receipt, ReceiptSlip } from '../../contract/console/index.ts';
import type { JournalEventOf } from '../../contract/journal-events.ts';
import { isDecided } from '../../contract/operation.ts';
import { endOf } from './manual-decisions.ts';
import { paymentView } from './payment-views.ts';

/** A payment that nobody can tell the end of has none: a receipt would say more than is known. `terminal` has it. */
export function receiptOf(row: PaymentRow, journal: JournalReading, printedBefore: boolean): Receipt {
  const slips = isDecided(row.status) ? [saleSlip(row, journal), voidSlip(row, journal)] : [];
  return {
    payment: paymentView(row, journal),
    slips: slips.filter((slip) => slip !== null),
    printedBefore,
  };
}

function saleSlip({ transactionId }: PaymentRow, journal: JournalReading): ReceiptSlip | null {
  const end = endOf(journal, transactionId);
  return end === null ? null : slipOf('sale', end.at, end.event);
}

/** Of the void that succeeded; those that were refused changed nothing. */
function voidSlip({ transactionId }: PaymentRow, journal: JournalReading): ReceiptSlip | null {
  for (const operationId of journal.voidsOf(transactionId).toReversed()) {
    const end = endOf(journal, operationId);
    if (end?.event.outcome === 'voided') return slipOf('void', end.at, end.event);
  }
  return null;
}

function slipOf(
  kind: ReceiptSlip['kind'],
  endedAt: string,
  event: JournalEventOf<'operation_ended'>,
): ReceiptSlip {
  const { operationId, outcome, result } = event;
  return {
    operationId,
    kind,
    outcome,
    endedAt,
    result,
    printed: printedOf(event),
  };
}

/** Each receipt with its own lines, without the empty ones around them; older events do not tell them apart. */
function printedOf({
  receiptLines,
  receiptParts = [{ from: 0, copy: null }],
}: JournalEventOf<'operation_ended'>): ReceiptSlip['printed'] {
  return receiptParts
    .map(({ from, copy }, at) => {
      const lines = receiptLines.slice(from, receiptParts[at + 1]?.from);
      const first = lines.findIndex((line) => line !== '');
      const last = lines.findLastIndex((line) => line !== '');
      return { copy, lines: first < 0 ? [] : lines.slice(first, last + 1) };
    })
    .filter(({ lines }) => lines.length > 0);
}
