/** A serial cable without hardware: two pseudo-terminals, joined. See `needs('pseudo-terminals')`. */
import { rmSync, symlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { systemClock } from '../../src/base/clock.ts';
import { openPseudoTerminal } from '../../src/simulator/index.ts';

export interface PtyPair {
  /** Paths of the two ends. */
  a: string;
  b: string;
  /** Pulls the cable: both ends hang up at once. May be called twice. */
  close(): Promise<void>;
}

/** With `at`, the two ends are links at these paths, so that a pair can be plugged in again under the same names. */
export async function openPtyPair(at?: { a: string; b: string }): Promise<PtyPair> {
  const [a, b] = [await openPseudoTerminal(systemClock), await openPseudoTerminal(systemClock)];
  carry(a.stream, b.stream);
  carry(b.stream, a.stream);
  if (at !== undefined) {
    symlinkSync(a.path, at.a);
    symlinkSync(b.path, at.b);
  }
  return {
    a: at?.a ?? a.path,
    b: at?.b ?? b.path,
    close() {
      a.close();
      b.close();
      if (at !== undefined) for (const link of [at.a, at.b]) rmSync(link, { force: true });
      return Promise.resolve();
    },
  };
}

/** Piece by piece, as a cable that holds nothing: the next is taken once the one before has been passed on. */
function carry(from: Socket, to: Socket): void {
  from.on('data', (bytes: Buffer) => {
    from.pause();
    to.write(bytes, (error) => {
      if (error === null || error === undefined) from.resume();
    });
  });
  // Both ends go together, and their users are told by the system.
  from.on('error', () => {});
  from.resume();
}
