/**
 * Requests of the protocols in which each frame is acknowledged and the response comes when the cardholder is done: one at
 * a time, repeated by one rule, and ended in any case.
 *
 *     request ──► ACK ──► … ──► response
 *        │ NAK: once more     │ silence: unknown
 *        └ silence: what moves no money once more; the rest is unknown
 *
 * None of these protocols is idempotent: a sale that comes twice is charged twice. So what moves money goes out again only
 * after a NAK, never after silence, because a terminal at work says neither ACK nor NAK.
 */
import { peerDeadline, type Clock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';

export interface RequestLimits {
  /** How long an ACK is waited for, in milliseconds. */
  ackTimeoutMs: number;
  /** From the ACK, or from the last sign of work, to the response. */
  responseTimeoutMs: number;
  /** Copies of one request in all. */
  copies: number;
  /** How often in one request a damaged frame is asked for once more. */
  refusals: number;
}

/** Why a request has no answer. `reason` is a sentence for cashier and support. */
export type RequestFailure =
  /** Not one byte was written. */
  | { kind: 'not_started'; reason: string }
  /** The terminal may have carried it out. */
  | { kind: 'unknown'; reason: string };

export interface AckedRequest<Answer> {
  movesMoney: boolean;
  /** Puts a copy on the line. False: the line is closed, and not one byte went out. */
  send(): boolean;
  /** Where the terminal only acknowledges: what that answers. */
  answerOfAck?: Answer;
  /** Where it is not the usual one: how long the response is waited for, in milliseconds. */
  responseTimeoutMs?: number;
  /** Where it is not the usual number: its copies in all. */
  copies?: number;
  /** What it comes to when a NAK came to its last copy, too; unknown where left out. */
  refused?(): Answer | RequestFailure;
  /** It has been acknowledged, or shows that it is at work; may be called again. */
  atWork?(): void;
}

export interface AckedRequests<Request extends AckedRequest<Answer>, Answer> {
  readonly running: Request | null;
  /** The terminal has acknowledged the request that runs, or something came that may have been that. */
  readonly acknowledged: boolean;
  /** Sends a request and follows it to its end. Throws when one runs: a mistake of the caller. */
  ask(request: Request): Promise<Answer | RequestFailure>;
  end(outcome: Answer | RequestFailure): void;
  /** Bytes came, whatever they are: it is not silence. */
  heard(): void;
  onAck(): void;
  onNak(): void;
  /** A damaged frame came. True: ask for it once more. */
  onDamaged(): boolean;
  /** The terminal is at work: the wait for its response begins anew. */
  atWork(): void;
  /** Something else has gone out within the request that runs, and has an ACK or NAK of its own. */
  alsoSent(): void;
  /** More of the response is to come within so many milliseconds; `otherwise` is called when it does not. */
  awaitMore(withinMs: number, otherwise?: () => void): void;
  /** What comes from now on comes over another connection: nothing that is owed comes any more. */
  onNewLine(): void;
  onClosed(reason: string): void;
}

/** However often the terminal says that it is at work: no request takes longer, in milliseconds. */
const longestMs = 15 * 60_000;
const noAnswer = 'The terminal did not answer in time.';

export const notWritten: RequestFailure = {
  kind: 'not_started',
  reason: 'The line to the terminal is closed; nothing was sent.',
};

export function createAckedRequests<
  Request extends AckedRequest<Answer>,
  Answer extends { kind: string },
>(parts: { limits: RequestLimits; clock: Clock; log: Log }): AckedRequests<Request, Answer> {
  const { limits, clock, log } = parts;
  let running: {
    request: Request;
    acknowledged: boolean;
    copies: number;
    /** Something came since the last copy. */
    heard: boolean;
    refusals: number;
    /** What went out beside its copies. */
    others: number;
    /** ACKs and NAKs that came meanwhile. */
    answered: number;
    cancelTimer: () => void;
    cancelLimit: () => void;
    finish(outcome: Answer | RequestFailure): void;
  } | null = null;
  let closed = false;
  /** ACKs and NAKs that may still come to what went out for requests that have ended. */
  let owed = 0;
  /**
   * Those of them that may come up to the one to a command that moves money, which the terminal may be at work on: it answers
   * in order.
   */
  let owedToMoney = 0;

  function unknown(reason: string) {
    end({ kind: 'unknown', reason });
  }

  function onAckTimeout() {
    if (running === null) return;
    const { request, heard, copies } = running;
    // Whatever came may have been the ACK.
    if (heard && request.answerOfAck === undefined) return atWork();
    if (!request.movesMoney && copies < (request.copies ?? limits.copies)) return repeat('no ACK');
    unknown('The terminal did not acknowledge the command.');
  }

  function repeat(cause: string) {
    if (running === null) return;
    running.copies += 1;
    running.heard = false;
    log.debug('a frame is sent again', { cause, attempts: running.copies });
    awaitAck();
    // A line that is closed says so itself.
    running.request.send();
  }

  function noteAnswer() {
    if (running !== null) running.answered += 1;
    else owed = Math.max(0, owed - 1);
    const mayBeToMoney = owedToMoney > 0;
    owedToMoney = Math.max(0, owedToMoney - 1);
    return mayBeToMoney;
  }

  function awaitAck() {
    if (running === null) return;
    running.cancelTimer();
    running.cancelTimer = peerDeadline(clock, limits.ackTimeoutMs, onAckTimeout);
  }

  function atWork() {
    if (running === null) return;
    const { request } = running;
    awaitMore(request.responseTimeoutMs ?? limits.responseTimeoutMs);
    request.atWork?.();
  }

  function awaitMore(withinMs: number, otherwise = () => unknown(noAnswer)) {
    if (running === null) return;
    running.acknowledged = true;
    running.cancelTimer();
    running.cancelTimer = peerDeadline(clock, withinMs, otherwise);
  }

  function end(outcome: Answer | RequestFailure) {
    if (running === null) return;
    const { cancelTimer, cancelLimit, finish, copies, others, answered, request } = running;
    running = null;
    // What has been owed for longer than one request has copies does not come any more.
    // An ACK or NAK that came meanwhile may have been one of those, where the terminal has not answered the request.
    if (request.movesMoney && outcome.kind === 'unknown' && answered <= owed)
      owedToMoney = Math.min(owed, limits.copies) + copies - answered;
    owed += Math.max(0, copies + others - answered);
    cancelTimer();
    cancelLimit();
    finish(outcome);
  }

  return {
    get running() {
      return running?.request ?? null;
    },
    get acknowledged() {
      return running?.acknowledged === true;
    },
    ask(request) {
      if (running !== null) throw new Error('a request is sent while another waits for its response');
      return new Promise((resolve) => {
        if (closed) return resolve(notWritten);
        // The waits are armed before the bytes go out.
        running = {
          request,
          acknowledged: false,
          copies: 1,
          heard: false,
          refusals: 0,
          others: 0,
          answered: 0,
          cancelTimer: () => {},
          cancelLimit: peerDeadline(clock, longestMs, () => unknown(noAnswer)),
          finish: resolve,
        };
        awaitAck();
        if (!request.send()) end(notWritten);
      });
    },
    end,
    heard() {
      if (running !== null) running.heard = true;
    },
    onAck() {
      const mayBeToMoney = noteAnswer();
      if (running === null || running.acknowledged) return;
      const { answerOfAck } = running.request;
      if (answerOfAck === undefined) atWork();
      // That the terminal is idle is what the answer would say, and it may have just begun with the money.
      else if (mayBeToMoney) repeat('its ACK may be that of the command before');
      else end(answerOfAck);
    },
    /** Behind the ACK a NAK means something else: the request is not sent again. */
    onNak() {
      noteAnswer();
      if (running === null || running.acknowledged) return;
      const { request, copies } = running;
      // It may be the answer to an earlier question that was repeated, while the terminal has taken this command.
      if (request.movesMoney && owed > 0)
        return unknown('The terminal could not read a command; it is not certain which one.');
      if (copies < (request.copies ?? limits.copies)) return repeat('NAK');
      end(request.refused?.() ?? { kind: 'unknown', reason: 'The terminal could not read the command.' });
    },
    onDamaged() {
      if (running === null) return false;
      running.refusals += 1;
      if (running.refusals <= limits.refusals) return true;
      if (running.acknowledged) unknown('The answer of the terminal cannot be read.');
      return false;
    },
    atWork,
    alsoSent() {
      if (running !== null) running.others += 1;
    },
    awaitMore,
    onNewLine() {
      owed = 0;
      owedToMoney = 0;
    },
    onClosed(reason) {
      closed = true;
      unknown(`The line to the terminal was lost: ${reason}`);
    },
  };
}
