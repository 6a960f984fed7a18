/** What moves money: what goes out for it, which answer is its own, and what that answer comes to. Pure. */
import { otherTerminalReason } from '../../../contract/other-terminal.ts';
import type { TerminalRecord } from '../../../contract/terminal.ts';
import type { BatchOrder, OperationAnswer, SaleOrder, VoidOrder } from '../terminal-driver.ts';
import { isOtherBatch } from './evidence.ts';
import { closeRecord, closeResult, namesInvoice, saleRecord, voidRecord } from './record.ts';
import { returnsReference } from './reference.ts';
import {
  fieldText,
  fieldType,
  resultOf,
  type EdcMessage,
  type EdcProfile,
  type EdcResult,
  type RequestValues,
} from './wire/index.ts';

/** What the terminal answered, read. */
export interface Taken {
  result: EdcResult;
  record: TerminalRecord;
  /** Why what was approved is not what was ordered; null when it is, as far as the terminal tells. */
  wrong: string | null;
  /** Why it is the answer of another terminal, of which it is no result; null where it may be that of ours. */
  foreign: string | null;
}

export interface Order {
  command: 'sale' | 'void' | 'settlement';
  values: RequestValues;
  /** Whether an answer to this command is the one to this order; null: it does not say. */
  fits(message: EdcMessage): boolean | null;
  /** All parts of the answer, of which most have one. */
  read(parts: readonly EdcMessage[]): Taken;
  /** How the operation ended; `stopAsked`: the terminal was asked to stop it from here. */
  answer(taken: Taken, stopAsked: boolean): OperationAnswer;
}

/** `reference1`: null where the profile has none. */
export function saleOrder(
  order: Pick<SaleOrder, 'amountMinor' | 'maxAmountMinor' | 'currency'>,
  reference1: string | null,
  profile: EdcProfile,
): Order {
  return {
    command: 'sale',
    values: { amountMinor: order.amountMinor, ...(reference1 === null ? {} : { reference1 }) },
    fits: (message) => (reference1 === null ? null : returnsReference(message, reference1)),
    read(parts) {
      const message = lastOf(parts);
      const result = resultOf(message, 'sale', profile);
      const record = saleRecord(message, result, order);
      const wrong = result.verdict === 'approved' ? wrongAmount(order, record) : null;
      return { result, record, wrong, foreign: null };
    },
    answer(taken, stopAsked) {
      const { result, record, wrong } = taken;
      if (wrong !== null) return unknown(wrong);
      if (result.verdict === 'approved') return done(taken);
      if (result.verdict !== 'cancelled') return notApproved(taken);
      const by = stopAsked ? 'cashier' : 'customer';
      return { kind: 'cancelled', by, reason: result.text, record, receiptLines: [] };
    },
  };
}

export function voidOrder(
  order: Pick<VoidOrder, 'amountMinor' | 'currency' | 'receiptNumber' | 'terminalId' | 'originalBatchNumber'>,
  profile: EdcProfile,
): Order {
  const invoice = order.receiptNumber;
  return {
    command: 'void',
    values: { invoice },
    // Without its number it may be the answer to any.
    fits: (message) => (namesInvoice(message, invoice) === false ? false : null),
    read(parts) {
      const message = lastOf(parts);
      const result = resultOf(message, 'void', profile);
      const record = voidRecord(message, result, order);
      const wrong = result.verdict === 'approved' ? wrongReversal(order, record) : null;
      // Invoice numbers are each terminal's own: another one reverses a payment of its own. They may begin anew in each batch.
      const isOther = record.approved && isOtherBatch(order.originalBatchNumber, record.batchNumber);
      const foreign = otherTerminalReason(order.terminalId, record.terminalId);
      return { result, record, wrong, foreign: foreign ?? (isOther ? reversedInOtherBatch : null) };
    },
    answer(taken) {
      if (taken.wrong !== null) return unknown(taken.wrong);
      return taken.result.verdict === 'approved' ? done(taken) : notApproved(taken);
    },
  };
}

/** `isIts`: it is known that the terminal on the line is the one that is meant, also where its answer does not say so. */
export function closeOrder(
  { currency, terminalId }: BatchOrder,
  { profile, isIts }: { profile: EdcProfile; isIts: boolean },
): Order {
  return {
    command: 'settlement',
    values: {},
    fits: () => null,
    read(messages) {
      const parts = messages.map((message) => ({
        message,
        result: resultOf(message, 'settlement', profile),
      }));
      const result = closeResult(parts);
      const closed = closeRecord(parts, result, currency);
      // Each host may have given the terminal an id of its own, and one of them is enough to know it by.
      const ids = messages.map((message) => fieldText(message, fieldType.terminalId));
      const record = terminalId !== null && ids.includes(terminalId) ? { ...closed, terminalId } : closed;
      // Nothing told before whose cable this is: another terminal closes a batch of its own.
      const foreign = otherTerminalReason(terminalId, record.terminalId);
      const isUntold = record.approved && record.terminalId === null && !isIts;
      // Where ours tells no id at all, totals have to do: those of another terminal are not the journal's.
      const hasTotals = terminalId === null && record.amountMinor !== null;
      return {
        result,
        record,
        wrong: null,
        foreign: foreign ?? (isUntold && !hasTotals ? closedByUntold : null),
      };
    },
    answer: (taken) => (taken.record.approved ? done(taken) : notApproved(taken)),
  };
}

const reversedInOtherBatch =
  'The terminal reversed a payment of another batch, so it may not be this one. Look at its last receipts.';
const closedByUntold =
  'The terminal says that its batch is closed, but not which terminal it is, and it has not told its id since it was ' +
  'connected. Look at its settlement report, which names the terminal: is it the one that took these payments?';

function done({ record }: Taken): OperationAnswer {
  return { kind: 'done', record, receiptLines: [] };
}

function notApproved({ result, record }: Taken): OperationAnswer {
  return result.verdict === 'undecided'
    ? unknown(`The terminal is not sure itself: ${result.text}.`)
    : { kind: 'declined', reason: result.text, record, receiptLines: [] };
}

export function unknown(reason: string): OperationAnswer {
  return { kind: 'unknown', reason };
}

/** Why an approval is not what was ordered; null when it is, as far as it tells. */
function wrongAmount(
  { amountMinor, maxAmountMinor }: Pick<SaleOrder, 'amountMinor' | 'maxAmountMinor'>,
  { amountMinor: taken }: TerminalRecord,
): string | null {
  if (taken === null) return 'The terminal approved the payment, but not a readable amount.';
  return taken >= amountMinor && taken <= maxAmountMinor
    ? null
    : 'The terminal approved another amount than was asked for.';
}

/** Why what was reversed is not the payment; null when it is, as far as it tells. */
function wrongReversal(
  { amountMinor }: Pick<VoidOrder, 'amountMinor'>,
  record: TerminalRecord,
): string | null {
  return record.amountMinor === amountMinor
    ? null
    : 'The terminal reversed another amount than that of the payment.';
}

function lastOf(parts: readonly EdcMessage[]): EdcMessage {
  const last = parts.at(-1);
  if (last === undefined) throw new Error('an answer without a message');
  return last;
}
