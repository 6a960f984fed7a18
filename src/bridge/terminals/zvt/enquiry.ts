/**
 * Enquiries: commands that move no money and carry no amount (06 00, 05 01, 06 20). One is sent, the terminal's
 * messages are answered, and it ends with the terminal's completion, a refusal or silence.
 *
 * Whatever the terminal sends that does not belong to the enquiry is answered properly and makes the enquiry end as
 * `busy`: the terminal was doing something else. It is still followed to its own end, so that nothing of it is left
 * over for the next one.
 */
import { type ExchangeContext } from './exchange-context.ts';
import { controlField, isAnswer, isPositiveAnswer, refusalCode, type ZvtMessage } from './wire/index.ts';
import { positiveAnswer } from './command-apdus.ts';
import type { Delivery } from './session.ts';

export interface Enquiry {
  ctrl: string;
  apdu: Uint8Array;
  /** Control fields of the messages that the terminal may send in answer, before it completes. */
  takes: readonly string[];
  isCompletion(message: ZvtMessage): boolean;
  /** A result that comes out of turn while this enquiry runs could be its own answer: never adopt it. */
  lateResults: 'adopt' | 'refuse';
}

export type EnquiryOutcome =
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
 * How long the terminal may be silent between 80 00 and the completion of an enquiry, in answer timeouts (T3). It has
 * no card and no host to wait for, so T4 would be far too long; three times T3 lets it repeat a lost frame.
 */
const completionWaitAnswerTimeouts = 3;

export async function enquire(context: ExchangeContext, enquiry: Enquiry): Promise<EnquiryOutcome> {
  const { session, settings, clock } = context;
  const { answerTimeoutMs, completionTimeoutMs } = settings.timers;
  let disturbance: string | null = null;

  const delivery = await context.command(enquiry.apdu, { repeatOnSilence: true });
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
      if (delivery.by !== 'frame' || context.refusesUnacknowledged) {
        return refused(refusalCode(received.apdu), true);
      }
      // It came before the enquiry had been acknowledged: after a standstill of this machine, of something earlier.
      // A terminal that never acknowledges does so again.
      context.refusesUnacknowledged = true;
      disturbance ??= 'The terminal is still answering something earlier.';
      continue;
    }
    disturbance = (await context.answerUnsolicited(received.apdu)) ?? disturbance;
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
        ? silent('The terminal took the enquiry but did not finish its answer.')
        : { kind: 'busy', text: disturbance };
    }
    if (received.kind === 'woken') continue;
    // Also of one that speaks without a pause, so that the wait never runs out.
    if (clock.elapsed() >= lastMoment) return silent('The terminal does not finish its answer.');
    const { apdu } = received;
    quietBy = clock.elapsed() + quietLimitMs;
    if (isAnswer(controlField(apdu)) || (await context.answerRepeat(apdu))) continue;
    const message = context.decode(apdu, enquiry.ctrl);
    if (message.ctrl === '060f' && enquiry.isCompletion(message)) {
      const answer = await context.reply(apdu, positiveAnswer);
      if (disturbance !== null) return { kind: 'busy', text: disturbance };
      // Without its ACK the terminal may send the completion again, in the middle of whatever comes next.
      if (answer.kind !== 'delivered') return silent(undelivered(answer));
      context.refusesUnacknowledged = false;
      return { kind: 'completed', completion: message, result };
    }
    if (message.ctrl === '061e') {
      const answer = await context.reply(apdu, positiveAnswer);
      if (answer.kind !== 'delivered') return silent(undelivered(answer));
      const code = message.positional['resultCode'];
      return refused(typeof code === 'number' ? code : null, false);
    }
    // No enquiry has more than one result for an answer; another one belongs to something else.
    const isSecondResult = message.ctrl === '040f' && result !== null;
    if (disturbance === null && enquiry.takes.includes(message.ctrl) && !isSecondResult) {
      const answer = await context.reply(apdu, positiveAnswer);
      if (answer.kind !== 'delivered') return silent(undelivered(answer));
      if (message.ctrl === '040f') result = message;
      continue;
    }
    const inside = enquiry.takes.includes('040f') ? null : enquiry.ctrl;
    disturbance = (await context.answerUnsolicited(apdu, enquiry.lateResults, inside)) ?? disturbance;
  }

  function silent(reason: string): EnquiryOutcome {
    context.inStep = false;
    return { kind: 'silent', reason };
  }

  function refused(code: number | null, atOnce: boolean): EnquiryOutcome {
    return disturbance === null ? { kind: 'refused', code, atOnce } : { kind: 'busy', text: disturbance };
  }
}

function undelivered(delivery: Exclude<Delivery, { kind: 'delivered' }>): string {
  switch (delivery.kind) {
    case 'not_written':
      return 'The line is closed.';
    case 'closed':
      return delivery.reason;
    case 'exhausted':
      return delivery.cause === 'silence'
        ? 'The terminal does not react. Check that it is switched on, its cable, and that it is set to ZVT.'
        : 'The terminal cannot read what it is sent. Check the settings of the line.';
  }
}
