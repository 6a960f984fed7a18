/**
 * Settling the batch. No source tells whether its answer means that it is done or that it has begun, and what totals look
 * like: it is done once the terminal shows the open batch of before as the settled one, or its open batch is empty and was not.
 * That a settled batch reads otherwise than before is little: a build may tell the time of the question with its totals.
 */
import { pause, type Clock } from '../../../base/clock.ts';
import type { Currency } from '../../../contract/money.ts';
import { otherBatchText, otherTerminalReason } from '../../../contract/other-terminal.ts';
import type { BatchOrder, OperationAnswer, OperationWatch } from '../terminal-driver.ts';
import { askForEach } from './before-settlement.ts';
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

/** What the terminal showed right before a settlement. */
export interface BatchesBefore {
  settled: ShownBatch;
  open: ShownBatch;
}

export interface SettlementParts {
  ask: KpayClient['send'];
  /** Called right before it is sent. */
  sending(before: BatchesBefore): void;
  /** See `KpayClient`. */
  signIns(): number;
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
  const { ask, signIns, clock } = parts;
  const { unsettled = [], amounts = {} } = order;
  // Of another terminal each payment would be asked for in vain.
  const wrong = unsettled.length > 1 ? await whyNotIts(ask, order) : null;
  if (wrong !== null) return notStarted(wrong);
  const asked = await askForEach(parts, unsettled, amounts);
  if (asked.kind === 'no_answer') return notStarted(asked.reason);
  const settled = await shownBatch(ask, 'settled');
  /** The sign-in under which the terminal is known to be the one that is meant. */
  let keysOfIts = signIns();
  const before: BatchesBefore = { settled, open: await shownBatch(ask, 'open') };
  // Last of all: it is settled under the keys of this answer, or not at all.
  const foreign = await whyNotIts(ask, order);
  if (foreign !== null) return notStarted(foreign);
  // What was shown before is compared with what is shown afterwards, so both are to be of one terminal.
  if (signIns() !== keysOfIts) return notStarted(newKeys);
  const { notInBatch } = asked;
  // On disk first: once the batch is settled, nobody can tell which of them was in it.
  const isComplete = Object.values(notInBatch).every(({ length }) => length === 0);
  if (!isComplete && !operation.notInBatch(notInBatch)) return notStarted(notWritten);
  const startedAt = clock.elapsed();
  parts.sending(before);
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
    const shown = await closedSince(ask, before, isTaken(outcome));
    // A settlement ends the keys. So does another terminal, which shows batches of its own and never got this.
    if (shown !== null && (signIns() === keysOfIts || (shown.isAsOpen && isTaken(outcome))))
      return persisted({ kind: 'done', record: closedRecord, receiptLines: [] }, operation);
    if (signIns() !== keysOfIts && order.newest !== undefined && (await whyNotIts(ask, order)) === null) {
      keysOfIts = signIns();
      if (shown !== null) continue;
    }
    await pause(clock, askAgainMs, parts.ended);
  } while (!parts.ended.aborted && clock.elapsed() - startedAt < settlementMs);
  return { kind: 'unknown', reason: signIns() === keysOfIts ? notShown : otherKeys };
}

function notStarted(reason: string): OperationAnswer {
  return { kind: 'not_started', refusedByTerminal: false, reason };
}

const newKeys =
  'The terminal asked for a new sign-in just before the settlement, as another one would. Nothing was settled; try again.';
const notWritten =
  'What the terminal says of the payments in its batch could not be written to the journal. Nothing was settled.';
const notShown = 'The terminal has not shown within a minute that its batch is settled.';
const otherKeys =
  'The terminal asked for a new sign-in after the settlement was sent, and nothing shows that it is still the one that got it. ' +
  'Look at the last settlement report of that one.';

