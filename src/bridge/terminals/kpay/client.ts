/**
 * Requests to one terminal: signed, one after the other, at the pace that it bears, with a new sign-in where it asks for
 * one. Nothing is sent a second time but what the terminal has plainly refused.
 */
import type { Chance } from '../../../base/chance.ts';
import { type Clock, pause } from '../../../base/clock.ts';
import { createSerialQueue } from '../../../base/serial-queue.ts';
import type { KpayRequest, KpayTransport, TransportResult } from './transport.ts';
import {
  answerCode,
  canonicalText,
  codeMeaning,
  codeText,
  decodeAnswer,
  encodeCommand,
  pathOf,
  requestName,
  signText,
  workingKeysOf,
  type EncodedCommand,
  type KpayAnswer,
  type KpayCommand,
  type WorkingKeys,
} from './wire/index.ts';

/** What came of a command. `reason` is for people. */
export type KpayOutcome =
  /** `repeated`: a copy came too fast before, so that a refusal of this one is no proof that none was taken. */
  | { kind: 'answered'; answer: KpayAnswer; repeated: boolean }
  /** Certain: the terminal has started nothing for it. `code`: why it refused the sign-in before it. */
  | { kind: 'not_sent'; reason: string; code: number | null }
  /** Written, and no answer that can be read: what came of it is not known. */
  | { kind: 'no_answer'; reason: string };

export interface KpayClient {
  /** Sends a command, one after the other, at its pace. Rejects only with what `encodeCommand` throws. */
  send(command: Exclude<KpayCommand, { call: 'sign_in' }>, signal?: AbortSignal): Promise<KpayOutcome>;
  /** Gets new working keys, whether there are some or not. */
  signIn(signal?: AbortSignal): Promise<KpayOutcome>;
  /** How often keys were got: what is asked under other keys may be asked of another terminal. */
  readonly signIns: number;
  /** Resolves once nothing is under way any more. */
  idle(): Promise<void>;
}

export interface KpayMessage {
  direction: 'to_terminal' | 'from_terminal';
  /** For people: see `messageNames`. */
  name: string;
  /** Of a request, path and query; of an answer, its HTTP status. */
  control: string;
  /** May be empty. */
  body: Uint8Array;
}

export interface KpayClientOptions {
  /** As KPay gave them to the merchant. */
  appId: string;
  appSecret: string;
  transport: KpayTransport;
  clock: Clock;
  chance: Chance;
  /** Called with each message that is written or read; keys and card numbers are in it. See `tracedHex`. */
  trace?: (message: KpayMessage) => void;
  /** Called when there are new keys, before anything is sent under them. False: nothing may be. */
  onNewKeys?: () => boolean;
}

/** Terminals refuse the same path sooner than 800 ms after the last time (50004); counted from the end of the last one. */
const paceMs = 1_000;
/** For one command. */
const maxSignIns = 2;
/** How often a command is repeated that the terminal has refused for coming too fast. */
const maxTooFast = 3;

const nonceCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const nonceLength = 32;

const notWritten =
  'The terminal asked for a new sign-in, as another one would, and that could not be written to the journal.';
const noKeys = 'The terminal has accepted no sign-in.';
const unreadable = 'the answer of the terminal cannot be read';

