/**
 * What all parts of the driver share on one connection: how messages of the terminal are answered, what counts as a
 * repeat of one, and what is done with a message that belongs to none of our commands.
 */
import type { Clock } from '../../../base/clock.ts';
import type { ZvtSettings } from '../../../contract/configuration.ts';
import type { Currency } from '../../../contract/money.ts';
import type { TerminalRecord } from '../../../contract/terminal.ts';
import { type Log, createLogThrottle } from '../../../log/index.ts';
import type { DriverWatch } from '../terminal-driver.ts';
import { createTokenBucket } from '../../../base/token-bucket.ts';
import {
  sameBytes,
  decodeMessage,
  type ZvtMessage,
  progressText,
  controlField,
  isAnswer,
} from './wire/index.ts';
import { contradictionIn, toTerminalRecord } from './record.ts';
import { positiveAnswer, refusingAnswer, unsupportedAnswer } from './command-apdus.ts';
import type { Delivery, Session } from './session.ts';
import { createTerminalIds, type TerminalIds, createTraits, type Traits } from './terminal-ids-and-traits.ts';

export const busyReason = 'The terminal is busy with something of its own.';

export interface ExchangeContextParts {
  session: Session;
  settings: ZvtSettings;
  currency: Currency;
  clock: Clock;
  log: Log;
  watch: DriverWatch;
}

export interface ExchangeContext extends ExchangeContextParts {
  readonly ids: TerminalIds;
  /**
   * Every answer that is still on its way is known to have come: nothing of an earlier exchange can be mistaken for
   * the answer to the next command. Only then may a command that moves money be sent. A complete status poll
   * (05 01, 06 20) makes it true; a wait that ended in silence, and any unsolicited message, make it false.
   */
  inStep: boolean;
  readonly traits: Traits;
  /** When the terminal last completed a registration, in elapsed milliseconds. */
  registeredAt: number | null;
  /** The last refusal came without an acknowledgement of what it refuses, and no enquiry has been completed since. */
  refusesUnacknowledged: boolean;
  /** Polls in a row in which the terminal refused all but the registration. */
  refusedPolls: number;
  decode(apdu: Uint8Array, answerTo?: string): ZvtMessage;
  /** This result has been taken over, and answered positively: should it come again, it is no news. */
  noteTaken(record: TerminalRecord): void;
  /** Sends a command of ours, one that begins something new. See `Session.send`. */
  command(apdu: Uint8Array, policy: { repeatOnSilence: boolean }): Promise<Delivery>;
  /**
   * Answers a message of the terminal, and remembers the answer in case the message is repeated. Its bytes are with the
   * line before this returns.
   */
  reply(message: Uint8Array, answer: Uint8Array): Promise<Delivery>;
  /** Resolves once it is known what became of our last answer: nothing of ours is on its way any more. */
  settled(): Promise<void>;
  /** If this repeats the message that was answered last: answers it again in the same way, and gives true. */
  answerRepeat(message: Uint8Array): Promise<boolean>;
  /**
   * Answers what comes outside our own sequences. Gives a text for what the terminal seems to be doing, or null when
   * it was nothing (a late answer, a repeat). `lateResults` says whether a result (04 0F) may be adopted at all.
   * `inside`: the control field of the enquiry in which it comes, for terminals that always put a result into it.
   */
  answerUnsolicited(
    message: Uint8Array,
    lateResults?: 'adopt' | 'refuse',
    inside?: string | null,
  ): Promise<string | null>;
}

/** The last result of an operation, and the last record that was read. */
const maxTaken = 2;

/** Messages that are never new when they equal the one answered last; of others only when the answer was lost. */
const neverTwiceInARow: ReadonlySet<string> = new Set(['040f', '060f', '061e', '06d3']);

/**
 * How many results that come outside our commands are looked into: each looks something up in the journal and may be put
 * there, and a terminal has one or two to tell, after a payment that was broken off. One more is refused, which makes the
 * terminal undo what it may have done.
 */
const unsolicitedResultLimit = { capacity: 20, refillMs: 5_000 };

/** Harmless messages of the terminal that are answered positively wherever they come. */
const harmlessMessages: ReadonlySet<string> = new Set(['04ff', '0401', '060f', '061e', '06d1', '06d3']);

