/**
 * What a terminal says during one operation that moves money, from its 80 00 to its 06 0F or 06 1E: decides how each
 * message is answered, and what the operation has come to in the end. No timers and no line; the one thing it does is
 * to have results put on disk, because the answer depends on that.
 *
 *     04 0F 27=00 ──fits──► on disk ──► 80 00 ──► accepted ──06 0F──► done
 *                 │                └─no─► 84 6C ─► unknown          └─06 1E──► unknown
 *                 └─validation error──► 84 6C
 *     04 0F 27≠00 ──► on disk ──► 80 00 ──06 1E or 06 0F──► declined or cancelled
 */
import type { TerminalRecord } from '../../../contract/terminal.ts';
import type { OperationAnswer, OperationWatch } from '../terminal-driver.ts';
import {
  sameBytes,
  bitmap,
  cardSign,
  type ZvtMessage,
  newSilenceLimitMs,
  progressStep,
  progressText,
  createReceiptLines,
  abortedCode,
  wrongPasswordCode,
} from './wire/index.ts';
import { positiveAnswer, refusingAnswer, unsupportedAnswer, type MoneyCommand } from './command-apdus.ts';
import { contradictionIn, toTerminalRecord } from './record.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { ResultValidator } from './result-validation.ts';
import { codeReason, passwordReason, recordReason, noLongerAtWork } from './reasons.ts';

export interface Order {
  command: MoneyCommand;
  validate: ResultValidator;
  watch: OperationWatch;
}

interface SequenceStep {
  answer: Uint8Array;
  /** 06 0F or 06 1E: the sequence has ended. */
  finished: boolean;
  /** T4 starts again (ZVT PA00P016: with 04 FF, 04 0F and dial-up commands). */
  restartsSilence: boolean;
  /** A new T4 that the terminal asks for, in milliseconds. */
  silenceLimitMs: number | null;
}

export interface SequenceEnd {
  answer: OperationAnswer;
  /** The code that a refusal came with, for those that need a second check. */
  code: number | null;
}

export interface Sequence {
  /** Takes one message of the terminal. */
  take(apdu: Uint8Array): SequenceStep;
  /** From now on nothing but "unknown" can come of it. The first reason is kept. */
  markUnknown(reason: string): void;
  /** The operation when contact ends now: unknown. */
  unknown(reason: string): SequenceEnd;
  /** The operation after the step that finished it. `cancelAsked`: our 06 B0 may have caused the end. */
  end(cancelAsked: boolean): SequenceEnd;
  /** The operation when the terminal says that it is idle, without an end to what it was at work on. */
  endWhenIdle(cancelAsked: boolean): SequenceEnd;
  /** All that is missing is the end of a refusal, after which no new attempt can follow. */
  readonly refused: boolean;
  /** From the card to the latest result, in milliseconds; null where the terminal has not shown both. */
  readonly cardMs: number | null;
  /** The last result is an approval, on disk, and was answered 80 00. */
  readonly accepted: boolean;
  /** 06 0F came; where our 06 B0 may have caused that, the operation itself may still have something to say. */
  readonly mayGoOn: boolean;
}

/** What the latest 04 0F said. */
type Result =
  | { kind: 'none' }
  /** 27 = 00, on disk, answered 80 00. */
  | { kind: 'accepted'; record: TerminalRecord }
  /** 27 = 00, but it does not fit; answered 84 6C. */
  | { kind: 'invalid'; record: TerminalRecord }
  /** Any other code. */
  | { kind: 'negative'; record: TerminalRecord }
  /** No code at all. */
  | { kind: 'undecided' };

/** Codes of a completion that say what the terminal does next (update, restart), not that it failed (card complete). */
const completionNotices: ReadonlySet<number> = new Set([0x00, 0xe0, 0xfc]);
/** Codes that card complete also sends with a payment that was made: the cashback was refused. */
const codesOfPayments: ReadonlySet<number> = new Set([0xcd]);
/** Wrong PIN: the customer may try again within the same payment. */
const codesBeforeNewAttempts: ReadonlySet<number> = new Set([0x37, 0x38]);
/** More than any payment has, with every attempt of a customer who forgot the PIN. */
const maxResults = 50;
const dialUp: ReadonlySet<string> = new Set(['06d8', '06d9', '06da', '06db']);

