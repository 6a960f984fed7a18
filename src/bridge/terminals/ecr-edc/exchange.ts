/**
 * One request and what the terminal says to it (KBTG Link POS Specification 1.5.0, and what PAX terminals were seen to
 * do):
 *
 *     bridge: request      terminal: ACK
 *                                    notices (some profiles)     bridge: ACK to each
 *                                    … the cardholder works …
 *                                    response                    bridge: ACK, once it is on disk
 *
 * The terminal decides alone: what we acknowledge or do not has no effect on the money, there is no reversal, and a
 * request that comes twice is carried out twice. So what moves money goes out again only after a NAK, never after
 * silence: a terminal at work says neither ACK nor NAK. What does not move money is also sent again when nothing at all
 * came back.
 */
import { createAckedRequests, type AckedRequest, type RequestFailure } from '../acked-requests.ts';
import { sameBytes } from '../framing/index.ts';
import { createLink, type LinkParts } from './link.ts';
import {
  decodeMessage,
  encodeRequest,
  fieldText,
  isResponseTo,
  movesMoney,
  noticeIn,
  type EdcCommandName,
  type EdcMessage,
  type EdcNotice,
  type EdcProfile,
  type RequestValues,
} from './wire/index.ts';

/** From the acknowledgement to the answer of a question, for which the terminal asks nobody, in milliseconds. */
const answerTimeoutMs = 30_000;
/** From one part of an answer to the next, in milliseconds: whether a terminal that says "more" sends more is not certain. */
const partTimeoutMs = 30_000;
/** So often in a request a damaged frame is asked for once more; whether a terminal repeats it is not certain. */
const maxRefusals = 1;

/** The terminal's response to this request. `persisted` false: it could not be put on disk, and is not acknowledged. */
interface Answer {
  kind: 'answered';
  message: EdcMessage;
  persisted: boolean;
}
/** How a request ended. */
type ExchangeEnd = Answer | RequestFailure;

/** Called during one request. Calls are synchronous and must not throw. */
interface ExchangeWatch {
  /** What the terminal is waiting for or doing. */
  notice?(notice: EdcNotice): void;
  /** Whether the response, which is one to this command, is the one to this request; null: it does not say. */
  fits?(response: EdcMessage): boolean | null;
  /**
   * The answer may have several parts (one for each host): each of them, the last one too. The end has the last. Where it
   * is left out, the first response ends the request.
   */
  part?(response: EdcMessage): void;
  /** Puts a response on disk, before it is acknowledged. False: it could not be, so it is not acknowledged. */
  persist?(response: EdcMessage): boolean;
}

export interface ExchangeParts extends Omit<LinkParts, 'lrcIncludesStx'> {
  profile: EdcProfile;
  /** Number of the terminal in the transport header, where the profile has a place for it: 0 to 99. */
  device?: number;
  /**
   * A message that answers no request that waits for it: a late response, one to another request, a question of the
   * terminal. True: acknowledge it, because it was taken over (and is on disk where that matters) or is of no interest.
   */
  unsolicited(message: EdcMessage): boolean;
}

export interface Exchanges {
  /**
   * Sends a request and follows it to its end; one at a time. Throws when the profile has no such command, or a value is
   * missing: a mistake of the caller.
   */
  ask(command: EdcCommandName, values: RequestValues, watch: ExchangeWatch): Promise<ExchangeEnd>;
  /** Asks the terminal to stop the running sale, once, where the profile can. The sale's own response still tells. */
  cancel(): void;
  /** Why the connection ended; null while it has not. */
  readonly closedReason: string | null;
}

interface Running extends AckedRequest<Answer> {
  command: EdcCommandName;
  watch: ExchangeWatch;
  cancel: 'not_asked' | 'asked' | 'sent';
}

