/**
 * What the terminal's answers about one transaction of ours come to, one after the other ("KPay Official API
 * Specification" v2.0, payResult). It sends nothing and sets no timers.
 */
import type { Clock } from '../../../base/clock.ts';
import { formatAmount, type Currency } from '../../../contract/money.ts';
import type { TerminalRecord } from '../../../contract/terminal.ts';
import type { KpayOutcome } from './client.ts';
import { isAmountOf, takenOf, transactionRecord } from './record.ts';
import {
  codeMeaning,
  isCardMethod,
  saleType,
  transactionOf,
  voidType,
  type KpayTransaction,
  type PayState,
} from './wire/index.ts';

/** What the terminal was asked to do under a number of ours. */
export interface Ordered {
  kind: 'sale' | 'void';
  /** The outTradeNo: never used before, and never again. */
  number: string;
  amountMinor: number;
  /** The most that may be taken. */
  maxAmountMinor: number;
  currency: Currency;
}

export type Found =
  /** Final: what the terminal holds of it. Where it says success, the amount may be another one. */
  | { kind: 'record'; record: TerminalRecord; state: PayState }
  /** Certain: the terminal has never been given it. */
  | { kind: 'absent' }
  /** Ask again. */
  | { kind: 'pending' }
  /** To ask again would not help. `reason`: a sentence, what to look at. */
  | { kind: 'unclear'; reason: string };

export interface Track {
  readonly ordered: Ordered;
  /** When it began, by `Clock.elapsed`. */
  readonly sinceMs: number;
  /** How many questions in a row got no answer. */
  readonly unanswered: number;
  /** The terminal has said that it took it, so that not to know it is no proof any more. */
  noteTaken(): void;
  /** It can be told no more by asking, for this reason: a sentence. */
  noteUnclear(reason: string): void;
  /** What the answer to a query for it comes to, together with those before it. */
  take(outcome: KpayOutcome): Found;
}

/** A result that may be a slip is believed when it is told again after so long, in milliseconds. */
const sameAgainMs = 10_000;
/** What has not been decided for so long, a person has to look at, in milliseconds. A QR code can be paid late. */
const patienceMs = 600_000;

/** Why there is no end yet. */
type Waiting = 'pending' | 'timed_out' | 'not_found' | 'untold';

const stillNot: Record<Waiting, string> = {
  pending: 'The terminal has been at it for ten minutes and says no end. Look at its display.',
  timed_out:
    'Time ran out at the terminal, but a customer who had scanned a QR code may have paid. Look at the terminal’s list ' +
    'of transactions.',
  not_found: 'The terminal does not know this transaction. Look at its list of transactions.',
  untold: 'The terminal does not tell what became of this transaction. Look at its list of transactions.',
};
const somethingElse = 'What the terminal holds under this number is something else.';
const forgotten =
  'The terminal had taken this transaction and does not know it any more. Look at its list of transactions.';
const unreadable =
  'The terminal calls it successful, but does not tell kind, amount and currency in a readable form.';

export function createTrack(ordered: Ordered, clock: Pick<Clock, 'elapsed'>): Track {
  const { kind, number, amountMinor, currency } = ordered;
  const type = kind === 'sale' ? saleType : voidType;
  const recordKind = kind === 'sale' ? 'payment' : 'reversal';
  const sinceMs = clock.elapsed();
  let taken = false;
  let unanswered = 0;
  let contradiction: string | null = null;
  let waiting: { why: Waiting; sinceMs: number } | null = null;

  function waitFor(why: Waiting): Found {
    if (waiting?.why !== why) waiting = { why, sinceMs: clock.elapsed() };
    return clock.elapsed() - waiting.sinceMs < patienceMs ? { kind: 'pending' } : unclear(stillNot[why]);
  }

  /** The same was told so long ago, and nothing else since. */
  function isToldAgain(why: Waiting): boolean {
    return waiting?.why === why && clock.elapsed() - waiting.sinceMs >= sameAgainMs;
  }

  function ofTransaction(transaction: KpayTransaction | null): Found {
    // An answer about anything else says nothing about this one.
    if (transaction?.outTradeNo !== number) return waitFor('untold');
    taken = true;
    const { state, payMethod } = transaction;
    const wrong = whatIsWrong(transaction);
    if (wrong !== null) return unclear(wrong);
    if (state === 'pending') return waitFor('pending');
    if (state === 'unknown') return waitFor('untold');
    // Of a card it is an end; whoever pays by a code may do so after it.
    const mayStillPay = payMethod === null || !isCardMethod(payMethod);
    if (state === 'timed_out' && (mayStillPay || !isToldAgain('timed_out'))) return waitFor('timed_out');
    const record = transactionRecord(transaction, recordKind, takenOf(transaction, amountMinor));
    return { kind: 'record', record, state };
  }

  /** Why it cannot be what was ordered, as a sentence; null when it can. Whether a success has its amount, the caller decides. */
  function whatIsWrong(told: KpayTransaction): string | null {
    if (told.transactionType !== null && told.transactionType !== type) return somethingElse;
    if (told.currency !== null && told.currency !== currency)
      return 'The terminal holds this operation in another currency.';
    if (told.state !== 'succeeded') return isAmountOf(told, amountMinor) ? null : otherAmount(told);
    return told.transactionType === null || told.currency === null || told.amountMinor === null
      ? unreadable
      : null;
  }

  function otherAmount(told: KpayTransaction): string {
    const shown = formatAmount(told.amountMinor ?? 0, currency);
    return `The terminal holds this operation with another amount: ${shown} ${currency}.`;
  }

  return {
    ordered,
    sinceMs,
    get unanswered() {
      return unanswered;
    },
    noteTaken() {
      taken = true;
    },
    noteUnclear(reason) {
      contradiction = reason;
    },
    take(outcome) {
      if (outcome.kind !== 'answered') {
        unanswered += 1;
        return waitFor(waiting?.why ?? 'untold');
      }
      unanswered = 0;
      const { code, data } = outcome.answer;
      const meaning = codeMeaning(code);
      if (meaning === 'accepted') return ofTransaction(transactionOf(data));
      if (meaning === 'in_progress' || meaning === 'busy') return waitFor('pending');
      if (meaning !== 'not_found') return waitFor('untold');
      if (contradiction !== null) return unclear(contradiction);
      if (taken) return unclear(forgotten);
      return isToldAgain('not_found') ? { kind: 'absent' } : waitFor('not_found');
    },
  };
}

function unclear(reason: string): Found {
  return { kind: 'unclear', reason };
}