export function createSequence(context: ExchangeContext, order: Order): Sequence {
  const { settings, log, clock } = context;
  const encoding = settings.textEncoding;
  const receipt = createReceiptLines(encoding);
  let result: Result = { kind: 'none' };
  /** A result was accepted, also if another came after it. */
  let everAccepted = false;
  /** Why a result was refused, for the reason of the end. */
  let validationError: string | null = null;
  let unknownReason: string | null = null;
  /** How many different results came. */
  let results = 0;
  let lastStatus: { apdu: Uint8Array; answer: Uint8Array } | null = null;
  let ending: { completed: boolean; code: number | null } | null = null;
  /** In elapsed milliseconds. */
  let cardAt: number | null = null;
  let resultAt: number | null = null;

  function markUnknown(reason: string) {
    unknownReason ??= reason;
  }

  function takeStatus(apdu: Uint8Array): Uint8Array {
    if (lastStatus !== null && sameBytes(lastStatus.apdu, apdu)) return lastStatus.answer;
    results += 1;
    resultAt = clock.elapsed();
    const answer =
      results > maxResults ? tooManyResults() : checkStatus(context.decode(apdu, order.command.ctrl));
    lastStatus = { apdu, answer };
    return answer;
  }

  /** Each is put on disk, so there has to be an end to them. What the terminal did its last record tells. */
  function tooManyResults(): Uint8Array {
    if (results === maxResults + 1)
      log.warn('the terminal sends one result after the other; no more are taken');
    markUnknown('The terminal sent more results than one operation can have.');
    return refusingAnswer;
  }

  function checkStatus(message: ZvtMessage): Uint8Array {
    // The terminal that has our command has said who it is; the result is its own, whatever id it carries.
    const record = context.ids.claimResult(toTerminalRecord(message, encoding));
    noteOddities(message, record);
    const contradiction = contradictionIn(message);
    // A refusal that is none, too, or of something else: what became of the operation its last record tells.
    if (!record.approved && contradiction !== null) markUnknown(contradiction);
    validationError = record.approved ? (contradiction ?? order.validate(record, message)) : validationError;
    if (record.approved && validationError !== null) {
      log.warn('an approving result is refused', { validation_error: validationError });
      order.watch.resultRefused(record);
      result = { kind: 'invalid', record };
      return refusingAnswer;
    }
    if (!order.watch.persistResult(record)) {
      // Not on disk, so not acknowledged: the terminal undoes it, but whether it does is not known here.
      markUnknown('The result could not be written to disk, so the terminal was told to undo it.');
      result = record.approved ? { kind: 'invalid', record } : result;
      return refusingAnswer;
    }
    context.noteTaken(record);
    if (record.approved) result = { kind: 'accepted', record };
    else if (record.resultCode === null) result = { kind: 'undecided' };
    else result = { kind: 'negative', record };
    everAccepted ||= record.approved;
    return positiveAnswer;
  }

  function noteOddities(message: ZvtMessage, record: TerminalRecord) {
    if (message.problems.length > 0) {
      log.warn('a result could not be read in full', { problems: message.problems });
      // What was read before the fault counts; without an amount among it the last record has to tell.
      if (record.approved && record.amountMinor === null)
        markUnknown('The result could not be read in full.');
    }
  }

  function take(apdu: Uint8Array): SequenceStep {
    const message = context.decode(apdu, order.command.ctrl);
    // What goes on has not ended; see `mayGoOn`.
    ending = null;
    const step: SequenceStep = {
      answer: positiveAnswer,
      finished: false,
      restartsSilence: false,
      silenceLimitMs: null,
    };
    switch (message.ctrl) {
      case '04ff':
        context.watch.progress(progressText(message, encoding), progressStep(message));
        noteCard(message);
        return { ...step, restartsSilence: true, silenceLimitMs: newSilenceLimitMs(message) };
      case '040f':
        return { ...step, answer: takeStatus(apdu), restartsSilence: true };
      case '06d1':
      case '06d3':
        if (settings.receipts === 'pos') receipt.take(message);
        return step;
      case '0401':
        return step;
      case '060f':
        ending = { completed: true, code: completionCode(message, apdu) };
        return { ...step, finished: true };
      case '061e': {
        const { resultCode } = message.positional;
        ending = { completed: false, code: typeof resultCode === 'number' ? resultCode : null };
        return { ...step, finished: true };
      }
      default:
        return { ...step, answer: unsupportedAnswer, restartsSilence: dialUp.has(message.ctrl) };
    }
  }

  /** A terminal that asks for a card again begins anew: the one before could not be read, or was the wrong one. */
  function noteCard(message: ZvtMessage) {
    const sign = cardSign(message);
    if (sign === 'awaited') cardAt = null;
    // What it shows after its result ("remove card") is no card that comes.
    if (sign === 'presented' && resultAt === null) cardAt ??= clock.elapsed();
  }

  /** BMP 27; after an end of day also a single byte (card complete). */
  function completionCode(message: ZvtMessage, apdu: Uint8Array): number | null {
    const code = bitmap(message, '27')?.[0];
    if (code !== undefined) return code;
    return order.command.kind === 'batch_close' && message.dataLength === 1 ? (apdu.at(-1) ?? null) : null;
  }

  function unknown(reason: string): SequenceEnd {
    return { answer: { kind: 'unknown', reason: unknownReason ?? reason }, code: null };
  }

  function afterCompletion(code: number | null, cancelAsked: boolean): SequenceEnd {
    if (code !== null && !completionNotices.has(code) && code !== negativeCode()) {
      const failed = order.command.kind === 'batch_close' && !everAccepted && result.kind !== 'invalid';
      return failed
        ? declined(codeReason('The terminal could not finish', code), code)
        : unknown(codeReason('The terminal ended with an error', code));
    }
    switch (result.kind) {
      case 'accepted':
        return { answer: { kind: 'done', record: result.record, ...receipt.printed }, code: null };
      case 'none':
        return unknown('The terminal finished without a result.');
      case 'invalid':
        return unknown(validationError ?? 'The terminal finished although its result was refused.');
      case 'negative':
        return isRefused(result) && !codesOfPayments.has(codeOf(result.record))
          ? afterRefusal(result.record, cancelAsked)
          : unknown('The terminal finished as if all were well, but its result was a refusal.');
      case 'undecided':
        return unknown('The terminal finished, but its result did not say how.');
    }
  }

  function afterAbort(code: number | null, cancelAsked: boolean): SequenceEnd {
    if (everAccepted) return unknown('The terminal broke off after its result had been accepted.');
    if (result.kind === 'invalid') return unknown(validationError ?? 'The terminal broke off.');
    if (result.kind === 'undecided')
      return unknown('The terminal broke off, and its result did not say how.');
    const said = negativeCode() ?? code;
    const aborted = said === abortedCode || (cancelAsked && code === abortedCode);
    if (validationError !== null) return declined(validationError, said);
    if (aborted) return cancelled(cancelAsked ? 'cashier' : 'customer', said);
    return declined(result.kind === 'negative' ? recordReason(result.record) : breakOffReason(code), said);
  }

  /** The last word is a refusal, and nothing before it said otherwise. */
  function isRefused(last: Result): last is Extract<Result, { kind: 'negative' }> {
    return last.kind === 'negative' && !everAccepted && validationError === null && unknownReason === null;
  }

  function negativeCode(): number | null {
    return result.kind === 'negative' ? codeOf(result.record) : null;
  }

  function afterRefusal(record: TerminalRecord, cancelAsked: boolean): SequenceEnd {
    const code = codeOf(record);
    if (code === abortedCode) return cancelled(cancelAsked ? 'cashier' : 'customer', code);
    return declined(recordReason(record), code);
  }

  function breakOffReason(code: number | null): string {
    // 06 01 carries no password; there the same code is a matter of card and PIN.
    if (code === wrongPasswordCode && order.command.kind !== 'sale') return passwordReason;
    return codeReason('The terminal broke off', code);
  }

  function declined(reason: string, code: number | null): SequenceEnd {
    return { answer: { kind: 'declined', reason, ...negativeParts() }, code };
  }

  function cancelled(by: 'cashier' | 'customer', code: number | null): SequenceEnd {
    const reason =
      by === 'cashier'
        ? 'Cancelled by the cashier.'
        : 'Cancelled at the terminal, by the customer or because time ran out.';
    return { answer: { kind: 'cancelled', by, reason, ...negativeParts() }, code };
  }

  function negativeParts() {
    return { record: result.kind === 'negative' ? result.record : null, ...receipt.printed };
  }

  return {
    take,
    markUnknown,
    unknown,
    end(cancelAsked) {
      if (ending === null || unknownReason !== null) return unknown('The terminal has not finished.');
      return ending.completed
        ? afterCompletion(ending.code, cancelAsked)
        : afterAbort(ending.code, cancelAsked);
    },
    endWhenIdle(cancelAsked) {
      if (isRefused(result) && mayEndInSilence(result.record))
        return afterRefusal(result.record, cancelAsked);
      return unknown(noLongerAtWork);
    },
    get refused() {
      return isRefused(result) && mayEndInSilence(result.record);
    },
    get cardMs() {
      return cardAt === null || resultAt === null ? null : resultAt - cardAt;
    },
    get accepted() {
      return result.kind === 'accepted';
    },
    get mayGoOn() {
      return ending?.completed === true && unknownReason === null && negativeCode() !== abortedCode;
    },
  };
}

function codeOf(record: TerminalRecord): number {
  return Number.parseInt(record.resultCode ?? '', 16);
}

function mayEndInSilence(record: TerminalRecord): boolean {
  const code = codeOf(record);
  return !codesBeforeNewAttempts.has(code) && !codesOfPayments.has(code);
}
