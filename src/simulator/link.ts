/** The terminal's end of one connection: brings APDUs there and back, by the rules of the line. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../log/index.ts';
import type { SimulatorTimings } from './timings.ts';

/** `delivered`: the other side has it (serial: ACK, or its answer). `failed`: it surely has no good copy, or we cannot know. */
export type Delivery = 'delivered' | 'failed';

export interface Link {
  /**
   * Sends one APDU, after those that are waiting. `done` is called once, at the very moment that decides, unless the
   * link ends before.
   */
  transmit(apdu: Uint8Array, done: (delivery: Delivery) => void): void;
  /** Bytes from the line, in any pieces. */
  receive(bytes: Uint8Array): void;
  /** From now on the line is noisy; null makes it clean again. */
  disturb(noise: Noise | null): void;
  /** Forgets everything; nothing is written and nobody is called any more. */
  end(): void;
}

export interface Noise {
  /** Frames go out in pieces of so many bytes. */
  pieceBytes: number;
  /** Serial: bytes that belong to nothing, before each frame. */
  garbage: Uint8Array;
  /** Serial: the next frame goes out once with a bad checksum. */
  corruptNextFrame: boolean;
}

export interface LinkOptions {
  write(bytes: Uint8Array): void;
  /** A whole, new, undamaged APDU; on a serial line it has been acknowledged. */
  onApdu(apdu: Uint8Array): void;
  /** Serial: whether a good frame gets ACK, or NAK as if it had been damaged (then it was never received). */
  acceptFrame(apdu: Uint8Array): boolean;
  /** The stream cannot be trusted any more (TCP only). */
  onBroken(reason: string): void;
  clock: Clock;
  timings: SimulatorTimings;
  log: Log;
}

/** 80 xx and 84 xx answer a command; everything else is a command (ZVT PA00P016). */
export function isAnswer(apdu: Uint8Array): boolean {
  return apdu[0] === 0x80 || apdu[0] === 0x84;
}
