/**
 * One thing at a time, on a line on which each frame is acknowledged: a request gets its ACK, and until the answer to it is
 * acknowledged, or was sent as often as it may be, the terminal carries nothing else out.
 */
import { pause, type Clock } from '../base/clock.ts';
import type { Log } from '../log/index.ts';
import { createAckedLink, type AckedLinkOptions, type Delivery, type SendEvents } from './acked-link.ts';
import type { Noise } from './output.ts';

/** One request, from its ACK until the terminal is idle again. */
export interface AckedExchange<Request> {
  readonly request: Request;
  send(data: Uint8Array, on?: SendEvents): Promise<Delivery>;
  /** Bytes that nobody acknowledges. */
  put(bytes: Uint8Array): void;
  /** The terminal is idle again, at once. It is, too, when the request has been served. */
  release(): void;
  /** Waits; shorter when the exchange ends. */
  pause(delayMs: number): Promise<void>;
  /** The power is gone. */
  readonly ended: boolean;
  /** Whoever asked is still there to hear of it. */
  readonly isHeard: boolean;
  /** The line is noisy until the exchange is over. */
  disturb(noise: Noise): void;
}

/** What to do with a request: nothing at all, or NAK, or serve it: with an ACK now, one glued to the answer, or none. */
export type Judgement = 'ignore' | 'nak' | 'serve' | 'serve_with_glued_ack' | 'serve_without_ack';

export interface ExchangeServerOptions<Request> extends Omit<
  AckedLinkOptions,
  'onMessage' | 'answersDamage' | 'faults'
> {
  decode(data: Uint8Array): Request;
  /** The command of a request, for the log. */
  commandOf(request: Request): string;
  faults: AckedLinkOptions['faults'] & { lostAcks: number };
  /** A terminal that is busy can only ignore or refuse. */
  judge(request: Request, isBusy: boolean): Judgement;
  answersDamage(isBusy: boolean): boolean;
  /** True: an answer goes to the connection on which it was asked for, and to no later one. */
  answersOnItsOwnLine: boolean;
  clock: Clock;
  log: Log;
  serve(exchange: AckedExchange<Request>): Promise<void>;
}

export interface ExchangeServer {
  /** Bytes from the line, in any pieces. */
  receive(bytes: Uint8Array): void;
  /** The bytes come from another connection now; what is under way goes on. */
  newLine(): void;
  readonly busy: boolean;
  /** Ends it at once: nothing is sent any more, and what is under way learns of it. */
  end(): void;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

export function createExchangeServer<Request>(options: ExchangeServerOptions<Request>): ExchangeServer {
  const { clock, log, faults } = options;
  const gone = new AbortController();
  let current: AckedExchange<Request> | null = null;
  let serving: Promise<void> = Promise.resolve();
  let line = 0;
  const link = createAckedLink({
    ...options,
    onMessage,
    answersDamage: () => options.answersDamage(current !== null),
  });

  function onMessage(data: Uint8Array): void {
    const request = options.decode(data);
    const command = options.commandOf(request);
    const isBusy = current !== null;
    const judgement = options.judge(request, isBusy);
    if (judgement === 'ignore' && isBusy)
      return log.debug('a request was not heard, because another one is under way', { command });
    if (judgement === 'ignore') return log.debug('a request was not understood', { command });
    if (judgement === 'nak') return link.answer('nak');
    const isLost = faults.lostAcks > 0;
    if (isLost) faults.lostAcks -= 1;
    const isGlued = judgement === 'serve_with_glued_ack' && !isLost;
    const exchange = createExchange(request, isGlued ? options.encodeAnswer('ack') : undefined);
    current = exchange;
    if (judgement === 'serve' && !isLost) link.answer('ack');
    serving = Promise.all([serving, serve(exchange, command)]).then(() => {});
  }

  function createExchange(request: Request, gluedAck: Uint8Array | undefined): AckedExchange<Request> {
    const mine = line;
    const isHeard = () => mine === line || !options.answersOnItsOwnLine;
    let before = gluedAck;
    const exchange: AckedExchange<Request> = {
      request,
      send(frame, on = {}) {
        if (!isHeard() && !gone.signal.aborted) return Promise.resolve('failed');
        const glued = before;
        before = undefined;
        return link.send(frame, { before: glued, ...on });
      },
      put(bytes) {
        if (isHeard()) link.put(bytes);
      },
      pause: (delayMs) => (delayMs <= 0 ? Promise.resolve() : pause(clock, delayMs, gone.signal)),
      release() {
        if (current !== exchange) return;
        current = null;
        link.disturb(null);
      },
      get ended() {
        return gone.signal.aborted;
      },
      get isHeard() {
        return isHeard();
      },
      disturb: (noise) => link.disturb(noise),
    };
    return exchange;
  }

  async function serve(exchange: AckedExchange<Request>, command: string): Promise<void> {
    try {
      await options.serve(exchange);
    } catch (error) {
      log.error('a request failed inside the simulator', { command, err: error });
    } finally {
      exchange.release();
    }
  }

  return {
    receive: (bytes) => link.receive(bytes),
    newLine() {
      line += 1;
      link.newLine();
      if (options.answersOnItsOwnLine) link.abandon();
    },
    get busy() {
      return current !== null;
    },
    end() {
      gone.abort();
      link.end();
    },
    idle: () => serving,
  };
}
