/**
 * One thing at a time: a request gets its ACK at once, and until the answer to it is acknowledged, or was sent as often as
 * it may be, the terminal hears nothing but the ACKs that it waits for.
 */
import { pause, type Clock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';
import { ACK, NAK } from '../../bridge/terminals/framing/index.ts';
import {
  createParser,
  decodeMessage,
  encodeFrame,
  type TransbankMessage,
} from '../../bridge/terminals/transbank/wire/index.ts';
import { createAckedLink, type Delivery, type SendEvents } from '../acked-link.ts';
import type { Noise } from '../output.ts';
import type { Faults, TransbankTimings } from './terminal.ts';

/** One request, from its ACK until the terminal is idle again. */
export interface Exchange {
  readonly request: TransbankMessage;
  send(data: Uint8Array, on?: SendEvents): Promise<Delivery>;
  /** The terminal is idle again, at once. It is, too, when the request has been served. */
  release(): void;
  /** Waits; shorter when the exchange ends. */
  pause(delayMs: number): Promise<void>;
  /** The power is gone. */
  readonly ended: boolean;
  /** The line is noisy until the exchange is over. */
  disturb(noise: Noise): void;
}

export interface ExchangeServerOptions {
  write(bytes: Uint8Array): void;
  clock: Clock;
  timings: TransbankTimings;
  log: Log;
  faults: Faults;
  /** What to do with a request: nothing at all, or NAK, or ACK and serve it. */
  judge(request: TransbankMessage): 'ignore' | 'nak' | 'serve';
  serve(exchange: Exchange): Promise<void>;
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

export function createExchangeServer(options: ExchangeServerOptions): ExchangeServer {
  const { clock, log, faults } = options;
  const gone = new AbortController();
  let current: Exchange | null = null;
  let serving: Promise<void> = Promise.resolve();
  const dataLink = createAckedLink({
    ...options,
    parser: createParser(),
    encodeFrame,
    encodeAnswer: (as) => Uint8Array.of(as === 'ack' ? ACK : NAK),
    onMessage,
    // The documentation has no answer for a terminal that is busy.
    answersDamage: () => current === null,
  });

  function onMessage(data: Uint8Array): void {
    const request = decodeMessage(data, 'to_terminal');
    const { command } = request;
    if (current !== null)
      return log.debug('a request was not heard, because another one is under way', { command });
    const judgement = options.judge(request);
    if (judgement === 'ignore') return log.debug('a request was not understood', { command });
    if (judgement === 'nak') return dataLink.answer('nak');
    const exchange = createExchange(request);
    current = exchange;
    if (faults.lostAcks > 0) faults.lostAcks -= 1;
    else dataLink.answer('ack');
    serving = Promise.all([serving, serve(exchange)]).then(() => {});
  }

  function createExchange(request: TransbankMessage): Exchange {
    const exchange: Exchange = {
      request,
      send: (frame, on) => dataLink.send(frame, on),
      pause: (delayMs) => (delayMs <= 0 ? Promise.resolve() : pause(clock, delayMs, gone.signal)),
      release() {
        if (current !== exchange) return;
        current = null;
        dataLink.disturb(null);
      },
      get ended() {
        return gone.signal.aborted;
      },
      disturb: (noise) => dataLink.disturb(noise),
    };
    return exchange;
  }

  async function serve(exchange: Exchange): Promise<void> {
    try {
      await options.serve(exchange);
    } catch (error) {
      log.error('a request failed inside the simulator', { command: exchange.request.command, err: error });
    } finally {
      exchange.release();
    }
  }

  return {
    receive: (bytes) => dataLink.receive(bytes),
    newLine: () => dataLink.newLine(),
    get busy() {
      return current !== null;
    },
    end() {
      gone.abort();
      dataLink.end();
    },
    idle: () => serving,
  };
}
