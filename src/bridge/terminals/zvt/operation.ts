/**
 * One operation that moves money, from its first byte to its end: one copy of the command (again only after a NAK),
 * the terminal's answer (T3), then the terminal's own sequence (T4) until 06 0F or 06 1E.
 *
 * What was not brought to an end ends as `unknown`. Nothing here takes silence for "it did not happen".
 */
import type { OperationTimes } from '../../../contract/journal-events.ts';
import type { AbortRequest } from './abort-request.ts';
import { abort, positiveAnswer, refusingAnswer, statusEnquiry, statusEnquiryCtrl } from './command-apdus.ts';
import { type ExchangeContext } from './exchange-context.ts';
import {
  controlField,
  isAnswer,
  isPositiveAnswer,
  refusalCode,
  pleaseWaitCode,
  wrongPasswordCode,
  isAtWork,
  terminalStatusOf,
} from './wire/index.ts';
import { codeReason, passwordReason, noLongerAtWork } from './reasons.ts';
import { createSilenceCheck } from './silence-check.ts';
import { createSequence, type Order, type SequenceEnd } from './sequence.ts';

/** The longest that an operation may go on with a terminal that always has something to say, in milliseconds. */
const longestOperationMs = 3_600_000;
/**
 * How long an operation is followed beyond a 06 0F that may be the end of our own 06 B0 and not of the operation, in
 * milliseconds: some terminals answer an abort with 80 00, complete it (06 0F), and break off the payment (06 1E), all
 * at once.
 */
const afterAbortMs = 2_000;
/**
 * How long the end of the operation is waited for, in milliseconds, before it is told that our acceptance of the result
 * has arrived. An end that follows at once says so itself, and spares a synced write.
 */
const acceptanceMs = 100;

/** Our acceptance of the result: 80 00 to 04 0F. */
type Acceptance =
  | { kind: 'none' }
  /** It went out, and nothing has shown yet that it arrived. */
  | { kind: 'sent' }
  /** It arrived; told at `reportAt`, in elapsed milliseconds, if the operation has not ended by then. */
  | { kind: 'arrived'; reportAt: number }
  | { kind: 'reported' };

