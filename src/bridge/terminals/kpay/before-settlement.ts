/**
 * Which of the payments that are to be settled the terminal still holds as paid, and at what amount. What somebody undid there,
 * or changed (a tip), shows only in the answer to a question for that very payment: the terminal has no last record, and its
 * totals have no public form.
 */
import type { Clock } from '../../../base/clock.ts';
import { agreeIfTold, type TerminalRecord } from '../../../contract/terminal.ts';
import type { BatchOrder, NotInBatch, PaidAmount } from '../terminal-driver.ts';
import type { KpayClient } from './client.ts';
import { takenOf, transactionRecord, undoneRecord } from './record.ts';
import {
  codeMeaning,
  codeText,
  saleType,
  transactionOf,
  undoingTypes,
  type KpayAnswer,
  type KpayTransaction,
  type PayState,
} from './wire/index.ts';

/** One question takes a second at the pace of the terminal. A batch that holds more is not asked about in full. */
const maxAsked = 500;
/** So long the terminal is kept from payments at most, in milliseconds. */
const maxAskingMs = 600_000;
/** How often one payment is asked for, until there is an answer. */
const maxAttempts = 3;

export type Asked =
  | { kind: 'asked'; notInBatch: NotInBatch }
  /** The terminal did not answer, or not for now. */
  | { kind: 'no_answer'; reason: string };

export interface AskingParts {
  ask: KpayClient['send'];
  clock: Clock;
}

/**
 * `numbers`: of payments, oldest first. Those beyond the bounds are the oldest; of them nobody knows, and they are not settled
 * with the batch. What is undone after its question and before the settlement is not seen any more.
 */
export async function askForEach(
  { ask, clock }: AskingParts,
  numbers: readonly string[],
  amounts: NonNullable<BatchOrder['amounts']>,
): Promise<Asked> {
  const startedAt = clock.elapsed();
  const notInBatch: NotInBatch = { undone: [], differing: [], untold: [] };
  for (const [asked, terminalReference] of numbers.toReversed().entries()) {
    if (asked >= maxAsked || clock.elapsed() - startedAt >= maxAskingMs) {
      notInBatch.untold.push(terminalReference);
      continue;
    }
    const outcome = await askFor(ask, terminalReference);
    if ('reason' in outcome) return { kind: 'no_answer', reason: outcome.reason };
    const found = standingOf(terminalReference, outcome, amounts[terminalReference]);
    if (found.kind === 'untold') notInBatch.untold.push(terminalReference);
    else if (found.kind !== 'stands')
      notInBatch[found.kind].push({ terminalReference, record: found.record });
  }
  return { kind: 'asked', notInBatch };
}

/** A lost answer is asked for again: nothing has been sent that moves money. */
async function askFor(ask: KpayClient['send'], outTradeNo: string): Promise<KpayAnswer | { reason: string }> {
  let reason = '';
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const outcome = await ask({ call: 'query', outTradeNo, includeReceipt: true });
    if (outcome.kind !== 'answered') {
      ({ reason } = outcome);
      continue;
    }
    const { code } = outcome.answer;
    if (!isForNow(code)) return outcome.answer;
    reason = codeText(code);
  }
  return { reason };
}

function isForNow(code: number): boolean {
  return ['busy', 'in_progress', 'too_fast'].includes(codeMeaning(code));
}

const undoneStates: ReadonlySet<PayState> = new Set(['failed', 'cancelled', 'returned']);

type Standing =
  { kind: 'stands' } | { kind: 'untold' } | { kind: 'undone' | 'differing'; record: TerminalRecord };

function standingOf(number: string, { code, data }: KpayAnswer, paid: PaidAmount | undefined): Standing {
  const held = codeMeaning(code) === 'accepted' ? transactionOf(data) : null;
  if (held?.outTradeNo !== number) return { kind: 'untold' };
  const { state, transactionType: type } = held;
  if (undoneStates.has(state)) return { kind: 'undone', record: undoneRecord(held) };
  if (state !== 'succeeded') return { kind: 'untold' };
  // A sale that was voided at the terminal may be shown as its void.
  if (type !== null && undoingTypes.has(type)) return { kind: 'undone', record: undoneRecord(held) };
  if (type !== null && type !== saleType) return { kind: 'untold' };
  return paid === undefined ? { kind: 'stands' } : comparedWith(paid, held);
}

/** What is not told is no difference. */
function comparedWith({ askedMinor, takenMinor, currency }: PaidAmount, held: KpayTransaction): Standing {
  const heldMinor = takenOf(held, askedMinor);
  if (agreeIfTold(heldMinor, takenMinor) && agreeIfTold(held.currency, currency)) return { kind: 'stands' };
  return { kind: 'differing', record: transactionRecord(held, 'payment', heldMinor) };
}
