/**
 * Settling the batch. No source tells whether its answer means that it is done or that it has begun, and what totals look
 * like: it is done once the terminal shows another settled batch than before, or its open batch is empty and was not.
 */
import { pause, type Clock } from '../../../base/clock.ts';
import type { Currency } from '../../../contract/money.ts';
import { otherTerminalReason } from '../../../contract/other-terminal.ts';
import type { BatchOrder, OperationAnswer, OperationWatch } from '../terminal-driver.ts';
import type { KpayClient, KpayOutcome } from './client.ts';
import { closedRecord, emptyBatchRecord } from './record.ts';
import { codeMeaning, codeText, showsBatch, startedNothing, transactionOf } from './wire/index.ts';

/** What the terminal shows of a batch. */
export type ShownBatch =
  /** As it was told: two of the same text may be one. */
  | { kind: 'batch'; text: string }
  /** Certain: there is none, or nothing is in it. */
  | { kind: 'none' }
  | { kind: 'untold' };

export interface SettlementParts {
  ask: KpayClient['send'];
  clock: Clock;
  /** Aborts when the conversation is given up. */
  ended: AbortSignal;
}

/** How long a settlement may take until it shows, in milliseconds. */
export const settlementMs = 60_000;
const askAgainMs = 2_000;

/** The batch that was settled last, or the open one. Carries no amount. */
export async function shownBatch(ask: KpayClient['send'], which: 'settled' | 'open'): Promise<ShownBatch> {
  const outcome = await ask({ call: 'query_settlement', previousBatch: which === 'settled' });
  if (outcome.kind !== 'answered') return { kind: 'untold' };
  const { code, data } = outcome.answer;
  const meaning = codeMeaning(code);
  // That nothing was ever settled says nothing of what is open.
  if (meaning === 'nothing_to_settle' || (meaning === 'no_settlement_yet' && which === 'settled'))
    return { kind: 'none' };
  if (meaning !== 'accepted') return { kind: 'untold' };
  return showsBatch(data) ? { kind: 'batch', text: JSON.stringify(data) } : { kind: 'none' };
}

export async function settle(
  parts: SettlementParts,
  order: BatchOrder,
  operation: OperationWatch,
): Promise<OperationAnswer> {
  const { ask, clock } = parts;
  const before = { settled: await shownBatch(ask, 'settled'), open: await shownBatch(ask, 'open') };
  // Last of all: it is settled under the keys of this answer, or not at all.
  const foreign = await whyNotIts(ask, order);
  if (foreign !== null) return { kind: 'not_started', refusedByTerminal: false, reason: foreign };
  const startedAt = clock.elapsed();
  const outcome = await ask({
    call: 'settle',
    settlementReceipt: true,
    detailsReceipt: false,
    // Else somebody would have to sign in at the terminal before the next payment.
    autoSignIn: true,
  });
  operation.timed({ answerMs: Math.round(clock.elapsed() - startedAt) });
  const answer = answerOf(outcome, order.currency, before.open);
  if (answer !== null) return persisted(answer, operation);
  do {
    if (await isClosed(ask, before))
      return persisted({ kind: 'done', record: closedRecord, receiptLines: [] }, operation);
    await pause(clock, askAgainMs, parts.ended);
  } while (!parts.ended.aborted && clock.elapsed() - startedAt < settlementMs);
  return { kind: 'unknown', reason: 'The terminal has not shown within a minute that its batch is settled.' };
}

/** Nothing in a settlement tells whose it is: another terminal would settle its own batch. Null: it is the one that is meant. */
async function whyNotIts(
  ask: KpayClient['send'],
  { newest, terminalId }: BatchOrder,
): Promise<string | null> {
  if (newest === undefined) return null;
  const outcome = await ask({ call: 'query', outTradeNo: newest, includeReceipt: true });
  if (outcome.kind !== 'answered') return outcome.reason;
  const { code, data } = outcome.answer;
  const meaning = codeMeaning(code);
  if (meaning === 'busy' || meaning === 'in_progress') return codeText(code);
  const held = meaning === 'accepted' ? transactionOf(data) : null;
  return held?.outTradeNo === newest ? otherTerminalReason(terminalId, held.deviceId) : otherBatch;
}

const otherBatch =
  'The terminal does not know the newest payment of the batch: it was settled by hand or reset, or is another one. Nothing ' +
  'was settled.';

/** What the answer to the request itself decides; null: the terminal has to be asked. `before`: the open batch. */
function answerOf(outcome: KpayOutcome, currency: Currency, before: ShownBatch): OperationAnswer | null {
  if (outcome.kind === 'no_answer') return null;
  if (outcome.kind === 'not_sent')
    return { kind: 'not_started', refusedByTerminal: false, reason: outcome.reason };
  const { code } = outcome.answer;
  const meaning = codeMeaning(code);
  if (meaning === 'nothing_to_settle') {
    // A copy that came too fast may have emptied it.
    if (outcome.repeated && before.kind !== 'none') return null;
    return { kind: 'done', record: emptyBatchRecord(currency), receiptLines: [] };
  }
  if (meaning === 'settlement_failed')
    return { kind: 'declined', reason: codeText(code), record: null, receiptLines: [] };
  return startedNothing(code) && !outcome.repeated
    ? { kind: 'not_started', refusedByTerminal: true, reason: codeText(code) }
    : null;
}

async function isClosed(
  ask: KpayClient['send'],
  before: { settled: ShownBatch; open: ShownBatch },
): Promise<boolean> {
  const settled = await shownBatch(ask, 'settled');
  if (isAnother(before.settled, settled)) return true;
  return before.open.kind === 'batch' && (await shownBatch(ask, 'open')).kind === 'none';
}

function isAnother(before: ShownBatch, now: ShownBatch): boolean {
  if (now.kind !== 'batch') return false;
  return before.kind === 'none' || (before.kind === 'batch' && before.text !== now.text);
}

function persisted(answer: OperationAnswer, operation: OperationWatch): OperationAnswer {
  if (answer.kind !== 'done' || operation.persistResult(answer.record)) return answer;
  return { kind: 'unknown', reason: 'The result could not be written to the journal.' };
}