/** The exchanges of one connection. */
export function createExchanges(parts: ExchangeParts): Exchanges {
  const { profile, clock, log } = parts;
  const { ackTimeoutMs, responseTimeoutMs, tries } = profile;
  const requests = createAckedRequests<Running, Answer>({
    limits: { ackTimeoutMs, responseTimeoutMs, copies: tries, refusals: maxRefusals },
    clock,
    log,
  });
  /** The last response that was taken over, masked: the terminal repeats it when our ACK was lost. */
  let lastTaken: Uint8Array | null = null;
  /** A response to an earlier request may still come: one that ended without, or of an earlier connection. */
  let mayOwe = true;

  const link = createLink(
    { ...parts, lrcIncludesStx: profile.lrcIncludesStx },
    {
      heard: () => requests.heard(),
      event(event) {
        switch (event.kind) {
          case 'ack':
            return requests.onAck();
          case 'nak':
            return requests.onNak();
          case 'message':
            return onMessage(decodeMessage(event.message));
          case 'damaged':
            if (requests.onDamaged()) link.refuse();
            return;
        }
      },
      closed: (reason) => requests.onClosed(reason),
    },
  );

  function onMessage(message: EdcMessage) {
    const exchange = requests.running;
    const notice = noticeIn(message, profile);
    if (exchange !== null && notice !== null) {
      link.acknowledge();
      requests.atWork();
      return exchange.watch.notice?.(notice);
    }
    if (isOld(message, exchange)) {
      link.acknowledge();
      return log.debug('a repeated frame was acknowledged and dropped');
    }
    if (exchange?.cancel === 'sent' && isResponseTo(message, 'cancel', profile)) {
      link.acknowledge();
      return log.debug('the terminal answers the abort', { code: message.responseCode });
    }
    if (exchange === null || !answers(message, exchange)) {
      log.info('the terminal sends something outside our commands', { code: message.txCode });
      if (parts.unsolicited(message)) link.acknowledge();
      return;
    }
    lastTaken = message.maskedMessage;
    exchange.watch.part?.(message);
    if (exchange.watch.part !== undefined && message.more === '1') {
      link.acknowledge();
      return awaitPart(exchange, message);
    }
    if (take(exchange, message)) link.acknowledge();
  }

  /**
   * A terminal answers a request behind its ACK. What comes before it, and does not say that it is ours, may be what the
   * terminal owes to an earlier one.
   */
  function answers(message: EdcMessage, { command, watch }: Running): boolean {
    if (!isResponseTo(message, command, profile)) return false;
    return watch.fits?.(message) ?? (requests.acknowledged || !mayOwe);
  }

  /** True: it is on disk. */
  function take(exchange: Running, message: EdcMessage): boolean {
    const persisted = exchange.watch.persist?.(message) ?? true;
    // Before it is acknowledged: the line may break at that, and what was read counts.
    requests.end({ kind: 'answered', message, persisted });
    return persisted;
  }

  function awaitPart(exchange: Running, message: EdcMessage) {
    requests.awaitMore(partTimeoutMs, () => {
      log.info('the terminal announces more, and nothing more comes', { code: message.txCode });
      take(exchange, message);
    });
  }

  /**
   * The response to an earlier request once more, because our ACK to it was lost. Two refusals, or two answers to one
   * question, may look alike, so one counts as new behind the ACK to the request; an approval has its own number and time.
   */
  function isOld(message: EdcMessage, exchange: Running | null) {
    if (lastTaken === null || !sameBytes(lastTaken, message.maskedMessage)) return false;
    if (exchange === null || !requests.acknowledged) return true;
    return exchange.movesMoney && fieldText(message, '01') !== null;
  }

  function sendCancel(exchange: Running) {
    const message = encode('cancel', {});
    if (message === null) return;
    exchange.cancel = 'sent';
    log.info('the terminal is asked to abort');
    // Before the bytes go out: its NAK may come behind the sale's response, and would count against the next sale.
    requests.alsoSent();
    link.send(message);
  }

  function encode(command: EdcCommandName, values: RequestValues) {
    const { device } = parts;
    return encodeRequest(profile, command, device === undefined ? values : { ...values, device });
  }

  return {
    ask(command, values, watch) {
      const message = encode(command, values);
      if (message === null) throw new Error(`the profile ${profile.name} has no ${command}`);
      const exchange: Running = {
        command,
        watch,
        cancel: 'not_asked',
        movesMoney: movesMoney(command),
        ...(movesMoney(command) ? {} : { responseTimeoutMs: answerTimeoutMs }),
        send: () => link.send(message),
        atWork() {
          if (exchange.cancel === 'asked') sendCancel(exchange);
        },
      };
      link.begin();
      return requests.ask(exchange).then((end) => {
        if (end.kind !== 'not_started') mayOwe = end.kind === 'unknown';
        return end;
      });
    },
    cancel() {
      const { running } = requests;
      if (running?.command !== 'sale' || running.cancel !== 'not_asked') return;
      running.cancel = 'asked';
      if (requests.acknowledged) sendCancel(running);
    },
    get closedReason() {
      return link.closedReason;
    },
  };
}
