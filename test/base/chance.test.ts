import { describe, expect, it } from 'vitest';
import { drawnAhead } from '../../src/base/chance.ts';

/** Fills with 1, 2, 3 … in the order of the bytes, so that each byte tells which it was (modulo 251). */
function counted() {
  let next = 0;
  const fills: number[] = [];
  const bytes = drawnAhead((piece) => {
    fills.push(piece.length);
    for (const index of piece.keys()) piece[index] = next++ % 251;
  });
  return { bytes, fills };
}

describe('random bytes drawn ahead', () => {
  it('are given once each, across every refill', () => {
    const { bytes, fills } = counted();
    const seen: number[] = [];
    for (let count = 0; seen.length < 3 * 4_096; count = (count + 7) % 61) seen.push(...bytes(count));
    // What is left at the end of a piece and too short is passed over; nothing comes twice.
    let at = -1;
    let passedOver = 0;
    for (const byte of seen) {
      const step = (byte - (at % 251) + 251) % 251;
      expect(step).not.toBe(0);
      passedOver += step - 1;
      at += step;
    }
    expect(fills.every((length) => length === 4_096)).toBe(true);
    expect(passedOver).toBeLessThan(fills.length * 61);
  });

  it('are the caller’s own: what it does with them changes no later ones', () => {
    const { bytes } = counted();
    const first = bytes(16);
    first.fill(0xff);
    expect([...bytes(4)]).toEqual([16, 17, 18, 19]);
    bytes(4_096);
    expect(first).toEqual(new Uint8Array(16).fill(0xff));
  });

  it('are as many as were asked for, also more than one piece holds', () => {
    const { bytes, fills } = counted();
    expect([bytes(5_000).length, bytes(0).length, bytes(4_096).length, bytes(1).length]).toEqual([
      5_000, 0, 4_096, 1,
    ]);
    expect(fills).toEqual([5_000, 4_096, 4_096]);
  });
});
