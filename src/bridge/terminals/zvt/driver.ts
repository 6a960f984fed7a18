/**
 * The ZVT driver of one connection: one thing at a time, and nothing that moves money while it is not certain that
 * the terminal is in step with us.
 */
import type { Clock } from '../../../base/clock.ts';
import type { ZvtSettings } from '../../../contract/configuration.ts';
import type { Currency } from '../../../contract/money.ts';
import type { LineConnection } from '../../lines/line.ts';
import type { Log } from '../../../log/index.ts';
import type { DriverWatch, OperationWatch, TerminalDriver, SaleOrder } from '../terminal-driver.ts';
import { createAbortRequest, type AbortRequest } from './abort-request.ts';
import { authorisation, endOfDay, logOff, reversal } from './command-apdus.ts';
import { createExchangeContext, type ExchangeContext } from './exchange-context.ts';
import { controlField, isAnswer, notRegisteredCode, protocolErrorCode } from './wire/index.ts';
import { validateBatchResult, validateSaleResult, validateVoidResult } from './result-validation.ts';
import { runOperation } from './operation.ts';
import { pollStatus } from './readiness.ts';
import { impliedCurrency } from './registration.ts';
import { answerOfVoid } from './void-answer.ts';
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

/**
 * After this long an idle terminal is registered again, in milliseconds: nothing shows that it was switched off and on
 * between two polls, and then it lets people type amounts at its keys and prints as it likes.
 */
const registrationAgeMs = 60_000;
/** The most messages that are answered in one go while no command of ours runs. */
const maxUnsolicitedMessages = 100;

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
  const context = createExchangeContext({ session, settings, currency, clock, log, watch });
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let prepared = false;
  let currentSale: AbortRequest | null = null;

  session.onUnsolicited(scheduleUnsolicited);

  /** Runs tasks one after the other; before each, unsolicited messages of the terminal are answered. */
  function exclusive<T>(task: () => Promise<T>): Promise<T> {
    waiting += 1;
    const done = last.then(() => answerUnsolicitedMessages(context)).then(task);
    last = done
      .catch(() => {})
      // A task is over, and known to be, while the terminal still acknowledges our last answer.
      .then(() => context.settled())
      .finally(() => {
        waiting -= 1;
        if (session.pending) scheduleUnsolicited();
      });
    return done;
  }

  function scheduleUnsolicited() {
    if (waiting > 0) return;
    exclusive(() => Promise.resolve()).catch((error: unknown) => {
      log.error('a fault while answering the terminal', { err: error });
    });
  }

  /** Runs one operation, or says why not one byte of it was sent. */
  async function operate(order: Order | null, abortRequest: AbortRequest): Promise<SequenceEnd> {
    if (order === null) return notSent('The terminal has no form for this amount or receipt number.');
    if (!context.inStep)
      return notSent('The terminal is busy with something of its own. Try again in a moment.');
    const end = await runOperation(context, order, abortRequest);
    if (end.code === notRegisteredCode) prepared = false;
    return end;
  }

  async function poll(register: boolean) {
    const { registeredAt } = context;
    const old = registeredAt !== null && clock.elapsed() - registeredAt >= registrationAgeMs;
    const readiness = await pollStatus(context, register || !prepared || old || context.ids.unsure);
    prepared ||= readiness.kind === 'ready';
    return readiness;
  }

  /** Null where the terminal refuses to have its own currency named. */
  function namedCurrency(currency: Currency): Currency | null {
    return currency === impliedCurrency && context.traits.has('no_currency') ? null : currency;
  }

  /**
   * A terminal may refuse the payment at once because BMP 49 is in it (84 9A). Its plain refusal of the only copy that
   * was sent says that nothing started; so this one time a second copy goes out, without a currency, where that means
   * the same (`docs/adr/0013`).
   */
  async function sell(order: SaleOrder, watch: OperationWatch, abortRequest: AbortRequest) {
    const attempt = (currency: Currency | null) => {
      const command = authorisation({ amountMinor: order.amountMinor, currency });
      const parts = command && { command, validate: validateSaleResult(order), watch };
      return operate(parts, abortRequest);
    };
    const currency = namedCurrency(order.currency);
    const first = await attempt(currency);
    const wanted = abortRequest.nextAt !== null || session.pending;
    const refused = first.answer.kind === 'not_started' && first.code === protocolErrorCode;
    if (!refused || wanted || currency !== impliedCurrency) return first.answer;
    log.info('the terminal refuses the currency; the payment is sent once more without it');
    const second = (await attempt(null)).answer;
    if (second.kind === 'done' || second.kind === 'declined' || second.kind === 'cancelled')
      context.traits.learn('no_currency', 'The terminal refuses a payment that names a currency.');
    return second;
  }

  return {
    prepare: () => exclusive(() => poll(true)),
    probe: () => exclusive(() => poll(false)),
    sale(order, operationWatch) {
      const abortRequest = createAbortRequest(() => session.wake());
      currentSale = abortRequest;
      return exclusive(() => sell(order, operationWatch, abortRequest)).finally(() => {
        currentSale = null;
      });
    },
    void: (order, operationWatch) =>
      exclusive(async () => {
        const command = reversal(password, { ...order, currency: namedCurrency(order.currency) });
        const parts = command && { command, validate: validateVoidResult(order), watch: operationWatch };
        const end = await operate(parts, neverAborted());
        return answerOfVoid({ context, order, watch: operationWatch }, end);
      }),
    closeBatch: (_order, operationWatch) =>
      exclusive(async () => {
        const parts = { command: endOfDay(password), validate: validateBatchResult, watch: operationWatch };
        return (await operate(parts, neverAborted())).answer;
      }),
    cancel: () => currentSale?.request(),
    signOff() {
      return waiting > 0 ? Promise.resolve() : exclusive(() => signOff(context));
    },
  };
}

function notSent(reason: string): SequenceEnd {
  return { answer: { kind: 'not_started', refusedByTerminal: false, reason }, code: null };
}

function neverAborted(): AbortRequest {
  return createAbortRequest(() => {});
}

/** Answers what waits in the session and belongs to no command of ours. */
async function answerUnsolicitedMessages(context: ExchangeContext): Promise<void> {
  const { session } = context;
  for (let answered = 0; session.pending && answered < maxUnsolicitedMessages; answered += 1) {
    const received = await session.receive(0);
    if (received.kind === 'apdu') await context.answerUnsolicited(received.apdu);
  }
}

/** 06 02, which ends with its answer; best effort, at most T2 and T3. */
async function signOff(context: ExchangeContext): Promise<void> {
  const { session, clock, settings } = context;
  context.inStep = false;
  const delivery = await context.command(logOff(), { repeatOnSilence: false });
  if (delivery.kind !== 'delivered') return;
  const until = clock.elapsed() + settings.timers.answerTimeoutMs;
  for (;;) {
    const received = await session.receive(until - clock.elapsed());
    if (received.kind === 'closed' || received.kind === 'timeout') return;
    if (received.kind === 'woken') continue;
    if (isAnswer(controlField(received.apdu))) return;
    await context.answerUnsolicited(received.apdu);
  }
}
