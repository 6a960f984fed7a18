/**
 * Questions: commands that move no money and carry no amount (06 00, 05 01, 06 20). One is asked, the terminal's
 * messages are answered, and it ends with the terminal's completion, a refusal or silence.
 *
 * Whatever the terminal sends that does not belong to the question is answered properly and makes the question end as
 * `busy`: the terminal was doing something else. It is still followed to its own end, so that nothing of it is left
 * over for the next one.
 */
import { type Conversation } from './conversation.ts';
import { controlField, isAnswer, isPositiveAnswer, refusalCode, type ZvtMessage } from './wire/index.ts';
import { positiveAnswer } from './commands.ts';
import type { Delivery } from './session.ts';

export interface Question {
  ctrl: string;
  apdu: Uint8Array;
  /** Control fields of the messages that the terminal may send in answer, before it completes. */
  takes: readonly string[];
  isCompletion(message: ZvtMessage): boolean;
  /** A result that comes out of turn while this question runs could be its own answer: never adopt it. */
  lateResults: 'adopt' | 'refuse';
}

export type Asked =
  | {
      kind: 'completed';
      completion: ZvtMessage;
      /** The 04 0F among its messages. */ result: ZvtMessage | null;
    }
  /** 84 xx, or 06 1E; `code` is null where the terminal gave none. `atOnce`: no 80 00 came before. */
  | { kind: 'refused'; code: number | null; atOnce: boolean }
  | { kind: 'busy'; text: string }
  | { kind: 'silent'; reason: string };

/**
 * How long the terminal may be silent between 80 00 and the completion of a question, in answer timeouts (T3). It has
 * no card and no host to wait for, so T4 would be far too long; three times T3 lets it repeat a lost frame.
 */
const completionWaitAnswerTimeouts = 3;

export async function ask(conversation: Conversation, question: Question): Promise<Asked> {
  const { session, settings, clock } = conversation;
  const { answerTimeoutMs, completionTimeoutMs } = settings.timers;
  let disturbance: string | null = null;

  const delivery = await conversation.command(question.apdu, { repeatOnSilence: true });
  if (delivery.kind !== 'delivered') return silent(undelivered(delivery));

  const answerBy = clock.elapsed() + answerTimeoutMs;
  for (;;) {
    const received = await session.receive(answerBy - clock.elapsed());
    if (received.kind === 'closed') return silent(received.reason);
    if (received.kind === 'timeout') {
      if (disturbance !== null) return { kind: 'busy', text: disturbance };
      // ZVT PA00P016: on TCP, T3 running out ends the connection.
      if (session.framing === 'tcp') session.close();
      return silent('The terminal does not answer.');
    }
    if (received.kind === 'woken') continue;
    const ctrl = controlField(received.apdu);
    if (isPositiveAnswer(ctrl)) break;
    if (isAnswer(ctrl)) {
      if (delivery.by !== 'frame' || conversation.refusesUnacknowledged) {
        return refused(refusalCode(received.apdu), true);
      }
      // It came before the question had been acknowledged: after a standstill of this machine, of something earlier.
      // A terminal that never acknowledges does so again.
      conversation.refusesUnacknowledged = true;
      disturbance ??= 'The terminal is still answering something earlier.';
      continue;
    }
    disturbance = (await conversation.answerStray(received.apdu)) ?? disturbance;
  }

  const lastMoment = clock.elapsed() + completionTimeoutMs;
  const quietLimitMs = Math.min(completionTimeoutMs, completionWaitAnswerTimeouts * answerTimeoutMs);
  let result: ZvtMessage | null = null;
  let quietBy = clock.elapsed() + quietLimitMs;
  for (;;) {
    const received = await session.receive(Math.min(quietBy, lastMoment) - clock.elapsed());
    if (received.kind === 'closed') return silent(received.reason);
    if (received.kind === 'timeout') {
      return disturbance === null
        ? silent('The terminal took the question but did not finish its answer.')
        : { kind: 'busy', text: disturbance };
    }
    if (received.kind === 'woken') continue;
    // Also of one that speaks without a pause, so that the wait never runs out.
    if (clock.elapsed() >= lastMoment) return silent('The terminal comes to no end with its answer.');
    const { apdu } = received;
    quietBy = clock.elapsed() + quietLimitMs;
    if (isAnswer(controlField(apdu)) || (await conversation.answerRepeat(apdu))) continue;
    const message = conversation.decode(apdu, question.ctrl);
    if (message.ctrl === '060f' && question.isCompletion(message)) {
      const answer = await conversation.reply(apdu, positiveAnswer);
      if (disturbance !== null) return { kind: 'busy', text: disturbance };
      // Without its ACK the terminal may send the completion again, in the middle of whatever comes next.
      if (answer.kind !== 'delivered') return silent(undelivered(answer));
      conversation.refusesUnacknowledged = false;
      return { kind: 'completed', completion: message, result };
    }
    if (message.ctrl === '061e') {
      const answer = await conversation.reply(apdu, positiveAnswer);
      if (answer.kind !== 'delivered') return silent(undelivered(answer));
      const code = message.positional['resultCode'];
      return refused(typeof code === 'number' ? code : null, false);
    }
    // No question has more than one result for an answer; another one belongs to something else.
    const isSecondResult = message.ctrl === '040f' && result !== null;
    if (disturbance === null && question.takes.includes(message.ctrl) && !isSecondResult) {
      const answer = await conversation.reply(apdu, positiveAnswer);
      if (answer.kind !== 'delivered') return silent(undelivered(answer));
      if (message.ctrl === '040f') result = message;
      continue;
    }
    const inside = question.takes.includes('040f') ? null : question.ctrl;
    disturbance = (await conversation.answerStray(apdu, question.lateResults, inside)) ?? disturbance;
  }

  function silent(reason: string): Asked {
    conversation.inStep = false;
    return { kind: 'silent', reason };
  }

  function refused(code: number | null, atOnce: boolean): Asked {
    return disturbance === null ? { kind: 'refused', code, atOnce } : { kind: 'busy', text: disturbance };
  }
}

function undelivered(delivery: Exclude<Delivery, { kind: 'delivered' }>): string {
  switch (delivery.kind) {
    case 'not_written':
      return 'The line is closed.';
    case 'closed':
      return delivery.reason;
    case 'given_up':
      return delivery.cause === 'silence'
        ? 'The terminal does not react. Check that it is switched on, its cable, and that it is set to ZVT.'
        : 'The terminal cannot read what it is sent. Check the settings of the line.';
  }
}
