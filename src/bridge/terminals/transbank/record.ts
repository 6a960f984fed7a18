/** Responses as the protocol-independent record of `contract/terminal.ts`. */
import { emptyRecord, type TerminalRecord } from '../../../contract/terminal.ts';
import {
  brandName,
  resultText,
  saleResultOf,
  textOf,
  verdictOf,
  type SaleResult,
  type TransbankMessage,
} from './wire/index.ts';

/**
 * Of a sale, the last sale or a line of the detail; null for anything else. The operation number is the receipt number: it is
 * what a void names, and it counts anew with each batch. `orderedMinor`: what was asked for.
 */
export function saleRecord(message: TransbankMessage, orderedMinor: number): TerminalRecord | null {
  const result = saleResultOf(message);
  if (result === null) return null;
  const taken = takenOf(result, orderedMinor);
  const brand = result.cardBrand;
  const name = brand === null ? null : brandName(brand);
  return {
    ...recordOf(message, 'payment'),
    amountMinor: taken,
    currency: taken === null ? null : 'CLP',
    receiptNumber: result.operationNumber,
    approvalCode: result.authorizationCode,
    maskedCardNumber: result.last4 === null ? null : `****${result.last4}`,
    cardScheme: name ?? brand,
    schemeGroup: name?.toLowerCase() ?? null,
    terminalDate: result.date,
    terminalTime: result.time,
  };
}

/**
 * No source says whether the amount includes a tip, or change that was paid out. Where it is what was asked for, it does not: the
 * customer added them to it. Null: that cannot be read.
 */
function takenOf({ amount, added }: SaleResult, orderedMinor: number): number | null {
  if (amount !== orderedMinor) return amount;
  return added === null ? null : amount + added;
}

/** Of a refund: it names the sale that it undoes by the sale's own operation number. `amountMinor`: null where nobody knows. */
export function refundRecord(message: TransbankMessage, amountMinor: number | null): TerminalRecord {
  return {
    ...recordOf(message, 'reversal'),
    amountMinor,
    currency: amountMinor === null ? null : 'CLP',
    receiptNumber: textOf(message, 'operationNumber'),
    approvalCode: textOf(message, 'authorizationCode'),
  };
}

/** Of a close; the terminal tells its totals only before it. */
export function closeRecord(message: TransbankMessage, totalMinor: number | null): TerminalRecord {
  return {
    ...recordOf(message, 'batch_close'),
    amountMinor: totalMinor,
    currency: totalMinor === null ? null : 'CLP',
  };
}

/** A batch that turned out to be closed. `totalMinor`: what it held, as was told before; null: nobody told. */
export function closedRecord(totalMinor: number | null): TerminalRecord {
  return {
    ...emptyRecord(),
    kind: 'batch_close',
    approved: true,
    resultText: 'The terminal holds no sales any more',
    amountMinor: totalMinor,
    currency: totalMinor === null ? null : 'CLP',
  };
}

/** Why an answer does not say whether money moved, as a sentence; null when it does. */
export function whyUndecided(message: TransbankMessage): string | null {
  const { resultText: text } = recordOf(message, 'other');
  switch (verdictOf(message)) {
    case 'approved':
    case 'refused':
      return null;
    case 'unsure':
      return `The terminal is not sure itself: ${text}.`;
    case 'unreadable':
      return `The terminal’s answer cannot be read: ${text}.`;
    case 'contradictory':
      return `The terminal’s answer contradicts itself: it refuses (${text}), but names what only an approval has.`;
  }
}

function recordOf(message: TransbankMessage, kind: TerminalRecord['kind']): TerminalRecord {
  const code = textOf(message, 'responseCode');
  return {
    ...emptyRecord(),
    kind,
    approved: verdictOf(message) === 'approved',
    resultCode: code,
    resultText: code === null ? 'The terminal gave no result code' : resultText(code),
    terminalId: textOf(message, 'terminalId'),
    merchantId: textOf(message, 'commerceCode'),
  };
}
