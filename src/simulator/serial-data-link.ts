/**
 * The serial data link (ZVT PA00P016): DLE/STX frames, one ACK or NAK for each, T1 inside a frame, T2 for ACK or NAK, two
 * repeats. One frame of ours is on its way at a time; ACK and NAK go out at once, before anybody acts on the frame.
 */
import { peerDeadline } from '../base/clock.ts';
import {
  ACK,
  NAK,
  createSerialParser,
  encodeSerialFrame,
  type FrameEvent,
  concatBytes,
  sameBytes,
} from '../bridge/terminals/zvt/wire/index.ts';
import { isAnswer, type Delivery, type DataLink, type DataLinkOptions } from './data-link.ts';
import { createOutput, type Noise } from './output.ts';

/** One send and two repeats. */
const maxSends = 3;

interface Outgoing {
  apdu: Uint8Array;
  done: (delivery: Delivery) => void;
  sends: number;
  /** Not before the frame is out can an ACK or NAK be meant for it. */
  written: boolean;
  cancelTimer: () => void;
}

export function createSerialDataLink(options: DataLinkOptions): DataLink {
  const { clock, timings, log } = options;
  const parser = createSerialParser();
  const output = createOutput(clock, timings.pieceGapMs, (bytes) => options.write(bytes));
  const queue: Outgoing[] = [];
  let inFlight: Outgoing | null = null;
  let lastAccepted: Uint8Array | null = null;
  let sentSinceAccepted = false;
  let noise: Noise | null = null;
  let cancelGapTimer = () => {};
  let ended = false;

  function sendNext(): void {
    if (inFlight !== null || ended) return;
    inFlight = queue.shift() ?? null;
    if (inFlight !== null) sendOnce(inFlight);
  }

  function sendOnce(outgoing: Outgoing): void {
    outgoing.sends += 1;
    outgoing.written = false;
    sentSinceAccepted = true;
    output.put(noisyFrame(outgoing.apdu), () => {
      // Answered before its last byte was out: there is nothing to wait for.
      if (inFlight !== outgoing) return;
      outgoing.written = true;
      outgoing.cancelTimer = peerDeadline(clock, timings.ackTimeoutMs, () =>
        notReceived(outgoing, 'no ACK within T2'),
      );
    });
  }

  function noisyFrame(apdu: Uint8Array): Uint8Array {
    const frame = encodeSerialFrame(apdu);
    if (noise === null) return frame;
    if (noise.corruptNextFrame) {
      noise.corruptNextFrame = false;
      // The checksum is the last two bytes and is never doubled.
      frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 0xff;
    }
    return concatBytes(noise.garbage, frame);
  }

  function notReceived(outgoing: Outgoing, why: string): void {
    outgoing.cancelTimer();
    if (outgoing.sends < maxSends) {
      log.debug('a frame is repeated', { why, sends: outgoing.sends });
      sendOnce(outgoing);
    } else {
      log.warn('a frame was sent too often without an ACK', { why, sends: outgoing.sends });
      finish(outgoing, 'failed');
    }
  }

  function finish(outgoing: Outgoing, delivery: Delivery): void {
    outgoing.cancelTimer();
    inFlight = null;
    outgoing.done(delivery);
    sendNext();
  }

  /** A frame equal to the last accepted one, while nothing of ours has reached the till since, is that frame again. */
  function isRepeat(apdu: Uint8Array): boolean {
    if (lastAccepted === null || !sameBytes(apdu, lastAccepted)) return false;
    if (!sentSinceAccepted) return true;
    return inFlight !== null && isAnswer(inFlight.apdu) && !isAnswer(apdu);
  }

  function onFrame(apdu: Uint8Array): void {
    if (!options.acceptFrame(apdu)) {
      output.put(Uint8Array.of(NAK));
      return;
    }
    output.put(Uint8Array.of(ACK));
    if (isRepeat(apdu)) {
      log.debug('a repeated frame was acknowledged again and not acted on');
      return;
    }
    lastAccepted = Uint8Array.from(apdu);
    sentSinceAccepted = false;
    if (inFlight?.written === false && isAnswer(apdu) && !isAnswer(inFlight.apdu)) {
      log.debug('an answer that came before the message was out was dropped');
      return;
    }
    // The till's next frame counts as its missing ACK, unless both have sent a command at the same time.
    if (inFlight !== null && (isAnswer(apdu) || isAnswer(inFlight.apdu))) finish(inFlight, 'delivered');
    if (!ended) options.onApdu(lastAccepted);
  }

  function onEvent(event: FrameEvent): void {
    switch (event.kind) {
      case 'apdu':
        return onFrame(event.apdu);
      case 'ack':
        if (inFlight?.written === true) finish(inFlight, 'delivered');
        return;
      case 'nak':
        if (inFlight?.written === true) notReceived(inFlight, 'NAK');
        return;
      case 'damaged':
        log.debug('a damaged frame was answered with NAK', { reason: event.reason });
        return output.put(Uint8Array.of(NAK));
      case 'discarded':
        log.debug('bytes outside a frame were dropped', { count: event.count });
        return;
    }
  }

  return {
    transmit(apdu, done) {
      queue.push({ apdu, done, sends: 0, written: false, cancelTimer: () => {} });
      sendNext();
    },
    receive(bytes) {
      cancelGapTimer();
      for (const event of parser.push(bytes)) {
        // What an event sets off may cut the line: nothing behind it was heard.
        if (ended) return;
        onEvent(event);
      }
      if (ended || !parser.insideFrame) return;
      cancelGapTimer = peerDeadline(clock, timings.byteGapMs, () => {
        log.debug('a frame stopped in the middle (T1)');
        parser.reset();
        output.put(Uint8Array.of(NAK));
      });
    },
    disturb(next) {
      noise = next;
      output.pieceBytes = next?.pieceBytes ?? null;
    },
    end() {
      ended = true;
      cancelGapTimer();
      inFlight?.cancelTimer();
      inFlight = null;
      queue.length = 0;
      output.end();
    },
  };
}
