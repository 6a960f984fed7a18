/**
 * The terminal's end of a line on which each frame is acknowledged: one ACK or NAK for each frame that comes, three sends of
 * a frame of ours that gets no ACK. It outlives connections: a terminal does not notice that its cable was pulled and put
 * back.
 */
import { peerDeadline, type Clock } from '../base/clock.ts';
import type { Log } from '../log/index.ts';
import type { LinkEvent, StreamParser } from '../bridge/terminals/framing/index.ts';
import { createFrameOutput, type FrameFaults } from './frame-output.ts';
import type { Noise } from './output.ts';

/** `failed`: it was sent as often as it may be, or given up. `ended`: the terminal has lost power, or was switched off. */
export type Delivery = 'delivered' | 'failed' | 'ended';

type FrameEvent = { kind: 'frame'; data: Uint8Array };

export interface AckedLinkOptions {
  parser: StreamParser<FrameEvent | { kind: 'progress' } | LinkEvent>;
  encodeFrame(data: Uint8Array): Uint8Array;
  encodeAnswer(as: 'ack' | 'nak'): Uint8Array;
  write(bytes: Uint8Array): void;
  /** A whole, undamaged message. ACK and NAK are for `answer`. */
  onMessage(data: Uint8Array): void;
  /** Whether a damaged frame gets NAK now. */
  answersDamage(): boolean;
  clock: Clock;
  /** In milliseconds: the wait for an ACK, the longest gap in a frame, and the pause between the pieces of a noisy line. */
  timings: { ackTimeoutMs: number; byteGapMs: number; pieceGapMs: number };
  log: Log;
  faults: FrameFaults;
}

export interface SendEvents {
  /** The frame is cut off in the middle by this, which ends the line. */
  half?: (() => void) | undefined;
  /** Called at the very moment of the ACK: the next request may stand right behind it. */
  delivered?: (() => void) | undefined;
  /** Glued in front of it, at its first send. */
  before?: Uint8Array | undefined;
}

export interface AckedLink {
  /** ACK or NAK to a frame that came. */
  answer(as: 'ack' | 'nak'): void;
  /** Bytes that nobody acknowledges. */
  put(bytes: Uint8Array): void;
  /** One at a time. */
  send(data: Uint8Array, on?: SendEvents): Promise<Delivery>;
  /** What is being sent is given up. */
  abandon(): void;
  /** Bytes from the line, in any pieces. */
  receive(bytes: Uint8Array): void;
  /** Another connection: what has come of a frame belongs to the old one. */
  newLine(): void;
  disturb(noise: Noise | null): void;
  /** Forgets everything; nothing is written any more. */
  end(): void;
}

const maxSends = 3;

interface Outgoing {
  data: Uint8Array;
  sends: number;
  /** Not before the frame is out can an ACK or NAK be meant for it. */
  written: boolean;
  cancelTimer: () => void;
  on: SendEvents;
  resolve: (delivery: Delivery) => void;
}

export function createAckedLink(options: AckedLinkOptions): AckedLink {
  const { clock, timings, log, faults, parser } = options;
  const output = createFrameOutput({
    clock,
    pieceGapMs: timings.pieceGapMs,
    faults,
    write: (bytes) => options.write(bytes),
  });
  let inFlight: Outgoing | null = null;
  let cancelGapTimer = () => {};
  let ended = false;

  function sendOnce(outgoing: Outgoing): void {
    const isFirst = outgoing.sends === 0;
    const cutInside = isFirst ? outgoing.on.half : undefined;
    outgoing.sends += 1;
    outgoing.written = false;
    output.putFrame(options.encodeFrame(outgoing.data), {
      before: isFirst ? outgoing.on.before : undefined,
      half: cutInside !== undefined,
      whenWritten() {
        if (inFlight !== outgoing) return;
        outgoing.written = true;
        outgoing.cancelTimer = peerDeadline(clock, timings.ackTimeoutMs, () =>
          notReceived(outgoing, 'no ACK in time'),
        );
        cutInside?.();
      },
    });
  }

  function notReceived(outgoing: Outgoing, why: string): void {
    outgoing.cancelTimer();
    log.debug('a frame was not acknowledged', { why, sends: outgoing.sends });
    if (outgoing.sends < maxSends) sendOnce(outgoing);
    else finish(outgoing, 'failed');
  }

  function finish(outgoing: Outgoing, delivery: Delivery): void {
    outgoing.cancelTimer();
    inFlight = null;
    if (delivery === 'delivered') outgoing.on.delivered?.();
    outgoing.resolve(delivery);
  }

  function refuse(reason: string): void {
    log.debug('a damaged frame came', { reason });
    if (options.answersDamage()) answer('nak');
  }

  function answer(as: 'ack' | 'nak'): void {
    output.put(options.encodeAnswer(as));
  }

  return {
    answer,
    put: (bytes) => output.put(bytes),
    send(data, on = {}) {
      if (ended) return Promise.resolve('ended');
      return new Promise((resolve) => {
        inFlight = { data, sends: 0, written: false, cancelTimer: () => {}, on, resolve };
        sendOnce(inFlight);
      });
    },
    abandon() {
      if (inFlight !== null) finish(inFlight, 'failed');
    },
    receive(bytes) {
      cancelGapTimer();
      for (const event of parser.push(bytes)) {
        // What an event sets off may end it all: nothing behind it was heard.
        if (ended) return;
        if (event.kind === 'frame') options.onMessage(event.data);
        else if (event.kind === 'damaged') refuse(event.reason);
        else if (event.kind === 'ack' && inFlight?.written === true) finish(inFlight, 'delivered');
        else if (event.kind === 'nak' && inFlight?.written === true) notReceived(inFlight, 'NAK');
      }
      if (ended || !parser.insideFrame) return;
      cancelGapTimer = peerDeadline(clock, timings.byteGapMs, () => {
        parser.reset();
        refuse('it stopped in the middle');
      });
    },
    newLine() {
      cancelGapTimer();
      parser.reset();
    },
    disturb: (noise) => output.disturb(noise),
    end() {
      if (ended) return;
      ended = true;
      cancelGapTimer();
      output.end();
      if (inFlight !== null) finish(inFlight, 'ended');
    },
  };
}
