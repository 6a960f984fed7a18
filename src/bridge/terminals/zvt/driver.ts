/**
 * The ZVT driver of one connection: one thing at a time, and nothing that moves money while it is not certain that
 * the terminal is in step with us.
 */
import type { Clock } from '../../../contract/clock.ts';
import type { ZvtSettings } from '../../../contract/configuration.ts';
import type { Currency } from '../../../contract/money.ts';
import { emptyRecord, type TerminalRecord } from '../../../contract/terminal.ts';
import type { LineConnection } from '../../lines/line.ts';
import type { Log } from '../../log/log.ts';
import type {
  DriverWatch,
  OperationAnswer,
  OperationWatch,
  TerminalDriver,
  VoidOrder,
} from '../terminal-driver.ts';
import { createAbortRequest, type AbortRequest } from './abort-request.ts';
import { authorisation, endOfDay, logOff, reversal } from './commands.ts';
import { controlField, createConversation, isAnswer, type Conversation } from './conversation.ts';
import { showsReversalOf } from './evidence.ts';
import { batchObjection, saleObjection, voidObjection } from './objections.ts';
import { runOperation } from './operation.ts';
import { lookAtTerminal, readLastRecord } from './readiness.ts';
import { resultText } from './result-codes.ts';
import { alreadyReversedCode } from './sentences.ts';
import type { Order, SequenceEnd } from './sequence.ts';
import { createSession, type Framing } from './session.ts';
import { createWireTrace } from './wire-trace.ts';

export interface ZvtOptions {
  /** `serial`: DLE/STX frames with acknowledgements; `tcp`: bare APDUs. */
  framing: Framing;
  settings: ZvtSettings;
  /** The currency that is registered with the terminal. */
  currency: Currency;
  clock: Clock;
  log: Log;
}

/** The most messages that are answered in one go while no command of ours runs. */
const maxStrayMessages = 100;

export function attachDriver(
  connection: LineConnection,
  watch: DriverWatch,
  options: ZvtOptions,
): TerminalDriver {
  const { framing, settings, currency, clock } = options;
  const { password, timers } = settings;
  const log = options.log.with({ source: 'zvt' });
  const trace = createWireTrace(log, settings.textEncoding, currency);
  const session = createSession(connection, { framing, timers, clock, log, trace });
  const conversation = createConversation({ session, settings, currency, clock, log, watch });
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let prepared = false;
  let saleInHand: AbortRequest | null = null;

  session.onUnasked(answerUnasked);

  /** Runs tasks one after the other; before each, what the terminal sent unasked is answered. */
  function exclusive<T>(task: () => Promise<T>): Promise<T> {
    waiting += 1;
    const done = last.then(() => answerStrays(conversation)).then(task);
    last = done
      .catch(() => {})
      .finally(() => {
        waiting -= 1;
        if (session.pending) answerUnasked();
      });
    return done;
  }

  function answerUnasked() {
    if (waiting > 0) return;
    exclusive(() => Promise.resolve()).catch((error: unknown) => {
      log.error('a fault while answering the terminal', { error });
    });
  }

  /** Runs one operation, or says why not one byte of it was sent. */
  async function operate(order: Order | null, abortRequest: AbortRequest): Promise<SequenceEnd> {
    if (order === null) return notSent('The terminal has no form for this amount or receipt number.');
    if (!conversation.inStep)
      return notSent('The terminal is busy with something of its own. Try again in a moment.');
    return runOperation(conversation, order, abortRequest);
  }

  async function look(register: boolean) {
    const readiness = await lookAtTerminal(conversation, register || !prepared);
    prepared ||= readiness.kind === 'ready';
    return readiness;
  }

  return {
    prepare: () => exclusive(() => look(true)),
    probe: () => exclusive(() => look(false)),
    sale(order, operationWatch) {
      const abortRequest = createAbortRequest(() => session.wake());
      saleInHand = abortRequest;
      return exclusive(async () => {
        const command = authorisation(order);
        const parts = command && { command, objection: saleObjection(order), watch: operationWatch };
        return (await operate(parts, abortRequest)).answer;
      }).finally(() => {
        saleInHand = null;
      });
    },
    void: (order, operationWatch) =>
      exclusive(async () => {
        const command = reversal(password, order);
        const parts = command && { command, objection: voidObjection(order), watch: operationWatch };
        const end = await operate(parts, neverAborted());
        if (end.code !== alreadyReversedCode) return end.answer;
        return reversedBefore(conversation, order, operationWatch, end);
      }),
    closeBatch: (_order, operationWatch) =>
      exclusive(async () => {
        const parts = { command: endOfDay(password), objection: batchObjection, watch: operationWatch };
        return (await operate(parts, neverAborted())).answer;
      }),
    cancel: () => saleInHand?.want(),
    signOff() {
      return waiting > 0 ? Promise.resolve() : exclusive(() => signOff(conversation));
    },
  };
}

/**
 * The terminal says that the payment is reversed already (B4). That is our reversal only if its last record shows it;
 * else somebody else reversed it, or the terminal means another payment, and a person has to look.
 */
async function reversedBefore(
  conversation: Conversation,
  order: VoidOrder,
  watch: OperationWatch,
  end: SequenceEnd,
): Promise<OperationAnswer> {
  const doubtful: OperationAnswer = {
    kind: 'unknown',
    reason: 'The terminal says that the payment is reversed already, but its last record does not show that.',
  };
  // Kept first, so that the judgement of a doubt knows it, also where the terminal said it in a bare refusal.
  if (end.answer.kind !== 'declined' || end.answer.record === null) watch.persistResult(alreadyReversed());
  const lastRecord = await readLastRecord(conversation);
  if ('obstacle' in lastRecord) return doubtful;
  if (lastRecord.kind === 'record' && showsReversalOf(order, conversation.terminalId, lastRecord.record)) {
    const { record } = lastRecord;
    if (watch.persistResult(record)) return { kind: 'done', record, receiptLines: [] };
    return { kind: 'unknown', reason: 'The reversal could not be written to disk.' };
  }
  return doubtful;
}

function alreadyReversed(): TerminalRecord {
  return {
    ...emptyRecord(),
    resultCode: alreadyReversedCode.toString(16),
    resultText: resultText(alreadyReversedCode),
  };
}

function notSent(reason: string): SequenceEnd {
  return { answer: { kind: 'not_started', refusedByTerminal: false, reason }, code: null };
}

function neverAborted(): AbortRequest {
  return createAbortRequest(() => {});
}

/** Answers what waits in the session and belongs to no command of ours. */
async function answerStrays(conversation: Conversation): Promise<void> {
  const { session } = conversation;
  for (let answered = 0; session.pending && answered < maxStrayMessages; answered += 1) {
    const received = await session.receive(0);
    if (received.kind === 'apdu') await conversation.answerStray(received.apdu);
  }
}

/** 06 02, which ends with its answer; best effort, at most T2 and T3. */
async function signOff(conversation: Conversation): Promise<void> {
  const { session, clock, settings } = conversation;
  conversation.inStep = false;
  const delivery = await conversation.command(logOff(), { repeatOnSilence: false });
  if (delivery.kind !== 'delivered') return;
  const until = clock.elapsed() + settings.timers.answerTimeoutMs;
  for (;;) {
    const received = await session.receive(until - clock.elapsed());
    if (received.kind === 'closed' || received.kind === 'timeout') return;
    if (received.kind === 'woken') continue;
    if (isAnswer(controlField(received.apdu))) return;
    await conversation.answerStray(received.apdu);
  }
}
