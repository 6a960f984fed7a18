/**
 * Who may speak (ZVT PA00P016, master right): idle, the till is master. A command that is being carried out holds the
 * right until the till has answered its last message; another command meanwhile gets 84 83, except 06 B0.
 */
import { type Clock, pause, peerDeadline } from '../base/clock.ts';
import type { Log } from '../log/index.ts';
import { buildApdu, decodeMessage, type ZvtMessage } from '../bridge/terminals/zvt/wire/index.ts';
import { isAnswer, type DataLink } from './data-link.ts';
import type { Noise } from './output.ts';
import type { SimulatorTimings } from './simulated-terminal.ts';

/** How the till answered a message of the terminal. */
export type Answer =
  | { kind: 'positive' }
  | { kind: 'negative'; code: number; message: ZvtMessage }
  /** It has the message and says nothing within T3. */
  | { kind: 'silent' }
  /** All repeats are used up. */
  | { kind: 'undelivered' }
  /** The connection has ended, or the line was cut. */
  | { kind: 'cut' };

interface SendOptions {
  /** Replaces T3. */
  answerTimeoutMs?: number | undefined;
  /** Called at the moment of delivery; no answer is waited for (it is cut off). */
  cutWhenDelivered?: (() => void) | undefined;
}

/** One command, from its arrival until the master right goes back. */
export interface Exchange {
  readonly command: ZvtMessage;
  /** 80 00: the command is taken, and the terminal is master. False: it could not be delivered, so nothing begins. */
  accept(): Promise<boolean>;
  /** An answer that ends the command at once: 80 00, or 84 and a result code of ZVT PA00P015 (with data for some). */
  endWithAnswer(ctrl: string, data?: Uint8Array): void;
  sendAndWait(apdu: Uint8Array, options?: SendOptions): Promise<Answer>;
  /** Sends a message and waits for no answer: the next one may follow at once. */
  sendOnly(apdu: Uint8Array): void;
  /** The last message (06 0F or 06 1E): with the till's answer the master right goes back. */
  finish(apdu: Uint8Array): Promise<void>;
  /** Waits; shorter when the exchange ends or `signal` aborts. */
  pause(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** The connection or the power is gone. */
  readonly ended: boolean;
  /** What to do on 06 B0; null: too late, or nothing that could be aborted. */
  onAbort: (() => void) | null;
  disturb(noise: Noise | null): void;
}

export interface ExchangeServerOptions {
  clock: Clock;
  timings: SimulatorTimings;
  log: Log;
  serve(exchange: Exchange): Promise<void>;
  /** T3 ran out: on TCP the terminal closes the connection. */
  onAnswerTimeout(): void;
}

export interface ExchangeServer {
  receive(apdu: Uint8Array): void;
  readonly busy: boolean;
  /** Ends it at once: nothing is sent any more, and what is under way learns that it was cut. */
  end(): void;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

export function createExchangeServer(dataLink: DataLink, options: ExchangeServerOptions): ExchangeServer {
  const { clock, timings, log } = options;
  const gone = new AbortController();
  let current: Exchange | null = null;
  let serving: Promise<void> = Promise.resolve();
  /** Takes the answer to the message of ours that waits for one. */
  let onAnswer: ((answer: Answer) => void) | null = null;

  function sendAndWait(
    apdu: Uint8Array,
    sendOptions: SendOptions,
    whenAnswered: () => void,
  ): Promise<Answer> {
    if (gone.signal.aborted) return Promise.resolve({ kind: 'cut' });
    return new Promise((resolve) => {
      let cancelTimer = () => {};
      const finish = (answer: Answer) => {
        cancelTimer();
        onAnswer = null;
        whenAnswered();
        resolve(answer);
        if (answer.kind === 'silent') options.onAnswerTimeout();
      };
      onAnswer = finish;
      dataLink.transmit(apdu, (delivery) => {
        if (onAnswer !== finish) return;
        if (delivery === 'failed') return finish({ kind: 'undelivered' });
        if (sendOptions.cutWhenDelivered !== undefined) {
          sendOptions.cutWhenDelivered();
          if (onAnswer === finish) finish({ kind: 'cut' });
          return;
        }
        const answerTimeoutMs = sendOptions.answerTimeoutMs ?? timings.answerTimeoutMs;
        cancelTimer = peerDeadline(clock, answerTimeoutMs, () => finish({ kind: 'silent' }));
      });
    });
  }

  function createExchange(command: ZvtMessage): Exchange & { giveBack(): void } {
    const giveBack = () => {
      if (current !== exchange) return;
      current = null;
      dataLink.disturb(null);
    };
    const exchange: Exchange & { giveBack(): void } = {
      command,
      accept() {
        return new Promise((resolve) => {
          if (gone.signal.aborted) return resolve(false);
          const finish = (delivered: boolean) => {
            gone.signal.removeEventListener('abort', onGone);
            resolve(delivered);
          };
          const onGone = () => finish(false);
          gone.signal.addEventListener('abort', onGone);
          dataLink.transmit(buildApdu('8000'), (delivery) => finish(delivery === 'delivered'));
        });
      },
      endWithAnswer(ctrl, data) {
        giveBack();
        if (!gone.signal.aborted) dataLink.transmit(buildApdu(ctrl, data), () => {});
      },
      sendAndWait: (apdu, sendOptions = {}) => sendAndWait(apdu, sendOptions, () => {}),
      sendOnly(apdu) {
        if (!gone.signal.aborted) dataLink.transmit(apdu, () => {});
      },
      async finish(apdu) {
        await sendAndWait(apdu, {}, giveBack);
      },
      async pause(delayMs, signal) {
        if (delayMs <= 0) return;
        // No signal made of both: each would stay with the connection's own until that one ends.
        await pause(clock, delayMs, gone.signal, signal);
      },
      get ended() {
        return gone.signal.aborted;
      },
      onAbort: null,
      disturb: (noise) => dataLink.disturb(noise),
      giveBack,
    };
    return exchange;
  }

  function onCommand(command: ZvtMessage): void {
    if (current !== null) {
      const abort = command.ctrl === '06b0' ? current.onAbort : null;
      log.debug('a command came while the terminal is master', { ctrl: command.ctrl, taken: abort !== null });
      abort?.();
      dataLink.transmit(buildApdu(abort === null ? '8483' : '8000'), () => {});
      return;
    }
    const exchange = createExchange(command);
    current = exchange;
    const run = options
      .serve(exchange)
      .catch((error: unknown) =>
        log.error('a command failed inside the simulator', { ctrl: command.ctrl, err: error }),
      )
      .finally(() => exchange.giveBack());
    serving = Promise.all([serving, run]).then(() => {});
  }

  return {
    receive(apdu) {
      if (gone.signal.aborted) return;
      const message = decodeMessage(apdu);
      if (!isAnswer(apdu)) return onCommand(message);
      if (onAnswer === null) return log.debug('an answer to nothing was dropped', { ctrl: message.ctrl });
      onAnswer(readAnswer(message));
    },
    get busy() {
      return current !== null;
    },
    end() {
      if (gone.signal.aborted) return;
      current = null;
      dataLink.end();
      gone.abort();
      onAnswer?.({ kind: 'cut' });
    },
    idle: () => serving,
  };
}

/** 80 00 and 84 00 are positive; any other 84 xx is negative (ZVT PA00P016, chapter 4). */
function readAnswer(message: ZvtMessage): Answer {
  const code = Number.parseInt(message.ctrl.slice(2), 16);
  if (code === 0) return { kind: 'positive' };
  return { kind: 'negative', code, message };
}