/** Nothing in a settlement tells whose it is: another terminal would settle its own batch. Null: it is the one that is meant. */
async function whyNotIts(
  ask: KpayClient['send'],
  { newest, terminalId, othersUnsettled }: BatchOrder,
): Promise<string | null> {
  // Whose batch it would be, nobody could tell; where nothing of ours is unsettled, it is nobody's of ours.
  if (newest === undefined) return othersUnsettled === true ? nothingToKnowItBy : null;
  const outcome = await ask({ call: 'query', outTradeNo: newest, includeReceipt: true });
  if (outcome.kind !== 'answered') return outcome.reason;
  const { code, data } = outcome.answer;
  const meaning = codeMeaning(code);
  if (meaning === 'not_found') return otherBatchText;
  if (meaning !== 'accepted') return codeText(code);
  const held = transactionOf(data);
  return held?.outTradeNo === newest ? otherTerminalReason(terminalId, held.deviceId) : otherBatchText;
}

const nothingToKnowItBy =
  'Payments are not settled, and none of them shows whether this terminal has them. Nothing was settled. Settle at the terminal itself.';

/** What the answer to the request itself decides; null: the terminal has to be asked. `before`: the open batch. */
function answerOf(outcome: KpayOutcome, currency: Currency, before: ShownBatch): OperationAnswer | null {
  if (outcome.kind === 'no_answer') return null;
  if (outcome.kind === 'not_sent') return notStarted(outcome.reason);
  const { code } = outcome.answer;
  const meaning = codeMeaning(code);
  if (meaning === 'nothing_to_settle') {
    // A copy that came too fast may have emptied it.
    if (outcome.repeated && before.kind !== 'none') return null;
    return { kind: 'done', record: emptyBatchRecord(currency), receiptLines: [] };
  }
  if (meaning === 'settlement_failed')
    return { kind: 'declined', reason: codeText(code), record: null, receiptLines: [] };
  // The keys of a moment ago are gone: a copy of this very request may have come before it, and a settlement ends them.
  if (meaning === 'keys_gone') return null;
  return startedNothing(code) && !outcome.repeated
    ? { kind: 'not_started', refusedByTerminal: true, reason: codeText(code) }
    : null;
}

function isTaken(outcome: KpayOutcome): boolean {
  return outcome.kind === 'answered' && codeMeaning(outcome.answer.code) === 'accepted';
}

/**
 * Null: no batch is seen to have been settled since `before`. `taken`: the terminal has said that it took the request.
 * `isAsOpen`: the one that was settled reads as the open one did, which ties it to a terminal that took the request.
 */
async function closedSince(
  ask: KpayClient['send'],
  before: BatchesBefore,
  taken: boolean,
): Promise<{ isAsOpen: boolean } | null> {
  const settled = await shownBatch(ask, 'settled');
  const isAsOpen = isSame(before.open, settled);
  if (isAnother(before.settled, settled) && (isAsOpen || before.settled.kind === 'none')) return { isAsOpen };
  // Of a terminal that does not tell what is open, another text is all there is, and nothing where it may not have the request.
  if (before.open.kind !== 'batch')
    return taken && isAnother(before.settled, settled) ? { isAsOpen: false } : null;
  return (await shownBatch(ask, 'open')).kind === 'none' ? { isAsOpen: false } : null;
}

function isSame(one: ShownBatch, other: ShownBatch): boolean {
  return one.kind === 'batch' && other.kind === 'batch' && one.text === other.text;
}

function isAnother(before: ShownBatch, now: ShownBatch): boolean {
  if (now.kind !== 'batch') return false;
  return before.kind === 'none' || (before.kind === 'batch' && before.text !== now.text);
}

/**
 * Whether the batch that is settled last, as it is shown by now, is the one that was open before, or still the one from before
 * that; null: it does not tell the two apart. What is open by now may have been paid since.
 */
export function isSettledSince(before: BatchesBefore, settled: ShownBatch): boolean | null {
  if (isAnother(before.settled, settled))
    return before.settled.kind === 'none' || isSame(before.open, settled) ? true : null;
  if (before.settled.kind === 'none' && settled.kind === 'none') return false;
  return isSame(before.settled, settled) && isAnother(before.settled, before.open) ? false : null;
}

function persisted(answer: OperationAnswer, operation: OperationWatch): OperationAnswer {
  if (answer.kind !== 'done' || operation.persistResult(answer.record)) return answer;
  return { kind: 'unknown', reason: 'The result could not be written to the journal.' };
}
