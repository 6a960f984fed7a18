/** What the simulator writes to its line, whichever protocol it speaks: in order, and as badly as a noisy line would. */
import type { Clock } from '../base/clock.ts';

export interface Noise {
  /** Frames go out in pieces of so many bytes. */
  pieceBytes: number;
  /** Serial: bytes that belong to nothing, before each frame. */
  garbage: Uint8Array;
  /** Serial: the next frame goes out once with a bad checksum. */
  corruptNextFrame: boolean;
}

/** Writes in order; on a noisy line in pieces with pauses, and then nothing gets between the pieces of one frame. */
export interface Output {
  /** Writes now, or after what is still going out; then calls `whenWritten`. */
  put(bytes: Uint8Array, whenWritten?: () => void): void;
  /** Size of pieces from now on; null: whole. */
  pieceBytes: number | null;
  end(): void;
}

export function createOutput(clock: Clock, pieceGapMs: number, write: (bytes: Uint8Array) => void): Output {
  const waiting: { bytes: Uint8Array; whenWritten: (() => void) | undefined }[] = [];
  let cancelPause: (() => void) | null = null;

  function goOn(): void {
    while (cancelPause === null) {
      const first = waiting[0];
      if (first === undefined) return;
      const size = output.pieceBytes ?? first.bytes.length;
      write(first.bytes.subarray(0, size));
      first.bytes = first.bytes.subarray(size);
      if (first.bytes.length === 0) {
        waiting.shift();
        first.whenWritten?.();
      } else {
        cancelPause = clock.after(pieceGapMs, () => {
          cancelPause = null;
          goOn();
        });
      }
    }
  }

  const output: Output = {
    pieceBytes: null,
    put(bytes, whenWritten) {
      waiting.push({ bytes, whenWritten });
      if (waiting.length === 1) goOn();
    },
    end() {
      cancelPause?.();
      waiting.length = 0;
    },
  };
  return output;
}