export async function runOperation(
  context: ExchangeContext,
  order: Order,
  abortRequest: AbortRequest,
): Promise<SequenceEnd> {
  const { session, clock, log } = context;
  const { answerTimeoutMs, completionTimeoutMs, silenceCheckMs } = context.settings.timers;
  const silence = createSilenceCheck(silenceCheckMs, clock.elapsed());
  const sequence = createSequence(context, order);
  const lastMoment = clock.elapsed() + longestOperationMs;
  /** The end of the moment in which the operation may go on after all; null while it has not ended. */
  let followUntil: number | null = null;
  let acceptance: Acceptance = { kind: 'none' };

  const sentAt = clock.elapsed();
  let answeredAt: number | null = null;

  const end = await begin();
  // What is done says by itself that its result was accepted. Of a void it is not certain yet what it reversed.
  const isDone = end.answer.kind === 'done' && order.command.kind !== 'void';
  if (!isDone && acceptanceMoment() < Infinity) reportAcceptance();
  const outstanding = abortRequest.answersOutstanding || silence.answersOutstanding;
  if (end.answer.kind === 'unknown' || outstanding) context.inStep = false;
  if (answeredAt !== null) order.watch.timed(timesUntil(answeredAt));
  return end;

  function timesUntil(firstAnswerAt: number): OperationTimes {
    const { cardMs } = sequence;
    const answerMs = Math.round(firstAnswerAt - sentAt);
    return cardMs === null ? { answerMs } : { answerMs, cardMs: Math.round(cardMs) };
  }

  async function begin(): Promise<SequenceEnd> {
    const delivery = await context.command(order.command.apdu, { repeatOnSilence: false });
    switch (delivery.kind) {
      case 'not_written':
        return notStarted(false, 'The line to the terminal is closed; nothing was sent.', null);
      case 'closed':
        return lost(delivery.reason);
      case 'exhausted':
        sequence.markUnknown(
          delivery.cause === 'silence'
            ? 'The terminal did not acknowledge the command.'
            : 'The terminal could not read the command.',
        );
        return withdraw();
      case 'delivered':
        return awaitAnswer(delivery.attempts);
    }
  }

  /** T3: 80 00 or 84 xx. */
  async function awaitAnswer(attempts: number): Promise<SequenceEnd> {
    const answerBy = clock.elapsed() + answerTimeoutMs;
    for (;;) {
      const received = await session.receive(answerBy - clock.elapsed());
      if (received.kind === 'closed') return lost(received.reason);
      if (received.kind === 'woken') continue;
      if (received.kind === 'timeout') {
        sequence.markUnknown('The terminal did not answer the command.');
        return withdraw();
      }
      const ctrl = controlField(received.apdu);
      if (isAnswer(ctrl)) answeredAt = clock.elapsed();
      if (isPositiveAnswer(ctrl)) return follow();
      if (isAnswer(ctrl)) return refused(refusalCode(received.apdu), attempts);
      // Its answer cannot have been lost, so what it is at work on need not be our command: no result is taken over.
      sequence.markUnknown('The terminal was at work when the command came.');
      await context.answerUnsolicited(received.apdu, 'refuse');
      return sequence.unknown('');
    }
  }

  function refused(code: number, attempts: number): SequenceEnd {
    if (attempts > 1) {
      // The refusal may be of the second copy only, while the first is at work.
      return sequence.unknown(
        'The command had to be sent again, and the terminal refused one of its copies.',
      );
    }
    return notStarted(true, refusalReason(code), code);
  }

  /**
   * No sign that the terminal took the command. Serial: one 06 B0, in case it did unseen, and its messages are answered
   * for as long as the answer to that may take. TCP: the connection is closed (ZVT PA00P016, T3).
   */
  async function withdraw(): Promise<SequenceEnd> {
    if (session.framing === 'tcp') {
      session.close();
      return sequence.unknown('');
    }
    const delivery = await session.send(abort(), { repeatOnSilence: false });
    if (delivery.kind === 'not_written' || delivery.kind === 'closed') return sequence.unknown('');
    const until = clock.elapsed() + answerTimeoutMs;
    for (;;) {
      const received = await session.receive(until - clock.elapsed());
      if (received.kind === 'closed' || received.kind === 'timeout') return sequence.unknown('');
      if (received.kind === 'woken' || isAnswer(controlField(received.apdu))) continue;
      const end = await take(received.apdu);
      if (end !== null) return end;
    }
  }

  /** The terminal is master: its messages are answered one by one until it ends the sequence or falls silent (T4). */
  async function follow(): Promise<SequenceEnd> {
    let silenceLimitMs = completionTimeoutMs;
    let silenceBy = clock.elapsed() + silenceLimitMs;
    silence.noteMessage(clock.elapsed());
    for (;;) {
      // Also of one that speaks without a pause, so that no wait ever runs out.
      if (followUntil === null && clock.elapsed() >= lastMoment)
        return sequence.unknown('The terminal did not finish.');
      if (followUntil === null) await sendWhatIsDue();
      const patience = followUntil ?? Math.min(silenceBy, lastMoment, nextMoment(), acceptanceMoment());
      const received = await session.receive(patience - clock.elapsed());
      if (received.kind === 'closed') return lost(received.reason);
      if (received.kind === 'woken') continue;
      if (received.kind === 'timeout') {
        if (followUntil !== null) return sequence.end(abortRequest.mayHaveActed);
        if (acceptanceMoment() <= clock.elapsed()) reportAcceptance();
        abortRequest.expire(clock.elapsed());
        silence.expire(clock.elapsed());
        if (clock.elapsed() >= Math.min(silenceBy, lastMoment))
          return sequence.unknown('The terminal fell silent.');
        continue;
      }
      const ctrl = controlField(received.apdu);
      if (isAnswer(ctrl)) {
        noteAnswer(received.apdu);
        if (followUntil !== null && !abortRequest.mayHaveActed) return sequence.end(false);
        continue;
      }
      if (silence.taken && (ctrl === '060f' || ctrl === '061e')) return afterQuestion(received.apdu);
      if (silence.taken && ctrl === '040f') {
        await refuseResultOfQuestion(received.apdu);
        continue;
      }
      silence.noteMessage(clock.elapsed());
      const end = await take(received.apdu, (newLimitMs) => {
        silenceLimitMs = newLimitMs ?? silenceLimitMs;
        silenceBy = clock.elapsed() + silenceLimitMs;
      });
      if (end !== null) return end;
      silence.noteMessage(clock.elapsed(), sequence.refused);
    }
  }

  /** The terminal has completed our status enquiry: it is idle, or else what it says means nothing. */
  async function afterQuestion(apdu: Uint8Array): Promise<SequenceEnd> {
    const status = terminalStatusOf(context.decode(apdu, statusEnquiryCtrl));
    await context.reply(apdu, positiveAnswer);
    if (status !== null && !isAtWork(status)) return sequence.endWhenIdle(abortRequest.mayHaveActed);
    return sequence.unknown(noLongerAtWork);
  }

  /**
   * A terminal that takes the status enquiry is not at work on the operation any more, so a result that comes
   * then is none of the operation; some terminals put their last one into every answer.
   */
  async function refuseResultOfQuestion(apdu: Uint8Array) {
    if (!context.traits.has('results_in_enquiries'))
      sequence.markUnknown('A result came with the answer to the question for its state; it was refused.');
    await context.reply(apdu, refusingAnswer);
  }

  /** Answers one message; gives the end of the operation if there is one. */
  async function take(
    apdu: Uint8Array,
    restartSilence: (newLimitMs: number | null) => void = () => {},
  ): Promise<SequenceEnd | null> {
    if (await context.answerRepeat(apdu)) return null;
    followUntil = null;
    // Another message than the one that we answered: it has our answer. An end is about to say so itself.
    if ((acceptance.kind === 'sent' || acceptance.kind === 'arrived') && controlField(apdu) !== '060f')
      reportAcceptance();
    const step = sequence.take(apdu);
    if (step.restartsSilence) restartSilence(step.silenceLimitMs);
    const reply = context.reply(apdu, step.answer);
    // Its own end was said; whether our answer to that arrives changes nothing any more (ZVT PA00P015, chapter 4). So
    // the end is journaled and told while the terminal acknowledges our answer; the next command waits for that.
    if (step.finished && !(abortRequest.mayHaveActed && sequence.mayGoOn))
      return sequence.end(abortRequest.mayHaveActed);
    const delivery = await reply;
    if (step.finished) {
      followUntil = clock.elapsed() + afterAbortMs;
      return null;
    }
    if (delivery.kind === 'delivered') {
      if (sequence.accepted && controlField(apdu) === '040f') noteAcceptance(delivery.by);
      return null;
    }
    return delivery.kind === 'exhausted'
      ? sequence.unknown('The terminal did not acknowledge our answer, so it may have undone the operation.')
      : lost(session.closedReason ?? 'it is closed');
  }

  /**
   * Where the POS prints, the receipts have to be acknowledged as well, and only the completion shows that there are no
   * more of them. The next frame in place of an ACK may be this same result again, so it proves nothing by itself.
   */
  function noteAcceptance(by: 'ack' | 'frame' | 'stream') {
    if (context.settings.receipts === 'pos') return;
    if (acceptance.kind === 'reported') return;
    acceptance =
      by === 'ack' ? { kind: 'arrived', reportAt: clock.elapsed() + acceptanceMs } : { kind: 'sent' };
  }

  function reportAcceptance() {
    acceptance = { kind: 'reported' };
    order.watch.acknowledged();
  }

  function acceptanceMoment(): number {
    return acceptance.kind === 'arrived' ? acceptance.reportAt : Infinity;
  }

  /** One of them at a time may wait for its answer, and none is sent over a message that has to be answered first. */
  async function sendWhatIsDue() {
    if (session.pending || silence.answerPending) return;
    const now = clock.elapsed();
    if (abortRequest.isDue(now)) await sendAbort();
    else if (silence.isDue(now) && abortRequest.nextAt === null) await enquireState();
  }

  /** When `sendWhatIsDue` has something to do, or an answer to give up, in elapsed milliseconds. */
  function nextMoment(): number {
    if (silence.answerPending) return silence.nextAt;
    return abortRequest.nextAt ?? silence.nextAt;
  }

  async function enquireState() {
    log.info('the terminal is silent, and is asked for its state');
    await session.send(statusEnquiry(context.settings.password), { repeatOnSilence: false });
    silence.sent(clock.elapsed() + answerTimeoutMs);
  }

  async function sendAbort() {
    log.info('the terminal is asked to abort');
    // One copy: if it collides with a message of the terminal, the request is repeated later.
    await session.send(abort(), { repeatOnSilence: false });
    abortRequest.sent(clock.elapsed() + answerTimeoutMs);
  }

  function noteAnswer(apdu: Uint8Array) {
    const ctrl = controlField(apdu);
    // Also when it comes late; an abort whose attempts are exhausted does not get answers any more.
    if (silence.answerPending || (silence.answersOutstanding && abortRequest.nextAt === null)) {
      log.debug('the terminal answers the status enquiry', { ctrl });
      silence.answered(isPositiveAnswer(ctrl), clock.elapsed());
      return;
    }
    log.debug('the terminal answers the abort', { ctrl });
    const kind = isPositiveAnswer(ctrl)
      ? 'positive'
      : refusalCode(apdu) === pleaseWaitCode
        ? 'wait'
        : 'refused';
    abortRequest.answered(kind, clock.elapsed());
  }

  function lost(reason: string): SequenceEnd {
    return sequence.unknown(`The line to the terminal was lost: ${reason}`);
  }
}

function notStarted(refusedByTerminal: boolean, reason: string, code: number | null): SequenceEnd {
  return { answer: { kind: 'not_started', refusedByTerminal, reason }, code };
}

function refusalReason(code: number): string {
  if (code === wrongPasswordCode) return passwordReason;
  return codeReason('The terminal refused', code);
}
