/**
 * The transport of ZVT PA00P016 above frames: acknowledgements, T1, T2, repeats and duplicates. It knows nothing of
 * what an APDU means.
 *
 * Serial: each good frame is acknowledged at once, before anybody acts on it; a damaged one gets a NAK. A frame that
 * we send waits for its ACK; the peer's next frame counts as the missing one. TCP: bare APDUs, none of this.
 */
import { peerDeadline, type Clock } from '../../../base/clock.ts';
import type { LineConnection } from '../../lines/line.ts';
import type { Log } from '../../../log/index.ts';
import { createFloodLimit } from '../framing/index.ts';
import {
  sameBytes,
  ACK,
  NAK,
  createSerialParser,
  createTcpParser,
  encodeSerialFrame,
  type FrameEvent,
} from './wire/index.ts';

export type Framing = 'serial' | 'tcp';

/** How often a frame may be sent again after its first copy (ZVT PA00P016: three sends in all). */
const maxRepeats = 2;
/**
 * More waiting APDUs than any terminal can have sent, which waits for the answer to each of its messages; one that sends
 * more is broken, and the line is closed.
 */
const maxWaitingApdus = 100;
/** The same within one piece of bytes, where also what is damaged counts, and what is acknowledged and dropped. */
const maxFramesInPiece = 100;
const tooMuch = 'the terminal sends more than can be handled';

/** What became of a frame that was sent. `copies` counts how often it went out whole. */
export type Delivery =
  /** The peer has it. `by`: its ACK, its next frame in place of the ACK, or nothing to wait for (TCP). */
  | { kind: 'delivered'; by: 'ack' | 'frame' | 'stream'; attempts: number }
  /** The line was closed: not one byte went out. */
  | { kind: 'not_written' }
  /** No ACK within T2 (`silence`), or nothing but NAKs (`refused`), and no repeat is left or allowed. */
  | { kind: 'exhausted'; cause: 'silence' | 'refused'; attempts: number }
  | { kind: 'closed'; reason: string; attempts: number };

type Received =
  | { kind: 'apdu'; apdu: Uint8Array }
  | { kind: 'timeout' }
  /** `wake()` was called. */
  | { kind: 'woken' }
  | { kind: 'closed'; reason: string };

export interface Session {
  readonly framing: Framing;
  /**
   * Sends one APDU; one at a time. `repeatOnSilence` false: it is sent again on a NAK only, never because no ACK came
   * (commands that move money). `begins`: a command that begins something new; what the terminal has sent before it no
   * longer counts against what it may send.
   */
  send(apdu: Uint8Array, policy: { repeatOnSilence: boolean; begins?: boolean }): Promise<Delivery>;
  /** The peer's next APDU in order, also one that came before the call; one call at a time. */
  receive(timeoutMs: number): Promise<Received>;
  /** Ends a `receive` that is waiting now with `woken`. */
  wake(): void;
  /** An APDU that nobody has received yet is there. */
  readonly pending: boolean;
  /** Called when an APDU came while nobody was in `receive`. */
  onUnsolicited(handler: () => void): void;
  /** Why the connection ended; null while it has not. */
  readonly closedReason: string | null;
  /** Gives up the connection: what has not arrived yet is dropped, not sent later. */
  close(): void;
}

export interface SessionOptions {
  framing: Framing;
  /** T1 and T2 of ZVT PA00P016, in milliseconds. */
  timers: { byteGapMs: number; ackTimeoutMs: number };
  clock: Clock;
  log: Log;
  /** Hears every whole APDU in both directions, in order, repeats included. */
  trace(direction: 'to_terminal' | 'from_terminal', apdu: Uint8Array): void;
}

interface Outstanding {
  bytes: Uint8Array;
  repeatOnSilence: boolean;
  attempts: number;
  cancelTimer: () => void;
  finish(delivery: Delivery): void;
}

