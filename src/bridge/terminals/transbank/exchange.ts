/**
 * One command and what the terminal says to it (Transbank developer documentation; the official SDKs for the times, of which
 * it names few):
 *
 *     bridge: request      terminal: ACK
 *                                    0900 progress, as often as it likes     bridge: ACK to each
 *                                    … the cardholder works …
 *                                    response                                bridge: ACK, once it is on disk
 *
 * The terminal stores an approved sale before it responds, and no ACK of ours changes that. There is no command to stop it
 * and none is idempotent: what moves money goes out again only after a NAK, never after silence, because the terminal may be
 * at work. It sends a response that was not acknowledged up to three times.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../log/index.ts';
import type { LineConnection } from '../../lines/line.ts';
import {
  createAckedRequests,
  type AckedRequest,
  type RequestFailure,
  type RequestLimits,
} from '../acked-requests.ts';
import { createByteLink } from '../byte-link.ts';
import { ACK, NAK, sameBytes, type EtxEvent } from '../framing/index.ts';
import { createMessageTrace } from '../message-trace.ts';
import { createParser, decodeMessage, encodeFrame, endsDetail, type TransbankMessage } from './wire/index.ts';
import { tracedMessage } from './wire-trace.ts';

const limits: RequestLimits = {
  // Of the Node.js SDK; the documentation names none.
  ackTimeoutMs: 2_000,
  // Card, instalments and PIN happen inside; each progress message begins it anew.
  responseTimeoutMs: 180_000,
  copies: 3,
  refusals: 3,
};
/** Between two lines of a series. */
const lineTimeoutMs = 10_000;
const frameGapMs = 1_000;

/** Null: the terminal has acknowledged a request that has no response. */
interface Answer {
  kind: 'answered';
  response: TransbankMessage | null;
  persisted: boolean;
}
/** How a request ended. */
export type ExchangeEnd = Answer | RequestFailure;

export interface Request {
  data: Uint8Array;
  /** The command of the response; null: the terminal only acknowledges. */
  response: string | null;
  /** A second copy of it would be carried out a second time. */
  movesMoney: boolean;
  /**
   * Whether this response is the one to this request. `acknowledged`: the terminal has acknowledged the request, or something
   * came that may have been it. Left out: any is, behind the ACK.
   */
  fits?(response: TransbankMessage, acknowledged: boolean): boolean;
  /** Puts a response on disk, before it is acknowledged. False: it could not be, so it is not acknowledged. */
  persist?(response: TransbankMessage): boolean;
  /** The response is a series that its last line ends; each line but the last. */
  line?(line: TransbankMessage): void;
  progress?(code: string): void;
}

export interface ExchangeParts {
  connection: LineConnection;
  clock: Clock;
  log: Log;
  /**
   * A message that answers no request that waits for it. True: acknowledge it, because it was taken over and is on disk where
   * that matters, or is of no interest.
   */
  unsolicited(message: TransbankMessage): boolean;
}

export interface Exchanges {
  /** Sends a request and follows it to its end; one at a time. */
  ask(request: Request): Promise<ExchangeEnd>;
}

/** What runs: a request with its way onto the line. */
interface Running extends AckedRequest<Answer> {
  request: Request;
}

export function createExchanges({ connection, clock, log, unsolicited }: ExchangeParts): Exchanges {
  const trace = createMessageTrace(log, tracedMessage);
  const requests = createAckedRequests<Running, Answer>({ limits, clock, log });
  /** The last response that was taken over: the terminal repeats it when our ACK was lost. */
  let lastTaken: Uint8Array | null = null;

  const link = createByteLink<Exclude<EtxEvent, { kind: 'ack' | 'nak' | 'damaged' | 'discarded' }>>(
    { connection, parser: createParser(), frameGapMs, clock, log },
    {
      heard: () => requests.heard(),
      event(event) {
        switch (event.kind) {
          case 'ack':
            return requests.onAck();
          case 'nak':
            return requests.onNak();
          case 'frame':
            trace('from_terminal', event.data);
            return onFrame(event.data);
          case 'damaged':
            if (requests.onDamaged()) link.write(Uint8Array.of(NAK));
            return;
          case 'progress':
            return;
        }
      },
      closed: (reason) => requests.onClosed(reason),
    },
  );

  function onFrame(data: Uint8Array) {
    const message = decodeMessage(data, 'from_terminal');
    const request = requests.running?.request ?? null;
    if (message.command === '0900') return onProgress(message, request);
    if (lastTaken !== null && sameBytes(lastTaken, data) && !mayBeNew(message, request)) {
      acknowledge();
      return log.debug('a repeated frame was acknowledged and dropped');
    }
    if (request === null || !answers(message, request)) {
      log.info('the terminal sends something outside our commands', { code: message.command });
      if (unsolicited(message)) acknowledge();
      return;
    }
    if (request.line !== undefined && !endsDetail(message) && isApproved(message)) {
      acknowledge();
      requests.awaitMore(lineTimeoutMs);
      return request.line(message);
    }
    const persisted = request.persist?.(message) ?? true;
    lastTaken = data;
    // First: the line may break at the acknowledgement, and what was read counts.
    requests.end({ kind: 'answered', response: message, persisted });
    if (persisted) acknowledge();
  }

  /**
   * A response comes behind the ACK. One that comes before it and has no number of its own may be what the terminal owes to
   * an earlier request; if it is ours after all, because the ACK was lost, the terminal sends it again.
   */
  function answers(message: TransbankMessage, request: Request): boolean {
    if (message.command !== request.response) return false;
    const { acknowledged } = requests;
    return request.fits === undefined ? acknowledged : request.fits(message, acknowledged);
  }

  /** Two answers to harmless questions, two refusals, or two lines may look alike; two sales have two tickets. */
  function mayBeNew(message: TransbankMessage, request: Request | null): boolean {
    return requests.acknowledged && message.command === request?.response;
  }

  function onProgress(message: TransbankMessage, request: Request | null) {
    acknowledge();
    if (request === null || request.response === null) return;
    requests.atWork();
    request.progress?.(message.values.status?.trim() ?? '');
  }

  function acknowledge() {
    link.write(Uint8Array.of(ACK));
  }

  return {
    ask(request) {
      const frame = encodeFrame(request.data);
      link.begin();
      trace('to_terminal', request.data);
      return requests.ask({
        request,
        movesMoney: request.movesMoney,
        send: () => link.write(frame),
        ...(request.response === null
          ? { answerOfAck: { kind: 'answered', response: null, persisted: true } }
          : {}),
      });
    },
  };
}

function isApproved({ values }: TransbankMessage): boolean {
  return values.responseCode?.trim() === '00';
}