export function createExchangeContext(parts: ExchangeContextParts): ExchangeContext {
  const { session, settings, log, watch } = parts;
  const encoding = settings.textEncoding;
  const notes = createLogThrottle(parts.clock);
  const unsolicitedResults = createTokenBucket(parts.clock, unsolicitedResultLimit);
  const ids = createTerminalIds(log);
  const traits = createTraits({ watch, log, terminalId: () => ids.id });
  let answered: { message: Uint8Array; answer: Uint8Array; acknowledged: boolean } | null = null;
  /** Our last answer, while the terminal may still acknowledge it. */
  let replying: Promise<Delivery> | null = null;
  /** The result that came inside each enquiry when it was sent last, by its control field. */
  const resultsInside = new Map<string, string>();
  /** The results that were taken over last. */
  let taken: string[] = [];

  function decode(apdu: Uint8Array, answerTo?: string): ZvtMessage {
    return decodeMessage(apdu, { encoding, answerTo });
  }

  async function command(apdu: Uint8Array, policy: { repeatOnSilence: boolean }): Promise<Delivery> {
    // The answer to the end of an operation may still be on its way.
    if (replying !== null) await settled();
    // What comes from now on is new, even if it looks like the end of what was before.
    answered = null;
    return session.send(apdu, { ...policy, begins: true });
  }

  function reply(message: Uint8Array, answer: Uint8Array): Promise<Delivery> {
    const remembered = { message, answer, acknowledged: false };
    answered = remembered;
    const delivered = session.send(answer, { repeatOnSilence: true }).then((delivery) => {
      // The peer's next frame counts as the missing ACK, but if it is this same message again, our answer was lost.
      remembered.acknowledged = delivery.kind === 'delivered' && delivery.by !== 'frame';
      if (delivery.kind === 'exhausted') context.inStep = false;
      if (replying === delivered) replying = null;
      return delivery;
    });
    replying = delivered;
    return delivered;
  }

  async function settled(): Promise<void> {
    try {
      await replying;
    } catch (error) {
      replying = null;
      log.error('a fault while answering the terminal', { err: error });
    }
  }

  async function answerRepeat(message: Uint8Array): Promise<boolean> {
    if (answered === null || !sameBytes(answered.message, message)) return false;
    if (answered.acknowledged && !neverTwiceInARow.has(controlField(message))) return false;
    log.debug('a repeated message is answered again and not applied again', { ctrl: controlField(message) });
    await reply(message, answered.answer);
    return true;
  }

  /**
   * A terminal that finishes an operation says its result once, and not again inside the next enquiry: the same one
   * inside the same enquiry a second time is its way to answer it. A result that was taken counts only then: a terminal
   * with that habit has late results as well.
   */
  function isHabit(inside: string, record: TerminalRecord, adopted: boolean) {
    const said = signatureOf(record);
    const again = resultsInside.get(inside) === said;
    resultsInside.set(inside, said);
    if (traits.has('results_in_enquiries')) return again || !adopted;
    if (again) traits.learn('results_in_enquiries', 'The terminal puts a result (04 0F) into its enquiries.');
    return again;
  }

  function noteTaken(record: TerminalRecord) {
    // Without a number of its own a result cannot be told from the next one.
    if (record.traceNumber !== null) taken = [...taken, signatureOf(record)].slice(-maxTaken);
  }

  /** What the same enquiry has brought before was looked into then: such a terminal would soon have used up its share. */
  function mayLookInto(record: TerminalRecord, inside: string | null): boolean {
    if (inside !== null && resultsInside.get(inside) === signatureOf(record)) return true;
    if (unsolicitedResults.take()) return true;
    const said = notes.due('unsolicited result');
    if (said !== null) log.warn('the terminal sends one result after the other; they are refused', said);
    return false;
  }

  async function answerUnsolicited(
    message: Uint8Array,
    lateResults: 'adopt' | 'refuse' = 'adopt',
    inside: string | null = null,
  ) {
    const ctrl = controlField(message);
    if (isAnswer(ctrl)) {
      log.debug('a late answer is ignored', { ctrl });
      return null;
    }
    if (await answerRepeat(message)) return null;
    context.inStep = false;
    const said = notes.due('unsolicited');
    if (said !== null) log.info('the terminal sends something outside our commands', { ctrl, ...said });
    if (ctrl === '040f') {
      const decoded = decode(message);
      const record = ids.recognise(toTerminalRecord(decoded, encoding));
      if (inside !== null && taken.includes(signatureOf(record))) {
        await reply(message, positiveAnswer);
        return null;
      }
      const contradiction = contradictionIn(decoded);
      if (contradiction !== null && notes.due('contradiction') !== null)
        log.error('a result outside our commands contradicts itself; it is refused', {
          contradiction,
          record,
        });
      const adopted =
        lateResults === 'adopt' &&
        contradiction === null &&
        mayLookInto(record, inside) &&
        watch.lateResult(record);
      await reply(message, adopted ? positiveAnswer : refusingAnswer);
      if (adopted) noteTaken(record);
      if (inside !== null && isHabit(inside, record, adopted)) return null;
      return 'The terminal is finishing an earlier operation.';
    }
    await reply(message, harmlessMessages.has(ctrl) ? positiveAnswer : unsupportedAnswer);
    return ctrl === '04ff' ? `The terminal is busy: ${progressText(decode(message), encoding)}` : busyReason;
  }

  const context: ExchangeContext = {
    ...parts,
    ids,
    inStep: false,
    traits,
    registeredAt: null,
    refusesUnacknowledged: false,
    refusedPolls: 0,
    decode,
    noteTaken,
    command,
    reply,
    settled,
    answerRepeat,
    answerUnsolicited,
  };
  return context;
}

function signatureOf(record: TerminalRecord): string {
  const { kind, traceNumber, receiptNumber, amountMinor, resultCode, originalTraceNumber } = record;
  return [kind, traceNumber, receiptNumber, amountMinor, resultCode, originalTraceNumber].join(' ');
}
