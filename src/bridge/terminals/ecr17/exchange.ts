/**
 * One command and what the terminal says to it (Nexi "Traditional POS" developer pages; the times of public clients, because
 * the documentation names none):
 *
 *     bridge: request      terminal: ACK
 *                                    progress, as often as it likes
 *                                    … the cardholder works …
 *                                    result                             bridge: ACK, once it is on disk
 *                                    parts of tickets, before or behind it, each with an ACK
 *
 * The terminal stores a result before it sends it, and no ACK of ours changes that. What moves money goes out again only
 * after a NAK, never after silence. A result without an ACK before it is both. One that was not acknowledged comes again.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../log/index.ts';
import type { LineConnection } from '../../lines/line.ts';
import {
  createAckedRequests,
  notWritten,
  type AckedRequest,
  type RequestFailure,
  type RequestLimits,
} from '../acked-requests.ts';
import { createByteLink } from '../byte-link.ts';
import { sameBytes, type LinkEvent } from '../framing/index.ts';
import { createMessageTrace } from '../message-trace.ts';
import { createRangeFinder, type RangeMemory } from './range-finder.ts';
import type { RedialledLine } from './redialled-line.ts';
import {
  decodeMessage,
  encodeAnswer,
  encodeFrame,
  endsTicket,
  progressText,
  type Ecr17Message,
  type LrcRange,
  type PacketEvent,
} from './wire/index.ts';
import { createTicketCollector } from './ticket-collector.ts';
import { tracedMessage } from './wire-trace.ts';

const limits: RequestLimits = {
  ackTimeoutMs: 5_000,
  // Card, PIN and host happen inside; each progress packet begins it anew.
  responseTimeoutMs: 180_000,
  copies: 3,
  refusals: 3,
};
/** Of what the terminal answers by itself: its state, its last result, its totals. */
const quickResultTimeoutMs = 30_000;
const packetGapMs = 3_000;

type Answer =
  /** Null: the terminal has acknowledged a request that has no result. */
  | { kind: 'answered'; response: Ecr17Message | null; persisted: boolean; tickets: readonly string[] }
  /** The terminal said NAK to every copy, and nothing else: it has not begun. */
  | { kind: 'refused'; reason: string };
/** How a request ended. `reason` is a sentence for cashier and support. */
export type ExchangeEnd = Answer | RequestFailure;

interface Request {
  data: Uint8Array;
  /** The codes that its result may have; none: the terminal only acknowledges. */
  results: readonly string[];
  /** A second copy of it would be carried out a second time. */
  movesMoney: boolean;
  /** It may be used to find out how the terminal takes its check bytes: a NAK changes nothing. */
  findsRange?: boolean;
  /** Whether this result is the one to this request; `acknowledged`: the terminal has taken the request over. */
  fits?(result: Ecr17Message, acknowledged: boolean): boolean;
  /** Puts a result on disk, before it is acknowledged. False: it could not be, so it is not acknowledged. */
  persist?(result: Ecr17Message): boolean;
  /** How many tickets come to the till, which are waited for behind the result; none where left out. */
  tickets?: number;
  progress?(text: string): void;
}

export interface ExchangeParts {
  connection: LineConnection;
  /** What check bytes are taken of; `auto` finds it out. */
  lrc: LrcRange | 'auto';
  rangeMemory: RangeMemory;
  clock: Clock;
  log: Log;
  /** A message that no request waits for. True: acknowledge it, because it is on disk where that matters, or says nothing. */
  unsolicited(message: Ecr17Message): boolean;
}

export interface Exchanges {
  /** Sends a request and follows it to its end; one at a time. */
  ask(request: Request): Promise<ExchangeEnd>;
}

/** What runs: a request with its way onto the line. */
interface Running extends AckedRequest<Answer> {
  request: Request;
  /** Something else than a NAK came. */
  disturbed: boolean;
  /** No copy is out that has not been answered by a NAK. */
  copyRefused: boolean;
}

