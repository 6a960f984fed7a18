/**
 * Sends one journal to the office, event by event in order, until the office has it all, and then each new event soon
 * after it was written.
 *
 *     ask for the heads ──► none is ours: ask for the place ──► send a batch ──► … ──► the end: wait for an event
 *          ▲                                                        │
 *          └───────────── wait, longer each time ◄── any failure ◄──┘
 *
 * Nothing is remembered beside the journal: after a failure or a restart the office says what it has, and what it may have
 * stored before its answer was lost is sent no second time.
 */
import { createBackoff } from '../../base/open-with-backoff.ts';
import type { Chance } from '../../base/chance.ts';
import { pause, type Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { chainStart, type JournalTail } from '../../bridge/journal/index.ts';
import {
  maxBatchBytes,
  maxBatchEvents,
  maxPlacePoints,
  type BatchHead,
  type ChainPlace,
  type JournalName,
  type KnownPlace,
} from '../../contract/office.ts';
import type { Log } from '../../log/index.ts';
import { createBell } from './bell.ts';
import type { OfficeAnswer, OfficeRequests } from './office-client.ts';
import type { Trouble, Troubles } from './troubles.ts';

export interface JournalSender {
  readonly sent: { seq: number; at: string } | null;
  /** The journal has events that it had not before. */
  written(): void;
  /** A payment may have ended. */
  stateChanged(): void;
  /** What is under way is given up. */
  stop(): void;
}

export interface JournalSenderOptions {
  journal: JournalName;
  /** What its troubles are filed under. */
  part: string;
  tail: JournalTail;
  /** A payment is under way: what is sent can wait. */
  isBusy(): boolean;
  office: OfficeRequests;
  clock: Clock;
  chance: Chance;
  log: Log;
  compress(text: string): Promise<Uint8Array<ArrayBuffer>>;
  troubles: Troubles;
  /** The office does not know the key: all its journals stop. */
  onKeyRefused(): void;
}

/** Events come several at a time. */
const gatherMs = 1_000;
/** How long it waits for the end of a payment. */
const maxHoldMs = 10_000;
/** Then the office is asked for the heads, which may have been restored from a copy. */
const idleCheckMs = 15 * 60_000;
const brokenRetryMs = 10 * 60_000;
const firstBackoffMs = 1_000;
const maxBackoffMs = 5 * 60_000;
/** So large a batch gets through in time over a line of 64 kbit/s, whatever it holds. */
const minBatchBytes = 128 * 1024;
/** Read in one turn of the event loop. */
const maxPageBytes = 512 * 1024;

/** What came of one step. */
type Step =
  | { kind: 'go_on' }
  | { kind: 'at_end' }
  | { kind: 'key_refused' }
  | { kind: 'failed'; trouble: Trouble; retryMs?: number };

const goOn: Step = { kind: 'go_on' };

export function createJournalSender(options: JournalSenderOptions): JournalSender {
  const { journal, part, tail, isBusy, office, clock, chance, compress, troubles } = options;
  const fields = { terminal: journal.terminal, simulated: journal.simulated };
  const ended = new AbortController();
  const news = createBell(clock);
  const quiet = createBell(clock);
  const backoff = createBackoff({
    firstMs: firstBackoffMs,
    maxMs: maxBackoffMs,
    random: () => chance.fraction(),
  });
  /** Where the next batch goes on; null: the office has to be asked. */
  let position: BatchHead | null = null;
  let sent: JournalSender['sent'] = null;
  /** Grows again with what gets through. */
  let batchBytes = maxBatchBytes;
  let placesUnknown = 0;
  let hadAll = false;
  let hasNews = true;

  async function run() {
    while (!ended.signal.aborted) {
      await untilQuiet();
      if (ended.signal.aborted) return;
      const step = await nextStep().catch((error: unknown): Step => unreadable(error));
      // What an end has broken off is no trouble.
      if (ended.signal.aborted) return;
      switch (step.kind) {
        case 'go_on':
          break;
        case 'at_end':
          backoff.reset();
          troubles.over(part);
          await untilNews();
          break;
        case 'key_refused':
          options.onKeyRefused();
          return;
        case 'failed':
          position = null;
          troubles.report(part, { ...step.trouble, fields: { ...fields, ...step.trouble.fields } });
          await pause(clock, step.retryMs ?? backoff.nextMs(), ended.signal);
      }
    }
  }

  async function nextStep(): Promise<Step> {
    hasNews = false;
    // A journal may have come back from a copy.
    if (position !== null && !isOurs(position.after)) position = null;
    if (position === null) return locate();
    const batch = await readBatch(position);
    if (batch === null) return atEnd(position);
    return send(position, batch);
  }

  /** Finds out how far the office has this journal. */
  async function locate(): Promise<Step> {
    const asked = await office.heads(journal);
    if (asked.kind !== 'answer') return notAnswered(asked);
    const { heads } = asked.value;
    // More are the work of years; the place finds those as well.
    let known = newestOurs(heads.slice(0, maxPlacePoints));
    if (known === null && heads.length > 0) {
      const points = placePoints();
      if (points.length > 0) {
        const place = await office.place(journal, points);
        if (place.kind !== 'answer') return notAnswered(place);
        known = place.value.place;
        if (known !== null && !isOurs(known)) return notOurs(known);
      }
    }
    position =
      known === null
        ? { chain: null, after: chainStart }
        : { chain: known.chain, after: { seq: known.seq, hash: known.hash } };
    if (known !== null) noteSent(known.seq);
    return goOn;
  }

  /** The newest event, on from there each time twice as far back, and the first one. */
  function placePoints(): ChainPlace[] {
    const { seq: newest } = tail.head();
    if (newest === 0) return [];
    const seqs = [newest];
    for (let back = 1; newest - back > 1; back *= 2) seqs.push(newest - back);
    if (newest > 1) seqs.push(1);
    return tail.placesAt(seqs);
  }

  /** Null: there is nothing that the office lacks. */
  async function readBatch(from: BatchHead): Promise<string | null> {
    const lines = [JSON.stringify(from)];
    let bytes = Buffer.byteLength(lines[0] ?? '') + 1;
    let last = from.after.seq;
    while (lines.length <= maxBatchEvents && bytes < batchBytes) {
      const left = Math.min(batchBytes - bytes, maxPageBytes);
      const page = tail.lines(last, maxBatchEvents + 1 - lines.length, left);
      const isFirst = lines.length === 1;
      if (page.lines.length === 0 || (!isFirst && bytes + page.bytes > batchBytes)) break;
      lines.push(...page.lines);
      bytes += page.bytes;
      last = page.lastSeq;
      await nextTurn();
    }
    return lines.length === 1 ? null : `${lines.join('\n')}\n`;
  }

  async function send(from: BatchHead, batch: string): Promise<Step> {
    const answer = await office.events(journal, await compress(batch));
    if (answer.kind !== 'answer') return notAnswered(answer);
    const { chain, seq, hash } = answer.value;
    if (!isOurs({ seq, hash })) return notOurs(answer.value);
    if (seq <= from.after.seq) {
      const message = `It was sent events after ${from.after.seq}, and says that it has those up to ${seq}.`;
      return { kind: 'failed', trouble: { kind: 'unusable', message } };
    }
    position = { chain, after: { seq, hash } };
    placesUnknown = 0;
    batchBytes = Math.min(batchBytes * 2, maxBatchBytes);
    backoff.reset();
    troubles.over(part);
    noteSent(seq);
    return goOn;
  }

  function notAnswered(answer: Exclude<OfficeAnswer<unknown>, { kind: 'answer' }>): Step {
    if (answer.kind !== 'refused') {
      if (answer.kind === 'unreachable' && answer.tookTooLong) shrink();
      return { kind: 'failed', trouble: { kind: answer.kind, message: answer.message } };
    }
    const { code, message, seq } = answer;
    switch (code) {
      case 'key_unknown':
        return { kind: 'key_refused' };
      case 'place_unknown':
        // Another bridge on a copy of this journal may have sent meanwhile; more than once is none of that.
        position = null;
        placesUnknown += 1;
        if (placesUnknown === 1) return goOn;
        break;
      case 'chain_broken': {
        const which = seq === null ? 'An event' : `Event ${seq}`;
        const sentence = `${which} of the journal of the terminal "${journal.terminal}" does not fit its place: ${message}`;
        return {
          kind: 'failed',
          trouble: {
            kind: 'chain_broken',
            message: sentence,
            ...(seq === null ? {} : { fields: { event: seq } }),
          },
          retryMs: brokenRetryMs,
        };
      }
      case 'body_too_large':
        shrink();
        break;
      case 'invalid_request':
      case 'code_unknown':
      case 'protocol_unknown':
      case 'unavailable':
      case 'not_found':
    }
    return { kind: 'failed', trouble: { kind: 'refused', message: `${message} (${code})` } };
  }

  function shrink() {
    batchBytes = Math.max(minBatchBytes, batchBytes / 2);
  }

  function notOurs({ seq }: ChainPlace): Step {
    const message = `It says that it has an event ${seq} of the journal of the terminal "${journal.terminal}" that is not in it.`;
    return { kind: 'failed', trouble: { kind: 'unusable', message } };
  }

  function unreadable(error: unknown): Step {
    return {
      kind: 'failed',
      trouble: { kind: 'journal_unreadable', message: errorText(error), fields: { err: error } },
    };
  }

  function isOurs({ seq, hash }: ChainPlace): boolean {
    return tail.placeAt(seq)?.hash === hash;
  }

  function newestOurs(heads: readonly KnownPlace[]): KnownPlace | null {
    const hashes = new Map(tail.placesAt(heads.map(({ seq }) => seq)).map(({ seq, hash }) => [seq, hash]));
    const ours = heads.filter(({ seq, hash }) => hashes.get(seq) === hash);
    return ours.toSorted((one, other) => other.seq - one.seq)[0] ?? null;
  }

  function noteSent(seq: number) {
    sent = { seq, at: new Date(clock.now()).toISOString() };
  }

  function atEnd({ after }: BatchHead): Step {
    if (!hadAll) options.log.info('the head office has the whole journal', { ...fields, events: after.seq });
    hadAll = true;
    return { kind: 'at_end' };
  }

  async function untilQuiet() {
    const lastMs = clock.elapsed() + maxHoldMs;
    while (isBusy() && clock.elapsed() < lastMs && !ended.signal.aborted)
      await quiet.wait(lastMs - clock.elapsed(), ended.signal);
  }

  async function untilNews() {
    const lastMs = clock.elapsed() + idleCheckMs;
    const isDue = () => hasNews || clock.elapsed() >= lastMs || ended.signal.aborted;
    while (!isDue()) await news.wait(lastMs - clock.elapsed(), ended.signal);
    if (!hasNews) position = null;
    await pause(clock, gatherMs, ended.signal);
  }

  // The bridge goes on whatever happens here.
  run().catch((err: unknown) =>
    options.log.error('a fault has ended what sends a journal to the head office', { ...fields, err }),
  );
  return {
    get sent() {
      return sent;
    },
    written() {
      hasNews = true;
      news.ring();
    },
    stateChanged: () => quiet.ring(),
    stop: () => ended.abort(),
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
