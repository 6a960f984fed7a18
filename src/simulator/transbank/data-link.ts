/**
 * The terminal's end of the line: one ACK or NAK for each frame, three sends of a frame of ours that gets no ACK, 10 s
 * after one another. It outlives connections: a terminal does not notice that its cable was pulled and put back.
 */
import { peerDeadline, type Clock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';
import { ACK, concatBytes, NAK } from '../../bridge/terminals/framing/index.ts';
import { createParser, encodeFrame } from '../../bridge/terminals/transbank/wire/index.ts';
import { createOutput, type Noise } from '../output.ts';
import type { Faults, TransbankTimings } from './terminal.ts';

/** `failed`: it was sent as often as it may be. `ended`: the terminal has lost power, or was switched off. */
export type Delivery = 'delivered' | 'failed' | 'ended';

export interface DataLinkOptions {
  write(bytes: Uint8Array): void;
  /** A whole, undamaged message. ACK and NAK are for `answer`. */
  onMessage(data: Uint8Array): void;
  /** It is carrying something out, and answers nothing else. */
  isBusy(): boolean;
  clock: Clock;
  timings: TransbankTimings;
  log: Log;
  faults: Faults;
}

export interface SendEvents {
  /** The frame is cut off in the middle by this, which ends the line. */
  half?: (() => void) | undefined;
  /** Called at the very moment of the ACK: the next request may stand right behind it. */
  delivered?: (() => void) | undefined;
}

export interface DataLink {
  /** ACK or NAK to a frame that came. */
  answer(as: 'ack' | 'nak'): void;
  /** One at a time. */
  send(data: Uint8Array, on?: SendEvents): Promise<Delivery>;
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

export function createDataLink(options: DataLinkOptions): DataLink {
  const { clock, timings, log, faults } = options;
  const parser = createParser();
  const output = createOutput(clock, timings.pieceGapMs, (bytes) => options.write(bytes));
  let inFlight: Outgoing | null = null;
  let noise: Noise | null = null;
  let cancelGapTimer = () => {};
  let ended = false;

  function sendOnce(outgoing: Outgoing): void {
    const cutInside = outgoing.sends === 0 ? outgoing.on.half : undefined;
    outgoing.sends += 1;
    outgoing.written = false;
    output.pieceBytes = noise?.pieceBytes ?? faults.pieceBytes;
    const frame = frameOf(outgoing.data);
    const half = cutInside === undefined ? frame : frame.subarray(0, Math.trunc(frame.length / 2));
    output.put(half, () => {
      if (inFlight !== outgoing) return;
      outgoing.written = true;
      outgoing.cancelTimer = peerDeadline(clock, timings.ackTimeoutMs, () =>
        notReceived(outgoing, 'no ACK in time'),
      );
      cutInside?.();
    });
  }

  function frameOf(data: Uint8Array): Uint8Array {
    const frame = encodeFrame(data);
    const isNoisy = noise?.corruptNextFrame === true;
    if (isNoisy || faults.badLrcs > 0) {
      if (noise !== null && isNoisy) noise.corruptNextFrame = false;
      else faults.badLrcs -= 1;
      frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 0xff;
    }
    return noise === null ? frame : concatBytes(noise.garbage, frame);
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

  /** Silent while it carries something out: the documentation has no answer for a terminal that is busy. */
  function refuse(reason: string): void {
    log.debug('a damaged frame came', { reason });
    if (!options.isBusy()) answer('nak');
  }

  function answer(as: 'ack' | 'nak'): void {
    output.put(Uint8Array.of(as === 'ack' ? ACK : NAK));
  }

  return {
    answer,
    send(data, on = {}) {
      if (ended) return Promise.resolve('ended');
      return new Promise((resolve) => {
        inFlight = { data, sends: 0, written: false, cancelTimer: () => {}, on, resolve };
        sendOnce(inFlight);
      });
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
    disturb(next) {
      noise = next;
    },
    end() {
      if (ended) return;
      ended = true;
      cancelGapTimer();
      output.end();
      if (inFlight !== null) finish(inFlight, 'ended');
    },
  };
}
