/**
 * What the terminal is asked about an operation in doubt, on this conversation or one before it. That a number is not known to
 * a terminal proves something only of the terminal that was given it: the one of this conversation, or one that knows an
 * earlier payment of ours.
 */
import type { Clock } from '../../../base/clock.ts';
import type { OperationStarted } from '../../../contract/journal-events.ts';
import type { LookUp, OperationInDoubt } from '../terminal-driver.ts';
import type { KpayClient } from './client.ts';
import { closedRecord } from './record.ts';
import { isSettledSince, settlementMs, shownBatch, type BatchesBefore } from './settlement.ts';
import { createTrack, type Found, type Track } from './track.ts';
import { askMs, promptMs } from './transactions.ts';
import { codeMeaning, transactionOf } from './wire/index.ts';

/** After `promptMs`, in milliseconds. */
const seldomMs = 30_000;

const noNumber = 'It has no number of ours, so the terminal cannot be asked for it.';
const otherMemory =
  'The terminal knows neither this transaction nor an earlier one of ours: it was reset, or is another one. Look at the ' +
  'list of transactions of the terminal that was given it.';
const nothingToKnowItBy =
  'The terminal does not know this transaction, and nothing shows that it is still the same terminal. Look at its list of ' +
  'transactions.';
const emptyAsBefore =
  'The terminal’s batch is empty, as it was expected to be, so it does not show whether it was settled. Look at its last ' +
  'settlement report.';
const filledBatch =
  'The terminal’s batch is not empty, which does not show whether it was settled in between. Look at its last settlement ' +
  'report.';
const untoldBatch = 'The terminal does not tell what is in its batch. Look at its last settlement report.';
const otherBatch =
  'Nothing shows that this terminal is the one whose batch was to be settled. Look at the last settlement report of that one.';

export interface LookUpParts {
  ask: KpayClient['send'];
  /** Asks what the terminal holds of it. */
  askFor(track: Track): Promise<Found>;
  clock: Clock;
  /** What was sent on this conversation last. */
  sent(): { track: Track } | { kind: 'settlement'; sinceMs: number; before: BatchesBefore } | null;
  /** The terminal still takes the keys under which that was sent: one that has forgotten them may be another one. */
  hasKeysOfSending(): boolean;
}

export function createLookUp(parts: LookUpParts): (inDoubt: OperationInDoubt) => Promise<LookUp> {
  const { ask, clock, sent } = parts;
  const beganMs = clock.elapsed();
  /** Of the transaction that was asked for last. */
  let asked: { track: Track; nextMs: number } | null = null;

  /** Of a transaction that was sent here, what its answers have proved already counts. */
  function trackOf(operation: Exclude<OperationStarted, { kind: 'batch_close' }>, number: string) {
    if (asked?.track.ordered.number === number) return asked;
    const own = sentTrack();
    const track = own?.ordered.number === number ? own : createTrack(orderedBy(operation, number), clock);
    asked = { track, nextMs: clock.elapsed() };
    return asked;
  }

  function sentTrack(): Track | null {
    const last = sent();
    return last !== null && 'track' in last ? last.track : null;
  }

  async function ofTransaction(
    operation: Exclude<OperationStarted, { kind: 'batch_close' }>,
    anchor: string | undefined,
  ): Promise<LookUp> {
    const { terminalReference: number } = operation;
    if (number === undefined) return unavailable(noNumber);
    const mine = trackOf(operation, number);
    const { track } = mine;
    if (clock.elapsed() < mine.nextMs) return stillAtIt;
    const found = await parts.askFor(track);
    mine.nextMs = clock.elapsed() + (clock.elapsed() - track.sinceMs < promptMs ? askMs : seldomMs);
    switch (found.kind) {
      case 'record':
        return { kind: 'record', record: found.record };
      case 'pending':
        return stillAtIt;
      case 'unclear':
        return unavailable(found.reason);
      case 'absent':
        if (track === sentTrack() && parts.hasKeysOfSending()) return { kind: 'empty' };
        return ifKnown(anchor, { kind: 'empty' }, otherMemory, nothingToKnowItBy);
    }
  }

  async function ofSettlement(expected: number, anchor: string | undefined): Promise<LookUp> {
    const last = sent();
    const sentHere = last !== null && !('track' in last) ? last : null;
    // It may still be at it: it has been asked on this conversation, or right before it.
    const isYoung = clock.elapsed() - (sentHere?.sinceMs ?? beganMs) < settlementMs;
    const open = await shownBatch(ask, 'open');
    if (open.kind === 'untold') return isYoung ? stillAtIt : unavailable(untoldBatch);
    if (open.kind === 'batch' && isYoung) return stillAtIt;
    if (open.kind === 'none' && expected === 0) return unavailable(emptyAsBefore);
    // By this settlement or by hand: an empty batch is settled. One that is not may have been paid into since.
    const isSettled =
      open.kind === 'none' ||
      (sentHere === null ? null : isSettledSince(sentHere.before, await shownBatch(ask, 'settled')));
    if (isSettled === null) return unavailable(filledBatch);
    const found: LookUp = isSettled ? { kind: 'record', record: closedRecord } : { kind: 'empty' };
    return sentHere === null || !parts.hasKeysOfSending()
      ? ifKnown(anchor, found, otherBatch, otherBatch)
      : found;
  }

  /** `found`, if the terminal knows the payment with the number `anchor`; else the one sentence or the other. */
  async function ifKnown(
    anchor: string | undefined,
    found: LookUp,
    unknownToIt: string,
    noneToAskFor: string,
  ): Promise<LookUp> {
    if (anchor === undefined) return unavailable(noneToAskFor);
    const outcome = await ask({ call: 'query', outTradeNo: anchor, includeReceipt: false });
    if (outcome.kind !== 'answered') return stillAtIt;
    const { code, data } = outcome.answer;
    const meaning = codeMeaning(code);
    if (meaning === 'not_found') return unavailable(unknownToIt);
    if (meaning === 'busy' || meaning === 'in_progress') return stillAtIt;
    const isKnown = meaning === 'accepted' && transactionOf(data)?.outTradeNo === anchor;
    return isKnown ? found : unavailable(noneToAskFor);
  }

  return ({ operation, anchor, toldBefore }) =>
    operation.kind === 'batch_close'
      ? ofSettlement((toldBefore ?? operation.expected).count, anchor)
      : ofTransaction(operation, anchor);
}

const stillAtIt: LookUp = { kind: 'pending', text: 'The terminal is still at work on it.' };

function orderedBy(operation: Exclude<OperationStarted, { kind: 'batch_close' }>, number: string) {
  const { kind, amountMinor, currency } = operation;
  const maxAmountMinor = kind === 'sale' ? (operation.maxAmountMinor ?? amountMinor) : amountMinor;
  return { kind, number, amountMinor, maxAmountMinor, currency };
}

function unavailable(reason: string): LookUp {
  return { kind: 'unavailable', reason };
}