export function createSession(connection: LineConnection, options: SessionOptions): Session {
  const { framing, timers, clock, log, trace } = options;
  const serial = framing === 'serial';
  const parser = serial ? createSerialParser() : createTcpParser();
  const limit = createFloodLimit(clock);
  const inbox: Uint8Array[] = [];
  let outstanding: Outstanding | null = null;
  let waiter: ((received: Received) => void) | null = null;
  let cancelByteGap = () => {};
  let unsolicited = () => {};
  let closedReason: string | null = null;
  /** The frame that a repeat would equal: the last one accepted, until we send anything but ACK or NAK. */
  let lastAccepted: Uint8Array | null = null;

  const pieces: Uint8Array[] = [];
  let reading = false;

  connection.onData((bytes) => {
    pieces.push(bytes);
    // A line may hand over an answer while an acknowledgement is being written: it has to wait its turn.
    if (reading) return;
    reading = true;
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) read(piece);
    reading = false;
  });
  connection.onClose(onClosed);
  if (connection.closed) onClosed('the line is closed');

  function read(bytes: Uint8Array) {
    if (closedReason !== null) return;
    cancelByteGap();
    if (!limit.takeBytes(bytes.length)) return breakOff(tooMuch);
    let frames = 0;
    for (const event of parser.push(bytes)) {
      if (event.kind !== 'ack' && event.kind !== 'nak') frames += 1;
      if (frames > maxFramesInPiece || !limit.takeEvent(event)) return breakOff(tooMuch);
      onFrame(event);
      // What comes behind a break is nobody's any more.
      if (isOver()) return;
    }
    if (serial && parser.insideFrame) cancelByteGap = peerDeadline(clock, timers.byteGapMs, onByteGap);
  }

  function isOver() {
    return closedReason !== null;
  }

  function onFrame(event: FrameEvent) {
    switch (event.kind) {
      case 'apdu':
        return onApdu(event.apdu);
      case 'ack':
        return finish((attempts) => ({ kind: 'delivered', by: 'ack', attempts }));
      case 'nak':
        return onNak();
      case 'damaged':
        return onDamaged(event.reason);
      case 'discarded':
        return log.debug('bytes that belong to no frame were dropped', { count: event.count });
    }
  }

  function onApdu(apdu: Uint8Array) {
    if (serial) connection.write(Uint8Array.of(ACK));
    trace('from_terminal', apdu);
    finish((attempts) => ({ kind: 'delivered', by: 'frame', attempts }));
    if (serial && lastAccepted !== null && sameBytes(lastAccepted, apdu)) {
      log.debug('a repeated frame was acknowledged and dropped');
      return;
    }
    lastAccepted = apdu.slice();
    inbox.push(lastAccepted);
    if (inbox.length > maxWaitingApdus) return breakOff(tooMuch);
    if (waiter === null) unsolicited();
    else deliver();
  }

  function onNak() {
    if (outstanding === null) return;
    if (outstanding.attempts > maxRepeats) {
      finish((attempts) => ({ kind: 'exhausted', cause: 'refused', attempts }));
    } else {
      repeat(outstanding, 'NAK');
    }
  }

  function onDamaged(reason: string) {
    log.debug('a damaged frame came', { reason });
    if (serial) connection.write(Uint8Array.of(NAK));
    else breakOff('what the terminal sends is not ZVT over TCP');
  }

  function onByteGap() {
    log.debug('a frame broke off', { byte_gap_ms: timers.byteGapMs });
    parser.reset();
    connection.write(Uint8Array.of(NAK));
  }

  function onSilence(frame: Outstanding) {
    if (outstanding !== frame) return;
    if (frame.repeatOnSilence && frame.attempts <= maxRepeats) repeat(frame, 'no ACK');
    else finish((attempts) => ({ kind: 'exhausted', cause: 'silence', attempts }));
  }

  function repeat(frame: Outstanding, cause: string) {
    frame.cancelTimer();
    if (!connection.write(frame.bytes)) {
      return finish((attempts) => ({
        kind: 'closed',
        reason: closedReason ?? 'the line is closed',
        attempts,
      }));
    }
    frame.attempts += 1;
    log.debug('a frame is sent again', { cause, attempts: frame.attempts });
    frame.cancelTimer = peerDeadline(clock, timers.ackTimeoutMs, () => onSilence(frame));
  }

  function finish(delivery: (attempts: number) => Delivery) {
    const frame = outstanding;
    if (frame === null) return;
    outstanding = null;
    frame.cancelTimer();
    frame.finish(delivery(frame.attempts));
  }

  function deliver() {
    const apdu = inbox[0];
    if (waiter === null || apdu === undefined) return;
    inbox.shift();
    finishWait({ kind: 'apdu', apdu });
  }

  function finishWait(received: Received) {
    const finish = waiter;
    waiter = null;
    finish?.(received);
  }

  function breakOff(reason: string) {
    log.warn('the line to the terminal is closed from this side', { reason });
    onClosed(reason);
    void connection.close('drop');
  }

  function onClosed(reason: string) {
    if (closedReason !== null) return;
    closedReason = reason;
    cancelByteGap();
    finish((attempts) => ({ kind: 'closed', reason, attempts }));
    finishWait({ kind: 'closed', reason });
  }

  return {
    framing,
    get pending() {
      return inbox.length > 0;
    },
    send(apdu, { repeatOnSilence, begins = false }) {
      if (outstanding !== null) throw new Error('a frame is sent while another waits for its ACK');
      if (begins) limit.fill();
      const bytes = serial ? encodeSerialFrame(apdu) : apdu;
      return new Promise((resolve) => {
        const frame: Outstanding = {
          bytes,
          repeatOnSilence,
          attempts: 1,
          cancelTimer: () => {},
          finish: resolve,
        };
        if (closedReason !== null) return resolve({ kind: 'not_written' });
        // The wait is armed before the bytes go out, and holds its result until it is known that they did.
        let early: Delivery | null = null;
        frame.finish = (delivery) => {
          early = delivery;
        };
        outstanding = frame;
        lastAccepted = null;
        if (serial) frame.cancelTimer = peerDeadline(clock, timers.ackTimeoutMs, () => onSilence(frame));
        trace('to_terminal', apdu);
        const written = connection.write(bytes);
        frame.finish = resolve;
        if (!written) {
          outstanding = null;
          frame.cancelTimer();
          return resolve({ kind: 'not_written' });
        }
        if (early !== null) return resolve(early);
        if (!serial) finish((attempts) => ({ kind: 'delivered', by: 'stream', attempts }));
      });
    },
    receive(timeoutMs) {
      if (waiter !== null) throw new Error('two parts of the driver wait for the same APDU');
      const apdu = inbox.shift();
      if (apdu !== undefined) return Promise.resolve({ kind: 'apdu', apdu });
      if (closedReason !== null) return Promise.resolve({ kind: 'closed', reason: closedReason });
      return new Promise((resolve) => {
        const cancelTimer = peerDeadline(clock, Math.max(0, timeoutMs), () =>
          finishWait({ kind: 'timeout' }),
        );
        waiter = (received) => {
          cancelTimer();
          resolve(received);
        };
      });
    },
    wake: () => finishWait({ kind: 'woken' }),
    onUnsolicited(handler) {
      unsolicited = handler;
    },
    get closedReason() {
      return closedReason;
    },
    close: () => void connection.close('drop'),
  };
}