/** The keys live in this object only, and are gone with it. */
export function createKpayClient(options: KpayClientOptions): KpayClient {
  const { appId, appSecret, transport, clock, chance, trace = () => {}, onNewKeys = () => true } = options;
  const queue = createSerialQueue();
  const never = new AbortController().signal;
  /** By path: when the last request to it ended. */
  const lastEnded = new Map<string, number>();
  let keys: WorkingKeys | null = null;
  let keysGot = 0;

  /** Until the path may be asked again. */
  async function untilPace(path: string, signal: AbortSignal): Promise<void> {
    const waitMs = (lastEnded.get(path) ?? -Infinity) + paceMs - clock.elapsed();
    if (waitMs > 0) await pause(clock, waitMs, signal);
  }

  async function atPace(message: KpayRequest, signal: AbortSignal): Promise<TransportResult> {
    const path = pathOf(message.uri);
    await untilPace(path, signal);
    if (signal.aborted) return { kind: 'not_sent', reason: 'it was no longer wanted' };
    trace({
      direction: 'to_terminal',
      name: requestName(message.method, message.uri),
      control: message.uri,
      body: message.body ?? new Uint8Array(),
    });
    const result = await transport.send(message, signal);
    lastEnded.set(path, clock.elapsed());
    if (result.kind === 'response') {
      const { status, body } = result;
      trace({ direction: 'from_terminal', name: 'answer', control: String(status), body });
    }
    return result;
  }

  function headersOf(): { timestamp: string; nonceStr: string } {
    const letters = Array.from({ length: nonceLength }, () =>
      nonceCharacters.charAt(chance.integer(0, nonceCharacters.length)),
    );
    return { timestamp: String(clock.now()), nonceStr: letters.join('') };
  }

  async function signInNow(signal: AbortSignal): Promise<KpayOutcome> {
    keys = null;
    const encoded = encodeCommand({ call: 'sign_in', appId, appSecret });
    const attempt = async () => {
      const headers = { 'Content-Type': 'application/json', ...headersOf() };
      return outcomeOf(await atPace({ ...encoded, headers }, signal));
    };
    let outcome = await attempt();
    // Another till may have signed in just now.
    for (let again = 0; again < maxTooFast && isTooFast(outcome); again += 1) outcome = await attempt();
    if (outcome.kind !== 'answered' || outcome.answer.code !== answerCode.accepted) return outcome;
    keys = workingKeysOf(outcome.answer.data);
    if (keys === null) return { kind: 'no_answer', reason: 'the terminal gave no keys that work' };
    keysGot += 1;
    if (onNewKeys()) return outcome;
    keys = null;
    return { kind: 'not_sent', reason: notWritten, code: null };
  }

  /** Null: there are keys. Else why there are none; the command that needs them has not been started by anybody. */
  async function needKeys(signal: AbortSignal): Promise<KpayOutcome | null> {
    const outcome = await signInNow(signal);
    if (keys !== null) return null;
    if (outcome.kind !== 'answered') return { kind: 'not_sent', reason: outcome.reason, code: null };
    const { code } = outcome.answer;
    return { kind: 'not_sent', reason: codeText(code), code };
  }

  async function sendInTurn(
    command: Exclude<KpayCommand, { call: 'sign_in' }>,
    signal: AbortSignal,
  ): Promise<KpayOutcome> {
    // Written once: what is signed is what is sent.
    const encoded = encodeCommand(command);
    // Meanwhile others may go: who stops a sale does not wait for the next question.
    await untilPace(pathOf(encoded.uri), signal);
    return queue.run(() => sendNow(encoded, signal, newKeysFor(command)));
  }

  /** `newKeys`: whether it may go under new keys, which may be those of another terminal than was asked before. */
  async function sendNow(
    encoded: EncodedCommand,
    signal: AbortSignal,
    newKeys: NewKeys,
  ): Promise<KpayOutcome> {
    let signIns = 0;
    let tooFast = 0;
    // A copy came too fast before: that this one was not sent is no proof that none was taken.
    const ended = (outcome: KpayOutcome): KpayOutcome =>
      outcome.kind === 'not_sent' && tooFast > 0 ? { kind: 'no_answer', reason: outcome.reason } : outcome;
    for (;;) {
      if (keys === null) {
        if (newKeys === 'never') return ended({ kind: 'not_sent', reason: noKeys, code: null });
        signIns += 1;
        const failed = await needKeys(signal);
        if (failed !== null) return ended(failed);
        continue;
      }
      const { timestamp, nonceStr } = headersOf();
      const text = canonicalText({ ...encoded, timestamp, nonceStr });
      const headers = {
        ...(encoded.body === null ? {} : { 'Content-Type': 'application/json' }),
        appId,
        timestamp,
        nonceStr,
        signature: signText(text, keys.appPrivateKey),
      };
      const outcome = outcomeOf(await atPace({ ...encoded, headers }, signal), tooFast > 0);
      if (outcome.kind !== 'answered') return ended(outcome);
      const meaning = codeMeaning(outcome.answer.code);
      // All of them are said before anything starts.
      if (meaning === 'too_fast' && tooFast < maxTooFast) tooFast += 1;
      else if (newKeys === 'never' || (newKeys === 'for_first_copy' && tooFast > 0)) return outcome;
      else if (meaning === 'keys_gone' && signIns < maxSignIns) keys = null;
      else if (meaning === 'sign_in_once' && signIns === 0) keys = null;
      else return outcome;
    }
  }

  return {
    send: (command, signal = never) => sendInTurn(command, signal),
    signIn: (signal = never) => queue.run(() => signInNow(signal)),
    get signIns() {
      return keysGot;
    },
    idle: () => queue.idle(),
  };
}

type NewKeys = 'always' | 'for_first_copy' | 'never';

/** A copy that came too fast may have been taken by the terminal that was asked first: another one is not to get it as well. */
function newKeysFor({ call }: KpayCommand): NewKeys {
  if (call === 'settle') return 'never';
  return call === 'sale' || call === 'void' ? 'for_first_copy' : 'always';
}

function isTooFast(outcome: KpayOutcome): boolean {
  return outcome.kind === 'answered' && codeMeaning(outcome.answer.code) === 'too_fast';
}

/** The truth is in the body; another status, or a body that is no answer, says nothing of what was done. */
function outcomeOf(result: TransportResult, repeated = false): KpayOutcome {
  if (result.kind === 'not_sent') return { ...result, code: null };
  if (result.kind === 'no_answer') return result;
  if (result.status !== 200)
    return { kind: 'no_answer', reason: `the terminal answered with HTTP status ${result.status}` };
  const answer = decodeAnswer(result.body);
  return answer === null ? { kind: 'no_answer', reason: unreadable } : { kind: 'answered', answer, repeated };
}
