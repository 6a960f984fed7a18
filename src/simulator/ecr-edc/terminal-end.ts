/**
 * The terminal's end of the line: ACK for a good frame, NAK for a damaged one, its last message again (up to three sends)
 * when the till says NAK. It waits for no ACK: whether the till has heard it changes nothing. It outlives connections: a
 * terminal does not notice that its cable was pulled and put back.
 */
import { peerDeadline, type Clock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';
import { ACK, NAK } from '../../bridge/terminals/framing/index.ts';
import { createFrameParser, encodeFrame } from '../../bridge/terminals/ecr-edc/wire/index.ts';
import { createFrameOutput, type FrameFaults } from '../frame-output.ts';
import type { Noise } from '../output.ts';
import type { SimulatorTimings } from '../simulated-terminal.ts';

/** What tests have it do wrong. The counts say how often, from now on. */
export interface Faults extends FrameFaults {
  /** A request is not heard, as while the terminal is busy: neither ACK nor NAK, and nothing is done. */
  ignored: number;
  /** The ACK of a request is lost; the request is carried out. */
  lostAcks: number;
  /** A request is acknowledged and carried out, and its answer never comes. */
  lostAnswers: number;
  /** So long an answer is held back behind what was done, in milliseconds. */
  answerDelayMs: number;
}

export const noFaults: Faults = {
  ignored: 0,
  lostAcks: 0,
  lostAnswers: 0,
  badLrcs: 0,
  answerDelayMs: 0,
  pieceBytes: null,
};

export interface TerminalEndOptions {
  /** The profile's. */
  lrcIncludesStx: boolean;
  write(bytes: Uint8Array): void;
  /** A whole, undamaged message. */
  onMessage(bytes: Uint8Array): void;
  /** It is carrying something out: no NAK then, as it sends none to any frame. */
  isBusy(): boolean;
  clock: Clock;
  timings: Pick<SimulatorTimings, 'byteGapMs' | 'pieceGapMs'>;
  log: Log;
  faults: Faults;
}

export interface SendEvents {
  /** The frame is cut off in the middle by this, which ends the line. */
  half?: (() => void) | undefined;
  /** Called at the ACK, if one comes. */
  acknowledged?: (() => void) | undefined;
}

export interface TerminalEnd {
  /** `withNext`: glued in front of the next message. */
  acknowledge(when: 'now' | 'with_next'): void;
  send(message: Uint8Array, on?: SendEvents): void;
  /** Bytes from the line, in any pieces. */
  receive(bytes: Uint8Array): void;
  /** Another connection: what has come of a frame belongs to the old one. */
  newLine(): void;
  disturb(noise: Noise | null): void;
  /** Forgets everything; nothing is written any more. */
  end(): void;
}

const maxSends = 3;

interface Sent {
  message: Uint8Array;
  sends: number;
  on: SendEvents;
}

export function createTerminalEnd(options: TerminalEndOptions): TerminalEnd {
  const { clock, timings, log, faults, lrcIncludesStx } = options;
  const parser = createFrameParser(lrcIncludesStx);
  const output = createFrameOutput({
    clock,
    pieceGapMs: timings.pieceGapMs,
    faults,
    write: (bytes) => options.write(bytes),
  });
  let lastSent: Sent | null = null;
  let owesAck = false;
  let cancelGapTimer = () => {};
  let ended = false;

  function sendOnce(sent: Sent): void {
    const cutInside = sent.sends === 0 ? sent.on.half : undefined;
    sent.sends += 1;
    output.putFrame(encodeFrame(sent.message, lrcIncludesStx), {
      before: owesAck ? Uint8Array.of(ACK) : undefined,
      half: cutInside !== undefined,
      whenWritten: cutInside,
    });
    owesAck = false;
  }

  function refuse(reason: string): void {
    log.debug('a damaged frame came', { reason });
    if (!options.isBusy()) output.put(Uint8Array.of(NAK));
  }

  function onAck(): void {
    const acknowledged = lastSent?.on.acknowledged;
    lastSent = null;
    acknowledged?.();
  }

  function onNak(): void {
    if (lastSent === null) return;
    log.debug('a frame was not acknowledged', { sends: lastSent.sends });
    if (lastSent.sends < maxSends) sendOnce(lastSent);
  }

  return {
    acknowledge(when) {
      if (when === 'with_next') owesAck = true;
      else output.put(Uint8Array.of(ACK));
    },
    send(message, on = {}) {
      if (ended) return;
      lastSent = { message, sends: 0, on };
      sendOnce(lastSent);
    },
    receive(bytes) {
      cancelGapTimer();
      for (const event of parser.push(bytes)) {
        // What an event sets off may end it all: nothing behind it was heard.
        if (ended) return;
        if (event.kind === 'message') options.onMessage(event.message);
        else if (event.kind === 'damaged') refuse(event.reason);
        else if (event.kind === 'ack') onAck();
        else if (event.kind === 'nak') onNak();
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
      ended = true;
      lastSent = null;
      cancelGapTimer();
      output.end();
    },
  };
}