export function createExchanges({
  connection,
  lrc,
  rangeMemory,
  clock,
  log,
  unsolicited,
}: ExchangeParts): Exchanges {
  const trace = createMessageTrace(log, tracedMessage);
  const ranges = createRangeFinder(lrc, rangeMemory, log);
  const requests = createAckedRequests<Running, Answer>({ limits, clock, log });
  const tickets = createTicketCollector(clock);
  /** The last results that were taken over, by their code: the terminal repeats one when our ACK was lost. */
  const lastTaken = new Map<string, Uint8Array>();
  /** A harmless request was sent again after silence: an answer to its first copy may still be on its way. */
  let answersOwed = false;

  const link = createByteLink<Exclude<PacketEvent, LinkEvent>>(
    { connection, parser: ranges.parser, frameGapMs: packetGapMs, clock, log },
    {
      heard: () => requests.heard(),
      event(event) {
        switch (event.kind) {
          case 'ack':
            return requests.onAck();
          case 'nak':
            return onNak();
          case 'frame':
            trace('from_terminal', event.data);
            return onFrame(event.data, event.lrcRange);
          case 'progress':
            return onProgress(event.data);
          case 'damaged':
            return onDamaged();
        }
      },
      closed: (reason) => requests.onClosed(reason),
    },
  );

  const redialled = 'dial' in connection ? (connection as RedialledLine) : null;
  let hungUp = false;
  redialled?.onHangUp(() => {
    hungUp = true;
    requests.end({ kind: 'unknown', reason: 'The terminal hung up before it acknowledged the command.' });
  });

  function onNak() {
    const { running } = requests;
    if (running !== null && !requests.acknowledged) {
      running.copyRefused = true;
      if (running.request.findsRange === true) ranges.next();
    }
    requests.onNak();
  }

  function onDamaged() {
    const { running } = requests;
    if (running === null) return;
    running.disturbed = true;
    if (requests.onDamaged()) link.write(encodeAnswer('nak'));
    else if (running.request.findsRange === true) ranges.forget();
  }

  function onProgress(data: Uint8Array) {
    const { running } = requests;
    if (running === null || running.request.results.length === 0) return;
    running.disturbed = true;
    requests.atWork();
    running.request.progress?.(progressText(data));
  }

  function onFrame(data: Uint8Array, range: LrcRange) {
    const message = decodeMessage(data, 'from_terminal');
    const request = requests.running?.request ?? null;
    // Whoever wants them or not: the terminal waits for us.
    if (message.code === 'S') {
      if (request === null) redialled?.rest();
      else if (request.results.length > 0) requests.atWork();
      tickets.take({ text: message.values.text ?? '', endsTicket: endsTicket(message) });
      return acknowledge();
    }
    const known = lastTaken.get(message.code);
    const isRepeat = known !== undefined && sameBytes(known, data);
    if (request === null || !answers(message, request, isRepeat)) {
      if (isRepeat) {
        acknowledge();
        return log.debug('a repeated frame was acknowledged and dropped');
      }
      log.info('the terminal sends something outside our commands', { code: message.code });
      if (unsolicited(message)) acknowledge();
      return;
    }
    const persisted = request.persist?.(message) ?? true;
    lastTaken.set(message.code, data);
    if (request.findsRange === true) ranges.found(range);
    // First: the line may break at the acknowledgement, and what was read counts.
    requests.end({ kind: 'answered', response: message, persisted, tickets: [] });
    if (persisted) acknowledge();
  }

  /** What the terminal said before, and says again before it has taken this command over, is no result of it. */
  function answers(message: Ecr17Message, request: Request, isRepeat: boolean): boolean {
    if (!request.results.includes(message.code)) return false;
    if (request.movesMoney && isRepeat && !requests.acknowledged) return false;
    return request.fits?.(message, requests.acknowledged) ?? true;
  }

  function acknowledge() {
    link.write(encodeAnswer('ack'));
  }

  function copiesOf({ movesMoney, findsRange }: Request): Pick<Running, 'copies'> {
    // A NAK that is owed to an earlier question says nothing of this command, which may have been taken.
    if (movesMoney && answersOwed) return { copies: 1 };
    return findsRange === true ? { copies: ranges.tries } : {};
  }

  /** False: there is no line any more, and not one byte was written. */
  async function dial(movesMoney: boolean): Promise<boolean> {
    hungUp = false;
    const dialled = await redialled?.dial(movesMoney);
    if (dialled === 'new') {
      answersOwed = false;
      requests.onNewLine();
    }
    return dialled !== 'none';
  }

  async function askOnce(request: Request): Promise<ExchangeEnd> {
    if (!(await dial(request.movesMoney))) return notWritten;
    // With the wrong check byte a command of money would be refused, and sent again and again.
    if (request.movesMoney && !ranges.isKnown)
      throw new Error('a command that moves money is sent before the terminal has answered a harmless one');
    ranges.settle();
    link.begin();
    trace('to_terminal', request.data);
    const mayBeOwed = request.movesMoney && answersOwed;
    const running: Running = {
      request,
      disturbed: false,
      copyRefused: true,
      movesMoney: request.movesMoney,
      send() {
        if (!running.copyRefused) answersOwed = true;
        running.copyRefused = false;
        return link.write(encodeFrame(request.data, ranges.sending));
      },
      refused: () => ({
        kind: running.disturbed || mayBeOwed ? 'unknown' : 'refused',
        reason: 'The terminal does not take the command.',
      }),
      ...copiesOf(request),
      ...(request.movesMoney ? {} : { responseTimeoutMs: quickResultTimeoutMs }),
      ...(request.results.length > 0
        ? {}
        : { answerOfAck: { kind: 'answered', response: null, persisted: true, tickets: [] } }),
    };
    tickets.begin();
    const end = await requests.ask(running);
    // It is answered: a hang-up among its tickets is one behind the answer.
    redialled?.rest();
    if (end.kind === 'answered' && request.tickets !== undefined) await tickets.whole(request.tickets);
    return end.kind === 'answered' ? { ...end, tickets: tickets.parts } : end;
  }

  return {
    async ask(request) {
      const end = await askOnce(request);
      // It hung up behind its answer to what was asked before: that changes nothing, so it is asked again.
      return hungUp && !request.movesMoney ? askOnce(request) : end;
    },
  };
}
