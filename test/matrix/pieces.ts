/** Counts the pieces of bytes that pass on a cable, up to the one at which it is to be pulled. */
import type { Socket } from 'node:net';

export type Fate = 'pass' | 'lose';

export interface PieceCounter {
  /** Called for each piece, before it is passed on. */
  onPiece(): Fate;
  arm(nth: number, fate: Fate): void;
  disarm(): void;
  /** Since it was armed: a piece has come; the one has come. */
  readonly begun: boolean;
  readonly struck: boolean;
}

export function createPieceCounter(on: (what: 'begun' | 'struck') => void): PieceCounter {
  let at: { nth: number; fate: Fate } | null = null;
  let count = 0;
  let struck = false;
  return {
    onPiece() {
      if (struck) return 'lose';
      count += 1;
      if (count === 1) on('begun');
      if (count !== at?.nth) return 'pass';
      struck = true;
      on('struck');
      return at.fate;
    },
    arm(nth, fate) {
      at = { nth, fate };
      count = 0;
      struck = false;
    },
    disarm() {
      at = null;
      struck = false;
    },
    get begun() {
      return count > 0;
    },
    get struck() {
      return struck;
    },
  };
}

export function carry(from: Socket, to: Socket, pieces: PieceCounter): void {
  from.on('data', (bytes: Buffer) => {
    if (pieces.onPiece() === 'pass' && !to.destroyed) to.write(bytes);
  });
  // Both ends go together, and their users are told by the system.
  from.on('error', () => {});
}
