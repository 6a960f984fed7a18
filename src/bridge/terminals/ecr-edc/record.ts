/** Responses as the protocol-independent record of `contract/terminal.ts`. */
import type { Currency } from '../../../contract/money.ts';
import { emptyRecord, sameNumber, type TerminalRecord } from '../../../contract/terminal.ts';
import { fieldText, fieldType, lastFourOf, type EdcMessage, type EdcResult } from './wire/index.ts';

/** What was ordered: terminals seldom say the amount again. */
export interface Ordered {
  amountMinor: number;
  currency: Currency;
}

/** Of a sale or of an inquiry for one. The invoice number is what a void names. `ordered`: null where that is not known. */
export function saleRecord(message: EdcMessage, result: EdcResult, ordered: Ordered | null): TerminalRecord {
  const lastFour = lastFourOf(message);
  const scheme = fieldText(message, fieldType.issuerName);
  const record = recordOf(message, result, 'payment', ordered);
  return {
    ...record,
    amountMinor:
      record.approved && ordered !== null
        ? takenOf(message, record.amountMinor, ordered)
        : record.amountMinor,
    maskedCardNumber: lastFour === null ? null : `****${lastFour}`,
    cardScheme: scheme,
    schemeGroup: scheme?.toLowerCase() ?? null,
  };
}

/**
 * How much was taken, in minor units; null where an amount is told that cannot be read. No source says whether `told` holds a tip
 * (41) or cash paid out (42). Where it is what was ordered, or is not told, it does not: the customer added them to it.
 */
function takenOf(message: EdcMessage, told: number | null, { amountMinor }: Ordered): number | null {
  if (told !== amountMinor) return told;
  const added = [fieldType.tip, fieldType.cashback].filter((type) => fieldText(message, type) !== null);
  return added.reduce<number | null>((sum, type) => {
    const more = amountIn(message, type);
    return sum === null || more === null ? null : sum + more;
  }, told);
}

/** Of a void: it repeats the invoice number of the sale that it undoes. */
export function voidRecord(message: EdcMessage, result: EdcResult, ordered: Ordered): TerminalRecord {
  return recordOf(message, result, 'reversal', ordered);
}

/**
 * Of a batch close, of whose parts each is one host's. The sum is what all of them told: null when one did not. A host
 * without payments has closed nothing, which is zero.
 */
export function closeRecord(
  parts: readonly ClosePart[],
  result: EdcResult,
  currency: Currency,
): TerminalRecord {
  const sums = parts.map(({ message, result: { verdict } }) =>
    verdict === 'nothing_to_do' ? 0 : amountIn(message, fieldType.batchSum),
  );
  const totalMinor = sums.reduce((all, one) => (all === null || one === null ? null : all + one), 0);
  const [first] = parts;
  if (first === undefined) throw new Error('a batch close without an answer');
  const approved = isClosed(result);
  return {
    ...recordOf(first.message, result, 'batch_close', null),
    approved,
    amountMinor: approved ? totalMinor : null,
    currency: approved && totalMinor !== null ? currency : null,
  };
}

export interface ClosePart {
  message: EdcMessage;
  result: EdcResult;
}

/** What the parts of an answer to a batch close say together: one that closes only some of the hosts is neither. */
export function closeResult(parts: readonly ClosePart[]): EdcResult {
  const results = parts.map(({ result }) => result);
  const open = results.find((result) => !isClosed(result));
  const shown =
    results.find(({ verdict }) => verdict === 'undecided') ??
    open ??
    results.find(({ verdict }) => verdict === 'approved') ??
    results[0];
  if (shown === undefined) throw new Error('a batch close without an answer');
  return open !== undefined && results.some(isClosed)
    ? { ...shown, verdict: 'undecided', text: 'The terminal closed only part of its batch' }
    : shown;
}

/** Nothing is left in the batch of this host. */
function isClosed({ verdict }: EdcResult): boolean {
  return verdict === 'approved' || verdict === 'nothing_to_do';
}

/** An amount in minor units; null when the field is not there, or is no number. */
function amountIn(message: EdcMessage, type: string): number | null {
  const text = fieldText(message, type);
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** Whether a void's answer is about this invoice; null: it does not say. */
export function namesInvoice(message: EdcMessage, invoice: string): boolean | null {
  const told = fieldText(message, fieldType.invoice);
  return told === null ? null : sameNumber(told, invoice);
}

function recordOf(
  message: EdcMessage,
  { code, text, terminalText, verdict }: EdcResult,
  kind: TerminalRecord['kind'],
  ordered: Ordered | null,
): TerminalRecord {
  const approved = verdict === 'approved';
  const isTold = fieldText(message, fieldType.amount) !== null;
  const amountMinor = isTold
    ? amountIn(message, fieldType.amount)
    : ((approved ? ordered?.amountMinor : null) ?? null);
  return {
    ...emptyRecord(),
    kind,
    approved,
    resultCode: code.replaceAll('\0', '·'),
    resultText: text,
    hostResponseText: terminalText,
    amountMinor,
    currency: amountMinor === null ? null : (ordered?.currency ?? null),
    terminalId: fieldText(message, fieldType.terminalId),
    merchantId: fieldText(message, fieldType.merchantId),
    receiptNumber: fieldText(message, fieldType.invoice),
    approvalCode: fieldText(message, fieldType.approvalCode),
    // Year or day first: no source says, so they are only compared.
    terminalDate: fieldText(message, fieldType.date),
    terminalTime: fieldText(message, fieldType.time),
    batchNumber: fieldText(message, fieldType.batchNumber),
  };
}
