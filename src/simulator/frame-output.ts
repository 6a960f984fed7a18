/** Frames with a check byte at their end, as the simulator writes them: whole, or as damaged as a test wants them. */
import type { Clock } from '../base/clock.ts';
import { concatBytes } from '../bridge/terminals/framing/index.ts';
import { createOutput, type Noise } from './output.ts';

/** What tests have a line do wrong. */
export interface FrameFaults {
  /** So many frames go out with a bad check byte, from now on. */
  badLrcs: number;
  /** Frames go out in pieces of so many bytes; null: whole. */
  pieceBytes: number | null;
}

interface FrameOptions {
  /** Glued in front of the frame. */
  before?: Uint8Array | undefined;
  /** No more than the first half of it goes out. */
  half?: boolean | undefined;
  whenWritten?: (() => void) | undefined;
}

export interface FrameOutput {
  /** Bytes as they are, behind what is still going out. */
  put(bytes: Uint8Array): void;
  /** `frame` ends with its check byte. */
  putFrame(frame: Uint8Array, options?: FrameOptions): void;
  /** How the line is from now on; null: good. */
  disturb(noise: Noise | null): void;
  /** Nothing is written any more. */
  end(): void;
}

export function createFrameOutput(parts: {
  clock: Clock;
  pieceGapMs: number;
  faults: FrameFaults;
  write(bytes: Uint8Array): void;
}): FrameOutput {
  const { faults } = parts;
  const output = createOutput(parts.clock, parts.pieceGapMs, (bytes) => parts.write(bytes));
  let noise: Noise | null = null;

  function put(bytes: Uint8Array, whenWritten?: () => void): void {
    output.pieceBytes = noise?.pieceBytes ?? faults.pieceBytes;
    output.put(bytes, whenWritten);
  }

  function damageAsWanted(frame: Uint8Array): void {
    const isNoisy = noise?.corruptNextFrame === true;
    if (!isNoisy && faults.badLrcs === 0) return;
    if (noise !== null && isNoisy) noise.corruptNextFrame = false;
    else faults.badLrcs -= 1;
    frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 0xff;
  }

  return {
    put: (bytes) => put(bytes),
    putFrame(frame, { before = new Uint8Array(), half = false, whenWritten } = {}) {
      damageAsWanted(frame);
      const whole = concatBytes(noise?.garbage ?? new Uint8Array(), before, frame);
      put(half ? whole.subarray(0, Math.trunc(whole.length / 2)) : whole, whenWritten);
    },
    disturb(next) {
      noise = next;
    },
    end: () => output.end(),
  };
}
